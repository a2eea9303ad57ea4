/** What a sheet shows of its rows before they are mapped: products and other rows below a header,
 * products that their shop does not sell, and how to collect the rest. */

import type { ColumnMapping } from "../columns/column-mapping.ts";
import {
  createKnownHeaderCount,
  type KnownHeaderCount,
  readKeyRow,
} from "../columns/header-matcher.ts";
import type { Column } from "../fields/fields.ts";
import type { TextKey } from "../issues/codes.ts";
import { findPlatform } from "../platforms/platform-matcher.ts";
import { createHeaderTable } from "../platforms/platform.ts";
import { type CodeColumn, createCodeColumn } from "../product-codes.ts";
import { cellText, isErrorText, type LostReason, type SourceRow } from "../source-row.ts";
import { fold, toPlainLetters } from "../text-keys.ts";
import {
  createNotationObserver,
  type NotationObserver,
  type NotationObserverOptions,
} from "../values/notation.ts";
import { createRowJoiner, type RowJoiner, type RowJoinerOptions } from "../variants/row-joiner.ts";
import { findVariantColumns, type VariantColumns } from "../variants/variant-columns.ts";
import { type Cell, locationOf, PLAIN_CELL } from "./layout.ts";
import { createNamesKey, type NamesKey } from "./names.ts";
import type { RowWork } from "./row-work.ts";
import { createStoreFold, type StoreFold, unfoldRow } from "./store-fold.ts";

/**
 * `remark`: the first cell begins with `#`. `total`: the row looks like the total of the rows above.
 * `header`: the row holds headers, as a report repeats them or a file with several rows of headers
 * has them. `group`: one text and nothing else, as lists have above the products of a group.
 */
export type RowKind = "product" | "empty" | "remark" | "total" | "header" | "group";

/** Returns the kind of a row below the header and its machine keys. */
type ReadRowKind = (row: SourceRow) => RowKind;

/** Fields that name a product; a total has none of them. */
const IDENTIFYING_FIELDS: ReadonlySet<string> = new Set(["product_code", "product_id", "title"]);

/** Number of rows below the header that may be further rows of headers. */
const FURTHER_HEADER_ROWS = 2;
const MIN_FURTHER_HEADERS = 3;

const TOTAL_WORD =
  /^(?:(?:(?:genel|ara|alt|son) )?toplam(?:lar|i)?|(?:grand |sub ?)?totals?|yekun)(?: (?:adet|tutar|stok|miktar|fiyat|kayit|urun|satir|items|rows|products))?(?: \d+(?: (?:adet|kayit|urun|satir|items|rows|products))?)?$/u;
const MAX_TOTAL_CHARS = 40;
/** Texts that a total has beside its word: amounts and their units. */
const AMOUNT = /^[\p{Sc}\p{N}\s.,+%()-]*(?:TL|TRY|USD|EUR|adet)?$/iu;

/** Creates the function for one sheet; `headerRow` is the number of its last row of headers. */
export function createRowKinds(mapping: ColumnMapping, headerRow: number): ReadRowKind {
  const isHeader = createHeaderCheck(mapping, headerRow);
  const isTotal = createTotalCheck(mapping);
  const isGroup = createGroupCheck(mapping);
  const store = createStoreFold(mapping.columns);
  return (source) => {
    const row = store.fold(source);
    const first = findFirst(row);
    if (first === -1) return row.traits === undefined ? "empty" : "product";
    if (isRemark(row, mapping)) return "remark";
    if (isTotal(row, first)) return "total";
    // Headers that are repeated stand in all columns.
    if (isHeader(source, findFirst(source))) return "header";
    return isGroup(row, first) ? "group" : "product";
  };
}

const findFirst = ({ cells }: SourceRow): number =>
  cells.findIndex((cell) => cellText(cell) !== "");

function createHeaderCheck(
  mapping: ColumnMapping,
  headerRow: number,
): (row: SourceRow, first: number) => boolean {
  const countKnown = createKnownHeaderCount();
  const lastNear = mapping.hasKeyRow ? 0 : headerRow + FURTHER_HEADER_ROWS;
  return (row, first) =>
    isHeaderAgain(row, first, mapping) ||
    isKeyRowAgain(row, mapping) ||
    (row.row <= lastNear && isFurtherHeader(row, countKnown));
}

/**
 * Our own workbooks say that `#` begins a remark. In other files codes and titles may begin with it,
 * so a remark has a blank behind it or no other filled cell.
 */
function isRemark({ cells }: SourceRow, { hasKeyRow }: ColumnMapping): boolean {
  const text = cellText(cells[0]);
  if (!text.startsWith("#")) return false;
  const isAlone = cells.every((cell, index) => index === 0 || cellText(cell) === "");
  if (isErrorText(text)) return isAlone && /^#+$/u.test(text);
  return isAlone || hasKeyRow || /^#+(?:\s|$)/u.test(text);
}

function createTotalCheck({ columns }: ColumnMapping): (row: SourceRow, first: number) => boolean {
  const naming = columns
    .filter(({ target }) => target.kind === "field" && IDENTIFYING_FIELDS.has(target.field))
    .map(({ index }) => index);
  return ({ cells }, first) => {
    const isWord = (index: number): boolean => isTotalWord(cellText(cells[index]));
    const at = isWord(first) ? first : naming.find(isWord);
    if (at === undefined) return false;
    return cells.every((cell, index) => {
      const text = cellText(cell);
      return index === at || text === "" || (!naming.includes(index) && AMOUNT.test(text));
    });
  };
}

/** A file with fewer columns that are read may hold nothing but codes. */
const MIN_GROUPED_COLUMNS = 3;

/**
 * A person fills in our own workbooks, where such a row is unfinished. A parent of variants may
 * have its name alone too.
 */
function createGroupCheck({
  columns,
  hasKeyRow,
  variantHeaders,
}: ColumnMapping): (row: SourceRow, first: number) => boolean {
  const known = columns.filter(({ target }) => target.kind === "field").length;
  const canGroup = !hasKeyRow && variantHeaders.size === 0 && known >= MIN_GROUPED_COLUMNS;
  return ({ cells, traits }, first) => {
    const text = cells[first];
    if (!canGroup || traits !== undefined || typeof text !== "string") return false;
    return isGroupName(text) && cells.every((cell, at) => at === first || cellText(cell) === "");
  };
}

/** A text with a digit and without a blank is a code rather than a name. */
const isGroupName = (text: string): boolean =>
  /\p{L}{2}/u.test(text) && !isErrorText(text) && (!/\p{N}/u.test(text) || /\S\s+\S/u.test(text));

const isTotalWord = (text: string): boolean =>
  text.length <= MAX_TOTAL_CHARS && /t[oO0]|yek/iu.test(text) && TOTAL_WORD.test(fold(text));

function isHeaderAgain({ cells }: SourceRow, first: number, { columns }: ColumnMapping): boolean {
  if (cellText(cells[first]) !== columns[first]?.header) return false;
  const filled = columns.filter(({ index }) => cellText(cells[index]) !== "");
  return (
    filled.length > 1 && filled.every(({ index, header }) => cellText(cells[index]) === header)
  );
}

/** Each of several sheets of our own workbooks has a row of machine keys. */
const isKeyRowAgain = ({ cells }: SourceRow, { hasKeyRow }: ColumnMapping): boolean =>
  hasKeyRow && readKeyRow(cells) !== undefined;

function isFurtherHeader({ cells }: SourceRow, countKnown: KnownHeaderCount): boolean {
  const filled = cells.filter((cell) => cellText(cell) !== "").length;
  const known = countKnown(cells);
  return known >= MIN_FURTHER_HEADERS && known * 2 > filled;
}

/** Whether a row is sent, as far as its place among the rows of its product shows. */
export const isSentRow = ({ joined }: SourceRow): boolean =>
  joined === undefined || joined.role === "product" || joined.role === "variant";

const LOST: Readonly<Record<LostReason, TextKey>> = {
  missing: "E_VARIANT_PARENT",
  apart: "E_VARIANT_PARENT.apart",
  ambiguous: "E_VARIANT_PARENT.ambiguous",
  broken: "E_VARIANT_PARENT.broken",
  many: "E_VARIANT_PARENT.many",
};

/** Says why a row is not sent; returns its action, `undefined` for a row that is a product. */
export function reportRole(work: RowWork): "auto" | "skip" | undefined {
  const { source } = work;
  const { role, reason = "missing", parentRow } = source.joined ?? {};
  if (role === undefined || isSentRow(source)) return undefined;
  const cell = linkCell(work);
  if (role === "lost") {
    const parent = parentRow === undefined ? "" : work.layout.nameRow(parentRow);
    work.report({ text: LOST[reason], params: { parent } }, cell);
    return "auto";
  }
  work.warn({ text: role === "image" ? "W_IMAGE_ROW" : "W_PARENT_ROW" }, cell);
  return "skip";
}

function linkCell({ layout, row, source }: RowWork): Cell {
  const index = layout.variants?.link ?? 0;
  const column = layout.mapping.columns[index];
  const text = cellText(source.cells[index]);
  const place = column && locationOf(layout, column, row);
  const location = place ?? { sheet: layout.sheet, row, column: "", cell: "", value: "" };
  return {
    ...PLAIN_CELL,
    field: "",
    index,
    location: { ...location, value: text },
    value: text,
    text,
  };
}

/** A cell that says that a product is not on sale. */
interface UnpublishedCell {
  readonly row: number;
  readonly column: Column;
  /** As it stands in the file, trimmed. */
  readonly text: string;
}

/**
 * The cells that say so of a row: those of its parent where that says so, else its own. Empty for a
 * product that is on sale. Rows are passed in the order in which they leave the joiner.
 */
type FindUnpublished = (row: SourceRow) => readonly UnpublishedCell[];

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
const listStatusHeaders = (
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
    const table = createHeaderTable(headers.map((header) => [header, true]));
    // A variant is on sale only where its product is.
    return used
      .filter(({ header }) => table.findAny(header))
      .map((column) => ({ column, unpublished: values }));
  });
}

/** Reads the rows of one sheet. Each call that returns a collector begins a new pass over them. */
export interface SheetReader {
  /** Reads product codes. */
  readonly codes: CodeColumn;
  /** The columns by which rows make up products with variants; `undefined` without variants. */
  readonly variants: VariantColumns | undefined;
  /** Headers of the columns that say which products are on sale where the file comes from. */
  readonly statusHeaders: ReadonlySet<string>;
  /** Whether a row is sent, as far as its place among the rows of its product shows. */
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
  const store = createStoreFold(mapping.columns);
  return {
    codes: createCodeColumn(sheet, mapping),
    variants: findVariantColumns(mapping),
    statusHeaders: listStatusHeaders(mapping),
    isSent: isSentRow,
    kindsBelow: (headerRow) => createRowKinds(mapping, headerRow),
    findUnpublished: (isWhole) => createUnpublishedSearch(mapping, isWhole),
    joinVariants: (options) => joinFolded(mapping, options, store),
    observeNumbers(options) {
      const observer = createNotationObserver(mapping, options);
      return { ...observer, observe: (row) => observer.observe(store.fold(row)) };
    },
    groupNames(loose) {
      const { keyOf, hasLoose, namesOf, titleOf } = createNamesKey(mapping, loose);
      return {
        keyOf: (row) => keyOf(store.fold(row)),
        hasLoose: (row) => hasLoose(store.fold(row)),
        namesOf: (row) => namesOf(store.fold(row)),
        titleOf: (row) => titleOf(store.fold(row)),
      };
    },
  };
}

/** Joins the rows as their store has them, and hands them out as they stand in the file. */
function joinFolded(
  mapping: ColumnMapping,
  options: RowJoinerOptions,
  store: StoreFold,
): RowJoiner | undefined {
  const joiner = createRowJoiner(mapping, {
    ...options,
    async readRow(row) {
      const found = await options.readRow(row);
      return found && store.fold(found);
    },
  });
  return (
    joiner && {
      push: async (next) =>
        (await joiner.push({ ...next, row: store.fold(next.row) })).map(unfoldRow),
      finish: () => joiner.finish().map(unfoldRow),
    }
  );
}
