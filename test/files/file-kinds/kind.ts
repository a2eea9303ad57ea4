/** A kind of file: how it is made, what a person reads in it, and the expected outcome. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { CatalogError } from "@catalog/connection";
import type { RowRecord } from "@catalog/runs";
import { createSandboxCatalog } from "@catalog/sandbox";
import { SheetError } from "@catalog/sheets";

import type { ConnectionHarness } from "../../helpers/markets/connection-harness.ts";
import { goodRow, HEADERS } from "../../helpers/product-sheet.ts";
import { makeWorkbook, type WorkbookCell } from "./make-workbook.ts";

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
export const toText = (cell: WorkbookCell | undefined): string =>
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

/* Imports a file into a new sandbox, and compares its products with what a person reads. */

type Product = ReturnType<ConnectionHarness["sandbox"]["products"]>[number];

/** Outcome of a file: the products that exist now, and every reason that was given. */
interface Outcome {
  readonly added: readonly Product[];
  readonly rows: readonly RowRecord[];
  readonly codes: readonly string[];
}

export async function importFile(
  harness: ConnectionHarness,
  name: string,
  content: string | Buffer,
): Promise<Outcome> {
  const path = join(harness.folder, name);
  writeFileSync(path, content);
  try {
    const { id } = await harness.importFile(path);
    const rows = await harness.connection.journal.readRows(id, { limit: 999 });
    const codes = rows.flatMap(({ issues }) => issues.map(({ code }) => code));
    return { added: harness.sandbox.products(), rows, codes };
  } catch (error) {
    if (!(error instanceof CatalogError || error instanceof SheetError)) throw error;
    const inside = error instanceof CatalogError ? error.issues : [];
    const codes = [error.code, ...inside.map(({ code }) => code)];
    return { added: harness.sandbox.products(), rows: [], codes };
  }
}

/** The deviation of an outcome from what is expected; `undefined` without one. */
export function findWrong(
  { reads, or = [], must, code = /^E_/u }: Pick<Kind, "reads" | "or" | "must" | "code">,
  { added, codes }: Outcome,
): readonly string[] {
  const wrong = added
    .filter((product) => ![...reads, ...or].some((facts) => isSame(product, facts)))
    .map((product) => `sent ${show(product, reads)}, a person reads ${JSON.stringify(reads)}`);
  if (wrong.length > 0) return wrong;
  if (must === "refused" && added.length > 0) return [`sent ${show(added[0], reads)}`];
  if (added.length === reads.length) return [];
  const given = [...new Set(codes)].join(", ");
  if (must === "sent") return [`sent ${added.length} of ${reads.length}: ${given}`];
  return codes.some((each) => code.test(each)) ? [] : [`not sent without a reason: ${given}`];
}

const isSame = (product: Product, facts: Facts): boolean =>
  Object.entries(facts).every(([field, value]) => valueOf(product, field) === value);

const show = (product: Product | undefined, reads: readonly Facts[]): string => {
  const fields = new Set(["product_code", ...reads.flatMap((facts) => Object.keys(facts))]);
  return JSON.stringify(
    Object.fromEntries([...fields].map((field) => [field, product && valueOf(product, field)])),
  );
};

const valueOf = (product: Product, field: string): unknown =>
  new Map<string, unknown>(Object.entries(product)).get(field);
