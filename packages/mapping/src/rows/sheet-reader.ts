/** What the columns of a sheet tell of its rows before they are mapped. */

import type { ColumnMapping } from "../columns/map-columns.ts";
import { type CodeColumn, createCodeColumn } from "../product-codes.ts";
import type { SourceRow } from "../source-row.ts";
import {
  createNotationObserver,
  type NotationObserver,
  type NotationObserverOptions,
} from "../values/notation.ts";
import { createRowJoiner, type RowJoiner, type RowJoinerOptions } from "../variants/row-joiner.ts";
import { findVariantColumns, type VariantColumns } from "../variants/variant-columns.ts";
import { createNamesKey, type NamesKey } from "./names.ts";
import {
  createRowKinds,
  createUnpublishedSearch,
  type FindUnpublished,
  isSentRow,
  listStatusHeaders,
  type ReadRowKind,
} from "./row-kinds.ts";

/** Reads the rows of one sheet. Each call that returns a collector begins a new pass over them. */
export interface SheetReader {
  /** Reads product codes. */
  readonly codes: CodeColumn;
  /** The columns by which rows make up products with variants; `undefined` without variants. */
  readonly variants: VariantColumns | undefined;
  /** Headers of the columns that say which products are on sale where the file comes from. */
  readonly statusHeaders: ReadonlySet<string>;
  /** Whether a row is sent, as far as its place among the rows of its product tells. */
  isSent(row: SourceRow): boolean;
  /** Tells products from other rows; `headerRow` is the number of the last row of headers. */
  kindsBelow(headerRow: number): ReadRowKind;
  /**
   * Finds rows whose product is not on sale; `undefined` for a sheet that does not say so. `isWhole`
   * tells whether the cells of a row stand in their columns.
   */
  findUnpublished(isWhole: (row: SourceRow) => boolean): FindUnpublished | undefined;
  /** Joins the rows of products with variants; `undefined` where every row is a product. */
  joinVariants(options: RowJoinerOptions): RowJoiner | undefined;
  /** Decides from all rows how the numbers of each column are written. */
  observeNumbers(options?: NotationObserverOptions): NotationObserver;
  /**
   * Groups rows that have the same names. A column with an unknown header counts only where `loose`
   * names it.
   */
  groupNames(loose?: ReadonlySet<number>): NamesKey;
}

/** Creates the reader; `sheet` is the name of the sheet, for the locations of codes. */
export function createSheetReader(mapping: ColumnMapping, sheet = ""): SheetReader {
  return {
    codes: createCodeColumn(sheet, mapping),
    variants: findVariantColumns(mapping),
    statusHeaders: listStatusHeaders(mapping),
    isSent: isSentRow,
    kindsBelow: (headerRow) => createRowKinds(mapping, headerRow),
    findUnpublished: (isWhole) => createUnpublishedSearch(mapping, isWhole),
    joinVariants: (options) => createRowJoiner(mapping, options),
    observeNumbers: (options) => createNotationObserver(mapping, options),
    groupNames: (loose) => createNamesKey(mapping, loose),
  };
}
