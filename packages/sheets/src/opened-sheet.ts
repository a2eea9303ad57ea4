/** A sheet as its readers see it: the headers, and the rows below them. */

import { isEmptyRow, type SheetRow } from "./cell.ts";
import type { CountedSheet } from "./counted-sheets.ts";
import { fitRows } from "./csv/row-width.ts";
import { type CountKnownHeaders, findHeader } from "./header-row.ts";
import { readBatches, readRows, type RowSource, type SourceOptions } from "./row-source.ts";
import { SheetError } from "./sheet-error.ts";
import { type SheetNotice, toNotices } from "./sheet-notice.ts";
import { hasHeaders } from "./xlsx/read/sheet-content.ts";

/** One of several sheets that are read as one. */
export interface JoinedSheet {
  readonly name: string;
  /**
   * Added to the number that Excel shows beside a row of this sheet; it gives the row's number in
   * {@link OpenedSheet.rows}. 0 for the first sheet, a multiple of a power of ten for the others.
   */
  readonly rowsBefore: number;
}

/** A sheet whose header is known and whose rows can be read. */
export interface OpenedSheet extends AsyncDisposable {
  /** `xlsx` is any workbook, old or open formats included. */
  readonly kind: "csv" | "xlsx";
  /** The name of the sheet, or of the first of several; for CSV the base name of the file. */
  readonly sheet: string;
  /** The sheets that are read as one, in their order; left out for a single sheet. */
  readonly sheets?: readonly JoinedSheet[];
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
  /** The sheets of a workbook with content, read or not; left out for CSV. */
  readonly fileSheets?: readonly CountedSheet[];
  /** The first rows of the sheet with content, those above the header included. */
  readonly head?: (count: number) => Promise<readonly SheetRow[]>;
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

/** Maximum share of rows with a wrong width; with more, the delimiter must be wrong. */
const MAX_SLIPPED = 0.2;

/** What the user and the caller say about a sheet. */
export interface HeaderOptions extends SourceOptions {
  readonly countKnownHeaders?: CountKnownHeaders | undefined;
}

/** Finds the header of a sheet. */
export async function toOpenedSheet(
  source: RowSource,
  options: HeaderOptions,
): Promise<OpenedSheet> {
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
    head: (count) => readHead(source, count),
    ...(source.facts !== undefined && { fileSheets: listSheets(source) }),
    notices: (row = header.row) => toNotices(source.facts, row),
    ...(width !== undefined && { width }),
    ...(source.meta !== undefined && { meta: source.meta }),
    rows: () => readRows(batches()),
    batches,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const listSheets = ({ sheet, facts }: RowSource): readonly CountedSheet[] => [
  { name: sheet, rows: facts?.filledRows },
  ...(facts?.leftOutSheets ?? []).map(({ name, rows }) => ({ name, rows })),
];

async function readHead(
  source: Pick<RowSource, "rows">,
  count: number,
): Promise<readonly SheetRow[]> {
  const head: SheetRow[] = [];
  for await (const row of source.rows()) {
    if (head.length >= count) break;
    if (!isEmptyRow(row)) head.push(row);
  }
  return head;
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

/** Whether a row is a line such as `# taken from the stock` between the rows of a table. */
const isRemark = ({ cells }: SheetRow): boolean =>
  cells.length === 1 && String(cells[0]).startsWith("#");

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
      if (width !== undefined && row.cells.length !== width && !isRemark(row)) slipped += 1;
      yield row;
    }
  }
  const below = contentBelow(source, headerRow);
  const fitted = width === undefined ? below : fitRows(below, { width, isComplete });
  for await (const batch of fitted) yield counted(batch);
  if (slipped > 1 && slipped > count * MAX_SLIPPED) {
    throw new SheetError("E_DELIMITER", { file, found: source.delimiter ?? "", row: headerRow });
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
