/**
 * The sheet of the benchmarks: 25 columns, Turkish text, about 1 kB a row, and the listing of a
 * store that has the same products.
 */

import { closeSync, openSync, writeSync } from "node:fs";

import { type StoreProduct, type Id, idSchemas } from "@catalog/contract";
import { createSandboxCatalog } from "@catalog/sandbox";

import { HEADERS } from "../helpers/product-sheet.ts";

const CATEGORIES = 20;
const BRANDS = 10;
const WORDS = ["çelik", "ılık", "şişe", "gümüş", "örgü", "ığdır", "İnce", "kâse", "soğuk", "düğme"];
/** Columns that the toolkit stores and does not map. */
const OWN_HEADERS = ["Barkod", "Raf", "Depo", "Tedarikçi", "Sezon", "Not 1", "Not 2", "Not 3"];

export const BENCH_HEADERS: readonly string[] = [
  ...HEADERS,
  "Görsel 2",
  "Görsel 3",
  "Görsel 4",
  "Görsel 5",
  ...OWN_HEADERS,
];

interface StoredBenchmark {
  readonly categoryId: Id<"category">;
  readonly categoryName: string;
  readonly categoryPath: string;
  readonly brandId: Id<"brand">;
  readonly brandName: string;
}

/** One product of the sheet, as its cells and as the store's listing show it. */
export interface BenchProduct {
  readonly cells: readonly string[];
  readonly listed: StoreProduct;
}

export type MakeProduct = (row: number) => BenchProduct;

function openStoredBenchmarks(): {
  readonly runs: readonly StoredBenchmark[];
  readonly templateId: Id<"shippingTemplate"> | undefined;
  readonly templateName: string;
} {
  const catalog = createSandboxCatalog();
  const leaves = catalog.categories.filter(({ id }) => catalog.isLeaf(id)).slice(0, CATEGORIES);
  const runs = leaves.flatMap((leaf) =>
    catalog
      .brands(leaf.id)
      .slice(0, BRANDS)
      .map((brand) => ({
        categoryId: leaf.id,
        categoryName: leaf.name,
        categoryPath: leaf.category_path,
        brandId: brand.id,
        brandName: brand.name,
      })),
  );
  const [template] = catalog.shippingTemplates;
  return { runs, templateId: template?.id, templateName: template?.template_name ?? "" };
}

const word = (seed: number): string => WORDS[seed % WORDS.length] ?? "";

const describe = (row: number): string => {
  const text = Array.from({ length: 35 + ((row * 13) % 90) }, (_, at) => word(row * 7 + at * 3));
  return `${row % 3 === 0 ? 'Ölçü 5", ' : ""}${text.join(" ")} ${row}`;
};

/** `badRows` makes the price of every tenth row invalid. */
export function createBenchProducts(badRows = false): MakeProduct {
  const { runs, templateId, templateName } = openStoredBenchmarks();
  return (row) => {
    const run = runs[row % runs.length];
    if (run === undefined) throw new Error("the catalog of the sandbox has no brands");
    const price = 1_999 + (row % 50_000);
    const images = [1, 2, 3, 4, 5].map((at) => `https://resim.example/${row}/${at}.jpg`);
    const title = `${word(row)} ${word(row * 3 + 1)} ürünü ${row}`;
    const lira = `${Math.floor(price / 100)},${String(price % 100).padStart(2, "0")}`;
    const isBad = badRows && row % 10 === 0;
    return {
      cells: [
        `BNC-${String(row).padStart(7, "0")}`,
        title,
        `Alt başlık ${row}`,
        run.categoryPath,
        run.brandName,
        "Serbest model",
        describe(row),
        isBad ? "on lira" : lira,
        String(row % 90),
        "Garantisiz",
        "0 Ay",
        templateName,
        ...images,
        ...OWN_HEADERS.map((header) => `${header} ${word(row)} ${row % 1000}`),
      ],
      listed: {
        id: idSchemas.product.parse(row.toString(16).padStart(24, "0")),
        title,
        subtitle: `Alt başlık ${row}`,
        product_code: `BNC-${String(row).padStart(7, "0")}`,
        category_name: run.categoryName,
        brand_id: run.brandId,
        brand_name: run.brandName,
        description: describe(row),
        currency: "TL",
        price,
        has_discount: false,
        stock: row % 90,
        warranty_type: 1,
        warranty_period: 0,
        images,
        ...(templateId === undefined ? {} : { shipping_template_id: templateId }),
      },
    };
  };
}

const quote = (cell: string): string =>
  /[";\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Writes the sheet as CSV, `rows` rows below the header. */
export function writeBenchCsv(path: string, rows: number, make: MakeProduct): void {
  const file = openSync(path, "w");
  let text = `\ufeff${BENCH_HEADERS.join(";")}\r\n`;
  for (let row = 1; row <= rows; row += 1) {
    text += `${make(row).cells.map(quote).join(";")}\r\n`;
    if (text.length < 1_000_000) continue;
    writeSync(file, text);
    text = "";
  }
  writeSync(file, text);
  closeSync(file);
}
