/**
 * Joins the rows of products with variants: each variant takes the values that only its parent has.
 * A row whose parent is not certain takes nothing and is marked as lost.
 */

import type { ColumnMapping } from "../columns/map-columns.ts";
import { createGroupJoiner } from "./group-joiner.ts";
import { createReferenceJoiner } from "./reference-joiner.ts";
import type { RowJoiner, RowJoinerOptions } from "./row-joiner.ts";
import { findVariantColumns } from "./variant-columns.ts";

/** `undefined` for a sheet in which every row is a product by itself. */
export function createRowJoiner(
  mapping: Pick<ColumnMapping, "columns" | "platform">,
  options: RowJoinerOptions,
): RowJoiner | undefined {
  const columns = findVariantColumns(mapping);
  if (columns === undefined) return undefined;
  const { rows } = columns;
  return rows.kind === "grouped"
    ? createGroupJoiner(mapping, { ...columns, rows }, options)
    : createReferenceJoiner(mapping, { ...columns, rows }, options);
}
