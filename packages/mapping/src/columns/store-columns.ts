/**
 * Columns that hold for one store only: their headers end in the store's name in square brackets. In
 * that store a filled cell takes the place of the common column's cell (`rows/store-fold.ts`); every other
 * store ignores the column.
 */

import { storeNameKey } from "@catalog/i18n";

import type { Column, ColumnTarget } from "../fields/fields.ts";
import { compactFold, headerKey, trimText } from "../text-keys.ts";

/** The stores that the headers of a file may name. */
export interface KnownStores {
  /** The store whose products are read; `undefined` where it has no name. */
  readonly own: string | undefined;
  /** All stores, the own one included. */
  readonly names: readonly string[];
  /**
   * Whether a name that is none of these is a mistake. Where nobody has named a store, brackets can
   * mean anything. @default false
   */
  readonly areNamed?: boolean | undefined;
}

/** A header that ends in square brackets. */
export interface BracketHeader {
  readonly index: number;
  /** The header without the brackets. */
  readonly base: string;
  /** The text in the brackets. */
  readonly text: string;
}

/** A column of one store. */
export interface StoreHeader extends BracketHeader {
  /** The store's name as the store has it. */
  readonly store: string;
  readonly isOwn: boolean;
}

/** Splits a header that ends in square brackets; `undefined` for any other. */
export function splitStoreHeader(header: string): Omit<BracketHeader, "index"> | undefined {
  const whole = trimText(header.normalize("NFKC"));
  // A star marks fields that are required.
  const text = whole.endsWith("*") ? trimText(whole.slice(0, -1)) : whole;
  const at = text.endsWith("]") ? text.lastIndexOf("[") : -1;
  if (at < 1) return undefined;
  const base = trimText(text.slice(0, at));
  const name = trimText(text.slice(at + 1, -1));
  return base === "" || name === "" ? undefined : { base, text: name };
}

/** The headers that name one of the stores, and those that may misspell one. */
export function findStoreHeaders(
  headers: readonly string[],
  stores: KnownStores,
): { readonly found: readonly StoreHeader[]; readonly others: readonly BracketHeader[] } {
  const byKey = new Map(stores.names.map((name) => [storeNameKey(name), name]));
  const own = stores.own === undefined ? undefined : storeNameKey(stores.own);
  const found: StoreHeader[] = [];
  const others: BracketHeader[] = [];
  for (const [index, header] of headers.entries()) {
    const split = splitStoreHeader(header);
    if (split === undefined) continue;
    const key = storeNameKey(split.text);
    const store = byKey.get(key);
    if (store !== undefined) found.push({ index, ...split, store, isOwn: key === own });
    else if (LIKE_A_NAME.test(split.text)) others.push({ index, ...split });
  }
  return { found, others };
}

/** What a person may have meant as the name of a store. */
const LIKE_A_NAME = /^[\p{L}\p{N}-]{1,40}$/u;

type MappedColumn = Pick<Column, "index" | "header" | "target">;

/**
 * The common column of a store's column: the one with the same header, or that of the same field or
 * property; `undefined` where the file has none.
 */
export function findCommonColumn<Common extends MappedColumn>(
  columns: readonly Common[],
  { base, target }: { readonly base: string; readonly target: ColumnTarget },
): Common | undefined {
  const key = headerKey(base);
  const alike = columns.find(
    (column) =>
      canDiffer(column.target) && column.header !== "" && headerKey(column.header) === key,
  );
  const subject = toSubject(target);
  if (alike !== undefined || subject === undefined) return alike;
  const [same, ...more] = columns.filter((column) => toSubject(column.target) === subject);
  // Of several that are added up, only a header tells which one is meant.
  return more.length === 0 ? same : undefined;
}

/** Whether stores may differ in what a column holds; that of an unknown header may be a property. */
export const canDiffer = (target: ColumnTarget): boolean =>
  target.kind === "field" ||
  target.kind === "property" ||
  target.kind === "unknown" ||
  (target.kind === "never-sent" && target.holds === "cost");

function toSubject(target: ColumnTarget): string | undefined {
  if (target.kind === "field") return `${target.field} ${target.discountType ?? ""}`;
  return target.kind === "property" ? `property:${compactFold(target.name)}` : undefined;
}

/** Says which product a row is, so that it is the same in every store. */
export const isKeyTarget = (target: ColumnTarget): boolean =>
  target.kind === "field" && (target.field === "product_code" || target.field === "product_id");
