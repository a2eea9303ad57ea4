/** A CSV file as a source of rows. Its cells are always text, never converted to numbers. */

import { open } from "node:fs/promises";

import { type CellTrait, type CellValue, isEmptyRow, type SheetRow } from "../cell.ts";
import { readRows, type RowSource, type SourceOptions } from "../row-source.ts";
import { SheetError } from "../sheet-error.ts";
import { isOpenFormula, readCsvText } from "./csv-text.ts";
import { detectDialect, type Dialect, parseDelimiter, SAMPLE_CHARS } from "./dialect.ts";
import { readRecords, type RecordBatch, type RecordOptions } from "./records.ts";
import { detectEncoding, readText, type TextFile } from "./text-file.ts";

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
