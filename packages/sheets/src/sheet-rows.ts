/**
 * What every source of rows has in common: limits, rows on request, the search for the header row, and
 * what a sheet holds.
 */

import { formatNumber, type Localized } from "@catalog/i18n";

import { type CellValue, isBlank, isEmptyRow, type SheetRow } from "./cell.ts";
import { toVisibleLine } from "./visible-text.ts";
import type { SheetFacts } from "./xlsx/read/workbook-parts.ts";

export interface ReadLimits {
  /** Maximum number of data rows with content. @default 1048576 */
  readonly rows: number;
  /** @default 300 */
  readonly columns: number;
  /** What Excel allows in one cell. @default 32767 */
  readonly cellChars: number;
  /**
   * Maximum length of a CSV record, or of a tag or text of a document, in characters; it ends the
   * search for a quote or a tag that is never closed. @default 1048576
   */
  readonly recordChars: number;
  /** Maximum size of the file in MB. @default 1024 */
  readonly fileMb: number;
  /** Maximum total size of all parts of a workbook once unpacked, in MB. @default 2048 */
  readonly unpackedMb: number;
  /** Parts inside a workbook. @default 2000 */
  readonly zipEntries: number;
  /** Maximum compression ratio of a part over 1 MB. @default 200 */
  readonly zipRatio: number;
  /** Maximum heap of the process that reads workbooks, in MB. @default 384 */
  readonly readerHeapMb: number;
  /** Maximum resident memory of that process, in MB. @default 512 */
  readonly readerRssMb: number;
  /**
   * Maximum run time of that process in seconds, for every 10 MB of the file begun: a small file
   * cannot occupy it for long. @default 60
   */
  readonly readerSeconds: number;
}

/** The limits that apply unless the caller changes them. */
export const DEFAULT_LIMITS: ReadLimits = {
  rows: 1_048_576,
  columns: 300,
  cellChars: 32_767,
  recordChars: 1_048_576,
  fileMb: 1024,
  unpackedMb: 2048,
  zipEntries: 2_000,
  zipRatio: 200,
  readerHeapMb: 384,
  readerRssMb: 512,
  readerSeconds: 60,
};

/** Bytes of a megabyte, the unit of these limits. */
export const MB: number = 1024 * 1024;

/** Size of a file for whose every beginning the reading process gets its time once more. */
const TIMED_BYTES = 10 * MB;

/** Run time that the process reading a workbook of this size may take, in milliseconds. */
export const readerTimeoutMs = (
  { readerSeconds }: Pick<ReadLimits, "readerSeconds">,
  sizeBytes: number,
): number => Math.ceil(readerSeconds * 1000 * Math.max(1, Math.ceil(sizeBytes / TIMED_BYTES)));

/** End of the name of the first sheet on which a table continues, of the second one and so on. */
export const continuationMark = (number: number): string => ` (+${number})`;

/** The name of the sheet that a sheet continues; any other name is returned as it is. */
export const continuedName = (name: string): string => name.replace(/ \(\+\d+\)$/u, "");

/** Kind of a file; `xlsx` is any workbook. */
export type SheetKind = "csv" | "xlsx" | "xml" | "json";

/** An inspected file whose rows can be read from the first one, any number of times. */
export interface RowSource {
  readonly kind: SheetKind;
  /** The name of the sheet, or the path of the records of a document. */
  readonly sheet: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  /** CSV only: rows must have as many cells as the header. */
  readonly isWidthFixed?: boolean;
  /** CSV only: whether the file ends with a line break, so that its last row was not cut off. */
  readonly isComplete?: boolean;
  /** The row of the headers, where the kind of file fixes it. */
  readonly headerRow?: number;
  /** XML and JSON only: the records to choose from, this one included. */
  readonly records?: readonly LeftOutSheet[];
  /** Workbooks only. */
  readonly facts?: SheetFacts;
  /** The lines of a workbook's sheet `_meta`, by name. */
  readonly meta?: ReadonlyMap<string, string>;
  /** Every row with content, headers included, in order. */
  rows(): AsyncIterable<SheetRow>;
  /** The same rows, those of one piece of the file at a time. Each is read when it is asked for. */
  batches?(): AsyncIterable<Iterable<SheetRow>>;
  close(): Promise<void>;
}

/** Reads the rows of a source in its pieces; each is a piece where it has none. */
export function readBatches(
  source: Pick<RowSource, "rows" | "batches">,
): AsyncIterable<Iterable<SheetRow>> {
  return source.batches?.() ?? rowByRow(source);
}

/** Reads the rows of all pieces. */
export async function* readRows(
  batches: AsyncIterable<Iterable<SheetRow>>,
): AsyncGenerator<SheetRow> {
  for await (const batch of batches) yield* batch;
}

async function* rowByRow(source: Pick<RowSource, "rows">): AsyncGenerator<Iterable<SheetRow>> {
  for await (const row of source.rows()) yield [row];
}

/** What the headers of a record say, which the caller knows. */
export interface RecordSigns {
  /** Number of known headers. */
  readonly known: number;
  /** The header of the product code; -1 for none. */
  readonly code: number;
  /** Whether there is a price or a stock. */
  readonly hasOffer: boolean;
  /** Whether the path is that of variants, which stand in their product. */
  readonly isVariant: boolean;
  /** Whether a known program writes its products or variants so. @default false */
  readonly isRecord?: boolean;
  /** What each header means; equal texts mean the same. @default only equal headers do */
  readonly meanings?: readonly (string | undefined)[];
}

/** Judges a record by its path and the names of its values. */
export type JudgeRecord = (path: readonly string[], headers: readonly string[]) => RecordSigns;

/** What every kind of file needs to become a `RowSource`. */
export interface SourceOptions {
  readonly path: string;
  /** The base name of `path`, for messages. */
  readonly file: string;
  readonly sheet?: string;
  /** Reads no rows, and gives every sheet of a workbook as left out. */
  readonly isList?: boolean;
  /** XML and JSON only. @default no name is known */
  readonly judgeRecord?: JudgeRecord;
  readonly headerRow?: number;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly signal?: AbortSignal;
  readonly limits: ReadLimits;
}

/** Number of rows in which the header is searched; a report may begin with a title. */
export const HEADER_SEARCH_ROWS = 15;

/** Counts the headers among these cells that the caller knows; zero for a row of machine keys. */
export type CountKnownHeaders = (cells: readonly CellValue[]) => number;

/** Minimum number of known headers that make a row the header although it is not the first. */
const MIN_KNOWN = 2;

/** What the user and the caller know about the header. */
interface HeaderSearch {
  readonly wanted?: number | undefined;
  /** @default no header is known */
  readonly countKnown?: CountKnownHeaders | undefined;
}

/**
 * The header row: `wanted` if that row has content, else the one row among the first
 * `HEADER_SEARCH_ROWS` with most known headers. Where none has at least two, or several have as
 * many, it is the first row with at least two filled cells, else the first row with content.
 */
export async function findHeader(
  rows: AsyncIterable<SheetRow>,
  { wanted, countKnown }: HeaderSearch = {},
): Promise<SheetRow | undefined> {
  if (wanted !== undefined) return await rowNumbered(rows, wanted);
  const first = await readFirst(rows);
  return findBestKnown(first, countKnown) ?? guessHeader(first);
}

async function rowNumbered(
  rows: AsyncIterable<SheetRow>,
  wanted: number,
): Promise<SheetRow | undefined> {
  for await (const row of rows) {
    if (row.row === wanted && !isEmptyRow(row)) return row;
    if (row.row >= wanted) return undefined;
  }
  return undefined;
}

/** The first row with content and all rows with content of the searched ones. */
async function readFirst(rows: AsyncIterable<SheetRow>): Promise<readonly SheetRow[]> {
  const first: SheetRow[] = [];
  for await (const row of rows) {
    if (first.length > 0 && row.row > HEADER_SEARCH_ROWS) break;
    if (!isEmptyRow(row)) first.push(row);
  }
  return first;
}

function findBestKnown(
  rows: readonly SheetRow[],
  countKnown: CountKnownHeaders = () => 0,
): SheetRow | undefined {
  const counts = rows.map(({ cells }) => countKnown(cells));
  const best = Math.max(0, ...counts);
  const [header, ...others] = rows.filter((_, index) => counts[index] === best);
  if (header === undefined || best < MIN_KNOWN) return undefined;
  // A report may repeat its headers.
  const isSame = ({ cells }: SheetRow): boolean => String(cells) === String(header.cells);
  return others.every(isSame) ? header : undefined;
}

const guessHeader = (rows: readonly SheetRow[]): SheetRow | undefined =>
  rows.find(({ row, cells }) => row <= HEADER_SEARCH_ROWS && hasTwo(cells)) ?? rows[0];

const hasTwo = (cells: readonly CellValue[]): boolean =>
  cells.filter((cell) => !isBlank(cell)).length >= 2;

export interface SheetContent {
  /** Number of rows with content, counted up to 10,000. */
  readonly rows: number;
  /** Texts of the first rows with content, without empty cells. */
  readonly head: readonly (readonly string[])[];
}

/** A sheet with content that was not read. */
export interface LeftOutSheet extends SheetContent {
  readonly name: string;
}

export interface SheetContentCollector {
  add(cells: readonly CellValue[]): void;
  /** Whether further rows would change nothing. */
  isFull(): boolean;
  content(): SheetContent;
}

/** Counting further rows would only take time. */
const MAX_COUNTED_ROWS = 10_000;

/** Whether so many rows were counted that there may be more. */
export const hasMoreRows = (counted: number): boolean => counted >= MAX_COUNTED_ROWS;

export function createSheetContent(): SheetContentCollector {
  const head: (readonly string[])[] = [];
  let rows = 0;
  return {
    add(cells) {
      const filled = cells.filter((cell) => !isBlank(cell));
      if (filled.length === 0 || hasMoreRows(rows)) return;
      rows += 1;
      if (head.length < HEADER_SEARCH_ROWS) head.push(filled.map((cell) => String(cell).trim()));
    },
    isFull: () => hasMoreRows(rows),
    content: () => ({ rows, head }),
  };
}

/** Whether a sheet has a row with at least half of these headers, and rows below it. */
export function hasHeaders({ head, rows }: SheetContent, header: readonly CellValue[]): boolean {
  const wanted = new Set(
    header.filter((cell) => !isBlank(cell)).map((cell) => String(cell).trim()),
  );
  const shared = (texts: readonly string[]): number =>
    new Set(texts.filter((text) => wanted.has(text))).size;
  const index = head.findIndex((texts) => shared(texts) >= 2 && shared(texts) * 2 >= wanted.size);
  return index !== -1 && rows > index + 1;
}

/** A sheet and its number of rows, if it was counted. */
export interface CountedSheet {
  readonly name: string;
  readonly rows?: number | undefined;
  /** Whether counting stopped before the end of the sheet. @default false */
  readonly hasMoreRows?: boolean;
}

const MAX_LISTED = 10;

/** Lists sheets for people: `“Yaz” (12 dolu satır), “Kış” (8 dolu satır)`. */
export function countedSheets(sheets: readonly CountedSheet[]): Localized {
  const list = (rowsText: (rows: number) => string): string => {
    const texts = sheets.slice(0, MAX_LISTED).map(({ name, rows }) => {
      const shown = `“${toVisibleLine(name)}”`;
      return rows === undefined ? shown : `${shown} (${rowsText(rows)})`;
    });
    return sheets.length > MAX_LISTED ? `${texts.join(", ")}, …` : texts.join(", ");
  };
  return {
    tr: list((rows) => `${formatNumber(rows, "tr")}${plus(rows)} dolu satır`),
    en: list(
      (rows) => `${formatNumber(rows, "en")}${plus(rows)} filled ${rows === 1 ? "row" : "rows"}`,
    ),
  };
}

const plus = (rows: number): string => (hasMoreRows(rows) ? "+" : "");
