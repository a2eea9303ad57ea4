/** The hidden sheet in which a workbook made here says of itself what it is. */

import { type SheetRow } from "../cell.ts";
import { type ListedSheet } from "./read/workbook-parts.ts";

export const META_SHEET = "_meta";

/** Names and values, in the order of their lines. */
export type MetaLines = readonly (readonly [name: string, value: string])[];

const MOST_LINES = 50;

/** What the sheet is read with: whoever made a longer one, it was not made here. */
export const META_LIMITS = { columns: 2, cellChars: 1_000 } as const;

export const findMetaSheet = (sheets: readonly ListedSheet[]): ListedSheet | undefined =>
  sheets.find(({ name }) => name === META_SHEET);

export interface MetaCollector {
  readonly add: (row: SheetRow) => void;
  /** Whether more lines would be left out. */
  readonly isFull: () => boolean;
  readonly lines: () => MetaLines;
}

/** Takes the first lines. */
export function createMetaCollector(): MetaCollector {
  const lines: [string, string][] = [];
  const isFull = (): boolean => lines.length >= MOST_LINES;
  return {
    add({ cells: [name, value] }) {
      if (!isFull()) lines.push([String(name ?? ""), String(value ?? "")]);
    },
    isFull,
    lines: () => lines,
  };
}
