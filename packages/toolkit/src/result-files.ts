/**
 * The result files of a run, made from the store alone: made again, they say the same. Every row of
 * the input is in the result, with every input column in its order and with its value.
 */

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import {
  isBlocking,
  readAllRows,
  type RowRecord,
  type RowState,
  type RunRecord,
} from "@catalog/runs";
import { type OutCell, writeCsv, writeXlsx, type XlsxRow } from "@catalog/sheets";

import { writeHeldFile } from "./held-file.ts";
import { cellMarks, inputCells, inputColumns, inputRow, toLines } from "./input-cells.ts";
import { type Toolkit } from "./open-toolkit.ts";
import { writePlanWorkbook } from "./plan-workbook.ts";
import { createRecordWriter } from "./record-writer.ts";
import { writeReportPage } from "./report-page/report-page.ts";
import { readReported, type ReportedRow } from "./reported-rows.ts";
import { RESULT_TEXTS, resultWord } from "./result-texts.ts";
import { type ResultFiles } from "./run-summary.ts";

/** In characters. */
const CELL_WIDTH = 18;
const TEXT_WIDTH = 60;

/** Of the columns that the result adds, the ones from here on hold sentences. */
const FIRST_TEXT_COLUMN = 3;

/** Rows that a person corrects in the file and sends again. */
const FAILED: readonly RowState[] = ["invalid", "duplicate", "rejected"];

/** Writes result, failed and held files; the summary is written by {@link writeSummary}. */
export async function writeResultFiles(toolkit: Toolkit, run: RunRecord): Promise<ResultFiles> {
  const dir = run.reportDir;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const result = join(dir, "result.xlsx");
  await writeResults(toolkit, run, result);
  const decimal = run.lang === "tr" ? "comma" : "point";
  await writeCsv({
    path: join(dir, "result.csv"),
    header: resultHeader(run),
    rows: resultCells(toolkit, run, decimal),
    delimiter: run.lang === "tr" ? ";" : ",",
    decimal,
  });
  return {
    dir,
    result,
    failed: await writeSome(toolkit, run, { name: "failed.xlsx", states: FAILED }),
    held: await writeHeldFile(toolkit, run),
    plan: await writePlanWorkbook(toolkit, run),
    page: await writePage(toolkit, run),
    summary: join(dir, "summary.json"),
  };
}

async function writePage(toolkit: Toolkit, run: RunRecord): Promise<string> {
  const path = join(run.reportDir, "report.html");
  await writeReportPage(toolkit, run, path);
  return path;
}

/** Keeps a summary beside the other files. */
export async function writeSummary(path: string, summary: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(summary, undefined, 2)}\n`, { mode: 0o600 });
}

async function writeResults(toolkit: Toolkit, run: RunRecord, path: string): Promise<void> {
  const columns = resultHeader(run).map((header, index) => {
    const isText = index >= inputColumns(run).length + FIRST_TEXT_COLUMN;
    return { header, width: isText ? TEXT_WIDTH : CELL_WIDTH };
  });
  const sheet = { name: RESULT_TEXTS[run.lang].sheet, columns, rows: resultRows(toolkit, run) };
  await writeXlsx({ path, sheets: [sheet], frozenRows: 1 });
}

const inputHeader = (run: RunRecord): readonly string[] =>
  inputColumns(run).map((index) => run.file.header[index] ?? "");

function resultHeader(run: RunRecord): readonly string[] {
  const { lang } = run;
  const { result, productId, errorCode, error, suggestion, seen, record } =
    RESULT_TEXTS[lang].columns;
  return [...inputHeader(run), result, productId, errorCode, error, suggestion, seen, record];
}

async function* resultCells(
  toolkit: Toolkit,
  run: RunRecord,
  decimal: "comma" | "point",
): AsyncGenerator<readonly OutCell[]> {
  const columns = inputColumns(run);
  const file = { header: resultHeader(run), columns, decimal };
  const toRecord = createRecordWriter(toolkit, run, file);
  for await (const record of readReported(toolkit, run)) {
    const cells = [...inputCells(columns, record), ...toResultCells(run, record)];
    yield [...cells, await toRecord(record, { cells })];
  }
}

async function* resultRows(toolkit: Toolkit, run: RunRecord): AsyncGenerator<XlsxRow> {
  const columns = inputColumns(run);
  const toRecord = createRecordWriter(toolkit, run, { header: resultHeader(run), columns });
  for await (const record of readReported(toolkit, run)) {
    const row = inputRow(columns, record);
    const cells = [...row.cells, ...toResultCells(run, record)];
    const all = [...cells, await toRecord(record, { ...row, cells })];
    yield { ...row, cells: all, ...cellMarks(columns, run, record) };
  }
}

function toResultCells(run: RunRecord, record: ReportedRow): readonly OutCell[] {
  const { lang } = run;
  return [
    resultWord(lang, record),
    record.productId,
    ...errorCells(run, record),
    record.verification === undefined ? null : RESULT_TEXTS[lang].verified[record.verification],
  ];
}

/** Codes, messages and suggestions; warnings only where there is no error. */
function errorCells({ lang }: RunRecord, { issues }: RowRecord): readonly OutCell[] {
  const shown = issues.some(isBlocking) ? issues.filter(isBlocking) : issues;
  return [
    toLines(shown.map(({ code }) => code)),
    toLines(shown.map((issue) => prefix(issue.cell, issue.message[lang]))),
    toLines(shown.map(({ suggestion }) => suggestion?.[lang])),
  ];
}

const prefix = (cell: string, message: string): string =>
  cell === "" ? message : `${cell}: ${message}`;

interface SomeRows {
  readonly name: string;
  readonly states: readonly RowState[];
}

/** A workbook that can be imported again as it is: what is added to the input is not read. */
async function writeSome(
  toolkit: Toolkit,
  run: RunRecord,
  { name, states }: SomeRows,
): Promise<string | null> {
  const path = join(run.reportDir, name);
  const first = await toolkit.journal.readRows(run.id, { states, limit: 1 });
  if (first.length === 0) {
    // A file of an earlier report of the same run would tell of rows that have moved on.
    await rm(path, { force: true });
    return null;
  }
  const columns = inputColumns(run);
  const toRecord = createRecordWriter(toolkit, run, { header: inputHeader(run), columns });
  async function* rows(): AsyncGenerator<XlsxRow> {
    for await (const records of readAllRows(toolkit.journal, run.id, { states })) {
      for (const record of records) {
        const row = inputRow(columns, record);
        const cells = [...row.cells, ...errorCells(run, record), await toRecord(record, row)];
        yield { ...row, cells, ...cellMarks(columns, run, record) };
      }
    }
  }
  const { errorCode, error, suggestion, record: rowRecord } = RESULT_TEXTS[run.lang].columns;
  const headers = [
    ...[...inputHeader(run), errorCode].map((header) => ({ header, width: CELL_WIDTH })),
    ...[error, suggestion].map((header) => ({ header, width: TEXT_WIDTH })),
    { header: rowRecord, width: CELL_WIDTH },
  ];
  const sheet = { name: RESULT_TEXTS[run.lang].sheet, columns: headers, rows: rows() };
  await writeXlsx({ path, sheets: [sheet], frozenRows: 1 });
  return path;
}
