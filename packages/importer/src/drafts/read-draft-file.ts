/** Reads the file of a draft and stores its rows. */

import { basename, extname } from "node:path";
import { setImmediate } from "node:timers/promises";

import { createKnownHeaderCount } from "@catalog/mapping";
import {
  listSheets,
  MAX_COUNTED_ROWS,
  type OpenedSheet,
  type OpenSheetOptions,
  type ReadLimits,
  SheetError,
  type SheetRow,
} from "@catalog/sheets";

import { describeFile } from "../file/describe-file.ts";
import { openTable } from "../file/open-table.ts";
import { lastHeaderRow } from "../file/product-rows.ts";
import { cellToText, type DraftSource } from "./draft-source.ts";
import type { DraftReadingView, DraftSheetChoice } from "./draft-views.ts";
import { createTextFold, type FoldText } from "./fold-text.ts";
import { readUtf8Mark } from "./read-utf8-mark.ts";
import type { DraftReading, DraftRecord, DraftRepository } from "./stored-draft.ts";

/** How the file of a draft is read. */
export interface ReadDraftOptions {
  readonly limits?: Partial<ReadLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onRows?: ((done: number) => void) | undefined;
}

/** Why a file cannot be read yet, and its sheets. */
export interface UnreadDraft {
  readonly ok: false;
  readonly error: SheetError;
  readonly fileSheets: readonly DraftSheetChoice[];
}

/** The stored sheet, or why the file cannot be read yet. */
export type ReadDraft = { readonly ok: true; readonly source: DraftSource } | UnreadDraft;

const PREVIEW_ROWS = 25;
const PREVIEW_CELLS = 60;
const PREVIEW_CHARS = 200;
const BATCH_ROWS = 250;

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
      const isMarkedUtf8 = sheet.kind === "csv" && (await readUtf8Mark(path));
      const sheets = { fileSheets: fileSheets ?? source.fileSheets };
      return { ok: true, source: { ...source, ...sheets, isMarkedUtf8 } };
    } finally {
      await sheet.close();
    }
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    await drafts.transact((tables) => tables.removeRows(id));
    return { ok: false, error, fileSheets: (await listChoices(file)) ?? [] };
  }
}

/** The sheets to choose from; `undefined` where the file has none that can be listed. */
async function listChoices(
  file: OpenSheetOptions,
): Promise<readonly DraftSheetChoice[] | undefined> {
  try {
    const sheets = await listSheets(file);
    return sheets.map(({ name, rows, knownHeaders }) => ({
      name,
      rows,
      hasMoreRows: rows >= MAX_COUNTED_ROWS,
      hasProducts: rows > 1 && knownHeaders >= MIN_KNOWN_HEADERS,
    }));
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
      if (batch.length === BATCH_ROWS) await flush();
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
    fileSheets: fileSheets.map(({ name: each, rows }) => ({
      name: each,
      rows: rows ?? null,
      hasMoreRows: each !== name && (rows ?? 0) >= MAX_COUNTED_ROWS,
      hasProducts: null,
    })),
    preview: head.map(({ row, cells }) => ({
      row,
      cells: cells.slice(0, PREVIEW_CELLS).map((cell) => cellToText(cell).slice(0, PREVIEW_CHARS)),
    })),
    description: describeFile(sheet, toSheetOptions(reading)),
  };
}

/** How the file is read, as a page shows it. `error` is why it cannot be read yet. */
export function toReadingView(
  { name, path, reading }: Pick<DraftRecord, "name" | "path" | "reading">,
  source: DraftSource | undefined,
  unread: UnreadDraft | undefined,
): DraftReadingView {
  const error = unread?.error;
  const guesses: Partial<DraftSource["guesses"]> = source?.guesses ?? {};
  const kind = toKind(name, source?.kind);
  return {
    kind,
    sheets: (source ?? unread)?.fileSheets ?? [],
    sheet: toSheetSetting(reading, source),
    encoding: toSetting(reading.encoding, guesses.encoding),
    encodings: listEncodings(kind, source, error),
    delimiter: toSetting(reading.delimiter, guesses.delimiter),
    headerRow: toSetting(reading.headerRow, guesses.headerRow),
    decimal: reading.decimal ?? null,
    preview: listPreview(source),
    problem: toProblem(error, { name, path }),
    isUnusable: isUnusable(error?.code, reading),
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
  if (source?.kind === "xlsx") {
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
  error: SheetError | undefined,
  { name, path }: Pick<DraftRecord, "name" | "path">,
): DraftReadingView["problem"] {
  if (error === undefined) return null;
  const { code, localized } = error;
  const rename = (text: string): string =>
    text.replaceAll(path, () => name).replaceAll(basename(path), () => name);
  return { code, message: { tr: rename(localized.tr), en: rename(localized.en) } };
}

/** The encodings of Turkish texts, the most frequent first. */
const ENCODINGS = ["utf-8", "windows-1254", "iso-8859-9", "cp857", "macturkish"] as const;

function listEncodings(
  kind: DraftReadingView["kind"],
  source: DraftSource | undefined,
  error: SheetError | undefined,
): DraftReadingView["encodings"] {
  if (kind !== "csv" || source?.isMarkedUtf8 === true) return [];
  const { readings } = error?.details ?? {};
  return (
    readings?.map(({ encoding, words }) => ({ encoding, sample: words.join(" ") })) ??
    ENCODINGS.map((encoding) => ({ encoding, sample: "" }))
  );
}

const toSetting = <Value>(
  given: Value | undefined,
  guessed: Value | undefined,
): { readonly value: Value; readonly isGuessed: boolean } | null => {
  const value = given ?? guessed;
  return value === undefined ? null : { value, isGuessed: given === undefined };
};

/** What a workbook is by the end of its name, which is known before it can be read. */
const BOOKS: ReadonlyMap<string, DraftReadingView["kind"]> = new Map([
  [".xlsx", "xlsx"],
  [".xlsm", "xlsx"],
  [".xls", "xls"],
  [".ods", "ods"],
  [".fods", "ods"],
]);

function toKind(name: string, kind: DraftSource["kind"] | undefined): DraftReadingView["kind"] {
  if (kind === "csv") return "csv";
  return BOOKS.get(extname(name).toLowerCase()) ?? kind ?? "csv";
}
