/** The hidden sheet in which a workbook of this program describes itself. */

import type { SheetRow } from "../cell.ts";
import type { ReadLimits } from "../limits.ts";
import type { ListedSheet } from "./read/workbook-parts.ts";

export const META_SHEET = "_meta";

/** Names and values, in the order of their lines. */
export type MetaLines = readonly (readonly [name: string, value: string])[];

const MAX_LINES = 50;

/** Limits for reading the sheet; this program does not write a larger one. */
export const META_LIMITS: Pick<ReadLimits, "rows" | "columns" | "cellChars"> = {
  rows: Infinity,
  columns: 2,
  cellChars: 1_000,
};

export const findMetaSheet = (sheets: readonly ListedSheet[]): ListedSheet | undefined =>
  sheets.find(({ name }) => name === META_SHEET);

export interface MetaCollector {
  readonly add: (row: SheetRow) => void;
  /** Whether further lines would be ignored. */
  readonly isFull: () => boolean;
  readonly lines: () => MetaLines;
}

/** Collects the first lines. */
export function createMetaCollector(): MetaCollector {
  const lines: [string, string][] = [];
  const isFull = (): boolean => lines.length >= MAX_LINES;
  return {
    add({ cells: [name, value] }) {
      if (!isFull()) lines.push([String(name ?? ""), String(value ?? "")]);
    },
    isFull,
    lines: () => lines,
  };
}
