/**
 * The result files of a run, made from the database alone, so that they are the same when they are
 * made again. The result holds every row of the input with all its columns in their order.
 */

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Connection } from "@catalog/connection";
import {
  isBlocking,
  locateIssue,
  rowAddress,
  type RowRecord,
  type RowState,
  type RunRecord,
} from "@catalog/runs";
import { type OutCell, writeCsv, writeXlsx, type XlsxRow } from "@catalog/sheets";

import { writeHeldWorkbook } from "./held-workbook.ts";
import { writeReportPage } from "./html/report-page.ts";
import {
  cellMarks,
  inputCells,
  inputColumns,
  inputRow,
  toLines,
  withTakenCells,
} from "./input-cells.ts";
import { writePlanWorkbook } from "./plan/plan-workbook.ts";
import { createRefusalRecordWriter } from "./refusals/refusal-record-writer.ts";
import { readReported, type ReportedRow } from "./reported-rows.ts";
import { RESULT_TEXTS, resultText } from "./result-texts.ts";
import type { ResultFiles } from "./run-summary.ts";
import { type Writer, writeTogether } from "./write-together.ts";

/** Width of a column, in characters. */
const CELL_WIDTH = 18;
const TEXT_WIDTH = 60;

/** Index of the first added column that holds sentences. */
const FIRST_TEXT_COLUMN = 3;

/** States of rows that a person corrects in the file and imports again. */
const FAILED: readonly RowState[] = ["invalid", "duplicate", "rejected"];

/** Called with each row while the files are written, in the order of the sheet. */
export type ObserveRow = (row: ReportedRow) => void;

/**
 * Writes all files of a run in one reading of its rows; {@link writeSummary} writes the summary.
 */
export async function writeResultFiles(
  connection: Connection,
  run: RunRecord,
  observe: ObserveRow = () => undefined,
): Promise<ResultFiles> {
  const dir = run.reportDir;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const pathOf = (name: string): string => join(dir, name);
  const states = await connection.journal.countRows(run.id);
  const pathIfAny = async (name: string, wanted: readonly RowState[]): Promise<string | null> => {
    if (states.some(({ state, rows }) => rows > 0 && wanted.includes(state))) return pathOf(name);
    // A file of an earlier report of the same run would show rows whose state has changed since.
    await rm(pathOf(name), { force: true });
    return null;
  };
  const files: ResultFiles = {
    dir,
    result: pathOf("result.xlsx"),
    failed: await pathIfAny("failed.xlsx", FAILED),
    held: await pathIfAny("held.xlsx", ["held"]),
    plan: pathOf("plan.xlsx"),
    page: pathOf("report.html"),
    summary: pathOf("summary.json"),
  };
  await writeTogether(
    observed(readReported(connection, run), observe),
    toWriters(connection, run, files),
  );
  return files;
}

async function* observed(
  batches: AsyncIterable<readonly ReportedRow[]>,
  observe: ObserveRow,
): AsyncGenerator<readonly ReportedRow[]> {
  for await (const rows of batches) {
    for (const row of rows) observe(row);
    yield rows;
  }
}

/** One writer for each file. */
function toWriters(
  connection: Connection,
  run: RunRecord,
  { result, failed, held, page }: ResultFiles,
): readonly Writer<ReportedRow>[] {
  const writers: Writer<ReportedRow>[] = [
    (rows) => writeCsvResult(connection, run, rows),
    (rows) => writePlanWorkbook(connection, run, storedRows(rows)),
  ];
  if (result !== null)
    writers.push((rows) => writeResults(connection, run, { path: result, rows }));
  if (failed !== null) writers.push((rows) => writeFailed(connection, run, { path: failed, rows }));
  if (held !== null)
    writers.push((rows) => writeHeldWorkbook(connection, run, { path: held, rows }));
  if (page !== null) writers.push((rows) => writeReportPage(connection, run, { path: page, rows }));
  return writers;
}

/** The rows without the results of reading back, which are no part of the plan. */
async function* storedRows(rows: AsyncIterable<ReportedRow>): AsyncGenerator<RowRecord> {
  for await (const { stored } of rows) yield stored;
}

/** Where to write, and all rows of the run. */
interface FileRows {
  readonly path: string;
  readonly rows: AsyncIterable<ReportedRow>;
}

/** Writes the summary as JSON. */
export async function writeSummary(path: string, summary: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(summary, undefined, 2)}\n`, { mode: 0o600 });
}

async function writeResults(
  connection: Connection,
  run: RunRecord,
  { path, rows }: FileRows,
): Promise<void> {
  const columns = resultHeader(run).map((header, index) => {
    const isText = index >= inputColumns(run).length + FIRST_TEXT_COLUMN;
    return { header, width: isText ? TEXT_WIDTH : CELL_WIDTH };
  });
  const { sheet: name } = RESULT_TEXTS[run.lang];
  const sheets = [{ name, columns, rows: resultRows(connection, run, rows) }];
  await writeXlsx({ path, sheets, frozenRows: 1 });
}

async function writeCsvResult(
  connection: Connection,
  run: RunRecord,
  rows: AsyncIterable<ReportedRow>,
): Promise<void> {
  const decimal = run.lang === "tr" ? "comma" : "point";
  await writeCsv({
    path: join(run.reportDir, "result.csv"),
    header: resultHeader(run),
    rows: resultCells(connection, run, { rows, decimal }),
    delimiter: run.lang === "tr" ? ";" : ",",
    decimal,
  });
}

const inputHeader = (run: RunRecord): readonly string[] =>
  inputColumns(run).map((index) => run.file.header[index] ?? "");

function resultHeader(run: RunRecord): readonly string[] {
  const { lang } = run;
  const { result, productId, errorCode, error, suggestion, seen, record, place } =
    RESULT_TEXTS[lang].columns;
  const added = [result, productId, errorCode, error, suggestion, seen, record];
  return [...inputHeader(run), ...added, ...(hasPlaces(run) ? [place] : [])];
}

async function* resultCells(
  connection: Connection,
  run: RunRecord,
  { rows, decimal }: Pick<FileRows, "rows"> & { readonly decimal: "comma" | "point" },
): AsyncGenerator<readonly OutCell[]> {
  const columns = inputColumns(run);
  const file = { header: resultHeader(run), columns, decimal };
  const toRecord = createRefusalRecordWriter(connection, run, file);
  for await (const record of rows) {
    const cells = [...inputCells(columns, record), ...toResultCells(run, record)];
    yield [...cells, await toRecord(record, { cells }), ...placeCells(run, record)];
  }
}

async function* resultRows(
  connection: Connection,
  run: RunRecord,
  rows: AsyncIterable<ReportedRow>,
): AsyncGenerator<XlsxRow> {
  const columns = inputColumns(run);
  const toRecord = createRefusalRecordWriter(connection, run, {
    header: resultHeader(run),
    columns,
  });
  for await (const record of rows) {
    const row = inputRow(columns, record);
    const cells = [...row.cells, ...toResultCells(run, record)];
    const rowRecord = await toRecord(record, { ...row, cells });
    const all = [...cells, rowRecord, ...placeCells(run, record)];
    yield { ...row, cells: all, ...cellMarks(columns, run, record) };
  }
}

/** Whether rows are named by their sheet. */
const hasPlaces = ({ file }: RunRecord): boolean => file.sheets !== undefined;

const placeCells = (run: RunRecord, { row }: RowRecord): readonly OutCell[] =>
  hasPlaces(run) ? [rowAddress(run.file, row)] : [];

function toResultCells(run: RunRecord, record: ReportedRow): readonly OutCell[] {
  const { lang } = run;
  return [
    resultText(lang, record),
    record.productId,
    ...errorCells(run, record),
    record.verification === undefined ? null : RESULT_TEXTS[lang].verified[record.verification],
  ];
}

/** Codes, messages and suggestions of errors; of warnings only where there is no error. */
function errorCells({ lang, file }: RunRecord, { issues }: RowRecord): readonly OutCell[] {
  const shown = issues.some(isBlocking) ? issues.filter(isBlocking) : issues;
  return [
    toLines(shown.map(({ code }) => code)),
    toLines(shown.map((issue) => prefix(locateIssue(file, issue).cell, issue.message[lang]))),
    toLines(shown.map(({ suggestion }) => suggestion?.[lang])),
  ];
}

const prefix = (cell: string, message: string): string =>
  cell === "" ? message : `${cell}: ${message}`;

/** Writes a workbook that can be imported unchanged; an import does not map the added columns. */
async function writeFailed(
  connection: Connection,
  run: RunRecord,
  { path, rows: all }: FileRows,
): Promise<void> {
  const columns = inputColumns(run);
  const toRecord = createRefusalRecordWriter(connection, run, {
    header: inputHeader(run),
    columns,
  });
  async function* rows(): AsyncGenerator<XlsxRow> {
    for await (const record of all) {
      if (!FAILED.includes(record.state)) continue;
      const row = inputRow(columns, withTakenCells(record));
      const rowRecord = await toRecord(record, row);
      const added = [...errorCells(run, record), rowRecord, ...placeCells(run, record)];
      const cells = [...row.cells, ...added];
      yield { ...row, cells, ...cellMarks(columns, run, record) };
    }
  }
  const { errorCode, error, suggestion, record: rowRecord, place } = RESULT_TEXTS[run.lang].columns;
  const headers = [
    ...[...inputHeader(run), errorCode].map((header) => ({ header, width: CELL_WIDTH })),
    ...[error, suggestion].map((header) => ({ header, width: TEXT_WIDTH })),
    ...[rowRecord, ...(hasPlaces(run) ? [place] : [])].map((header) => ({
      header,
      width: CELL_WIDTH,
    })),
  ];
  const sheet = { name: RESULT_TEXTS[run.lang].sheet, columns: headers, rows: rows() };
  await writeXlsx({ path, sheets: [sheet], frozenRows: 1 });
}
