/**
 * The result files of a run, made from the store alone: made again, they say the same. Every row of
 * the input is in the result, with every input column in its order and with its value.
 */

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { isBlocking, type RowRecord, type RowState, type RunRecord } from "@catalog/runs";
import { type OutCell, writeCsv, writeXlsx, type XlsxRow } from "@catalog/sheets";

import { type Toolkit } from "./open-toolkit.ts";
import { writeReportPage } from "./report-page/report-page.ts";
import { readReported, type ReportedRow } from "./reported-rows.ts";
import { RESULT_TEXTS, resultWord } from "./result-texts.ts";
import { readRecords } from "./run-rows.ts";
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
  await mkdir(dir, { recursive: true });
  const result = join(dir, "result.xlsx");
  await writeResults(toolkit, run, result);
  await writeCsv({
    path: join(dir, "result.csv"),
    header: resultHeader(run),
    rows: resultCells(toolkit, run),
    delimiter: run.lang === "tr" ? ";" : ",",
    decimal: run.lang === "tr" ? "comma" : "point",
  });
  return {
    dir,
    result,
    failed: await writeSome(toolkit, run, { name: "failed.xlsx", states: FAILED }),
    held: await writeSome(toolkit, run, { name: "held.xlsx", states: ["held"] }),
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
  await writeFile(path, `${JSON.stringify(summary, undefined, 2)}\n`);
}

async function writeResults(toolkit: Toolkit, run: RunRecord, path: string): Promise<void> {
  const columns = resultHeader(run).map((header, index) => {
    const isText = index >= inputColumns(run).length + FIRST_TEXT_COLUMN;
    return { header, width: isText ? TEXT_WIDTH : CELL_WIDTH };
  });
  const sheet = { name: RESULT_TEXTS[run.lang].sheet, columns, rows: resultRows(toolkit, run) };
  await writeXlsx({ path, sheets: [sheet], frozenRows: 1 });
}

/** Columns that a result or failed file has added to what was imported. */
const OWN_HEADERS: ReadonlySet<string> = new Set(
  Object.values(RESULT_TEXTS).flatMap(({ columns }) =>
    // The id of a product may be a column of the input as well.
    Object.values(columns).filter((header) => header !== columns.productId),
  ),
);

/** The columns of the input; what an earlier result file has added to it is written anew. */
function inputColumns({ file: { header } }: RunRecord): readonly number[] {
  return [...header.keys()].filter((index) => !OWN_HEADERS.has(header[index] ?? ""));
}

const inputHeader = (run: RunRecord): readonly string[] =>
  inputColumns(run).map((index) => run.file.header[index] ?? "");

function resultHeader(run: RunRecord): readonly string[] {
  const { lang } = run;
  const { result, productId, errorCode, error, suggestion, seen } = RESULT_TEXTS[lang].columns;
  return [...inputHeader(run), result, productId, errorCode, error, suggestion, seen];
}

async function* resultCells(toolkit: Toolkit, run: RunRecord): AsyncGenerator<readonly OutCell[]> {
  for await (const record of readReported(toolkit, run)) yield toResultCells(run, record);
}

async function* resultRows(toolkit: Toolkit, run: RunRecord): AsyncGenerator<XlsxRow> {
  for await (const record of readReported(toolkit, run)) {
    yield { cells: toResultCells(run, record), ...marks(run, record) };
  }
}

function toResultCells(run: RunRecord, record: ReportedRow): readonly OutCell[] {
  const { lang } = run;
  return [
    ...inputCells(run, record),
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

/** One line each; what is said twice is written once. */
const toLines = (texts: readonly (string | undefined)[]): string | null =>
  [...new Set(texts.filter((text) => text !== undefined && text !== ""))].join("\n") || null;

const prefix = (cell: string, message: string): string =>
  cell === "" ? message : `${cell}: ${message}`;

/** The cells of the sheet, one for each column of the input. */
const inputCells = (run: RunRecord, { cells }: RowRecord): readonly OutCell[] =>
  inputColumns(run).map((index) => withoutNoise(cells[index] ?? null));

/** Spreadsheet programs show 15 digits; what stands behind them is binary noise. */
const withoutNoise = (cell: OutCell): OutCell =>
  typeof cell === "number" ? Number(cell.toPrecision(15)) : cell;

/** Notes and colours on the cells that are wrong, by column index. */
function marks(run: RunRecord, { issues }: RowRecord): Pick<Marked, "notes" | "fills"> {
  const { lang } = run;
  const columns = inputColumns(run);
  const notes: Record<number, string> = {};
  const fills: Record<number, "error" | "warning"> = {};
  for (const issue of issues) {
    const index = columns.indexOf(columnIndexOf(issue.cell) ?? -1);
    if (index < 0) continue;
    const lines = [notes[index], issue.message[lang], issue.suggestion?.[lang]];
    notes[index] = lines.filter((line) => line !== undefined).join("\n");
    fills[index] = isBlocking(issue) || fills[index] === "error" ? "error" : "warning";
  }
  return { notes, fills };
}

type Marked = Exclude<XlsxRow, readonly OutCell[]>;

/** Column of an address such as `F12`, from 0. */
function columnIndexOf(cell: string): number | undefined {
  const letters = /^[A-Z]+/u.exec(cell)?.[0];
  if (letters === undefined) return undefined;
  const index = Array.from(letters).reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  );
  return index - 1;
}

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
  async function* rows(): AsyncGenerator<XlsxRow> {
    for await (const record of readRecords(toolkit, run, states)) {
      const cells = [...inputCells(run, record), ...errorCells(run, record)];
      yield { cells, ...marks(run, record) };
    }
  }
  const { errorCode, error, suggestion } = RESULT_TEXTS[run.lang].columns;
  const columns = [
    ...[...inputHeader(run), errorCode].map((header) => ({ header, width: CELL_WIDTH })),
    ...[error, suggestion].map((header) => ({ header, width: TEXT_WIDTH })),
  ];
  const sheet = { name: RESULT_TEXTS[run.lang].sheet, columns, rows: rows() };
  await writeXlsx({ path, sheets: [sheet], frozenRows: 1 });
  return path;
}
