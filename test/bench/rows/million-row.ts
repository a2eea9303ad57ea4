/**
 * Rows 20 and 21: the command plans a file of a million rows with its default settings, writing all
 * result files. The memory is that of the command and its children at any one time.
 */

import { spawn } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

import { streamXlsx } from "@catalog/sheets";

import { watchPeakMb } from "../../helpers/processes/process-memory.ts";
import { createBenchProducts, writeBenchCsv } from "../bench-sheet.ts";
import {
  type Bench,
  type Figure,
  type MeasureRow,
  memory,
  seconds,
  serve,
  sized,
  startCommand,
} from "../bench-tools.ts";
import { type Credentials, toEnvironment } from "../credentials.ts";

const HEADERS = ["Ürün Kodu", "Fiyat", "Stok", "Başlık"];
const PRODUCTS = 20_000;
/** About 1,080 bytes a row, so that the file stays below a gigabyte. */
const WIDE_ROWS = 990_000;

/** A row of the narrow file; its first products are in the sandbox. */
const toCells = (row: number): readonly [string, number, number, string] => [
  `SBX-${String(row).padStart(6, "0")}`,
  10 + (row % 5_000) + (row % 100) / 100,
  row % 90,
  `Çelik kaşık takımı ${row}`,
];

function writeNarrowCsv(path: string, rows: number): void {
  const file = openSync(path, "w");
  let text = `${HEADERS.join(";")}\n`;
  for (let row = 1; row <= rows; row += 1) {
    const [code, price, stock, title] = toCells(row);
    text += `${code};${price.toFixed(2).replace(".", ",")};${stock};${title}\n`;
    if (text.length < 1_000_000) continue;
    writeSync(file, text);
    text = "";
  }
  writeSync(file, text);
  closeSync(file);
}

async function writeWorkbook(path: string, count: number): Promise<void> {
  function* rows(): Generator<readonly (string | number)[]> {
    for (let row = 1; row <= count; row += 1) yield toCells(row);
  }
  const columns = HEADERS.map((header) => ({ header }));
  await streamXlsx({ path, sheets: [{ name: "Ürünler", columns, rows: rows() }] });
}

interface PlannedFile {
  readonly row: number;
  readonly what: string;
  readonly path: string;
  readonly limitMb: number;
}

/** Plans the file in a process of its own, as a person does. */
async function plan(bench: Bench, file: PlannedFile): Promise<readonly Figure[]> {
  using sandbox = await serve(bench, ["sandbox", "--json", "--products", String(PRODUCTS)]);
  const told: Credentials = JSON.parse(sandbox.line);
  const report = join(bench.folder, `result-${file.row}`, "{run}");
  const flags = ["--decimal", "comma", "--price-unit", "minor", "--report", report, "--quiet"];
  const [program, args, { env }] = startCommand(bench, ["plan", file.path, ...flags]);
  const home = { CATALOG_HOME: join(bench.folder, `home-${file.what}`) };
  const begunMs = performance.now();
  const child = spawn(program, args, {
    env: { ...env, ...toEnvironment(told), ...home },
    stdio: "ignore",
  });
  const peakMb = await watchPeakMb(child);
  const what = `plan of ${file.what} through the command, ${seconds(performance.now() - begunMs)}`;
  return [memory(file.row, what, [peakMb, file.limitMb])];
}

export const measureMillionCsv: MeasureRow = async (bench) => {
  const rows = sized(bench, 1_000_000);
  const wideRows = sized(bench, WIDE_ROWS);
  const narrow = join(bench.folder, "narrow.csv");
  const wide = join(bench.folder, "wide.csv");
  writeNarrowCsv(narrow, rows);
  writeBenchCsv(wide, wideRows, createBenchProducts());
  return [
    ...(await plan(bench, { row: 20, what: `${rows} rows x 4`, path: narrow, limitMb: 260 })),
    ...(await plan(bench, { row: 20, what: `${wideRows} rows x 25`, path: wide, limitMb: 260 })),
  ];
};

export const measureMillionWorkbook: MeasureRow = async (bench) => {
  const rows = sized(bench, 1_000_000);
  const path = join(bench.folder, "narrow.xlsx");
  await writeWorkbook(path, rows);
  return plan(bench, { row: 21, what: `a workbook of ${rows} rows x 4`, path, limitMb: 350 });
};
