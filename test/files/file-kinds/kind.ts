/** A kind of file: how it is made, what a person reads in it, and the expected outcome. */

import { createSandboxCatalog } from "@catalog/sandbox";

import { goodRow, HEADERS } from "../../helpers/product-sheet.ts";
import { type WorkbookCell, makeWorkbook } from "./make-workbook.ts";

/** What a person reads of one product, and what the sandbox must hold if it has the product. */
export interface Facts {
  readonly product_code: string;
  readonly title?: string;
  readonly sub_title?: string;
  readonly brand_model?: string;
  /** Price in minor units. */
  readonly price?: number;
  readonly stock_count?: number;
  readonly discount_value?: number;
  readonly warranty_type?: number;
  readonly description?: string;
  readonly currency?: string;
  readonly product_condition?: string;
}

export interface Kind {
  /** Name of the kind, with the finding that it stands for. */
  readonly name: string;
  readonly file: string;
  readonly content: () => string | Buffer;
  readonly reads: readonly Facts[];
  /** Other accepted readings of a product. */
  readonly or?: readonly Facts[];
  /** `safe` accepts both: a person would understand the file, and a program may ask. */
  readonly must: "sent" | "refused" | "safe";
  /** The code that must be among the reasons of a refusal. */
  readonly code?: RegExp;
}

export type Row = Readonly<Record<string, WorkbookCell>>;

const catalog = createSandboxCatalog();

/** Every product has this category and brand, so that few lists are fetched. */
const BASE = goodRow(1);

/** The first listed model of the base brand, for names that only look like it. */
export const LISTED: { readonly brand: string; readonly model: string } = findListed();

function findListed(): typeof LISTED {
  const brand = String(BASE["Marka *"]);
  const category = catalog.categories.find(
    ({ category_path: path }) => path === BASE["Kategori *"],
  );
  const listed = category && catalog.brands(category.id).find(({ name }) => name === brand);
  const [model] = category && listed ? catalog.models(category.id, listed.id) : [];
  if (model === undefined) throw new Error("the catalog has no models of the base brand");
  return { brand, model: model.name };
}

let last = 0;
const nextCode = (): string => `URUN-${String((last += 1)).padStart(3, "0")}`;

/** The row of a valid product with these cells changed; a header with `null` is left out. */
export function rowOf(changes: Readonly<Record<string, WorkbookCell | undefined>> = {}): Row {
  const cells = { ...BASE, "Ürün Kodu *": nextCode(), "Fiyat *": "499,90", ...changes };
  return Object.fromEntries(
    Object.entries(cells).flatMap(([header, cell]) => (cell === undefined ? [] : [[header, cell]])),
  );
}

export const codeOf = (row: Row): string => toText(row["Ürün Kodu *"]);

/** Text of a cell; a cell that only a workbook can hold has none. */
const toText = (cell: WorkbookCell | undefined): string =>
  typeof cell === "string" || typeof cell === "number" ? String(cell) : "";

export const headersOf = (rows: readonly Row[]): readonly string[] => {
  const all = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...HEADERS.filter((header) => all.delete(header)), ...all];
};

/** Quotes the cells that need it, or every cell. */
export function csvOf(
  rows: readonly Row[],
  delimiter = ";",
  quotes: "few" | "all" = "few",
): string {
  const headers = headersOf(rows);
  const lines = [headers, ...rows.map((row) => headers.map((header) => row[header] ?? ""))];
  return lines
    .map((cells) =>
      cells.map((cell) => quote(toText(cell), quotes === "all" ? "" : delimiter)).join(delimiter),
    )
    .join("\r\n");
}

const quote = (text: string, delimiter: string): string =>
  text.includes(delimiter) || text.includes("\n") || text.includes('"')
    ? `"${text.replaceAll('"', '""')}"`
    : text;

export const xlsxOf = (rows: readonly Row[]): Buffer => {
  const headers = headersOf(rows);
  return makeWorkbook({
    rows: [headers, ...rows.map((row) => headers.map((header) => row[header] ?? null))],
  });
};
