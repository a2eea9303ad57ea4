import { open, stat } from "node:fs/promises";
import { basename } from "node:path";

import { isEmptyRow, type SheetRow } from "./cell.ts";
import { openCsvSource } from "./csv/csv-source.ts";
import { fitRows } from "./csv/row-width.ts";
import { detectKind, KIND_BYTES } from "./file-kind.ts";
import { type CountKnownHeaders, findHeader } from "./header-row.ts";
import { DEFAULT_LIMITS, MB, type ReadLimits } from "./limits.ts";
import { readBatches, type RowSource, type SourceOptions } from "./row-source.ts";
import { fromFileError, SheetError } from "./sheet-error.ts";
import { resolveSheetLink } from "./sheet-link.ts";
import { type SheetNotice, toNotices } from "./sheet-notice.ts";
import { hasHeaders } from "./xlsx/read/sheet-content.ts";
import { openXlsxSource } from "./xlsx/read/xlsx-source.ts";

/** The file, and what the user says about it. */
export interface OpenSheetOptions {
  readonly path: string;
  /**
   * Workbooks only: the name of the sheet, where case and accents do not count, or its number from
   * 1.
   */
  readonly sheet?: string;
  /** The row with the headers, as Excel numbers it. @default detected */
  readonly headerRow?: number;
  /** Decides which of the first rows is the header. @default no header is known */
  readonly countKnownHeaders?: CountKnownHeaders;
  /**
   * CSV only: a label such as `utf-8`, `windows-1254`, `cp857` or `macturkish`. A byte order mark
   * takes precedence.
   */
  readonly encoding?: string;
  /** CSV only: one character, or `tab`. @default detected */
  readonly delimiter?: string;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ReadLimits>;
}

/** A sheet whose header is known and whose rows can be read. */
export interface OpenedSheet extends AsyncDisposable {
  /** `xlsx` is any workbook, old or open formats included. */
  readonly kind: "csv" | "xlsx";
  /** The name of the sheet; for CSV the base name of the file. */
  readonly sheet: string;
  /** What was detected or given, to be shown to the user. */
  readonly guesses: {
    readonly encoding?: string;
    readonly delimiter?: string;
    readonly headerRow: number;
  };
  /**
   * Notices for the user: content that is read although it may be unexpected, and sheets that were
   * not read. Only rows below `row` count, which can be below a second row of headers. @default the
   * header row
   */
  notices(row?: number): readonly SheetNotice[];
  /**
   * CSV only: number of cells that each row must have. Rows that lack or add empty cells at their end
   * are fitted to it; a row with another number may have its cells in wrong columns.
   */
  readonly width?: number;
  /** The values that `writeTemplate` wrote as `meta`, in a workbook that it made. */
  readonly meta?: ReadonlyMap<string, string>;
  readonly header: SheetRow;
  /**
   * The rows below the header in order, without empty ones. Each call starts from the first row.
   * Throws a `SheetError` at the first row that breaks a limit, and after the last row if too many
   * of them have another width than the header; rows before may have been returned.
   */
  rows(): AsyncIterable<SheetRow>;
  /**
   * The same rows, those of one piece of the file at a time: waiting for each row would take longer
   * than reading it. Each is read when it is asked for, before the next piece is.
   */
  batches(): AsyncIterable<Iterable<SheetRow>>;
  /** Releases the resources of the sheet; its rows cannot be read any more. */
  close(): Promise<void>;
}

/**
 * Opens the sheet of a CSV file or a workbook (`.xlsx`, `.xls`, `.ods`); the kind is detected from
 * the content, not from the name. A link is refused with the address where its table can be
 * downloaded. Throws a `SheetError` if the file cannot be read, and rejects with the reason of
 * `signal`.
 */
export async function openSheet(options: OpenSheetOptions): Promise<OpenedSheet> {
  options.signal?.throwIfAborted();
  const link = resolveSheetLink(options.path);
  if (link !== undefined) {
    throw new SheetError("E_FILE_LINK", { file: options.path, found: link.downloadUrl });
  }
  const file = basename(options.path);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  try {
    const source = await openSource({ ...options, file, limits });
    try {
      return await toOpenedSheet(source, { ...options, file, limits });
    } catch (error) {
      await source.close();
      throw error;
    }
  } catch (error) {
    throw fromFileError(error, file);
  }
}

/** Names that only a workbook can have; text under any other name is read. */
const WORKBOOK_NAME = /\.xlsx$/i;

async function openSource(options: SourceOptions): Promise<RowSource> {
  const { path, file, limits } = options;
  const info = await stat(path);
  if (info.isDirectory()) throw new SheetError("E_FILE_DIRECTORY", { file });
  if (!info.isFile()) throw new SheetError("E_FILE_UNREADABLE", { file });
  if (info.size === 0) throw new SheetError("E_FILE_EMPTY", { file });
  if (info.size > limits.fileMb * MB) {
    throw new SheetError("E_TOO_LARGE", { file, limit: limits.fileMb });
  }
  const found = detectKind(await readHead(path));
  if (found.kind === "other") throw new SheetError("E_FILE_TYPE", { file, hint: found.hint });
  if (found.kind === "workbook") return await openXlsxSource(options);
  if (WORKBOOK_NAME.test(file)) throw new SheetError("E_FILE_TYPE", { file, hint: "text" });
  return await openCsvSource(options);
}

async function readHead(path: string): Promise<Buffer> {
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(KIND_BYTES), 0, KIND_BYTES);
  return buffer.subarray(0, bytesRead);
}

/** Maximum share of rows with a wrong width; with more, the delimiter must be wrong. */
const MAX_SLIPPED = 0.2;

type HeaderOptions = SourceOptions & Pick<OpenSheetOptions, "countKnownHeaders">;

async function toOpenedSheet(source: RowSource, options: HeaderOptions): Promise<OpenedSheet> {
  const { file, limits, headerRow, countKnownHeaders: countKnown } = options;
  const header = await findHeader(source.rows(), { wanted: headerRow, countKnown });
  if (header === undefined) {
    if (headerRow === undefined) throw new SheetError("E_FILE_EMPTY", { file });
    throw new SheetError("E_HEADER_ROW", { file, row: headerRow });
  }

  refuseLeftOutProducts(source, header, options);
  const width = source.isWidthFixed === true ? header.cells.length : undefined;

  const batches = (): AsyncGenerator<Iterable<SheetRow>> =>
    batchesBelow(source, header.row, { file, maxRows: limits.rows, width });
  async function* rows(): AsyncGenerator<SheetRow> {
    for await (const batch of batches()) yield* batch;
  }
  const close = (): Promise<void> => source.close();
  return {
    kind: source.kind,
    sheet: source.sheet,
    guesses: {
      headerRow: header.row,
      ...(source.encoding !== undefined && { encoding: source.encoding }),
      ...(source.delimiter !== undefined && { delimiter: source.delimiter }),
    },
    header,
    notices: (row = header.row) => toNotices(source.facts, row),
    ...(width !== undefined && { width }),
    ...(source.meta !== undefined && { meta: source.meta }),
    rows,
    batches,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Refuses to leave out sheets with the same headers unless the caller named the sheet. */
function refuseLeftOutProducts(
  { sheet, facts }: RowSource,
  header: SheetRow,
  { file, sheet: wanted }: SourceOptions,
): void {
  const same = (facts?.leftOutSheets ?? []).filter((other) => hasHeaders(other, header.cells));
  if (wanted !== undefined || same.length === 0) return;
  const sheets = [{ name: sheet, rows: facts?.filledRows }, ...same];
  throw new SheetError("E_SHEET_CHOICE", {
    file,
    names: sheets.map(({ name }) => name),
    rowCounts: sheets.map(({ rows = 0 }) => rows),
  });
}

interface RowRules {
  readonly file: string;
  readonly maxRows: number;
  readonly width: number | undefined;
}

async function* batchesBelow(
  source: RowSource,
  headerRow: number,
  { file, maxRows, width }: RowRules,
): AsyncGenerator<Iterable<SheetRow>> {
  let count = 0;
  let slipped = 0;
  const { isComplete = true } = source;
  function* counted(batch: Iterable<SheetRow>): Generator<SheetRow> {
    for (const row of batch) {
      count += 1;
      if (count > maxRows) throw new SheetError("E_TOO_MANY_ROWS", { file, limit: maxRows });
      if (width !== undefined && row.cells.length !== width) slipped += 1;
      yield row;
    }
  }
  const below = contentBelow(source, headerRow);
  const fitted = width === undefined ? below : fitRows(below, { width, isComplete });
  for await (const batch of fitted) yield counted(batch);
  if (slipped > 1 && slipped > count * MAX_SLIPPED) {
    throw new SheetError("E_DELIMITER", { file, found: source.delimiter ?? "" });
  }
}

async function* contentBelow(
  source: RowSource,
  headerRow: number,
): AsyncGenerator<Iterable<SheetRow>> {
  function* content(batch: Iterable<SheetRow>): Generator<SheetRow> {
    for (const row of batch) if (row.row > headerRow && !isEmptyRow(row)) yield row;
  }
  for await (const batch of readBatches(source)) yield content(batch);
}
