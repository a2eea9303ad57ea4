/** A stored row as the mapping package reads it: what the reader said of its cells comes with them. */

import { type SourceRow } from "@catalog/mapping";
import { type SourceRow as StoredRow } from "@catalog/runs";

/** Leaves out what else the record of a row holds. */
export function toMappable({ row, cells, traits, formats }: StoredRow): SourceRow {
  return {
    row,
    cells,
    ...(traits === undefined ? undefined : { traits }),
    ...(formats === undefined ? undefined : { formats }),
  };
}
