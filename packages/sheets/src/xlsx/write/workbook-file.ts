/** Writes a workbook part by part, so that the same content gives the same bytes. */

import { createWriteStream, type WriteStream } from "node:fs";
import { open } from "node:fs/promises";

import type { CellRichTextValue, stream } from "exceljs";

import type { OutCell } from "../../out-cell.ts";
import { replaceFile } from "../../replace-file.ts";
import { fileBytes, readZipDirectory } from "../zip/zip-directory.ts";

export type Workbook = stream.xlsx.WorkbookWriter;

/** Excel's limit; Excel reports a file with a longer text as damaged. */
export const MAX_CELL_CHARS = 32_767;
/** Maximum length of the name of a sheet. */
export const MAX_SHEET_NAME_CHARS = 31;
const CREATED = new Date(Date.UTC(2000, 0, 1));
/** Date and time fields of 1 January 1980, the first day that a zip can hold. */
const ZIP_MIDNIGHT = Buffer.from([0, 0, 0x21, 0]);
const MAX_ENTRIES = 0xffff;

/**
 * Replaces `path` by the workbook that `fill` writes, completely or not at all. The library is
 * loaded here, because loading it takes longer than starting a program without it.
 */
export async function writeWorkbookFile(
  path: string,
  fill: (workbook: Workbook) => Promise<void>,
): Promise<void> {
  const { default: exceljs } = await import("exceljs");
  await replaceFile(path, async (temporaryPath) => {
    const output = createWriteStream(temporaryPath, { flags: "wx" });
    const workbook = new exceljs.stream.xlsx.WorkbookWriter({
      stream: output,
      useStyles: true,
      useSharedStrings: false,
    });
    workbook.created = CREATED;
    workbook.modified = CREATED;
    await Promise.race([fill(workbook).then(() => workbook.commit()), failureOf(output)]).finally(
      () => output.destroy(),
    );
    await setZipTimes(temporaryPath);
  });
}

/** Rejects when the output fails, which the library does not check; never resolves. */
const failureOf = (output: WriteStream): Promise<never> =>
  new Promise((_, reject) => output.once("error", reject));

/**
 * Prepares a value so that the library writes exactly it: objects, which the library takes for
 * formulas and links, become text, and text beyond Excel's limit is cut. Text with escapes becomes
 * rich text, because only there does LibreOffice reverse them.
 */
export function toWritableCell(value: OutCell): OutCell | CellRichTextValue {
  if (value === null || value === "") return null;
  if (typeof value === "boolean" || Number.isFinite(value)) return value;
  const text = cutToCell(String(value));
  // The library would drop a DEL.
  const escaped = escapeXlsxText(text).replaceAll("\u007f", "_x007F_");
  return escaped === text ? text : { richText: [{ text: escaped }] };
}

/** Cuts a text to the maximum of a cell, with `…` for the rest and no character split. */
export function cutToCell(text: string): string {
  if (text.length <= MAX_CELL_CHARS) return text;
  return `${text.slice(0, MAX_CELL_CHARS - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

// The underscore of a text that looks like an escape, and what XML or its readers would drop. A DEL
// is left alone: LibreOffice would show its escape.
// oxlint-disable-next-line no-control-regex -- these characters are what has to be found
const ESCAPED = /_(?=x[0-9a-f]{4}_)|[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/gi;

export const escapeXlsxText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(
      ESCAPED,
      (found) => `_x${found.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}_`,
    );

/** Throws a `RangeError` for a name that Excel would not open. */
export function assertSheetName(name: string): void {
  if (name !== "" && name.length <= MAX_SHEET_NAME_CHARS && !/[[\]:*?/\\]|^'|'$/.test(name)) return;
  throw new RangeError(`“${name}” cannot be the name of a sheet.`);
}

/** Replaces the times at which the parts were written by one fixed time. */
async function setZipTimes(path: string): Promise<void> {
  await using handle = await open(path, "r+");
  const { size } = await handle.stat();
  for (const entry of readZipDirectory(fileBytes(handle.fd, size), MAX_ENTRIES)) {
    await handle.write(ZIP_MIDNIGHT, 0, 4, entry.headerOffset + 10);
    await handle.write(ZIP_MIDNIGHT, 0, 4, entry.directoryOffset + 12);
  }
}
