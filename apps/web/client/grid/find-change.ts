/** Where a change of the server differs from what the page shows. */

import type { RowView } from "../../src/api/index.ts";

/** A cell by the number of its row and the index of its column. */
export interface ChangedCell {
  readonly row: number;
  /** `null` where the row was left out or put back. */
  readonly column: number | null;
}

/** The first cell of some rows that differs from the rows before; `undefined` for none. */
export const findChange = (
  after: readonly RowView[],
  before: (row: number) => RowView | undefined,
): ChangedCell | undefined => {
  for (const { row, cells, isExcluded } of after) {
    const old = before(row);
    if (old === undefined) continue;
    const column = cells.findIndex((text, index) => text !== (old.cells[index] ?? ""));
    if (column !== -1) return { row, column };
    if (isExcluded !== old.isExcluded) return { row, column: null };
  }
  return undefined;
};
