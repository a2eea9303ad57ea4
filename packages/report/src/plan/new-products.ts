/**
 * The sheet of the products that a plan adds, one row for each, with the values that are sent as
 * people read them: names for ids, words, amounts.
 */

import type { FileHandle } from "node:fs/promises";
import { createInterface } from "node:readline";

import type { Connection } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import type { NameIndexes } from "@catalog/mapping";
import type { Payload, RowRecord, RunRecord } from "@catalog/runs";
import { createTextOutput, type OutCell, type XlsxColumn, type XlsxRow } from "@catalog/sheets";

import { ACTION_FIELDS, formatActionValue } from "../action-words.ts";
import {
  createReadIdName,
  createReadIdNames,
  createStoredIndexes,
  describeUnknownId,
  findWord,
  firstImage,
  isIdField,
  isIdValue,
  isMoney,
  MINOR_UNITS,
  type NamedRow,
} from "../field-values.ts";
import { placeCell } from "../sheet-cells.ts";

/** A cell; an amount is in whole currency. */
export interface ShownValue {
  readonly cell: OutCell;
  readonly isAmount?: boolean;
}

/** Makes the cell of a field's value in a row. */
export type ShowValue = (record: NamedRow, field: string, value: unknown) => Promise<ShownValue>;

/**
 * Creates the function for a run, for the values that a row sends and for those that it replaces. An
 * id without a known name is shown as unknown.
 */
export function createShowValue(
  connection: Pick<Connection, "memory" | "baseUrl" | "journal" | "verificationLog">,
  run: Pick<RunRecord, "id" | "facts" | "progress" | "lang">,
): ShowValue {
  const indexes = createStoredIndexes(connection);
  const readName = createReadIdName(connection, run);
  const { lang } = run;
  const nameIt: Readonly<Record<string, (record: NamedRow, value: unknown) => Promise<OutCell>>> = {
    properties: async ({ payload }, value) =>
      (await nameProperties(indexes, payload, value)) ?? toPlain(value),
    images: async (_, value) =>
      Array.isArray(value) ? IMAGES[lang](value.length) : toPlain(value),
  };
  const readNames = createReadIdNames(connection, run);
  return async (record, field, value) => {
    if (ACTION_FIELDS.has(field)) {
      const names = await readNames({ ...record, changes: [{ field, new: value }] });
      return { cell: formatActionValue(field, value, { lang, names }) };
    }
    if (value === undefined || value === null) return { cell: null };
    if (typeof value === "number" && isMoney(field, record.payload)) {
      return { cell: value / MINOR_UNITS, isAmount: true };
    }
    const own = nameIt[field];
    if (own !== undefined) return { cell: await own(record, value) };
    const word = findWord(field, value)?.[lang];
    return { cell: word ?? (await nameId(record, field, value)) ?? toPlain(value) };
  };

  async function nameId(
    record: NamedRow,
    field: string,
    value: unknown,
  ): Promise<string | undefined> {
    if (!isIdField(field) || typeof value !== "string") return undefined;
    const name = await readName(record, { field, id: value });
    return name ?? (isIdValue(field, value) ? describeUnknownId(value)[lang] : undefined);
  }
}

const IMAGES: Readonly<Record<Lang, (count: number) => string>> = {
  tr: (count) => `${count} görsel`,
  en: (count) => (count === 1 ? "1 image" : `${count} images`),
};

async function nameProperties(
  indexes: NameIndexes,
  payload: Payload | null,
  value: unknown,
): Promise<string | undefined> {
  const { category_id: category, properties = [] } = payload ?? {};
  if (category === undefined || value !== payload?.properties) return undefined;
  const { items } = await indexes.properties(category);
  const named = properties.map(({ property_id: property, option_id: option }) => {
    const found = items.find((item) => item.property.id === property);
    const name = found?.options.items.find(({ id }) => id === option)?.display_name;
    return `${found?.property.name ?? property}: ${name ?? option}`;
  });
  return named.join("; ");
}

const toPlain = (value: unknown): OutCell =>
  typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value);

interface NewProductColumn {
  readonly header: Localized;
  /** @default as wide as its cells */
  readonly column?: Pick<XlsxColumn, "width" | "wraps">;
  /** The field that it shows; left out for one that is made of several. */
  readonly field?: string;
}

const COLUMNS: readonly NewProductColumn[] = [
  { header: { tr: "Satır", en: "Row" }, column: { width: 8 } },
  { header: { tr: "Ürün Kodu", en: "Product Code" }, field: "product_code" },
  { header: { tr: "Başlık", en: "Title" }, field: "title" },
  {
    header: { tr: "Kategori", en: "Category" },
    field: "category_id",
    column: { width: 40, wraps: true },
  },
  { header: { tr: "Marka", en: "Brand" }, field: "brand_id" },
  { header: { tr: "Model", en: "Model" }, field: "brand_model" },
  { header: { tr: "Fiyat", en: "Price" }, field: "price", column: { width: 16 } },
  { header: { tr: "İndirimli Fiyat", en: "Discounted Price" } },
  { header: { tr: "Para Birimi", en: "Currency" }, field: "currency" },
  { header: { tr: "Stok", en: "Stock" }, field: "stock_count" },
  { header: { tr: "Teslimat Şablonu", en: "Shipping Template" }, field: "shipping_template_id" },
  { header: { tr: "Garanti Tipi", en: "Warranty Type" }, field: "warranty_type" },
  { header: { tr: "Garanti Süresi", en: "Warranty Period" }, field: "warranty_period" },
  { header: { tr: "Görsel Sayısı", en: "Pictures" } },
  { header: { tr: "İlk Görsel", en: "First Picture" } },
  { header: { tr: "Alt Başlık", en: "Subtitle" }, field: "sub_title" },
  { header: { tr: "Açıklama", en: "Description" }, field: "description" },
  { header: { tr: "Özellikler", en: "Properties" }, field: "properties" },
  { header: { tr: "Durum", en: "Condition" }, field: "product_condition" },
  { header: { tr: "Kişiselleştirme", en: "Personalisation" }, field: "custom_order_input" },
];

/** Row, code and title stay visible. */
export const NEW_PRODUCT_FROZEN = 3;

export const newProductColumns = ({ lang }: Pick<RunRecord, "lang">): readonly XlsxColumn[] =>
  COLUMNS.map(({ header, column = {} }) => Object.assign({ header: header[lang] }, column));

/** Whether the plan adds the row's product, or would if nobody had to decide on it first. */
export const isNewProduct = ({ action, payload }: RowRecord): boolean =>
  action === "add" && payload !== null;

/** Keeps the rows of new products until they are written behind those of the plan. */
export interface NewProducts {
  observe(record: RowRecord): Promise<void>;
  /** Number of products so far. */
  readonly count: number;
  rows(): AsyncGenerator<XlsxRow>;
}

/** Keeps them in this file, so that no number of products needs memory. */
export function createNewProducts(run: RunRecord, show: ShowValue, file: FileHandle): NewProducts {
  const output = createTextOutput(file);
  let count = 0;
  return {
    get count() {
      return count;
    },
    async observe(record) {
      count += 1;
      const writing = output.write(`${JSON.stringify(await toRow(run, show, record))}\n`);
      if (writing !== undefined) await writing;
    },
    async *rows() {
      await output.flush();
      const input = file.createReadStream({ start: 0, autoClose: false, encoding: "utf8" });
      for await (const line of createInterface({ input, crlfDelay: Infinity })) {
        const row: XlsxRow = JSON.parse(line);
        yield row;
      }
    },
  };
}

const AMOUNT_FORMAT = "#,##0.00";
const MAX_CHARS = 500;

/** A text in one line, with its beginning only. */
const toLine = (text: string): string => text.slice(0, MAX_CHARS).replaceAll(/\s+/gu, " ");

async function toRow(run: RunRecord, show: ShowValue, record: RowRecord): Promise<XlsxRow> {
  const body: Readonly<Record<string, unknown>> = { ...record.payload };
  const cells: OutCell[] = [];
  const formats: Record<number, string> = {};
  const made = new Map<string, OutCell>([
    ["Row", placeCell(run, record)],
    ["Discounted Price", discountedPrice(body)],
    ["Pictures", Array.isArray(body["images"]) ? body["images"].length : 0],
    ["First Picture", firstImage(body["images"])],
  ]);
  for (const [index, { header, field }] of COLUMNS.entries()) {
    const { cell, isAmount = header.en === "Discounted Price" } =
      field === undefined
        ? { cell: made.get(header.en) ?? null }
        : await show(record, field, body[field]);
    cells.push(typeof cell === "string" ? toLine(cell) : cell);
    if (isAmount) formats[index] = AMOUNT_FORMAT;
  }
  return { cells, formats };
}

/** What a buyer pays, in whole currency; `null` without a discount. */
function discountedPrice({
  price,
  discount_type: type,
  discount_value: value,
}: Readonly<Record<string, unknown>>): number | null {
  if (typeof price !== "number" || typeof value !== "number") return null;
  if (type === 1) return (price - value) / 100;
  if (type === 2) return Math.round(price * (1 - value / 100)) / 100;
  return type === 3 ? value / 100 : null;
}
