/** The sheet of a draft: reads the file once, stores its rows, and yields them with their edits. */

import { open } from "node:fs/promises";
import { basename, extname } from "node:path";
import { setImmediate } from "node:timers/promises";

import type { Localized } from "@catalog/i18n";
import {
  type ColumnMapping,
  createKnownHeaderCount,
  createRecordJudge,
  createSheetReader,
  fold,
  readNumberCell,
} from "@catalog/mapping";
import type { CellValue } from "@catalog/runs";
import {
  listSheets,
  type OpenedSheet,
  type OpenSheetOptions,
  type ReadLimits,
  SheetError,
  type SheetRow,
} from "@catalog/sheets";

import type { ColumnNotation } from "../columns/remembered-readings.ts";
import { describeFile } from "../file/describe-file.ts";
import { openTable } from "../file/open-table.ts";
import { lastHeaderRow } from "../file/product-rows.ts";
import type { PlanSheet } from "../plan/plan-options.ts";
import type { DraftReadingView, DraftSheetChoice, DraftSort } from "./draft-views.ts";
import type {
  DraftColumns,
  DraftFileRow,
  DraftReading,
  DraftRecord,
  DraftRepository,
  DraftRow,
} from "./stored-draft.ts";

/** What is stored of an opened sheet. */
export interface DraftSource {
  readonly kind: OpenedSheet["kind"];
  readonly sheet: string;
  readonly sheets?: OpenedSheet["sheets"];
  readonly header: Pick<SheetRow, "row" | "cells">;
  readonly width?: number | undefined;
  /** Cells of the longest row. */
  readonly maxWidth: number;
  /** Number of stored rows. */
  readonly rowCount: number;
  readonly meta?: readonly (readonly [string, string])[] | undefined;
  readonly notices: ReturnType<OpenedSheet["notices"]>;
  /** The notices of a sheet with a row of machine keys below its header. */
  readonly noticesBelowKeys: ReturnType<OpenedSheet["notices"]>;
  readonly guesses: OpenedSheet["guesses"];
  /** Whether the file says itself that it is UTF-8. */
  readonly isMarkedUtf8?: boolean | undefined;
  readonly fileSheets: readonly DraftSheetChoice[];
  readonly preview: DraftReadingView["preview"];
  /** How the file was read. */
  readonly description: Localized;
}

/** The sheet of a draft. */
export interface DraftSheet extends PlanSheet {
  readonly draft: string;
  readonly source: DraftSource;
  /** All headers, with those of columns that are not read. */
  readonly fileHeader: DraftSource["header"];
  /** The row as the file and its edits give it. */
  effective(row: DraftRow): SheetRow;
  /** Whether rows take cells of other rows, as those of products with variants do. */
  hasJoinedRows(mapping: ColumnMapping): boolean;
}

/** Rows read at a time. */
const BATCH_ROWS = 200;

/** Makes the sheet of a draft whose rows are stored; rows that a person left out are not read. */
export function createDraftSheet(
  drafts: Pick<DraftRepository, "readRows">,
  draft: string,
  source: DraftSource,
  { leftOut = [], added = [] }: Pick<DraftColumns, "leftOut" | "added"> = {},
): DraftSheet {
  const { sheet, sheets, meta, notices, noticesBelowKeys } = source;
  const fileHeader = addHeaders(source, added);
  const header = hideHeaders(fileHeader, new Set(leftOut));
  const size = { width: source.width, first: firstAdded(source), added: added.length };
  const effective = (row: DraftRow): SheetRow => toRowWithAdded(row, size);
  const width = source.width === undefined ? undefined : fileHeader.cells.length;
  async function* batches(): AsyncGenerator<Iterable<SheetRow>> {
    for await (const rows of readDraftRows(drafts, draft)) {
      yield rows.filter(({ status }) => status !== "excluded").map(effective);
    }
  }
  async function* eachRow(): AsyncGenerator<SheetRow> {
    for await (const batch of batches()) yield* batch;
  }
  return {
    draft,
    source,
    fileHeader,
    added: added.length,
    effective,
    hasJoinedRows: (mapping) => createSheetReader(mapping).variants !== undefined,
    sheet,
    header,
    rows: eachRow,
    batches,
    notices: (row = header.row) => (row > header.row ? noticesBelowKeys : notices),
    ...(sheets !== undefined && { sheets }),
    ...(width !== undefined && { width }),
    ...(meta !== undefined && { meta: new Map(meta) }),
  };
}

/** Columns without a header are not read. */
const hideHeaders = (
  { row, cells }: DraftSource["header"],
  leftOut: ReadonlySet<number>,
): DraftSource["header"] => ({
  row,
  cells: cells.map((cell, index) => (leftOut.has(index) ? null : cell)),
});

/** Index of the first column that a person adds: after every cell of the file. */
const firstAdded = ({ header, maxWidth }: Pick<DraftSource, "header" | "maxWidth">): number =>
  Math.max(header.cells.length, maxWidth);

function addHeaders(
  source: DraftSource,
  added: NonNullable<DraftColumns["added"]>,
): DraftSource["header"] {
  if (added.length === 0) return source.header;
  const { row, cells } = source.header;
  const own = padCells(cells, firstAdded(source));
  return { row, cells: [...own, ...added.map(({ header }) => header)] };
}

const padCells = (cells: readonly CellValue[], length: number): readonly CellValue[] => [
  ...cells,
  ...Array.from({ length: Math.max(0, length - cells.length) }, () => null),
];

interface RowSize {
  readonly width: number | undefined;
  /** Index of the first added column. */
  readonly first: number;
  readonly added: number;
}

/** The cells of the added columns follow those of the file, whose number is judged as before. */
function toRowWithAdded(row: DraftRow, { width, first, added }: RowSize): SheetRow {
  if (added === 0) return toEffectiveRow(row, width);
  const edits = Object.entries(row.edits);
  const own = Object.fromEntries(edits.filter(([index]) => Number(index) < first));
  const effective = toEffectiveRow({ ...row, edits: own }, width);
  const cells = edits.length > 0 ? layOver(effective.cells, [], width) : effective.cells;
  if (width !== undefined && cells.length < width) return { ...effective, cells };
  const texts = Array.from({ length: added }, (_, at) => toCell(row.edits[first + at]));
  // One cell too many tells that cells of the file are beyond its header.
  const surplus = width !== undefined && cells.length > width ? [null] : [];
  return { ...effective, cells: [...padCells(cells, first), ...texts, ...surplus] };
}

/** The cell that an edit makes; an empty text makes an empty one. */
const toCell = (edit: string | number | undefined): CellValue =>
  (edit === "" ? null : edit) ?? null;

/** Reads all rows of a draft in batches. */
export async function* readDraftRows(
  drafts: Pick<DraftRepository, "readRows">,
  draft: string,
): AsyncGenerator<readonly DraftRow[]> {
  for (let after = 0; ;) {
    const rows = await drafts.readRows(draft, { after, limit: BATCH_ROWS });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    after = last.row;
  }
}

/**
 * Lays the edits over a row. A text has no format; a number has that of the cell before. A row that a
 * person has edited counts as wide as the header: missing cells are empty, and more cells
 * are left out where all of them are empty.
 */
export function toEffectiveRow(
  { row, cells, traits, formats, edits }: DraftFileRow & Pick<DraftRow, "edits">,
  width: number | undefined,
): SheetRow {
  const edited = Object.entries(edits).map(([index, edit]) => [Number(index), edit] as const);
  const ownTraits = keepFacts(traits, (index) => edits[index] === undefined);
  const ownFormats = keepFacts(formats, (index) => typeof edits[index] !== "string");
  return {
    row,
    cells: edited.length === 0 ? cells : layOver(cells, edited, width),
    ...(ownTraits !== undefined && { traits: ownTraits }),
    ...(ownFormats !== undefined && { formats: ownFormats }),
  };
}

function layOver(
  cells: readonly CellValue[],
  edited: readonly (readonly [index: number, edit: string | number])[],
  width: number | undefined,
): readonly CellValue[] {
  const laid = [...cells];
  const last = Math.max(width ?? 0, ...edited.map(([index]) => index + 1));
  while (laid.length < last) laid.push(null);
  for (const [index, edit] of edited) laid[index] = toCell(edit);
  const isSurplusEmpty = width !== undefined && laid.slice(width).every((cell) => cell === null);
  return isSurplusEmpty ? laid.slice(0, width) : laid;
}

/** The facts of the cells that keep theirs; `undefined` where none does. */
function keepFacts<Fact>(
  facts: Readonly<Record<number, Fact>> | undefined,
  isKept: (index: number) => boolean,
): Readonly<Record<number, Fact>> | undefined {
  const kept = Object.entries(facts ?? {}).filter(([index]) => isKept(Number(index)));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** The text of a cell as a person edits it. */
export const cellToText = (cell: CellValue | undefined): string => String(cell ?? "");

interface SortedRows {
  readonly drafts: Pick<DraftRepository, "readRows">;
  readonly sheet: Pick<DraftSheet, "draft" | "effective">;
  /** How the numbers of the column are written; `undefined` for a column of no numbers. */
  readonly notation: ColumnNotation | undefined;
}

/** What a cell is compared by. */
type SortKey = number | string | null;

/** Sorts the numbers of rows; equal cells stay in the order in which their rows are given. */
export async function sortRows(
  numbers: Uint32Array,
  { column, isDescending }: DraftSort,
  { drafts, sheet, notation }: SortedRows,
): Promise<Uint32Array> {
  const keys = new Map<number, SortKey>();
  for await (const rows of readDraftRows(drafts, sheet.draft)) {
    for (const row of rows) keys.set(row.row, toKey(sheet.effective(row).cells[column], notation));
  }
  const sign = isDescending ? -1 : 1;
  const { compare } = new Intl.Collator("tr", { numeric: true });
  const compareKeys = (a: SortKey, b: SortKey): number => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "number") return typeof b === "number" ? sign * (a - b) : -sign;
    return sign * (typeof b === "number" ? 1 : compare(a, b));
  };
  return numbers.toSorted((a, b) => compareKeys(keys.get(a) ?? null, keys.get(b) ?? null));
}

function toKey(cell: CellValue | undefined, notation: ColumnNotation | undefined): SortKey {
  const text = cellToText(cell).trim();
  if (text === "") return null;
  return readNumberCell(cell ?? null, notation) ?? text;
}

/** Folds a text; signs that are neither letters nor digits become single blanks. */
type FoldText = (text: string) => string;

/** Creates the fold, which remembers each sign that it has met. */
export function createTextFold(): FoldText {
  const known: (string | undefined)[] = [];
  const foldSign = (sign: string): string => {
    const code = sign.charCodeAt(0);
    const folded = known[code] ?? toFolded(sign);
    known[code] = folded;
    return folded;
  };
  return (text) => {
    let result = "";
    // Most signs stay, so they are copied in runs.
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= LOWER_A && code <= LOWER_Z) continue;
      const sign = text.charAt(at);
      const folded = foldSign(sign);
      if (folded === sign) continue;
      result += text.slice(start, at) + folded;
      start = at + 1;
    }
    return (result + text.slice(start)).replaceAll(/ {2,}/gu, " ").trim();
  };
}

const LOWER_A = 0x61;
const LOWER_Z = 0x7a;

function toFolded(sign: string): string {
  if (/\p{M}/u.test(sign)) return "";
  return /[\p{L}\p{N}]/u.test(sign) ? fold(sign) : " ";
}

/** How the file of a draft is read. */
interface ReadDraftOptions {
  readonly limits?: Partial<ReadLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onRows?: ((done: number) => void) | undefined;
}

/** Why a file cannot be read yet, and its sheets, as a draft has them stored. */
export interface UnreadFile {
  readonly code: string;
  readonly message: Localized;
  /** Encodings among which a person has to choose, with a sample of each. */
  readonly encodings?: DraftReadingView["encodings"] | undefined;
  readonly fileSheets: readonly DraftSheetChoice[];
}

/** The stored sheet, or why the file cannot be read yet. */
type ReadDraft =
  | { readonly ok: true; readonly source: DraftSource }
  | { readonly ok: false; readonly unread: UnreadFile };

const PREVIEW_ROWS = 25;
const PREVIEW_CELLS = 60;
const PREVIEW_CHARS = 200;
const STORED_AT_ONCE = 250;

/** Stores the rows of the file in place of earlier ones, whose edits are forgotten. */
export async function readDraftFile(
  drafts: DraftRepository,
  { id, path, reading }: DraftRecord,
  options: ReadDraftOptions,
): Promise<ReadDraft> {
  const { limits, signal } = options;
  const file: OpenSheetOptions = {
    path,
    countKnownHeaders: createKnownHeaderCount(),
    judgeRecord: createRecordJudge(),
    ...(limits !== undefined && { limits }),
    ...(signal !== undefined && { signal }),
  };
  try {
    const { sheet } = await openTable({ ...file, ...toSheetOptions(reading) }, {});
    try {
      await drafts.transact((tables) => tables.removeRows(id));
      const stored = await storeRows(drafts, id, { sheet, options });
      if (stored.rowCount === 0) throw new SheetError("E_ROWS_NONE", { file: basename(path) });
      const source = await toSource(sheet, reading, stored);
      const fileSheets = await listOthers(file, sheet, reading);
      const isMarkedUtf8 = sheet.kind !== "xlsx" && (await readUtf8Mark(path));
      const sheets = { fileSheets: fileSheets ?? source.fileSheets };
      return { ok: true, source: { ...source, ...sheets, isMarkedUtf8 } };
    } finally {
      await sheet.close();
    }
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    await drafts.transact((tables) => tables.removeRows(id));
    return { ok: false, unread: toUnread(error, (await listChoices(file)) ?? []) };
  }
}

const toUnread = (
  { code, localized, details: { readings } }: SheetError,
  fileSheets: UnreadFile["fileSheets"],
): UnreadFile => ({
  code,
  message: localized,
  encodings: readings?.map(({ encoding, words }) => ({ encoding, sample: words.join(" ") })),
  fileSheets,
});

/** The sheets to choose from; `undefined` where the file has none that can be listed. */
async function listChoices(
  file: OpenSheetOptions,
): Promise<readonly DraftSheetChoice[] | undefined> {
  try {
    const sheets = await listSheets(file);
    return sheets.map(({ knownHeaders, ...sheet }) =>
      Object.assign({ hasProducts: sheet.rows > 1 && knownHeaders >= MIN_KNOWN_HEADERS }, sheet),
    );
  } catch (error) {
    if (error instanceof SheetError) return undefined;
    throw error;
  }
}

/** A sheet that is chosen is opened without a look at the others. */
const listOthers = async (
  file: OpenSheetOptions,
  { kind }: OpenedSheet,
  { sheet }: DraftReading,
): Promise<readonly DraftSheetChoice[] | undefined> =>
  kind === "csv" || sheet === undefined ? undefined : await listChoices(file);

/** Known headers of a sheet with products, at least. */
const MIN_KNOWN_HEADERS = 2;

const toSheetOptions = ({
  sheet,
  encoding,
  delimiter,
  headerRow,
}: DraftReading): Pick<OpenSheetOptions, "sheet" | "encoding" | "delimiter" | "headerRow"> => ({
  ...(sheet !== undefined && { sheet }),
  ...(encoding !== undefined && { encoding }),
  ...(delimiter !== undefined && { delimiter }),
  ...(headerRow !== undefined && { headerRow }),
});

interface OpenedDraft {
  readonly sheet: OpenedSheet;
  readonly options: ReadDraftOptions;
}

type StoredSize = Pick<DraftSource, "maxWidth" | "rowCount">;

async function storeRows(
  drafts: DraftRepository,
  id: string,
  { sheet, options: { signal, onRows } }: OpenedDraft,
): Promise<StoredSize> {
  const foldText = createTextFold();
  let maxWidth = sheet.header.cells.length;
  let batch: (SheetRow & { readonly folded: string })[] = [];
  let done = 0;
  const flush = async (): Promise<void> => {
    signal?.throwIfAborted();
    const rows = batch;
    batch = [];
    await drafts.transact((tables) => tables.appendRows(id, rows));
    done += rows.length;
    onRows?.(done);
    await setImmediate();
  };
  for await (const rows of sheet.batches()) {
    for (const row of rows) {
      maxWidth = Math.max(maxWidth, row.cells.length);
      batch.push({ ...row, folded: foldRow(foldText, row.cells) });
      if (batch.length === STORED_AT_ONCE) await flush();
    }
  }
  await flush();
  return { maxWidth, rowCount: done };
}

/** The texts of a row in which a search looks; a line for each cell. */
export const foldRow = (foldText: FoldText, cells: SheetRow["cells"]): string =>
  cells.map((cell) => (cell === null ? "" : foldText(String(cell)))).join("\n");

async function toSource(
  sheet: OpenedSheet,
  reading: DraftReading,
  stored: StoredSize,
): Promise<DraftSource> {
  const { kind, sheet: name, sheets, header, width, meta, guesses, fileSheets = [] } = sheet;
  const head = (await sheet.head?.(PREVIEW_ROWS)) ?? [];
  return {
    kind,
    sheet: name,
    sheets,
    header: { row: header.row, cells: header.cells },
    width,
    ...stored,
    meta: meta && [...meta],
    notices: sheet.notices(lastHeaderRow(sheet, { hasKeyRow: false })),
    noticesBelowKeys: sheet.notices(lastHeaderRow(sheet, { hasKeyRow: true })),
    guesses,
    fileSheets: fileSheets.map(({ name: each, rows = null, hasMoreRows = false }) => ({
      name: each,
      rows,
      hasMoreRows,
      hasProducts: null,
    })),
    preview: head.map(({ row, cells }) => ({
      row,
      cells: cells.slice(0, PREVIEW_CELLS).map((cell) => cellToText(cell).slice(0, PREVIEW_CHARS)),
      numbers: cells
        .slice(0, PREVIEW_CELLS)
        .flatMap((cell, at) => (typeof cell === "number" ? [at] : [])),
    })),
    description: describeFile(sheet, toSheetOptions(reading)),
  };
}

/** How the file is read, as a page shows it. `unread` is why it cannot be read yet. */
export function toReadingView(
  { name, path, reading }: Pick<DraftRecord, "name" | "path" | "reading">,
  source: DraftSource | undefined,
  unread: UnreadFile | undefined,
): DraftReadingView {
  const guesses: Partial<DraftSource["guesses"]> = source?.guesses ?? {};
  const kind = toKind(name, source?.kind);
  return {
    kind,
    sheets: (source ?? unread)?.fileSheets ?? [],
    sheet: toSheetSetting(reading, source),
    encoding: toSetting(reading.encoding, guesses.encoding),
    encodings: listEncodings(kind, source, unread),
    delimiter: toSetting(reading.delimiter, guesses.delimiter),
    headerRow: toSetting(reading.headerRow, guesses.headerRow),
    decimal: reading.decimal ?? null,
    preview: listPreview(source),
    problem: toProblem(unread, { name, path }),
    isUnusable: isUnusable(unread?.code, reading),
  };
}

/** Problems that another setting of the file may solve. */
const ANSWERABLE: ReadonlySet<string> = new Set([
  "E_CSV_QUOTE",
  "E_DELIMITER",
  "E_ENCODING",
  "E_ENCODING_UNSURE",
  "E_HEADER_ROW",
  "E_NUL",
  "E_ROWS_NONE",
  "E_RECORD_CHOICE",
  "E_RECORD_UNKNOWN",
  "E_SHEETS_DIFFER",
  "E_SHEET_CHOICE",
  "E_SHEET_UNKNOWN",
]);

/**
 * Whether no setting can make a file readable that has this problem. Where a sheet was chosen,
 * another one may be readable.
 */
export const isUnusable = (
  problem: string | undefined,
  { sheet }: Pick<DraftReading, "sheet">,
): boolean => problem !== undefined && sheet === undefined && !ANSWERABLE.has(problem);

/** The sheets that are read, or those that were chosen where they cannot be read. */
function toSheetSetting(
  { sheet }: Pick<DraftReading, "sheet">,
  source: DraftSource | undefined,
): DraftReadingView["sheet"] {
  const isGuessed = sheet === undefined;
  if (source !== undefined && source.kind !== "csv") {
    const read = source.sheets?.map(({ name }) => name) ?? [source.sheet];
    return { value: read, isGuessed };
  }
  if (isGuessed) return null;
  return { value: typeof sheet === "string" ? [sheet] : sheet, isGuessed };
}

const listPreview = (source: DraftSource | undefined): DraftReadingView["preview"] =>
  source?.preview ?? [];

/** The file is named as its person knows it, not as it is stored. */
function toProblem(
  unread: UnreadFile | undefined,
  { name, path }: Pick<DraftRecord, "name" | "path">,
): DraftReadingView["problem"] {
  if (unread === undefined) return null;
  const { code, message } = unread;
  const rename = (text: string): string =>
    text.replaceAll(path, () => name).replaceAll(basename(path), () => name);
  return { code, message: { tr: rename(message.tr), en: rename(message.en) } };
}

/** The encodings of Turkish texts, the most frequent first. */
const ENCODINGS = ["utf-8", "windows-1254", "iso-8859-9", "cp857", "macturkish"] as const;

function listEncodings(
  kind: DraftReadingView["kind"],
  source: DraftSource | undefined,
  unread: UnreadFile | undefined,
): DraftReadingView["encodings"] {
  const isText = kind === "csv" || kind === "xml" || kind === "json";
  if (!isText || source?.isMarkedUtf8 === true) return [];
  return unread?.encodings ?? ENCODINGS.map((encoding) => ({ encoding, sample: "" }));
}

const toSetting = <Value>(
  given: Value | undefined,
  guessed: Value | undefined,
): { readonly value: Value; readonly isGuessed: boolean } | null => {
  const value = given ?? guessed;
  return value === undefined ? null : { value, isGuessed: given === undefined };
};

/** What a workbook or a document is by the end of its name, which is known before it can be read. */
const BOOKS: ReadonlyMap<string, DraftReadingView["kind"]> = new Map([
  [".xlsx", "xlsx"],
  [".xlsm", "xlsx"],
  [".xls", "xls"],
  [".ods", "ods"],
  [".fods", "ods"],
  [".xml", "xml"],
  [".json", "json"],
  [".jsonl", "json"],
  [".ndjson", "json"],
]);

function toKind(name: string, kind: DraftSource["kind"] | undefined): DraftReadingView["kind"] {
  if (kind !== undefined && kind !== "xlsx") return kind;
  return BOOKS.get(extname(name).toLowerCase()) ?? kind ?? "csv";
}

const MARK = Buffer.from("\uFEFF");

/** Whether a file begins with the mark, so that no other encoding can be chosen for it. */
async function readUtf8Mark(path: string): Promise<boolean> {
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(MARK.length), 0, MARK.length);
  return buffer.subarray(0, bytesRead).equals(MARK);
}
