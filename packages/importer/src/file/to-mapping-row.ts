/**
 * Converts a stored row to the mapping package's row, with the cell traits that the reader found.
 */

import type { SourceRow } from "@catalog/mapping";
import type { SourceRow as StoredRow } from "@catalog/runs";

/** Keeps the fields that mapping needs. */
export function toMappingRow({ row, cells, traits, formats, joined }: StoredRow): SourceRow {
  return {
    row,
    cells,
    ...(traits === undefined ? undefined : { traits }),
    ...(formats === undefined ? undefined : { formats }),
    ...(joined === undefined ? undefined : { joined }),
  };
}
