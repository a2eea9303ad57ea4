/**
 * Writes rows to a CSV file that Excel opens correctly and that `openSheet` reads back unchanged.
 */

import { type FileHandle, open } from "node:fs/promises";

import { escapeFormula } from "../formula-safety.ts";
import { isAmount, type Rows, type TableCell } from "../out-cell.ts";
import { replaceFile } from "../replace-file.ts";
import { createTextOutput } from "../text-output.ts";
import { withoutControls } from "../visible-text.ts";

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

/** Writes money as `writeCsv` does: with two decimals, or with more where it has more. */
export function formatAmount(amount: number, decimal: CsvTable["decimal"]): string {
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
