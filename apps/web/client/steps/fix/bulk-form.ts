/** What a person has filled in for a bulk change, and the change that it means. */

import type { BulkChange, ColumnsView, ColumnView } from "../../../src/api/index.ts";
import type { Lang } from "../../lib/format.ts";

export type BulkKind = BulkChange["kind"];

/** In the order of the list. */
export const BULK_KINDS = [
  "price",
  "stock",
  "discount",
  "set",
  "replace",
  "affix",
  "copy",
  "template",
] as const satisfies readonly BulkKind[];

export const ROUNDINGS = ["none", "00", "90", "99", "95", "50"] as const;
export const ROUND_TOS = ["nearest", "up", "down"] as const;
export const GIVES = ["percent", "amount", "price", "end"] as const;
export const HOWS = ["add", "take", "set"] as const;

/** The fields of all kinds; columns are indexes as texts, empty for none. */
export interface BulkForm {
  readonly kind: BulkKind;
  readonly of: "list" | "discounted";
  readonly direction: "up" | "down";
  readonly by: "percent" | "amount";
  readonly amount: string;
  readonly rounding: (typeof ROUNDINGS)[number];
  readonly roundTo: (typeof ROUND_TOS)[number];
  readonly how: (typeof HOWS)[number];
  readonly pieces: string;
  readonly give: (typeof GIVES)[number];
  readonly column: string;
  readonly from: string;
  readonly value: string;
  readonly find: string;
  readonly replace: string;
  readonly inColumn: string;
  readonly isWholeCell: boolean;
  readonly before: string;
  readonly after: string;
  readonly template: string;
}

export const EMPTY_FORM: BulkForm = {
  kind: "price",
  of: "list",
  direction: "up",
  by: "percent",
  amount: "",
  rounding: "none",
  roundTo: "nearest",
  how: "add",
  pieces: "",
  give: "percent",
  column: "",
  from: "",
  value: "",
  find: "",
  replace: "",
  inColumn: "",
  isWholeCell: false,
  before: "",
  after: "",
  template: "",
};

const GROUPED = { ",": /^\d{1,3}(?:,\d{3})+$/u, ".": /^\d{1,3}(?:\.\d{3})+$/u };
const DECIMAL = { tr: ",", en: "." } as const;

/**
 * A typed amount as a decimal text with a point: `1.299,90` and `1299.9` in Turkish. `null` for what
 * is no amount, or could be two.
 */
export const parseAmount = (typed: string, lang: Lang): string | null => {
  const text = typed.replaceAll(/[\s%₺]|TL$/gu, "");
  const decimal = DECIMAL[lang];
  const group = decimal === "," ? "." : ",";
  const [whole = "", decimals, ...more] = text.split(decimal);
  if (more.length > 0) return null;
  const isGrouped = GROUPED[group].test(whole);
  const digits = isGrouped ? whole.replaceAll(group, "") : whole;
  const plain = decimals === undefined ? digits : `${digits}.${decimals}`;
  // The other sign stands before one or two decimals, where it cannot group thousands.
  const other = decimals === undefined && !isGrouped ? plain.replace(group, ".") : plain;
  return /^\d{1,10}(?:\.\d{1,2})?$/u.test(other) ? other : null;
};

/** Whether the fields that are needed have something, and what it comes to. */
export type BulkResult =
  | { readonly state: "ready"; readonly change: BulkChange }
  | { readonly state: "open" }
  | { readonly state: "wrong" };

const OPEN: BulkResult = { state: "open" };
const WRONG: BulkResult = { state: "wrong" };
const ready = (change: BulkChange): BulkResult => ({ state: "ready", change });

const roundingOf = ({ rounding, roundTo }: BulkForm) =>
  rounding === "none" ? {} : { rounding: { ending: rounding, direction: roundTo } };

const toPrice = (form: BulkForm, lang: Lang): BulkResult => {
  if (form.amount.trim() === "") return OPEN;
  const amount = parseAmount(form.amount, lang);
  if (amount === null) return WRONG;
  const value = form.direction === "up" ? amount : `-${amount}`;
  return ready({ kind: "price", of: form.of, by: form.by, value, ...roundingOf(form) });
};

const toStock = ({ how, pieces }: BulkForm): BulkResult => {
  if (pieces.trim() === "") return OPEN;
  const isCount = /^\d{1,9}$/u.test(pieces.trim());
  return isCount ? ready({ kind: "stock", how, pieces: Number(pieces) }) : WRONG;
};

const toDiscount = (form: BulkForm, lang: Lang): BulkResult => {
  if (form.give === "end") return ready({ kind: "discount", give: null });
  if (form.amount.trim() === "") return OPEN;
  const value = parseAmount(form.amount, lang);
  if (value === null) return WRONG;
  const give = { as: form.give, value };
  if (form.give === "price") return ready({ kind: "discount", give });
  const isRounded = form.rounding !== "none";
  const isRate = Number(value) > 0 && Number(value) < 100 && (isRounded || !value.includes("."));
  if (form.give === "percent" && !isRate) return WRONG;
  return ready({ kind: "discount", give: { ...give, ...roundingOf(form) } });
};

const toReplace = ({ find, replace, inColumn, isWholeCell }: BulkForm): BulkResult =>
  find === ""
    ? OPEN
    : ready({
        kind: "replace",
        find,
        replace,
        isWholeCell,
        ...(inColumn === "" ? {} : { columns: [Number(inColumn)] }),
      });

/** Kinds that write texts into one column. */
const toColumnChange = (form: BulkForm): BulkResult => {
  if (form.column === "") return OPEN;
  const column = Number(form.column);
  const { kind, value, before, after, from, template } = form;
  if (kind === "set") return ready({ kind, column, value });
  if (kind === "affix") {
    return before === "" && after === "" ? OPEN : ready({ kind, column, before, after });
  }
  if (kind === "copy") {
    return from === "" || from === form.column
      ? OPEN
      : ready({ kind, from: Number(from), to: column });
  }
  return template === "" ? OPEN : ready({ kind: "template", column, template });
};

export const toBulkChange = (form: BulkForm, lang: Lang): BulkResult => {
  switch (form.kind) {
    case "price":
      return toPrice(form, lang);
    case "stock":
      return toStock(form);
    case "discount":
      return toDiscount(form, lang);
    case "replace":
      return toReplace(form);
    case "set":
    case "affix":
    case "copy":
    case "template":
      break;
  }
  return toColumnChange(form);
};

const hasField = (
  { columns }: Pick<ColumnsView, "columns">,
  ...fields: readonly string[]
): boolean => columns.some(({ field }) => field !== null && fields.includes(field));

/** Whether a column can hold a discount. */
export const canDiscount = (columns: Pick<ColumnsView, "columns">): boolean =>
  hasField(columns, "list_price") || hasField(columns, "discount_value");

/** The kinds for which the file has a column. */
export const listKinds = (columns: Pick<ColumnsView, "columns">): readonly BulkKind[] => {
  const needs: Readonly<Partial<Record<BulkKind, boolean>>> = {
    price: hasField(columns, "price", "list_price"),
    discount: hasField(columns, "price", "list_price"),
    stock: hasField(columns, "stock"),
  };
  return BULK_KINDS.filter((kind) => needs[kind] !== false);
};

/** How a template names a column; `null` for one that it cannot name. */
export const placeholderOf = ({
  header,
  field,
}: Pick<ColumnView, "header" | "field">): string | null => {
  const name = header.replace(/ \*$| \((?:salt okunur|read-only)\)$/u, "");
  if (name !== "" && !/[{}]/u.test(name)) return `{${name}}`;
  return field === null || field === "-" ? null : `{${field}}`;
};
