/**
 * The result files of a run, made from the database alone, so that they are the same when they are
 * made again. The result holds every row of the input with all its columns in their order; one
 * reading of the rows serves all writers, at the pace of the slowest.
 */

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Connection } from "@catalog/connection";
import { makeFolder } from "@catalog/i18n";
import { findField } from "@catalog/mapping";
import type { RowState, RunRecord } from "@catalog/runs";
import { type OutCell, writeCsv, toCsvValue } from "@catalog/sheets";

import { type ActionColumns, createActionColumns } from "./action-columns.ts";
import { HELD_FILE, keepEditedFile, type OnKept, removeSettledHeldFiles } from "./held-files.ts";
import { writeHeldWorkbook } from "./held-workbook.ts";
import { writeReportPage } from "./html/report-page.ts";
import { type IssueCommands, nameCommands, nameRunCommands } from "./issue-commands.ts";
import { type PlannedRow, writePlanWorkbook } from "./plan/plan-workbook.ts";
import { createRefusalRecordWriter } from "./refusal-record.ts";
import { readReported, type ReportedRow } from "./reported-rows.ts";
import { RESULT_TEXTS, resultText, seenText } from "./result-texts.ts";
import { FAILED_STATES, writeFailedWorkbook, writeResultWorkbook } from "./result-workbooks.ts";
import {
  createIssueList,
  EMPTY_SUMMARY,
  readSummary,
  type ResultFiles,
  type RunSummary,
} from "./run-summary.ts";
import {
  errorCells,
  hasPlaces,
  inputCells,
  inputColumns,
  inputHeader,
  placeCells,
} from "./sheet-cells.ts";

/** Consumes items as it writes them; the other writers wait for it. */
export type Writer<Item> = (items: AsyncGenerator<Item, void>) => Promise<unknown>;

/**
 * Runs all writers concurrently on one reading of `batches`. A batch is read once every writer has
 * taken the one before it or has ended. Rejects with the first error after all have ended: an error
 * of the reading, which every writer receives, or an error of a writer, which does not stop the
 * others.
 */
export async function writeTogether<Item>(
  batches: AsyncIterable<readonly Item[]>,
  writers: readonly Writer<Item>[],
): Promise<void> {
  const reading = createReading(batches, writers.length);
  const ends = await Promise.allSettled(
    writers.map(async (write) => {
      const reader = reading.join();
      try {
        await write(reader.items());
      } finally {
        reader.leave();
      }
    }),
  );
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

interface Reader<Item> {
  items(): AsyncGenerator<Item, void>;
  /** Ends this reader's part; the others no longer wait for it. */
  leave(): void;
}

type ItemBatch<Item> = IteratorResult<readonly Item[], unknown>;

/** A reading for a fixed number of readers, each of which joins once. */
function createReading<Item>(
  batches: AsyncIterable<readonly Item[]>,
  count: number,
): { join(): Reader<Item> } {
  const source = batches[Symbol.asyncIterator]();
  let readers = count;
  let asking = 0;
  let next = Promise.withResolvers<ItemBatch<Item>>();

  const readOn = (): void => {
    if (readers === 0 || asking < readers) return;
    const { resolve } = next;
    asking = 0;
    next = Promise.withResolvers();
    resolve(source.next());
  };

  return {
    join() {
      let asked: Promise<ItemBatch<Item>> | undefined;
      return {
        async *items() {
          for (;;) {
            asked = next.promise;
            asking += 1;
            readOn();
            const batch = await asked;
            if (batch.done === true) return;
            yield* batch.value;
          }
        },
        leave() {
          readers -= 1;
          if (asked === next.promise) asking -= 1;
          readOn();
        },
      };
    },
  };
}

/** Path of the workbook of a run's held rows, which exists only where rows are held. */
export const heldPathOf = ({ reportDir }: Pick<RunRecord, "reportDir">): string =>
  join(reportDir, HELD_FILE);

/** Called with each row while the files are written, in the order of the sheet. */
type ObserveRow = (row: ReportedRow) => void;

export interface ResultFilesOptions {
  /** @default nobody looks on */
  readonly observe?: ObserveRow | undefined;
  /** Words that start the program in the commands of the files. @default "catalog" */
  readonly program?: string | undefined;
  /** @default nobody is notified */
  readonly onKept?: OnKept | undefined;
  /** Whether the marks of the file of held rows were read, so that it is replaced. @default false */
  readonly replacesHeld?: boolean | undefined;
}

const ignore = (): void => undefined;

/** Writes all files of a run in one reading of its rows, and then its summary, which it returns. */
export async function writeResults(
  connection: Connection,
  run: RunRecord,
  { command, exit, ...options }: ResultsOptions,
): Promise<RunSummary> {
  const list = createIssueList(run);
  const observe = (row: ReportedRow): void => list.observe(row);
  const files = await writeResultFiles(connection, run, { ...options, observe });
  const summary = await readSummary(connection, run, {
    command,
    exit,
    files,
    issues: list.summary(),
  });
  const text = `${JSON.stringify(summary, undefined, 2)}\n`;
  await writeFile(join(run.reportDir, "summary.json"), text, { mode: 0o600 });
  return summary;
}

/** The command that the summary names, and its exit code. */
type ResultsOptions = Omit<ResultFilesOptions, "observe"> & Pick<RunSummary, "command" | "exit">;

/** Writes all files of a run but the summary, in one reading of its rows. */
export async function writeResultFiles(
  connection: Connection,
  run: RunRecord,
  options: ResultFilesOptions = {},
): Promise<ResultFiles> {
  const { observe = ignore, onKept = ignore, program = "catalog", replacesHeld = false } = options;
  const dir = run.reportDir;
  makeFolder(dir);
  const pathOf = (name: string): string => join(dir, name);
  const states = await connection.journal.countRows(run.id);
  const pathIfAny = async (name: string, wanted: readonly RowState[]): Promise<string | null> => {
    if (name !== HELD_FILE || !replacesHeld) await keepEditedFile(pathOf(name), onKept);
    if (states.some(({ state, rows }) => rows > 0 && wanted.includes(state))) return pathOf(name);
    // A file of an earlier report of the same run would show rows whose state has changed since.
    await rm(pathOf(name), { force: true });
    return null;
  };
  const files: ResultFiles = {
    dir,
    result: pathOf("result.xlsx"),
    failed: await pathIfAny("failed.xlsx", FAILED_STATES),
    held: await pathIfAny(HELD_FILE, ["held"]),
    plan: pathOf("plan.xlsx"),
    page: pathOf("report.html"),
    summary: pathOf("summary.json"),
  };
  await writeTogether(
    prepared(readReported(connection, run), { observe, program, held: files.held }),
    toWriters(connection, nameRunCommands(run, program), { ...files, program }),
  );
  return files;
}

interface SyncFilesOptions extends Pick<ResultFilesOptions, "program" | "onKept"> {
  /** Whether all files are written; otherwise only that of held rows is, where there are any. */
  readonly isWhole: boolean;
}

/** The run that has the rows of a plan: an earlier one, where a sync in shadow planned the same. */
export async function readPlanRun(
  { runs }: Pick<Connection, "runs">,
  run: RunRecord,
): Promise<RunRecord> {
  const { sameAs } = run.progress.sync ?? {};
  return (sameAs === undefined ? undefined : await runs.read(sameAs)) ?? run;
}

/**
 * Writes the plan of a sync that was only tried; a file of held rows would ask for decisions that
 * nothing waits for.
 */
export async function writeDryRunFiles(
  connection: Connection,
  run: RunRecord,
): Promise<RunSummary["files"]> {
  const dir = run.reportDir;
  makeFolder(dir);
  const planned = { ...(await readPlanRun(connection, run)), reportDir: dir };
  const rows = readEach(readReported(connection, planned));
  await writePlanWorkbook(connection, planned, storedRows(rows));
  return { ...EMPTY_SUMMARY.files, dir, plan: join(dir, "plan.xlsx") };
}

/**
 * Writes the files of a sync, and removes those of earlier syncs of the same feed in which nothing
 * waits any more.
 */
export async function writeSyncFiles(
  connection: Connection,
  run: RunRecord,
  { isWhole, ...options }: SyncFilesOptions,
): Promise<RunSummary["files"]> {
  await removeSettledHeldFiles(connection, run);
  return isWhole
    ? await writeResultFiles(connection, run, options)
    : await writeHeldFile(connection, run, options);
}

/** Writes nothing, and makes no folder, where no row is held. */
async function writeHeldFile(
  connection: Connection,
  run: RunRecord,
  { program = "catalog", onKept = ignore }: Omit<SyncFilesOptions, "isWhole">,
): Promise<ResultFiles> {
  const [first] = await connection.journal.readRows(run.id, { states: ["held"], limit: 1 });
  if (first === undefined) return EMPTY_SUMMARY.files;
  const dir = run.reportDir;
  makeFolder(dir);
  const held = heldPathOf(run);
  await keepEditedFile(held, onKept);
  const reported = readReported(connection, run, { states: ["held"] });
  const rows = readEach(prepared(reported, { observe: ignore, program, held }));
  await writeHeldWorkbook(connection, run, { path: held, rows });
  return { ...EMPTY_SUMMARY.files, dir, held };
}

async function* readEach<Row>(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const rows of batches) yield* rows;
}

async function* prepared(
  batches: AsyncIterable<readonly ReportedRow[]>,
  { observe, ...commands }: IssueCommands & { readonly observe: ObserveRow },
): AsyncGenerator<readonly ReportedRow[]> {
  for await (const rows of batches) {
    for (const row of rows) observe(row);
    yield nameCommands(rows, commands);
  }
}

/** One writer for each file. */
function toWriters(
  connection: Connection,
  run: RunRecord,
  { result, failed, held, page, program }: ResultFiles & { readonly program: string },
): readonly Writer<ReportedRow>[] {
  const writers: Writer<ReportedRow>[] = [
    (rows) => writeCsvResult(connection, run, rows),
    (rows) => writePlanWorkbook(connection, run, storedRows(rows)),
  ];
  if (result !== null)
    writers.push((rows) => writeResultWorkbook(connection, run, { path: result, rows }));
  if (failed !== null)
    writers.push((rows) => writeFailedWorkbook(connection, run, { path: failed, rows }));
  if (held !== null)
    writers.push((rows) => writeHeldWorkbook(connection, run, { path: held, rows }));
  if (page !== null)
    writers.push((rows) => writeReportPage(connection, run, { path: page, rows, program }));
  return writers;
}

/** The rows without the results of reading back, which are no part of the plan. */
async function* storedRows(rows: AsyncIterable<ReportedRow>): AsyncGenerator<PlannedRow> {
  for await (const { stored, paid } of rows) yield { ...stored, paid };
}

/** Where to write, and all rows of the run. */
interface FileRows {
  readonly path: string;
  readonly rows: AsyncIterable<ReportedRow>;
}

async function writeCsvResult(
  connection: Connection,
  run: RunRecord,
  rows: AsyncIterable<ReportedRow>,
): Promise<void> {
  const decimal = run.lang === "tr" ? "comma" : "point";
  await writeCsv({
    path: join(run.reportDir, "result.csv"),
    header: resultHeader(run, createActionColumns(connection, run)),
    rows: resultCells(connection, run, { rows, decimal }),
    delimiter: run.lang === "tr" ? ";" : ",",
    decimal,
  });
}

function resultHeader(run: RunRecord, actions: ActionColumns | undefined): readonly string[] {
  const { lang } = run;
  const { result, productId, errorCode, error, suggestion, seen, record, place } =
    RESULT_TEXTS[lang].columns;
  const wrong = [errorCode, error, suggestion, seen];
  const added =
    actions === undefined
      ? [result, productId, ...wrong, record]
      : [result, ...actions.headers, ...wrong];
  return [...inputHeader(run), ...added, ...(hasPlaces(run) ? [place] : [])];
}

async function* resultCells(
  connection: Connection,
  run: RunRecord,
  { rows, decimal }: Pick<FileRows, "rows"> & { readonly decimal: "comma" | "point" },
) {
  const columns = inputColumns(run);
  const money = columns.map((index) => isMoneyColumn(run, index));
  const actions = createActionColumns(connection, run);
  const file = { header: resultHeader(run, actions), columns, decimal };
  const toRecord = createRefusalRecordWriter(connection, run, file);
  for await (const record of rows) {
    const own = await actions?.read(record);
    const input = inputCells(columns, record).map((given, at) => {
      const cell = given ?? own?.own.get(columns[at] ?? -1) ?? null;
      return typeof cell === "number" && money[at] === true ? { amount: cell } : cell;
    });
    const cells = [...input, ...csvCells(run, record, own?.added)];
    if (own !== undefined) {
      yield [...cells, ...placeCells(run, record)];
      continue;
    }
    // The record compares the cells with those that a later import reads from the file.
    const read = cells.map((cell) => toCsvValue(cell, decimal));
    yield [...cells, await toRecord(record, { cells: read }), ...placeCells(run, record)];
  }
}

function isMoneyColumn({ facts, file }: RunRecord, index: number): boolean {
  const key = facts?.reading?.columns.columns[file.header[index] ?? ""];
  return key !== undefined && findField(key)?.kind === "money";
}

/** `added`: what a list of actions has in place of the product's id. */
const csvCells = (
  run: RunRecord,
  record: ReportedRow,
  added: readonly OutCell[] = [record.productId],
): readonly OutCell[] => {
  const { errorCode, error, suggestion } = errorCells(run, record);
  return [
    resultText(run, record),
    ...added,
    errorCode,
    error,
    suggestion,
    seenText(run.lang, record),
  ];
};
