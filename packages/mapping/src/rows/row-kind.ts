/** Tells products from the other rows below a header: empty ones, remarks, totals, more headers. */

import { readKeyRow } from "../columns/key-row.ts";
import { createKnownHeaderCount, type KnownHeaderCount } from "../columns/known-headers.ts";
import type { ColumnMapping } from "../columns/map-columns.ts";
import { fold } from "../fold.ts";
import { cellText, isErrorText, type SourceRow } from "./source-row.ts";

/**
 * `remark`: the first cell begins with `#`. `total`: the row looks like the total of the rows above.
 * `header`: the row holds headers, as a report repeats them or a file with several rows of headers
 * has them.
 */
export type RowKind = "product" | "empty" | "remark" | "total" | "header";

/** Returns the kind of a row below the header and its machine keys. */
export type ReadRowKind = (row: SourceRow) => RowKind;

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
  const countKnown = createKnownHeaderCount();
  const isTotal = createTotalCheck(mapping);
  return (row) => {
    const first = row.cells.findIndex((cell) => cellText(cell) !== "");
    if (first === -1) return row.traits === undefined ? "empty" : "product";
    if (isRemark(row, mapping)) return "remark";
    if (isTotal(row, first)) return "total";
    if (isHeaderAgain(row, first, mapping) || isKeyRowAgain(row, mapping)) return "header";
    const isNear = !mapping.hasKeyRow && row.row <= headerRow + FURTHER_HEADER_ROWS;
    return isNear && isFurtherHeader(row, countKnown) ? "header" : "product";
  };
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
