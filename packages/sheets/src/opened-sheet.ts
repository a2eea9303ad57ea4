/** A sheet as its readers see it: the headers, the rows below them, and notices about both. */

import type { Localized } from "@catalog/i18n";

import { columnLetters, isBlank, isEmptyRow, type SheetRow } from "./cell.ts";
import { SheetError } from "./sheet-error.ts";
import {
  type CountedSheet,
  countedSheets,
  type CountKnownHeaders,
  findHeader,
  hasHeaders,
  readBatches,
  readRows,
  type RowSource,
  type SheetKind,
  type SourceOptions,
  hasMoreRows,
} from "./sheet-rows.ts";
import type { SheetFacts } from "./xlsx/read/workbook-parts.ts";

/** One notice about a sheet; `count` is the number of affected rows, columns or sheets. */
export interface SheetNotice {
  /** Stable: safe to branch on and to store. */
  readonly code: "W_MERGED" | "W_HIDDEN_ROWS" | "W_HIDDEN_COLUMNS" | "W_SHEETS_LEFT_OUT";
  readonly count: number;
  readonly message: Localized;
}

/** Makes the notices of a sheet; merged titles and hidden rows above the header are ignored. */
export function toNotices(facts: SheetFacts | undefined, headerRow: number): SheetNotice[] {
  if (facts === undefined) return [];
  const merged = facts.mergedRows.filter((row) => row > headerRow).length;
  const hiddenRows = facts.hiddenRows.filter((row) => row > headerRow);
  const hiddenColumns = facts.hiddenColumns.map(columnLetters);
  const others = facts.leftOutSheets ?? [];
  const sheets = countedSheets(others.map(({ name, rows }) => ({ name, rows })));
  return [
    notice("W_MERGED", merged, {
      tr: `${merged} birleştirilmiş hücre bloğu var; değer yalnızca bloğun ilk hücresinden okundu, ötekiler boş sayıldı.`,
      en: `There are ${merged} merged blocks; a value was read from the first cell of each only, and the others count as empty.`,
    }),
    notice("W_HIDDEN_ROWS", hiddenRows.length, {
      tr: `${hiddenRows.length} gizli satır da okundu (ilki ${hiddenRows[0]}. satır). İstemiyorsanız dosyadan silin.`,
      en: `Hidden rows were read as well: ${hiddenRows.length}, the first is row ${hiddenRows[0]}. Delete them from the file if they are not meant.`,
    }),
    notice("W_HIDDEN_COLUMNS", hiddenColumns.length, {
      tr: `Gizli sütunlar da okundu: ${listed(hiddenColumns)}. İstemiyorsanız dosyadan silin.`,
      en: `Hidden columns were read as well: ${listed(hiddenColumns)}. Delete them from the file if they are not meant.`,
    }),
    notice("W_SHEETS_LEFT_OUT", others.length, {
      tr: `Dosyadaki şu sayfalar okunmadı: ${sheets.tr}. Okunacak sayfayı --sheet ile belirtin.`,
      en: `These sheets of the file were not read: ${sheets.en}. Name the sheet to be read with --sheet.`,
    }),
  ].filter(({ count }) => count > 0);
}

const notice = (code: SheetNotice["code"], count: number, message: Localized): SheetNotice => ({
  code,
  count,
  message,
});

const MAX_LISTED = 10;

const listed = (names: readonly string[]): string =>
  names.length > MAX_LISTED ? `${names.slice(0, MAX_LISTED).join(", ")}, …` : names.join(", ");

/*
 * Fits the rows of a CSV file to its header: a short row lacks empty cells at its end, and
 * additional empty cells are left out. Rows that a line break within a text has split stay as they
 * are.
 */

/** Number of following rows that may belong to a split row. */
const MAX_FOLLOWING = 8;

/**
 * Excel decides per block of this many rows how many empty cells at the end of rows it writes
 * (Microsoft KB 77295); the header is in the first block, whose rows are thus complete.
 */
const BLOCK_ROWS = 16;

interface WaitingRow {
  readonly row: SheetRow;
  isKept: boolean;
}

interface RowWidth {
  /** Number of cells of the header. */
  readonly width: number;
  /** Whether the last row of the file is complete; otherwise it is not filled up. */
  readonly isComplete: boolean;
}

/** Returns the rows with `width` cells each, but those whose cells may be in wrong columns. */
export async function* fitRows(
  batches: AsyncIterable<Iterable<SheetRow>>,
  { width, isComplete }: RowWidth,
): AsyncGenerator<Iterable<SheetRow>> {
  const waiting: WaitingRow[] = [];
  const state = { previous: width, hasSplit: false };

  const take = (): SheetRow | undefined => {
    const first = waiting[0];
    if (first === undefined) return undefined;
    markSplit(waiting, width, state);
    waiting.shift();
    state.previous = first.row.cells.length;
    return first.isKept ? first.row : fit(first.row, width);
  };
  function* fitted(batch: Iterable<SheetRow>): Generator<SheetRow> {
    for (const row of batch) {
      if (waiting.length === 0 && row.cells.length >= width) {
        state.previous = width;
        yield fit(row, width);
        continue;
      }
      waiting.push({ row, isKept: false });
      if (waiting.length <= MAX_FOLLOWING) continue;
      const done = take();
      if (done !== undefined) yield done;
    }
  }
  function* rest(): Generator<SheetRow> {
    const last = waiting.at(-1);
    if (last !== undefined && !isComplete) last.isKept ||= last.row.cells.length < width;
    for (let done = take(); done !== undefined; done = take()) yield done;
  }

  for await (const batch of batches) yield fitted(batch);
  yield rest();
}

/** A row of one cell has no delimiter at all, and is rather a remark or the rest of a text. */
function fit(row: SheetRow, width: number): SheetRow {
  const { cells } = row;
  const count = cells.length;
  if (count === width || (count === 1 && width > 1)) return row;
  if (count > width) {
    return cells.slice(width).every(isBlank) ? { ...row, cells: cells.slice(0, width) } : row;
  }
  return { ...row, cells: [...cells, ...Array.from({ length: width - count }, () => null)] };
}

interface RowsSoFar {
  /** Number of cells of the row before. */
  previous: number;
  /** Whether rows were found that a line break has split. */
  hasSplit: boolean;
}

/**
 * Marks the first waiting row and those after it where together they have exactly the delimiters of
 * one row and do not look alike, unless they are as short as rows of Excel are.
 */
function markSplit(waiting: readonly WaitingRow[], width: number, state: RowsSoFar): void {
  if (waiting[0]?.isKept === true) return;
  const count = countHalves(waiting, width);
  if (count === 0) return;
  const rows = waiting.slice(0, count).map(({ row }) => row);
  if (areAlike(rows) || (!state.hasSplit && isExcelBlock(waiting, count, state.previous))) return;
  state.hasSplit = true;
  for (const entry of waiting.slice(0, count)) entry.isKept = true;
}

/** Number of first rows that together have exactly the delimiters of one row; zero for none. */
function countHalves(waiting: readonly WaitingRow[], width: number): number {
  let delimiters = 0;
  for (const [index, { row }] of waiting.entries()) {
    if (row.cells.length >= width) return 0;
    delimiters += row.cells.length - 1;
    if (delimiters >= width - 1) return delimiters === width - 1 ? index + 1 : 0;
  }
  return 0;
}

/** Whether each of the first rows has as many cells as a neighbour in its own block. */
function isExcelBlock(waiting: readonly WaitingRow[], count: number, previous: number): boolean {
  const rows = waiting.map(({ row }) => row);
  return rows.slice(0, count).every(({ row, cells }, index) => {
    const before = index === 0 ? previous : rows[index - 1]?.cells.length;
    const after = rows[index + 1];
    const isFirst = (row - 1) % BLOCK_ROWS === 0;
    const isLast = row % BLOCK_ROWS === 0;
    const isLikeBefore = !isFirst && before === cells.length;
    const isLikeAfter = !isLast && after?.cells.length === cells.length;
    return row > BLOCK_ROWS && (isLikeBefore || isLikeAfter);
  });
}

/** Whether the rows have codes of one kind in their first cells and numbers in the same columns. */
function areAlike(rows: readonly SheetRow[]): boolean {
  const [first, ...others] = rows.map(({ cells }) => cells.map((cell) => String(cell ?? "")));
  return others.every((cells) =>
    cells.every((text, index) => {
      const other = first?.[index] ?? "";
      if (index === 0) return kindOf(text) === kindOf(other);
      return text === "" || other === "" || NUMBER.test(text) === NUMBER.test(other);
    }),
  );
}

const NUMBER = /^[\d\s.,+-]+$/u;

const kindOf = (text: string): string => `${/\d/u.test(text)} ${/\s/u.test(text)}`;

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
  readonly kind: SheetKind;
  /**
   * The name of the sheet, or of the first of several; for CSV the base name of the file, for XML and
   * JSON the path of the records.
   */
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
  /** The sheets of a workbook with content or the records of a document; left out for CSV. */
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
  const { file, limits, countKnownHeaders: countKnown } = options;
  const { headerRow = source.headerRow } = options;
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
    ...(source.records !== undefined && { fileSheets: source.records }),
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
  ...(facts?.leftOutSheets ?? []).map(({ name, rows }) => ({
    name,
    rows,
    hasMoreRows: hasMoreRows(rows),
  })),
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
