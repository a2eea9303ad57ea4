/**
 * Reads one workbook with one reader and prints its cost, for `workbook-readers.ts`, which starts a
 * process for each:  node test/bench/read-workbook.ts READER FILE
 */

import { readFileSync } from "node:fs";

import { openSheet } from "@catalog/sheets";
import exceljs from "exceljs";
import { streamXlsxRows } from "hucre/xlsx";
import { readSheet } from "read-excel-file/node";

import { valueAt } from "./make-workbook.ts";

export interface ReadCost {
  readonly reader: string;
  readonly rows: number;
  /** Cells that differ from what was written. */
  readonly wrong: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** The reader's limits, raised so that the file, which compresses well, fits. */
const LIMITS = { fileMb: 4_096, unpackedMb: 8_192, zipRatio: 2_000, readerSeconds: 600 };

type Cells = readonly unknown[];

async function* readOurs(path: string): AsyncGenerator<Cells> {
  await using sheet = await openSheet({ path, limits: LIMITS });
  for await (const { cells } of sheet.rows()) yield cells;
}

async function* readExceljs(path: string): AsyncGenerator<Cells> {
  const reader = new exceljs.stream.xlsx.WorkbookReader(path, {
    sharedStrings: "cache",
    worksheets: "emit",
    styles: "ignore",
    hyperlinks: "ignore",
    entries: "emit",
  });
  for await (const sheet of reader) {
    for await (const { values, number } of sheet) {
      if (number > 1 && Array.isArray(values)) yield values.slice(1);
    }
  }
}

async function* readHucre(path: string): AsyncGenerator<Cells> {
  let index = 0;
  for await (const { values } of streamXlsxRows(readFileSync(path))) {
    if (index > 0) yield values;
    index += 1;
  }
}

async function* readExcelFile(path: string): AsyncGenerator<Cells> {
  yield* (await readSheet(path, 1, { trim: false })).slice(1);
}

const READERS = new Map([
  ["ours, guarded process", readOurs],
  ["exceljs, stream", readExceljs],
  ["hucre, stream", readHucre],
  ["read-excel-file", readExcelFile],
]);

export const READER_NAMES: readonly string[] = [...READERS.keys()];

async function main(): Promise<void> {
  const [name = "", path = ""] = process.argv.slice(2);
  const read = READERS.get(name);
  if (read === undefined) throw new Error(`There is no reader ${name}.`);
  const started = performance.now();
  const startedCpu = process.cpuUsage();
  let rows = 0;
  let wrong = 0;
  for await (const cells of read(path)) {
    rows += 1;
    // Every cell of every tenth row is compared, which costs little.
    if (rows % 10 !== 0) continue;
    for (const [column, cell] of cells.entries())
      if (cell !== valueAt(rows + 1, column)) wrong += 1;
  }
  const ms = Math.round(performance.now() - started);
  const { maxRSS } = process.resourceUsage();
  const { user, system } = process.cpuUsage(startedCpu);
  const cpuMs = Math.round((user + system) / 1000);
  const cost: ReadCost = {
    reader: name,
    rows,
    wrong,
    ms,
    cpuMs,
    peakMb: Math.round(maxRSS / 1024),
  };
  console.log(JSON.stringify(cost));
}

if (process.argv[1]?.endsWith("read-workbook.ts") === true) await main();
