/** Which columns need a person, and what was chosen for all. */

import type { ColumnView } from "../../../src/api/index.ts";

/** Whether a person should look at the column first. */
export const needsDecision = (column: ColumnView): boolean =>
  column.problem !== null || (column.confidence === "open" && column.field === null);

/** Field by header, of the columns that a person chose; a request replaces all of them. */
export const toChosenFields = (columns: readonly ColumnView[]): Record<string, string> =>
  Object.fromEntries(
    columns.flatMap(({ header, field, isChosen }) =>
      field === null || !isChosen ? [] : [[header, field] as const],
    ),
  );
