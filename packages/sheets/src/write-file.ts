/**
 * Writes text files, completely or not at all: CSV that Excel opens correctly and `openSheet` reads back
 * unchanged, and JSON lines.
 */

import { createReadStream, createWriteStream, type Stats } from "node:fs";
import { type FileHandle, mkdtemp, open, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";

import { isFileError } from "@catalog/i18n";

import {
  escapeFormula,
  isAmount,
  type OutCell,
  type Rows,
  type TableCell,
  unescapeFormula,
} from "./cell.ts";
import { withoutControls } from "./visible-text.ts";

/**
 * Files hold catalogs and perhaps customers' data, so other users of the machine must not read
 * them.
 */
const OWNER_ONLY = 0o600;

/** What is at the path; `undefined` where there is nothing yet, or it cannot be replaced either. */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch {
    return undefined;
  }
}

/** No file may be put in the place of a device or a pipe, such as `/dev/null`. */
async function writeThrough(path: string, write: (path: string) => Promise<void>): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "catalog-writing-"));
  try {
    const temporaryPath = join(scratch, basename(path));
    await write(temporaryPath);
    await pipeline(createReadStream(temporaryPath), createWriteStream(path));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Gives `write` a new path in the same folder, and renames the result to `path` once it is on the
 * disk. If `write` fails, `path` is unchanged and nothing is left behind. Permissions are `mode`,
 * else those of the replaced file, else the owner's only. A device or a pipe takes what
 * was written, and stays.
 */
export async function replaceFile(
  path: string,
  write: (temporaryPath: string) => Promise<void>,
  mode?: number,
): Promise<void> {
  const before = await statOf(path);
  if (before !== undefined && !before.isFile() && !before.isDirectory()) {
    await writeThrough(path, write);
    return;
  }
  const folder = dirname(path);
  // Those of the replaced file, so that its readers can still read it.
  const permissions = mode ?? (before && before.mode & 0o777) ?? OWNER_ONLY;
  const start = join(folder, ".writing-");
  const scratch = await mkdtemp(start).catch((error: unknown) => {
    throw renameIn(error, start, folder);
  });
  try {
    const temporaryPath = join(scratch, basename(path));
    await write(temporaryPath);
    await sync(temporaryPath, "r+", permissions);
    await rename(temporaryPath, path);
    // Windows cannot open a folder; there the rename itself must be durable enough.
    if (process.platform !== "win32") await sync(folder, "r");
  } catch (error) {
    throw renameIn(error, scratch, path);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Names the path that the caller knows in a failure of the file system at a temporary one, which
 * begins with `start`. Any other error stays as it is.
 */
function renameIn(error: unknown, start: string, path: string): unknown {
  if (!isFileError(error) || error.path?.startsWith(start) !== true) return error;
  return Object.assign(new Error(`${error.code}: ${path}`, { cause: error }), error, { path });
}

/**
 * Sets the permissions; a file system without them, as on a memory stick, refuses, and the file is
 * written all the same.
 */
async function allow(handle: FileHandle, mode: number): Promise<void> {
  try {
    await handle.chmod(mode);
  } catch {
    // Nothing else can be done about it.
  }
}

async function sync(path: string, flags: string, mode?: number): Promise<void> {
  await using handle = await open(path, flags);
  if (mode !== undefined) await allow(handle, mode);
  await handle.sync();
}

/** Collects texts and writes many of them at a time, as UTF-8. */
interface TextOutput {
  /** Takes the next text; at once, unless what was collected has to be written. */
  write(text: string): Promise<void> | undefined;
  /** Writes what is left. */
  flush(): Promise<void>;
}

const BUFFER_BYTES = 128 * 1024;
/** A character takes at most three bytes, one half of a surrogate pair included. */
const MAX_CHAR_BYTES = 3;

/**
 * Creates the output to an open file. The texts are collected as bytes, because one long text of
 * them would go to V8's old space at once. A text must not end within a surrogate pair.
 */
export function createTextOutput(handle: FileHandle): TextOutput {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let size = 0;
  const flush = async (): Promise<void> => {
    const filled = buffer.subarray(0, size);
    size = 0;
    await handle.writeFile(filled);
  };
  const writeFull = async (text: string): Promise<void> => {
    await flush();
    if (text.length * MAX_CHAR_BYTES > BUFFER_BYTES) await handle.writeFile(text);
    else size = buffer.write(text);
  };
  return {
    write(text) {
      if (size + text.length * MAX_CHAR_BYTES > BUFFER_BYTES) return writeFull(text);
      size += buffer.write(text, size);
      return undefined;
    },
    flush,
  };
}

/** Form in which programs keep the zeros of a code when Excel opens the file: `="00123"`. */
const TEXT_FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/u;
/** Blanks before a quote, which the standard does not allow; the quotes are no part of the text. */
const SPACED_QUOTES = /^[ \t]+"((?:[^"]|"")*)"[ \t]*$/u;
const FORMULA = /^\s*=/u;

/** The text of a cell, without the signs that only keep a spreadsheet from changing it. */
export function readCsvText(text: string): string {
  const [, quoted] = SPACED_QUOTES.exec(text) ?? [];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  if (!FORMULA.test(text)) return unescapeFormula(text);
  const [, inner] = TEXT_FORMULA.exec(text) ?? [];
  return inner === undefined ? text : inner.replaceAll('""', '"');
}

/** Whether a cell is a formula, whose result a CSV file does not hold. */
export const isOpenFormula = (text: string): boolean =>
  FORMULA.test(text) && !TEXT_FORMULA.test(text);

/** A table to be written as CSV. */
export interface CsvTable {
  readonly path: string;
  readonly header: readonly string[];
  readonly rows: Rows<readonly TableCell[]>;
  readonly delimiter: ";" | ",";
  /** How numbers are written; text is never changed. */
  readonly decimal: "comma" | "point";
  /** Permissions of the file. @default those of the file that is replaced, else the owner's only */
  readonly mode?: number | undefined;
}

const BOM = "\ufeff";
const NEWLINE = "\r\n";

/**
 * Writes UTF-8 with a byte order mark and CRLF, every text in quotes and safe from running as a
 * formula (reversed by `unescapeFormula`). NUL and unpaired surrogates, which such a file cannot
 * hold, become U+FFFD; a header is written without control characters. Rows are requested as they
 * are written. The file at `path` is replaced at the end, completely or not at all.
 */
export async function writeCsv(table: CsvTable): Promise<void> {
  const write = async (temporaryPath: string): Promise<void> => {
    await using handle = await open(temporaryPath, "wx");
    await writeRecords(handle, table);
  };
  await replaceFile(table.path, write, table.mode);
}

async function writeRecords(handle: FileHandle, table: CsvTable): Promise<void> {
  const output = createTextOutput(handle);
  await output.write(BOM + formatRecord(table.header.map(withoutControls), table));
  for await (const row of table.rows) {
    const writing = output.write(formatRecord(row, table));
    if (writing !== undefined) await writing;
  }
  await output.flush();
}

function formatRecord(cells: readonly TableCell[], table: CsvTable): string {
  let text = "";
  for (let at = 0; at < cells.length; at += 1) {
    if (at > 0) text += table.delimiter;
    text += formatCell(cells[at] ?? null, table);
  }
  return text + NEWLINE;
}

function formatCell(cell: TableCell, table: CsvTable): string {
  if (cell === null || cell === "") return "";
  if (isAmount(cell)) return quoteDelimiter(formatAmount(cell.amount, table.decimal), table);
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  if (typeof cell === "number" && Number.isFinite(cell))
    return quoteDelimiter(withDecimal(String(cell), table.decimal), table);
  return quote(withoutNul(escapeFormula(String(cell))));
}

const AT_MOST_ONE_DECIMAL = /^-?\d+(?:\.\d)?$/u;

/** What reading a cell back gives, where `writeCsv` writes it. */
export const toCsvValue = (cell: TableCell, decimal: CsvTable["decimal"]): OutCell =>
  isAmount(cell) ? formatAmount(cell.amount, decimal) : cell;

/** Writes money with two decimals, or with more where it has more. */
function formatAmount(amount: number, decimal: CsvTable["decimal"]): string {
  const digits = String(amount);
  return withDecimal(AT_MOST_ONE_DECIMAL.test(digits) ? amount.toFixed(2) : digits, decimal);
}

const withDecimal = (digits: string, decimal: CsvTable["decimal"]): string =>
  decimal === "comma" ? digits.replace(".", ",") : digits;

const quoteDelimiter = (text: string, { delimiter }: CsvTable): string =>
  text.includes(delimiter) ? quote(text) : text;

/** Replaces NUL, because readers, `openSheet` included, do not take a file with a NUL for text. */
const withoutNul = (text: string): string =>
  text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;

const quote = (text: string): string =>
  text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`;

/** A table to be written as JSON lines. */
interface JsonlTable {
  readonly path: string;
  /** Name of each value. */
  readonly keys: readonly string[];
  readonly rows: Rows<readonly OutCell[]>;
  /** Permissions of the file. @default those of the file that is replaced, else the owner's only */
  readonly mode?: number | undefined;
}

/**
 * Writes one JSON object per line, in UTF-8 without a byte order mark. Texts are unchanged, because
 * no spreadsheet reads this file. The file at `path` is replaced at the end, completely or not at
 * all.
 */
export async function writeJsonl({ path, keys, rows, mode }: JsonlTable): Promise<void> {
  const write = async (temporaryPath: string): Promise<void> => {
    await using handle = await open(temporaryPath, "wx");
    const output = createTextOutput(handle);
    for await (const cells of rows) {
      const entries = keys.map((key, index) => [key, cells[index] ?? null] as const);
      const writing = output.write(`${JSON.stringify(Object.fromEntries(entries))}\n`);
      if (writing !== undefined) await writing;
    }
    await output.flush();
  };
  await replaceFile(path, write, mode);
}
