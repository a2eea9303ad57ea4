import type { Localized } from "@catalog/i18n";

import type { StatedCurrency } from "../platforms/platform-matcher.ts";
import { columnLetter } from "../rows/source-row.ts";
import type { BeatenColumn } from "./choose-columns.ts";
import type { ColumnCells, Watch } from "./column-cells.ts";
import type { FieldKey } from "./fields/field.ts";
import type { ColumnTarget, HeaderMatch } from "./header-matcher.ts";

/** The columns of one sheet once every field has its column. */
export interface ColumnFacts {
  readonly headers: readonly string[];
  readonly matches: readonly HeaderMatch[];
  readonly targets: readonly ColumnTarget[];
  readonly beaten: readonly BeatenColumn[];
  /** Columns that may make up a field together with others. */
  readonly parts: readonly number[];
  /** Columns whose target a person has chosen. */
  readonly chosen: ReadonlySet<number>;
  /** Absent while the cells have not been examined. */
  readonly cells: ReadonlyMap<number, ColumnCells> | undefined;
  readonly constants: ReadonlyMap<FieldKey, string>;
  /** Columns that may hold ids of this marketplace; their cells decide. */
  readonly idColumns: ReadonlySet<number>;
  /** Columns whose cells decide about other columns. */
  readonly deciding: ReadonlyMap<number, Watch>;
  /** The currency that a header states for all prices. */
  readonly statedCurrency: StatedCurrency | undefined;
}

/** The column that gives a field its values; `undefined` where none does. */
export function findHolder({ targets }: ColumnFacts, field: FieldKey): number | undefined {
  const index = targets.findIndex((target) => target.kind === "field" && target.field === field);
  return index < 0 ? undefined : index;
}

/** Whether a column holds anything; true for one that was not examined. */
export function isFilled({ cells }: ColumnFacts, index: number): boolean {
  return cells?.get(index)?.filled !== 0;
}

const MAX_SAMPLE_LENGTH = 30;

const shorten = (text: string): string =>
  text.length <= MAX_SAMPLE_LENGTH ? text : `${text.slice(0, MAX_SAMPLE_LENGTH - 1)}…`;

/** Where a column is, with the first values in it: `C: 12,50 · 13,00`. */
export function describeCells({ cells }: ColumnFacts, index: number): Localized {
  const letter = columnLetter(index);
  const known = cells?.get(index);
  if (known === undefined) return { tr: letter, en: letter };
  if (known.filled === 0) return { tr: `${letter}: boş`, en: `${letter}: empty` };
  const samples = known.samples.map((text) => shorten(text)).join(" · ");
  return { tr: `${letter}: ${samples}`, en: `${letter}: ${samples}` };
}

/** A column by its header, where it is and what it holds: `“Fiyat” (C: 12,50)`. */
export function describeColumn(facts: ColumnFacts, index: number): Localized {
  const header = facts.headers[index] ?? "";
  const { tr, en } = describeCells(facts, index);
  return { tr: `“${header}” (${tr})`, en: `“${header}” (${en})` };
}
