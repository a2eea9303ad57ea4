/** Makes the workbooks of `templates/`. The rows of the sample come from its CSV file. */

import { join } from "node:path";

import { createProductWorkbook, makeTemplate, PRODUCT_COLUMNS } from "@catalog/importer";
import { mapColumns } from "@catalog/mapping";
import { type OutCell, openSheet, writeTemplate } from "@catalog/sheets";

export const WORKBOOKS = [
  "urunler.xlsx",
  "products.xlsx",
  "ornek-katalog.xlsx",
  "stok-fiyat.xlsx",
] as const;

/** Writes every workbook into `folder`; `sample` is the path of the sample catalog as CSV. */
export async function makeTemplates(folder: string, sample: string): Promise<void> {
  const [turkish, english, filled, stock] = WORKBOOKS;
  await writeTemplate(createProductWorkbook({ path: join(folder, turkish), lang: "tr" }));
  await writeTemplate(createProductWorkbook({ path: join(folder, english), lang: "en" }));
  await makeTemplate({ path: join(folder, stock), lang: "tr", kind: "stock-price" });
  const rows = await readSample(sample);
  await writeTemplate(createProductWorkbook({ path: join(folder, filled), lang: "tr", rows }));
}

const NUMBER_FIELDS: ReadonlySet<string> = new Set(["price", "list_price", "stock"]);

async function readSample(path: string): Promise<OutCell[][]> {
  await using sheet = await openSheet({ path });
  const { header } = sheet;
  const { columns } = mapColumns({ sheet: "", headerRow: header.row, header: header.cells });
  const indexOf = new Map(
    columns.map(({ index, target }) => [target.kind === "field" ? target.field : "", index]),
  );
  const rows: OutCell[][] = [];
  for await (const { cells } of sheet.rows()) {
    rows.push(
      PRODUCT_COLUMNS.map((field) => {
        const value = cells[indexOf.get(field) ?? -1] ?? null;
        return NUMBER_FIELDS.has(field) ? toNumber(value) : value;
      }),
    );
  }
  return rows;
}

/** Converts `1.299,90` to a number, as a person would type it; any other value stays as it is. */
function toNumber(value: OutCell): OutCell {
  if (typeof value !== "string" || !/^-?[\d.]+(?:,\d+)?$/u.test(value)) return value;
  return Number(value.replaceAll(".", "").replace(",", "."));
}
