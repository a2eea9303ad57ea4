/** Filter and sort of the list of products, as the address of the page holds them. */

import type {
  ProductColumn,
  ProductFilter,
  ProductMark,
  ProductSort,
  ProductStatus,
} from "../../src/api/index.ts";

export interface ProductQuery {
  readonly filter: ProductFilter;
  readonly sort: ProductSort | null;
}

// The client takes only types from the interface; these are complete by their types.
const STATUS_SET: Readonly<Record<ProductStatus, true>> = {
  approved: true,
  passive: true,
  veto: true,
};
const MARK_SET: Readonly<Record<ProductMark, true>> = {
  "sold-out": true,
  "no-image": true,
  discount: true,
  ours: true,
  others: true,
};
const COLUMN_SET: Readonly<Record<ProductColumn, true>> = {
  image: true,
  code: true,
  title: true,
  brand: true,
  category: true,
  price: true,
  paid: true,
  discount: true,
  stock: true,
  status: true,
  images: true,
  ours: true,
  others: true,
  read: true,
};

const isStatus = (text: string): text is ProductStatus => Object.hasOwn(STATUS_SET, text);
const isMark = (text: string): text is ProductMark => Object.hasOwn(MARK_SET, text);
const isColumn = (text: string): text is ProductColumn => Object.hasOwn(COLUMN_SET, text);

export const STATUSES: readonly ProductStatus[] = Object.keys(STATUS_SET).filter(isStatus);
export const MARKS: readonly ProductMark[] = Object.keys(MARK_SET).filter(isMark);
/** Every column in the order in which a list shows them. */
export const COLUMNS: readonly ProductColumn[] = Object.keys(COLUMN_SET).filter(isColumn);

/** An amount as the server takes it: digits, and at most two behind a point or comma. */
export const isAmount = (text: string): boolean => /^\d{1,12}(?:[.,]\d{1,2})?$/u.test(text);

export const isCount = (text: string): boolean => /^\d{1,9}$/u.test(text);

const MAX_TEXT = 1_000;

const textOf = (query: URLSearchParams, name: string): string | undefined => {
  const text = query.get(name)?.trim() ?? "";
  return text === "" || text.length > MAX_TEXT ? undefined : text;
};

const amountOf = (query: URLSearchParams, name: string): string | undefined => {
  const text = textOf(query, name);
  return text !== undefined && isAmount(text) ? text : undefined;
};

const countOf = (query: URLSearchParams, name: string): number | undefined => {
  const text = textOf(query, name);
  return text !== undefined && isCount(text) ? Number(text) : undefined;
};

const parseSort = (query: URLSearchParams): ProductSort | null => {
  const column = query.get("sort") ?? "";
  return isColumn(column) ? { column, isDescending: query.get("direction") === "down" } : null;
};

/** The filter without parts that filter nothing. */
export const trimFilter = (filter: ProductFilter): ProductFilter =>
  Object.fromEntries(
    Object.entries(filter).filter(([, value]) => {
      if (value === undefined || value === "") return false;
      return !Array.isArray(value) || value.length > 0;
    }),
  );

/** What an address asks for; parts that mean nothing are left out, as anybody can type them. */
export const parseQuery = (search: string): ProductQuery => {
  const query = new URLSearchParams(search);
  const status = textOf(query, "status") ?? "";
  const marks = new Set((query.get("marks") ?? "").split(",").filter(isMark));
  return {
    filter: trimFilter({
      text: textOf(query, "text"),
      brand: textOf(query, "brand"),
      category: textOf(query, "category"),
      status: isStatus(status) ? status : undefined,
      priceFrom: amountOf(query, "priceFrom"),
      priceTo: amountOf(query, "priceTo"),
      stockFrom: countOf(query, "stockFrom"),
      stockTo: countOf(query, "stockTo"),
      marks: MARKS.filter((mark) => marks.has(mark)),
    }),
    sort: parseSort(query),
  };
};

/** The query of an address, with its question mark; nothing where it asks for all products. */
export const formatProductQuery = ({ filter, sort }: ProductQuery): string => {
  const query = new URLSearchParams();
  const { marks = [], ...parts } = trimFilter(filter);
  for (const [name, value] of Object.entries(parts)) query.set(name, String(value));
  if (marks.length > 0) query.set("marks", marks.join(","));
  if (sort !== null) query.set("sort", sort.column);
  if (sort?.isDescending === true) query.set("direction", "down");
  const text = query.toString();
  // A comma is readable, and needs no escape in a query.
  return text === "" ? "" : `?${text.replaceAll("%2C", ",")}`;
};

/** Number of the parts that filter, each mark and each range as one; the text is no part. */
export const countParts = (filter: ProductFilter): number => {
  const { text: _, priceFrom, priceTo, stockFrom, stockTo, marks = [], ...parts } = filter;
  const ranges = [priceFrom ?? priceTo, stockFrom ?? stockTo].filter((end) => end !== undefined);
  return Object.keys(trimFilter(parts)).length + ranges.length + marks.length;
};

/** Whether two queries show the same list. */
export const isSameQuery = (one: ProductQuery, other: ProductQuery): boolean =>
  formatProductQuery(one) === formatProductQuery(other);
