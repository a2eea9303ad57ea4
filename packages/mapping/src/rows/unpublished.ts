/** Finds rows whose product is not on sale on the platform that wrote the file. */

import type { Column, ColumnMapping } from "../columns/map-columns.ts";
import { toPlainLetters } from "../fold.ts";
import { findPlatform } from "../platforms/recognise-platform.ts";
import { findHeaders, findVariantColumns } from "../variants/variant-columns.ts";
import { cellText, type SourceRow } from "./source-row.ts";

/** A cell that says that a product is not on sale. */
export interface UnpublishedCell {
  readonly row: number;
  readonly column: Column;
  /** As it stands in the file, trimmed. */
  readonly text: string;
}

/**
 * The cells that say so of a row: those of its parent where that says so, else its own. Empty for a
 * product that is on sale. Rows are passed in the order in which they leave the joiner.
 */
export type FindUnpublished = (row: SourceRow) => readonly UnpublishedCell[];

interface StatusColumn {
  readonly column: Column;
  readonly unpublished: ReadonlySet<string>;
}

/**
 * `undefined` for a sheet without such a column; a column that a person leaves out is none.
 * `isWhole` tells whether the cells of a row stand in their columns; those of another row say
 * nothing.
 */
export function createUnpublishedSearch(
  mapping: ColumnMapping,
  isWhole: (row: SourceRow) => boolean,
): FindUnpublished | undefined {
  const statuses = findStatuses(mapping);
  if (statuses.length === 0) return undefined;
  const mayHaveVariants = findVariantColumns(mapping) !== undefined;
  const parents = new Map<number, readonly UnpublishedCell[]>();
  return (source) => {
    const { row, cells, joined } = source;
    const said = statuses.flatMap(({ column, unpublished }) => {
      const text = cellText(cells[column.index]);
      return unpublished.has(toPlainLetters(text)) ? [{ row, column, text }] : [];
    });
    const own = said.length > 0 && isWhole(source) ? said : [];
    if (mayHaveVariants && own.length > 0) parents.set(row, own);
    const { parentRow = row, reason } = joined ?? {};
    // Several rows may be the parent of an ambiguous variant.
    return (reason === "ambiguous" ? undefined : parents.get(parentRow)) ?? own;
  };
}

/**
 * Headers of the columns that say which products are on sale, on the platform that wrote the file.
 * A column that a person leaves out is none of them.
 */
export const listStatusHeaders = (
  mapping: Pick<ColumnMapping, "columns" | "platform">,
): ReadonlySet<string> => new Set(findStatuses(mapping).map(({ column }) => column.header));

function findStatuses({
  columns,
  platform,
}: Pick<ColumnMapping, "columns" | "platform">): readonly StatusColumn[] {
  const { statuses = [] } = (platform && findPlatform(platform.name)) ?? {};
  const used = columns.filter(({ target }) => target.kind !== "unused");
  return statuses.flatMap(({ headers, unpublished }) => {
    const values = new Set(unpublished.map((value) => toPlainLetters(value)));
    const indexes = new Set(findHeaders(used, headers));
    return used
      .filter(({ index }) => indexes.has(index))
      .map((column) => ({ column, unpublished: values }));
  });
}
