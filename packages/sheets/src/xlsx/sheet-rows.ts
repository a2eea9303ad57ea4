/** A worksheet to rows: the values from the reading library, the rest from our own scan. */

import { Readable } from "node:stream";

import { readSheet } from "read-excel-file/node";

import { type CellTrait, type CellValue, isEmptyRow, type SheetRow } from "../cell.ts";
import { SheetError } from "../sheet-error.ts";
import { readPackage, WORKBOOK_PART } from "./package-check.ts";
import { type ReaderOrder } from "./reader-protocol.ts";
import { chooseSheet } from "./sheet-choice.ts";
import { type CellMarks, hasCellContent, scanSheet } from "./sheet-scan.ts";
import { type ListedSheet, parseSheetList } from "./workbook-parts.ts";
import { type ByteSource, readZipEntry, toStoredZip } from "./zip.ts";

const RELATIONSHIPS_PART = "xl/_rels/workbook.xml.rels";
/** Parts that the library reads beside the sheet, under whatever name the workbook gives them. */
const SHARED_PART = /^xl\/(?:[^/]+\/)*(?:sharedStrings|styles)\d*\.xml$/i;

/** The rows of one sheet, the empty ones left out. */
export interface ReadSheet {
  readonly sheet: string;
  readonly rows: Iterable<SheetRow>;
}

/** Reads the sheet that the order means; throws a `SheetError` if it may not or cannot be read. */
export async function readWorksheet(source: ByteSource, order: ReaderOrder): Promise<ReadSheet> {
  const { file, limits, maxRows } = order;
  const entries = readPackage(source, limits, file);
  const unpack = (name: string): Buffer => {
    const entry = entries.get(name);
    if (entry === undefined) throw new SheetError("E_NOT_XLSX", { file });
    return withoutDoctype(readZipEntry(source, entry), file);
  };

  const fixed = [WORKBOOK_PART, RELATIONSHIPS_PART].map((name) => [name, unpack(name)] as const);
  const [workbook = "", relationships = ""] = fixed.map(([, bytes]) => bytes.toString("utf8"));
  const listed = chooseSheet(parseSheetList(workbook, relationships), {
    wanted: order.sheet,
    file,
    hasContent: (sheet) => hasCellContent(unpack(sheet.part ?? "").toString("latin1")),
  });
  const sheetXml = unpack(listed.part ?? "");
  // Only ASCII is looked for, so one byte a letter is enough, at half the memory.
  const marks = scanSheet(sheetXml.toString("latin1"), {
    file,
    maxRows,
    maxColumns: limits.columns,
  });

  const parts = new Map([...fixed, [listed.part ?? "", sheetXml]]);
  for (const name of entries.keys()) {
    if (SHARED_PART.test(name)) parts.set(name, unpack(name));
  }
  return { sheet: listed.name, rows: toRows(await parseParts(parts, listed), marks, order) };
}

/** Excel writes no document type, and what one can do to a reader is never wanted. */
function withoutDoctype(xml: Buffer, file: string): Buffer {
  if (!xml.includes("<!DOCTYPE")) return xml;
  throw new SheetError("E_FILE_UNSAFE", { file, found: "a document type" });
}

/**
 * The library gets a zip made anew from the parts that were checked: it would read every part of the
 * file, in its own order and without limits.
 */
async function parseParts(
  parts: ReadonlyMap<string, Buffer>,
  sheet: ListedSheet,
): Promise<readonly (readonly unknown[])[]> {
  const zip = Readable.from(toStoredZip(parts), { objectMode: false });
  return await readSheet(zip, sheet.position, { trim: false });
}

/** The library gives every row from the first on, so the index of a row is its number. */
function* toRows(
  values: readonly (readonly unknown[])[],
  marks: CellMarks,
  order: ReaderOrder,
): Generator<SheetRow> {
  const lastMarked = [...marks.keys()].at(-1) ?? 0;
  for (let row = 1; row <= Math.max(values.length, lastMarked); row += 1) {
    const sheetRow = toRow(row, values[row - 1] ?? [], marks.get(row));
    const tooLong = sheetRow.cells.findIndex(
      (cell) => typeof cell === "string" && cell.length > order.limits.cellChars,
    );
    if (tooLong !== -1) {
      const details = { file: order.file, row, column: tooLong + 1, limit: order.limits.cellChars };
      throw new SheetError("E_CELL_TOO_LONG", details);
    }
    if (!isEmptyRow(sheetRow)) yield sheetRow;
  }
}

function toRow(
  row: number,
  values: readonly unknown[],
  marks: ReturnType<CellMarks["get"]>,
): SheetRow {
  const traits: Record<number, CellTrait> = {};
  for (const [index, { trait }] of marks ?? []) traits[index] = trait;
  const width = Math.max(
    values.findLastIndex((value) => value !== null) + 1,
    ...Object.keys(traits).map((index) => Number(index) + 1),
  );
  const cells = Array.from({ length: width }, (_, index): CellValue => {
    const value = values[index] ?? null;
    if (value instanceof Date) traits[index] = "date";
    return marks?.get(index)?.error ?? toCellValue(value);
  });
  return Object.keys(traits).length === 0 ? { row, cells } : { row, cells, traits };
}

function toCellValue(value: unknown): CellValue {
  if (value instanceof Date) return toIsoText(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  return typeof value === "string" && value !== "" ? value : null;
}

/** `2026-01-31`, or `2026-01-31T12:30:00` if there is a time; a sheet knows no zone. */
function toIsoText(date: Date): string {
  // A moment is stored as a fraction of a day, which is seldom a whole number of milliseconds.
  const text = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString();
  return text.slice(0, text.endsWith("T00:00:00.000Z") ? 10 : 19);
}
