/** Writing a workbook part by part, so that the same content gives the same bytes. */

import { createWriteStream, type WriteStream } from "node:fs";
import { open } from "node:fs/promises";

import type { CellRichTextValue, stream } from "exceljs";

import { type OutCell } from "../../out-cell.ts";
import { replaceFile } from "../../replace-file.ts";
import { fileBytes, readZipDirectory } from "../zip/zip-directory.ts";

export type Workbook = stream.xlsx.WorkbookWriter;

/** Excel's limit; a longer text would make it call the file damaged. */
export const MAX_CELL_CHARS = 32_767;
const MAX_SHEET_NAME_CHARS = 31;
const CREATED = new Date(Date.UTC(2000, 0, 1));
/** 1 January 1980, the first day that a zip can name, as its date and time fields. */
const ZIP_MIDNIGHT = Buffer.from([0, 0, 0x21, 0]);
const MAX_ENTRIES = 0xffff;

/**
 * Replaces `path` by the workbook that `fill` writes, whole or not at all. The library is loaded
 * here, because loading it takes longer than starting a program that does without.
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

/** Never resolves; the library itself does not look whether its output fails. */
const failureOf = (output: WriteStream): Promise<never> =>
  new Promise((_, reject) => output.once("error", reject));

/**
 * A value as the library must get it to write just that: objects, in which the library sees formulas
 * and links, become text, and text beyond Excel's limit is cut. Text that needs escapes goes as rich
 * text, because only there does LibreOffice undo them.
 */
export function toWritableCell(value: OutCell): OutCell | CellRichTextValue {
  if (value === null || value === "") return null;
  if (typeof value === "boolean" || Number.isFinite(value)) return value;
  const text = cutToCell(String(value));
  // This library would drop a DEL.
  const escaped = escapeXlsxText(text).replaceAll("\u007f", "_x007F_");
  return escaped === text ? text : { richText: [{ text: escaped }] };
}

/** At most what a cell takes, with `…` for the rest; no letter is cut in two. */
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

/** Puts one fixed moment in place of the moments at which the parts were written. */
async function setZipTimes(path: string): Promise<void> {
  await using handle = await open(path, "r+");
  const { size } = await handle.stat();
  for (const entry of readZipDirectory(fileBytes(handle.fd, size), MAX_ENTRIES)) {
    await handle.write(ZIP_MIDNIGHT, 0, 4, entry.headerOffset + 10);
    await handle.write(ZIP_MIDNIGHT, 0, 4, entry.directoryOffset + 12);
  }
}
