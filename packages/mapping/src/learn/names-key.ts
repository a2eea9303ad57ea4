/** Groups rows that have the same names, so that one of them is looked up for all. */

import type { Column, ColumnMapping } from "../columns/map-columns.ts";
import { cellText, type SourceRow } from "../rows/source-row.ts";
import { withJoinedCells } from "../variants/join-cells.ts";

const NAME_FIELDS = ["action", "category", "brand", "brand_model", "shipping_template"] as const;

/** Compares rows by the names that they hold, as the mapper reads them. */
export interface NamesKey {
  /**
   * Key of a row: equal for rows whose names and named properties are equal and displayed alike.
   */
  readonly keyOf: (row: SourceRow) => string;
  /** Whether a column that may turn out to be a property is filled in this row. */
  readonly hasLoose: (row: SourceRow) => boolean;
  /**
   * A copy of the row with the cells of its names and of columns that may be properties; the others
   * are empty, as a row may have long texts.
   */
  readonly namesOf: (row: SourceRow) => SourceRow;
}

/**
 * Makes the key of a sheet's rows. A column with an unknown header counts only where `loose` names
 * it, because it is usually a note of the seller and different in every row.
 */
export function createNamesKey(
  { columns }: Pick<ColumnMapping, "columns">,
  loose: ReadonlySet<number> = new Set(),
): NamesKey {
  const names = NAME_FIELDS.map((field) => columns.find((column) => isField(column, field))?.index);
  const explicit = columns.filter(({ target }) => target.kind === "property");
  const keyed = [...names, ...explicit.map(({ index }) => index), ...loose];
  const unknown = columns.filter(
    ({ target, header }) => target.kind === "unknown" && header !== "",
  );
  const kept = new Set([...keyed, ...unknown.map(({ index }) => index)]);
  const toKey = ({ cells, traits, formats }: SourceRow): string =>
    traits === undefined && formats === undefined
      ? JSON.stringify(keyed.map((at) => cells[at ?? -1]))
      : JSON.stringify([cells, traits, formats].map((of) => of && keyed.map((at) => of[at ?? -1])));
  return {
    keyOf: (row) => toKey(withJoinedCells(row)),
    hasLoose: (row) => {
      const { cells } = withJoinedCells(row);
      return unknown.some(({ index }) => cellText(cells[index]) !== "");
    },
    // The texts are copied, because a text cut out of a larger one keeps all of that in memory.
    namesOf(row) {
      const alone = withJoinedCells(row);
      const cells = alone.cells.map((cell, index) => (kept.has(index) ? cell : null));
      return structuredClone({ ...alone, cells });
    },
  };
}

const isField = ({ target }: Column, field: string): boolean =>
  target.kind === "field" && target.field === field;
