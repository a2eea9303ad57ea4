/** A CSV file as a source of rows. Its cells are always text, never converted to numbers. */

import { open } from "node:fs/promises";

import Papa from "papaparse";

import { type CellTrait, type CellValue, isEmptyRow, type SheetRow } from "../cell.ts";
import { SheetError } from "../sheet-error.ts";
import { HEADER_SEARCH_ROWS, readRows, type RowSource, type SourceOptions } from "../sheet-rows.ts";
import { isOpenFormula, readCsvText } from "../write-file.ts";
import { detectEncoding, readText, type TextFile } from "./text-file.ts";

/** Number of characters that `detectDialect` needs. */
const SAMPLE_CHARS: number = 64 * 1024;

/** How a CSV file separates its cells and its records. */
interface Dialect {
  readonly delimiter: string;
  readonly newline: "\n" | "\r";
  /** Whether the first line is Excel's `sep=;` and no record. */
  readonly hasSeparatorLine: boolean;
}

/** Names for delimiters that are hard to type. */
const DELIMITER_NAMES: ReadonlyMap<string, string> = new Map([
  ["tab", "\t"],
  ["\\t", "\t"],
]);

/** The delimiter that is meant; `undefined` if the text names none. */
function parseDelimiter(wanted: string): string | undefined {
  const delimiter = DELIMITER_NAMES.get(wanted.toLowerCase()) ?? wanted;
  return /^[^"\r\n\ufeff]$/.test(delimiter) ? delimiter : undefined;
}

/** Ordered for ties: with decimal commas, `,` looks likely in a file that uses `;`. */
const DELIMITERS = [";", "\t", "|", ","] as const;
const SAMPLE_RECORDS = 50;
const SEPARATOR_LINE = /^sep=(.)\r?(?:\n|$)/i;

/**
 * Detects the dialect from the first records, counting outside quotes: the delimiter with which
 * most records fit the header wins, and `;` if none occurs. A `sep=` line overrides the
 * detection, and `wanted` overrides both. Records end at `\n` (the `\r` before it is left to the
 * reader), at `\r` only where the sample has no `\n`.
 */
export function detectDialect(sample: string, wanted?: string): Dialect {
  const separator = SEPARATOR_LINE.exec(sample);
  const newline = !sample.includes("\n") && sample.includes("\r") ? "\r" : "\n";
  return {
    delimiter: wanted ?? separator?.[1] ?? guessDelimiter(recordShapes(sample, newline)),
    newline,
    hasSeparatorLine: separator !== null,
  };
}

/** The delimiters of each record, outside quotes, as one string: `;;,` for `a;b;1,5`. */
function recordShapes(sample: string, newline: string): readonly string[] {
  const unquoted = sample.replaceAll(/"[^"]*(?:"|$)/g, "\u0001");
  const records = unquoted.split(newline, SAMPLE_RECORDS + 1);
  // The last record may be cut off by the end of the sample.
  const whole = records.length > 1 ? records.slice(0, -1) : records;
  return whole
    .filter((record) => record.trim() !== "")
    .map((record) => record.replaceAll(/[^;,\t|]/g, ""));
}

function guessDelimiter(shapes: readonly string[]): string {
  let best = { delimiter: ";", records: 0 };
  for (const delimiter of DELIMITERS) {
    const records = countFitting(shapes.map((shape) => shape.split(delimiter).length - 1));
    if (records > best.records) best = { delimiter, records };
  }
  return best.delimiter;
}

/**
 * Number of records that fit a header: the record with most delimiters among the first ones, since
 * every column has a header. Rows may be shorter, and may have one more empty cell at their end.
 */
function countFitting(counts: readonly number[]): number {
  const first = counts.slice(0, HEADER_SEARCH_ROWS);
  const header = Math.max(0, ...first.slice(0, 1), ...first.map((count) => count - 1));
  const from = Math.max(
    0,
    counts.findIndex((count) => count >= header),
  );
  return counts.slice(from).filter((count) => count > 0 && count <= header + 1).length;
}

/*
 * Splits text into records, a slice at a time: an incomplete record waits for the next slice, so
 * memory is bounded and the consumer sets the pace. The result does not depend on the slices.
 */

export interface RecordOptions {
  readonly dialect: Dialect;
  readonly file: string;
  /** Maximum length of a record in characters; a longer one is refused. */
  readonly recordChars: number;
}

/** The records of one slice of text; a blank line is a record with one empty cell. */
interface RecordBatch {
  /** The number of the first record in the batch; the first record of the file has 1. */
  readonly first: number;
  readonly records: readonly (readonly string[])[];
}

/** Ctrl-Z, with which programs of DOS end a text. */
const END_MARK = "\u001a";

const withoutEndMark = (text: string): string =>
  text.endsWith(END_MARK) ? withoutEndMark(text.slice(0, -1)) : text;

/**
 * Reads records. Throws `E_CSV_QUOTE` at a quote that is not closed properly, and `E_CELL_TOO_LONG`
 * at a record over the limit, with the number of the record.
 */
export async function* readRecords(
  text: AsyncIterable<string>,
  options: RecordOptions,
): AsyncGenerator<RecordBatch> {
  const { delimiter, newline, hasSeparatorLine } = options.dialect;
  // `Papa.Parser` is the parser below `Papa.parse`: no types, no headers, no trimming.
  const parser = new Papa.Parser({ delimiter, newline });
  let pending = "";
  let first = hasSeparatorLine ? 0 : 1;

  const take = (slice: string): RecordBatch => {
    const waiting = pending + slice;
    const found: Papa.ParseResult<string[]> = parser.parse(waiting, 0, true);
    pending = waiting.slice(found.meta.cursor);
    const batch = { first, records: found.data };
    first += found.data.length;
    // An error in an incomplete record may be due to the end of the slice.
    const bad = found.errors.find((error) => (error.row ?? 0) < found.data.length);
    if (bad !== undefined) throw quoteError(options, batch.first + (bad.row ?? 0));
    if (pending.length > options.recordChars) throw endlessError(options, first, pending);
    return batch;
  };

  for await (const slice of text) yield withoutSeparatorLine(take(slice));
  pending = withoutEndMark(pending);
  if (pending !== "") yield withoutSeparatorLine(take(newline));
  if (pending !== "") throw quoteError(options, first);
}

const quoteError = (options: RecordOptions, row: number): SheetError =>
  new SheetError("E_CSV_QUOTE", { file: options.file, row: Math.max(row, 1) });

/** A record over the limit is reported as an open quote, if it has a quote at all. */
function endlessError(options: RecordOptions, row: number, pending: string): SheetError {
  const { file, recordChars: limit } = options;
  const code = pending.includes('"') ? "E_CSV_QUOTE" : "E_CELL_TOO_LONG";
  return new SheetError(code, { file, row: Math.max(row, 1), limit, setting: "recordChars" });
}

const withoutSeparatorLine = (batch: RecordBatch): RecordBatch =>
  batch.first === 0 && batch.records.length > 0
    ? { first: 1, records: batch.records.slice(1) }
    : batch;

/** Reads the file once to determine its encoding; each `rows()` reads it again. */
export async function openCsvSource(options: SourceOptions): Promise<RowSource> {
  const { path, file, limits, signal } = options;
  const delimiter = options.delimiter === undefined ? undefined : parseDelimiter(options.delimiter);
  if (delimiter === undefined && options.delimiter !== undefined) {
    throw new SheetError("E_DELIMITER", { file, found: options.delimiter });
  }
  const recordOptions = (dialect: Dialect): RecordOptions => ({
    dialect,
    file,
    recordChars: limits.recordChars,
  });
  const encoding = await detectEncoding(path, {
    file,
    ...(options.encoding !== undefined && { wanted: options.encoding }),
    ...(signal !== undefined && { signal }),
    onBeginning: async (text) => {
      const dialect = detectDialect(await readSample(text), delimiter);
      await readBeginning(text, recordOptions(dialect));
    },
  });
  const text: TextFile = { path, encoding };
  const dialect = detectDialect(await readSample(text), delimiter);

  async function* batches(): AsyncGenerator<Iterable<SheetRow>> {
    for await (const batch of readRecords(readText(text, signal), recordOptions(dialect))) {
      yield toRows(batch, options);
    }
  }

  return {
    kind: "csv",
    sheet: file,
    encoding,
    delimiter: dialect.delimiter,
    isWidthFixed: true,
    isComplete: await endsWithBreak(path),
    rows: () => readRows(batches()),
    batches,
    close: async () => {},
  };
}

/**
 * Reads as much text as the longest allowed record, so that a quote that is never closed is found
 * before the whole of a large file was read.
 */
async function readBeginning(text: TextFile, options: RecordOptions): Promise<void> {
  let chars = 0;
  const isDone = (): boolean => chars > options.recordChars * 2;
  async function* counted(): AsyncGenerator<string> {
    for await (const slice of readText(text)) {
      yield slice;
      chars += slice.length;
      if (isDone()) return;
    }
  }
  for await (const _ of readRecords(counted(), options)) if (isDone()) return;
}

/** Length of a line break and of the mark of the end after it, in any encoding. */
const TAIL_BYTES = 6;
/** Line breaks, and Ctrl-Z, with which programs of DOS end a text. */
const END_BYTES: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x1a]);

async function endsWithBreak(path: string): Promise<boolean> {
  await using handle = await open(path);
  const { size } = await handle.stat();
  const at = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, at);
  // Trailing zeros belong to UTF-16.
  const last = buffer.subarray(0, bytesRead).findLast((byte) => byte !== 0);
  return last !== undefined && END_BYTES.has(last);
}

async function readSample(text: TextFile): Promise<string> {
  let sample = "";
  for await (const slice of readText(text)) {
    sample += slice;
    if (sample.length >= SAMPLE_CHARS) break;
  }
  return sample;
}

function* toRows({ first, records }: RecordBatch, options: SourceOptions): Generator<SheetRow> {
  for (const [index, record] of records.entries()) {
    const row = toRow(record, first + index, options);
    if (!isEmptyRow(row)) yield row;
  }
}

/** Without the rest of a line end before its LF: a CR, or two where CR LF was converted once more. */
function withoutLineEnd(cell: string): string {
  let end = cell.length;
  while (cell[end - 1] === "\r") end -= 1;
  return cell.slice(0, end);
}

function toRow(record: readonly string[], row: number, options: SourceOptions): SheetRow {
  const { columns, cellChars } = options.limits;
  const last = record.length - 1;
  const traits: Record<number, CellTrait> = {};
  const cells = record.map((cell, index): CellValue => {
    // Records are split at `\n`, so that a file with several kinds of line ends loses no row.
    const text = index === last ? withoutLineEnd(cell) : cell;
    if (text.length > cellChars) {
      const details = { file: options.file, row, column: index + 1, limit: cellChars };
      throw new SheetError("E_CELL_TOO_LONG", details);
    }
    if (isOpenFormula(text)) traits[index] = "formula";
    return readCsvText(text) || null;
  });
  if (cells.findLastIndex((cell) => cell !== null) >= columns) {
    throw new SheetError("E_TOO_MANY_COLUMNS", { file: options.file, row, limit: columns });
  }
  return Object.keys(traits).length === 0 ? { row, cells } : { row, cells, traits };
}
