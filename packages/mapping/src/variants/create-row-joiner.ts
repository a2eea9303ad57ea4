/**
 * Joins the rows of products with variants: each variant takes the values that only its parent has.
 * A row whose parent is not certain takes nothing and is marked as lost.
 */

import type { ColumnMapping } from "../columns/map-columns.ts";
import type { WholeRows } from "../platforms/platform.ts";
import { cellText, type SourceRow } from "../rows/source-row.ts";
import { createGroupJoiner } from "./group-joiner.ts";
import { createReferenceJoiner } from "./reference-joiner.ts";
import type { RowJoiner, RowJoinerOptions } from "./row-joiner.ts";
import {
  findHeaders,
  findVariantColumns,
  hasOption,
  type VariantColumns,
} from "./variant-columns.ts";

/** `undefined` for a sheet in which every row is a product by itself. */
export function createRowJoiner(
  mapping: Pick<ColumnMapping, "columns" | "platform">,
  options: RowJoinerOptions,
): RowJoiner | undefined {
  const columns = findVariantColumns(mapping);
  if (columns === undefined) return undefined;
  const { rows } = columns;
  if (rows.kind === "grouped") return createGroupJoiner(mapping, { ...columns, rows }, options);
  return rows.kind === "referring"
    ? createReferenceJoiner(mapping, { ...columns, rows }, options)
    : createWholeJoiner(mapping, columns, rows);
}

/** Marks parents and variants; no row takes anything from another one. */
function createWholeJoiner(
  { columns: all }: Pick<ColumnMapping, "columns">,
  columns: VariantColumns,
  { type }: WholeRows,
): RowJoiner {
  const [kind] = findHeaders(all, type?.headers ?? []);
  const parents = new Set(type?.parents);
  const roleOf = ({ cells }: SourceRow): "parent" | undefined =>
    kind !== undefined && parents.has(cellText(cells[kind]).toLowerCase()) ? "parent" : undefined;
  return {
    finish: () => [],
    async push({ row }) {
      const role = roleOf(row) ?? (hasOption(row, columns) ? "variant" : undefined);
      return [role === undefined ? row : { ...row, joined: { role } }];
    },
  };
}
