/**
 * Files of held rows in a folder of results: those that a person has edited are kept, those in
 * which nothing waits any more are removed, and the marks in one are read. Also which runs hold
 * rows.
 */

import { existsSync } from "node:fs";
import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";

import { CatalogError, type Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import type { RowRecord, RunRecord } from "@catalog/runs";
import {
  type OpenedSheet,
  openSheet,
  type OpenSheetOptions,
  type OutCell,
  type ReadLimits,
  SheetError,
  type SheetRow,
  unescapeFormula,
  wasSavedSince,
} from "@catalog/sheets";

import {
  APPROVE_TEXTS,
  HELD_HEADERS,
  type HeldColumn,
  heldValues,
  ownColumns,
  parseHeldKey,
} from "./held-workbook.ts";
import { inputCells } from "./sheet-cells.ts";

/** A file that was edited, and the path that it has now. */
interface EditedFile {
  readonly path: string;
  readonly kept: string;
}

/** Called for each file that a person has edited, with a sentence that says where it is now. */
export type OnKept = (text: Localized) => void;

const describe = ({ path, kept }: EditedFile): Localized => ({
  tr: `${path} sizin değişikliklerinizi taşıyordu; kaybolmasın diye ${kept} adıyla saklandı.`,
  en: `${path} had your changes; it is kept as ${kept}.`,
});

/**
 * Gives a workbook that a person has saved since it was written another name, such as
 * `failed-edited.xlsx`; other files stay. Tells what was renamed.
 */
export async function keepEditedFile(path: string, onKept: OnKept): Promise<void> {
  if (!wasSavedSince(path)) return;
  const stem = path.replace(/\.xlsx$/u, "");
  let kept = `${stem}-edited.xlsx`;
  for (let number = 2; existsSync(kept); number += 1) kept = `${stem}-edited-${number}.xlsx`;
  await rename(path, kept);
  onKept(describe({ path, kept }));
}

/** The name of the workbook of held rows. */
export const HELD_FILE = "held.xlsx";

/**
 * Runs that are looked at, more than a day of syncs each minute: held rows are closed a day after a
 * newer sync. Files of older runs were removed after earlier syncs.
 */
const MAX_RUNS = 2_000;

/**
 * Removes the files of earlier syncs of the same feed whose held rows are settled or replaced, with
 * their folders. A folder with any other file stays as it is: its files were asked for, or one is
 * open in a spreadsheet program.
 */
export async function removeSettledHeldFiles(
  connection: Pick<Connection, "runs" | "journal">,
  { id, file, reportDir }: RunRecord,
): Promise<void> {
  if (file.feed === undefined) return;
  for (const run of await connection.runs.list(MAX_RUNS)) {
    const isEarlier = run.id !== id && run.file.feed === file.feed && run.reportDir !== reportDir;
    if (isEarlier && (await hasHeldFileOnly(run))) await removeIfSettled(connection, run);
  }
}

async function hasHeldFileOnly({ reportDir }: RunRecord): Promise<boolean> {
  const names = await readdir(reportDir).catch(() => []);
  return names.length === 1 && names[0] === HELD_FILE;
}

async function removeIfSettled(
  { journal }: Pick<Connection, "journal">,
  { id, reportDir }: RunRecord,
): Promise<void> {
  const [held] = await journal.readRows(id, { states: ["held"], limit: 1 });
  if (held !== undefined) return;
  try {
    await rm(join(reportDir, HELD_FILE));
    await rmdir(reportDir);
  } catch {
    // What cannot be removed now is tried again after the next sync.
  }
}

/** A run, and how many of its rows are held. */
export interface HeldRun {
  readonly run: RunRecord;
  readonly held: number;
}

/**
 * Lists the runs that hold rows, the newest first. Left out are plans that were never applied, which
 * wait for nobody, and syncs of a feed that was synced again since, which holds what is still to be
 * decided. Reads counts only, no rows.
 */
export async function listHeldRuns({
  runs,
  journal,
}: Pick<Connection, "runs" | "journal">): Promise<readonly HeldRun[]> {
  const found: HeldRun[] = [];
  const feeds = new Set<string>();
  for (const run of await runs.list(Number.MAX_SAFE_INTEGER)) {
    if (run.state === "planning" || run.state === "planned") continue;
    if (run.kind === "sync" && run.facts !== null) {
      const feed = run.file.feed ?? run.file.path;
      if (feeds.has(feed)) continue;
      feeds.add(feed);
    }
    const states = await journal.countRows(run.id);
    const held = states.reduce((sum, { state, rows }) => sum + (state === "held" ? rows : 0), 0);
    if (held > 0) found.push({ run, held });
  }
  return found;
}

/** The file with the marks. */
export interface HeldMarksFile {
  readonly path: string;
  readonly limits?: Partial<ReadLimits> | undefined;
  /** Character encoding of a CSV file. @default it is found */
  readonly encoding?: string | undefined;
}

/** What the file says of one row. */
export interface HeldMark {
  /** Row number in the file. */
  readonly fileRow: number;
  readonly mark: Mark;
  /** The text of its mark. */
  readonly text: string;
  /** The run and row that it names; `undefined` where its text names none. */
  readonly key: ReturnType<typeof parseHeldKey>;
  readonly keyText: string;
  /**
   * Whether the cells and the new value are those that the file was written with: an approved row is
   * sent as planned, so that edits would be lost.
   */
  isAsWritten(run: RunRecord, record: RowRecord): boolean;
}

/**
 * Reads the marks, row by row. Throws {@link CatalogError} `E_APPROVAL_FILE` for a file without the
 * columns of held rows.
 */
export async function* readHeldMarks({
  path,
  limits,
  encoding,
}: HeldMarksFile): AsyncGenerator<HeldMark> {
  const file = {
    path,
    ...(limits !== undefined && { limits }),
    ...(encoding !== undefined && { encoding }),
  };
  for await (const sheet of openSheets(file)) {
    const { headers, key: keyAt, approve } = findColumns(sheet.header, path);
    for await (const fileRow of sheet.rows()) {
      const text = textAt(fileRow, approve);
      const keyText = textAt(fileRow, keyAt);
      const marked = { cells: fileRow.cells, headers };
      yield {
        fileRow: fileRow.row,
        mark: toMark(text),
        text,
        key: parseHeldKey(keyText),
        keyText,
        isAsWritten: (run, record) =>
          isSameInput(run, record, marked) && isSameValue(run, record, marked),
      };
    }
  }
}

/** Opens the sheet of the file, or each of several: rows beyond Excel's limit are on further sheets. */
async function* openSheets(file: OpenSheetOptions): AsyncGenerator<OpenedSheet> {
  const found = await openSheet(file).catch(toSheetNames);
  if ("rows" in found) {
    await using only = found;
    yield only;
    return;
  }
  for (const sheet of found.names) {
    await using opened = await openSheet({ ...file, sheet });
    yield opened;
  }
}

function toSheetNames(error: unknown): { readonly names: readonly string[] } {
  if (!(error instanceof SheetError) || error.code !== "E_SHEET_CHOICE") throw error;
  return { names: error.details.names ?? [] };
}

interface FoundColumns extends Readonly<Record<"key" | "approve", number>> {
  readonly headers: readonly string[];
}

function findColumns({ cells }: SheetRow, path: string): FoundColumns {
  const headers = cells.map((cell) => String(cell ?? "").trim());
  const find = (column: HeldColumn): readonly number[] => {
    const { tr, en } = HELD_HEADERS[column];
    return [...headers.keys()].filter((index) => [tr, en].includes(headers[index] ?? ""));
  };
  const key = find("key").at(-1);
  // A column of the input may have the same name, and a person may have moved ours.
  const approves = find("approve");
  const approve = approves[0] === 0 ? 0 : approves.at(-1);
  if (key === undefined || approve === undefined) throw new CatalogError("E_APPROVAL_FILE", path);
  return { headers, key, approve };
}

const textAt = ({ cells }: SheetRow, index: number): string =>
  unescapeFormula(String(cells[index] ?? "")).trim();

/** The decision on a row: `none` for an empty cell, `unclear` for any other word. */
type Mark = "yes" | "no" | "none" | "unclear";

/** Ignores case, and the difference between `ı` and `i`. */
const toWord = (text: string): string => text.toLocaleLowerCase("tr").replaceAll("ı", "i");

/** The words of both languages and their first letters; no other word decides on a row. */
const MARKS: ReadonlyMap<string, Mark> = new Map(
  Object.values(APPROVE_TEXTS).flatMap(([yes, no]) =>
    ([yes, no] as const).flatMap((word, index): readonly [string, Mark][] => {
      const mark = index === 0 ? "yes" : "no";
      return [
        [toWord(word), mark],
        [toWord(word.slice(0, 1)), mark],
      ];
    }),
  ),
);

/** Reads a mark; a word that means neither yes nor no is `unclear`. */
const toMark = (text: string): Mark =>
  text === "" ? "none" : (MARKS.get(toWord(text)) ?? "unclear");

/** The cells of a row of the file, and the headers of their columns. */
interface MarkedCells extends Pick<SheetRow, "cells"> {
  readonly headers: readonly string[];
}

/**
 * Whether the cells are unedited: an approved row is sent as planned, so edits would be lost. They
 * are found by their headers, in whatever order the columns stand.
 */
function isSameInput(
  { file: { header } }: RunRecord,
  record: RowRecord,
  { cells, headers }: MarkedCells,
): boolean {
  const shown = ownColumns(header);
  const taken = new Set<number>();
  return inputCells(shown, record).every((cell, at) => {
    const name = (header[shown[at] ?? -1] ?? "").trim();
    const index = headers.findIndex(
      (each, column) =>
        each === name && !taken.has(column) && toPlain(cell) === toPlain(cells[column]),
    );
    taken.add(index);
    return index >= 0;
  });
}

/**
 * Whether the new value is the one that the file was written with: a person who edits it, or has a
 * file of before the row was compared again, approves another one.
 */
function isSameValue(run: RunRecord, record: RowRecord, { cells, headers }: MarkedCells): boolean {
  const { tr, en } = HELD_HEADERS.new;
  const columns = headers.flatMap((each, at) => (each === tr || each === en ? [at] : []));
  const { new: expected } = heldValues(run, record);
  return columns.length === 0 || columns.some((at) => isEqual(expected, cells[at]));
}

/** Spreadsheet programs write an amount into a CSV file as they show it. */
function isEqual(expected: OutCell, cell: OutCell | undefined): boolean {
  if (typeof expected !== "number") return toPlain(String(expected ?? "")) === toPlain(cell);
  const text = String(cell ?? "").trim();
  const readings = [text, text.replaceAll(".", "").replace(",", "."), text.replaceAll(",", "")];
  return readings.some(
    (each) => each !== "" && Math.abs(Number(each) - expected) < HALF_OF_LAST_DIGIT,
  );
}

/** Amounts are shown with two decimals. */
const HALF_OF_LAST_DIGIT = 0.0051;

/** Removes differences that spreadsheet programs make: numbers for texts of digits, line breaks. */
function toPlain(cell: OutCell | Date | undefined): string {
  const text = unescapeFormula(String(cell ?? ""))
    .replaceAll("\r\n", "\n")
    .trim();
  const isNumber = text !== "" && Number.isFinite(Number(text));
  return isNumber ? String(Number(text)) : text.toLowerCase();
}
