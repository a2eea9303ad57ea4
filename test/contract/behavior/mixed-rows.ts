/**
 * A sheet with rows of every kind: what each row is meant to do, and what a store must show of it.
 */

import type { ProductAdd } from "@catalog/contract";
import type { SandboxProduct } from "@catalog/sandbox";

import { goodRow, HEADERS, type ProductRow } from "../../helpers/product-sheet.ts";

/** The expected decision of the plan for a row: its state, or the action of a row that is sent. */
export type Intent = "add" | "update" | "unchanged" | "skipped" | "invalid" | "duplicate" | "held";

export interface MixedRow {
  readonly cells: ProductRow;
  readonly intent: Intent;
  /** Fields that the row sends. */
  readonly sends: readonly (keyof ProductAdd)[];
}

const [CODE, TITLE, , CATEGORY, BRAND, , , PRICE, STOCK] = HEADERS;
const ACTION = "İşlem";

/** Rows of one block, which has every kind. */
const BLOCK = 20;

/** Products of the store that a block needs. */
const BLOCK_PRODUCTS = 9;

export const productsFor = (rows: number): number => Math.ceil(rows / BLOCK) * BLOCK_PRODUCTS + 1;

/** Creates `count` rows over the given products, of which the first stays unchanged. */
export function createMixedRows(
  count: number,
  products: readonly SandboxProduct[],
): readonly MixedRow[] {
  const rows: MixedRow[] = [];
  for (let block = 0; rows.length < count; block += 1) {
    const from = 1 + block * BLOCK_PRODUCTS;
    rows.push(...createBlock(block, products.slice(from, from + BLOCK_PRODUCTS)));
  }
  return rows.slice(0, count);
}

function createBlock(block: number, products: readonly SandboxProduct[]): readonly MixedRow[] {
  const number = block * BLOCK;
  const [a, b, c, d, e, f, g, h, i] = products;
  const news = Array.from({ length: 6 }, (_, index) => newRow(number + index + 1));
  const twin = newRow(number + 7);
  return [
    ...news.map((cells): MixedRow => ({ cells, intent: "add", sends: ADD_FIELDS })),
    update(a, { [TITLE]: `Yeni başlık ${number}` }, ["title"]),
    update(b, { [STOCK]: stockOf(b) + 1 }, ["stock_count"]),
    update(c, { [PRICE]: priceText(c, 1.1) }, ["price"]),
    update(d, { [TITLE]: `Yeni ad ${number}`, [STOCK]: stockOf(d) + 2 }, ["title", "stock_count"]),
    update(e, { [TITLE]: `Ürün ${number}`, [PRICE]: priceText(e, 0.9) }, ["title", "price"]),
    silent("unchanged", { [CODE]: codeOf(f), [TITLE]: f?.title ?? "" }),
    silent("unchanged", { [CODE]: codeOf(g), [STOCK]: stockOf(g) }),
    silent("skipped", { [CODE]: codeOf(h), [TITLE]: "Gönderilmez", [ACTION]: "Atla" }),
    silent("invalid", { [CODE]: `EKS-${number}`, [TITLE]: "Eksik ürün" }),
    silent("invalid", { ...newRow(number + 8), [PRICE]: "on iki" }),
    silent("duplicate", twin),
    silent("duplicate", { ...twin, [TITLE]: "Aynı kod, başka ürün" }),
    silent("duplicate", news[0] ?? {}),
    silent("held", { [CODE]: codeOf(i), [PRICE]: priceText(i, 4) }),
  ];
}

const ADD_FIELDS = ["title", "price", "stock_count"] as const;

/** All rows have one category, so that few lists of brands are fetched. */
function newRow(number: number): ProductRow {
  const { [CATEGORY]: category = null, [BRAND]: brand = null } = goodRow(1);
  return goodRow(number, { [CATEGORY]: category, [BRAND]: brand, [PRICE]: `${number + 100},90` });
}

const codeOf = (product: SandboxProduct | undefined): string => product?.product_code ?? "";
const stockOf = (product: SandboxProduct | undefined): number => product?.stock_count ?? 0;

/** A price in whole kuruş, with a decimal comma. */
function priceText(product: SandboxProduct | undefined, factor: number): string {
  const minor = Math.round((product?.price ?? 0) * factor);
  return (minor / 100).toFixed(2).replace(".", ",");
}

const update = (
  product: SandboxProduct | undefined,
  cells: ProductRow,
  sends: MixedRow["sends"],
): MixedRow => ({ cells: { [CODE]: codeOf(product), ...cells }, intent: "update", sends });

const silent = (intent: Intent, cells: ProductRow): MixedRow => ({ cells, intent, sends: [] });

const COLUMNS = [...HEADERS, ACTION];

/** The rows as a file. */
export function toCsv(rows: readonly MixedRow[]): string {
  const lines = rows.map(({ cells }) => COLUMNS.map((header) => quote(cells[header])).join(";"));
  return `${[COLUMNS.join(";"), ...lines].join("\r\n")}\r\n`;
}

const quote = (cell: ProductRow[string] | undefined): string =>
  `"${String(cell ?? "").replaceAll('"', '""')}"`;
