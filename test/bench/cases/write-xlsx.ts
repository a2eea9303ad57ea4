/**
 * Writes a workbook of the benchmark's sheet with the streaming writer of exceljs, or with ours and
 * a note on every tenth row. exceljs|ours ROWS FILE
 */

import { writeXlsx } from "@catalog/sheets";
import exceljs from "exceljs";

import { BENCH_HEADERS, createBenchProducts } from "../bench-sheet.ts";
import { printCost } from "../case-report.ts";

const [writer = "", count = "0", path = ""] = process.argv.slice(2);
const make = createBenchProducts();
const rows = Number(count);

function* cellsOfRows(): Generator<readonly string[]> {
  for (let row = 1; row <= rows; row += 1) yield make(row).cells;
}

function* notedRows(): Generator<{
  readonly cells: readonly string[];
  readonly notes?: Readonly<Record<number, string>>;
}> {
  let row = 0;
  for (const cells of cellsOfRows()) {
    row += 1;
    yield row % 10 === 0 ? { cells, notes: { 7: "Fiyat anlaşılamadı." } } : { cells };
  }
}

const name = "Ürünler";
const columns = BENCH_HEADERS.map((header) => ({ header }));

const WRITERS: Readonly<Record<string, () => Promise<void>>> = {
  async exceljs() {
    const workbook = new exceljs.stream.xlsx.WorkbookWriter({ filename: path, useStyles: true });
    const sheet = workbook.addWorksheet(name);
    sheet.addRow([...BENCH_HEADERS]).commit();
    for (const cells of cellsOfRows()) sheet.addRow([...cells]).commit();
    sheet.commit();
    await workbook.commit();
  },
  ours: () => writeXlsx({ path, sheets: [{ name, columns, rows: notedRows() }] }),
};

await printCost(async () => {
  await WRITERS[writer]?.();
  return { rows };
});
