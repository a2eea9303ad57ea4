/** Sheets of products that the sandbox's catalog knows, row by row. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { createSandboxCatalog } from "@catalog/sandbox";
import { writeXlsx } from "@catalog/sheets";
import Papa from "papaparse";

export type Cell = string | number | null;
export type ProductRow = Readonly<Record<string, Cell>>;

/** Turkish headers, in the order of the columns. */
export const HEADERS = [
  "Ürün Kodu *",
  "Başlık *",
  "Alt Başlık *",
  "Kategori *",
  "Marka *",
  "Model *",
  "Açıklama *",
  "Fiyat *",
  "Stok *",
  "Garanti Tipi *",
  "Garanti Süresi *",
  "Teslimat Şablonu *",
  "Görsel 1 *",
] as const;

const catalog = createSandboxCatalog();
const leaves = catalog.categories.filter(({ id }) => catalog.isLeaf(id));
const template = catalog.shippingTemplates[0]?.template_name ?? "";

/** A valid product that differs for each `number`. */
export function goodRow(number: number, changes: ProductRow = {}): ProductRow {
  // Few categories, so that few lists of brands are fetched.
  const category = leaves[number % 5];
  const brand = category === undefined ? undefined : catalog.brands(category.id)[number % 7];
  return {
    "Ürün Kodu *": `TST-${String(number).padStart(5, "0")}`,
    "Başlık *": `Deneme ürünü ${number}`,
    "Alt Başlık *": "Kısa açıklama",
    "Kategori *": category?.category_path ?? "",
    "Marka *": brand?.name ?? "",
    "Model *": "Serbest model",
    "Açıklama *": 'Uzun açıklama: ş, ğ, ı, İ; "tırnak".',
    "Fiyat *": 19.99 + number,
    "Stok *": 10 + (number % 90),
    "Garanti Tipi *": "Garantisiz",
    "Garanti Süresi *": "0 Ay",
    "Teslimat Şablonu *": template,
    "Görsel 1 *": `https://ornek.example/${number}.jpg`,
    ...changes,
  };
}

/** Creates `count` good rows, from 1 on. */
export function goodRows(count: number): ProductRow[] {
  return Array.from({ length: count }, (_, index) => goodRow(index + 1));
}

function headersOf(rows: readonly ProductRow[]): readonly string[] {
  const more = new Set(rows.flatMap((row) => Object.keys(row)));
  for (const header of HEADERS) more.delete(header);
  return [...HEADERS, ...more];
}

/** Writes a workbook of these sheets; the first product of each stands in row 2. */
export async function writeSheets(
  folder: string,
  name: string,
  sheets: Readonly<Record<string, readonly ProductRow[]>>,
): Promise<string> {
  const path = join(folder, name);
  const made = Object.entries(sheets).map(([title, rows]) => {
    const headers = headersOf(rows);
    return {
      name: title,
      columns: headers.map((header) => ({ header })),
      rows: rows.map((row) => headers.map((header) => row[header] ?? null)),
    };
  });
  await writeXlsx({ path, sheets: made });
  return path;
}

/** Writes a workbook; the first product stands in row 2. */
export async function writeWorkbook(
  folder: string,
  name: string,
  rows: readonly ProductRow[],
): Promise<string> {
  return await writeSheets(folder, name, { Ürünler: rows });
}

/** The rows as CSV, with some columns left out or under another header. */
export function formatCsv(
  rows: readonly ProductRow[],
  { headers = headersOf(rows), renamed = {} }: CsvOptions = {},
): string {
  const lines = rows.map((row) => headers.map((header) => toText(row[header])));
  const names = headers.map((header) => renamed[header] ?? header);
  return Papa.unparse([names, ...lines], { delimiter: ";" });
}

interface CsvOptions {
  /** @default those of {@link HEADERS}, and then all others of the rows */
  readonly headers?: readonly string[];
  readonly renamed?: Readonly<Record<string, string>>;
}

/** Writes the same rows as text, which no other process has to read: for tests of what is sent. */
export const writeCsv = (
  folder: string,
  name: string,
  rows: readonly ProductRow[],
  options: CsvOptions = {},
): string => writeText(folder, name, formatCsv(rows, options));

const toText = (cell: Cell | undefined): string =>
  typeof cell === "number" ? String(Number(cell.toFixed(2))).replace(".", ",") : (cell ?? "");

/** Writes text as it is, or lines of it. */
export function writeText(folder: string, name: string, text: string | readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, typeof text === "string" ? text : text.map((line) => `${line}\n`).join(""));
  return path;
}

/** The address of a column of {@link HEADERS} in a row, such as `H3`. */
export function addressOf(header: (typeof HEADERS)[number], row: number): string {
  return `${String.fromCodePoint(65 + HEADERS.indexOf(header))}${row}`;
}
