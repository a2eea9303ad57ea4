/**
 * Splits text into records, a slice at a time: an incomplete record waits for the next slice, so
 * memory is bounded and the consumer sets the pace. The result does not depend on the slices.
 */

import Papa from "papaparse";

import { SheetError } from "../sheet-error.ts";
import type { Dialect } from "./dialect.ts";

export interface RecordOptions {
  readonly dialect: Dialect;
  readonly file: string;
  /** Maximum length of a record in characters; a longer one is refused. */
  readonly recordChars: number;
}

/** The records of one slice of text; a blank line is a record with one empty cell. */
export interface RecordBatch {
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
