/** Opens a file, a link or several sheets with the same headers as one sheet of rows. */

import { open, stat } from "node:fs/promises";
import { basename } from "node:path";

import { type CellValue, isBlank, type SheetRow } from "./cell.ts";
import { openCsvSource } from "./csv/csv-source.ts";
import { openNestedSource } from "./nested/nested-source.ts";
import {
  type HeaderOptions,
  type JoinedSheet,
  type OpenedSheet,
  type SheetNotice,
  toNotices,
  toOpenedSheet,
} from "./opened-sheet.ts";
import { detectKind, fromFileError, KIND_BYTES, SheetError } from "./sheet-error.ts";
import {
  type CountedSheet,
  type CountKnownHeaders,
  createSheetContent,
  DEFAULT_LIMITS,
  hasHeaders,
  type JudgeRecord,
  type LeftOutSheet,
  MB,
  type ReadLimits,
  readRows,
  type RowSource,
  type SourceOptions,
  hasMoreRows,
} from "./sheet-rows.ts";
import { isAllSheets } from "./xlsx/read/workbook-reader.ts";
import { openXlsxSource } from "./xlsx/read/xlsx-source.ts";

/** The file, and what the user says about it. */
export interface OpenSheetOptions {
  readonly path: string;
  /**
   * Workbooks: the name of the sheet, where case and accents do not count, its number from 1, or
   * `all` for every sheet with the same headers, read as one. Several names or numbers are read as
   * one in their order, and must all have the same headers. XML and JSON: the path of the records,
   * such as `Products/Product` or `data.items`, `.` for the elements of a list that is the document.
   */
  readonly sheet?: string | readonly string[];
  /** The row with the headers, as Excel numbers it. @default detected */
  readonly headerRow?: number;
  /** Decides which of the first rows is the header. @default no header is known */
  readonly countKnownHeaders?: CountKnownHeaders;
  /** Decides which nodes of XML or JSON are the records. @default no name is known */
  readonly judgeRecord?: JudgeRecord;
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

/**
 * Opens the sheet of a CSV file, a workbook (`.xlsx`, `.xls`, `.ods`) or a document (XML, JSON, one
 * JSON object a line); the kind is detected from the content, not from the name. Of several sheets the only one with known headers is opened. A
 * link is refused with the address where its table can be downloaded. Throws a `SheetError` if the
 * file cannot be read, and rejects with the reason of `signal`.
 */
export async function openSheet(options: OpenSheetOptions): Promise<OpenedSheet> {
  try {
    return await openNamed(options);
  } catch (error) {
    const sheet = await findOnlyKnown(error, options);
    if (sheet === undefined) throw error;
    return await openNamed({ ...options, sheet });
  }
}

/** A row with fewer known headers may be a sentence of a guide. */
const MIN_KNOWN_HEADERS = 3;

/**
 * The only sheet with known headers, where several have content and none was named; sheets beside it
 * explain how to fill it in, or hold lists.
 */
async function findOnlyKnown(
  error: unknown,
  options: OpenSheetOptions,
): Promise<string | undefined> {
  const isOpen = error instanceof SheetError && error.code === "E_SHEET_CHOICE";
  if (!isOpen || options.sheet !== undefined) return undefined;
  const sheets = await listSheets(options);
  const [known, ...others] = sheets.filter(({ knownHeaders }) => knownHeaders > 1);
  const isClear = known !== undefined && known.knownHeaders >= MIN_KNOWN_HEADERS;
  return isClear && others.length === 0 ? known.name : undefined;
}

async function openNamed(options: OpenSheetOptions): Promise<OpenedSheet> {
  options.signal?.throwIfAborted();
  const link = resolveSheetLink(options.path);
  if (link !== undefined) {
    throw new SheetError("E_FILE_LINK", { file: options.path, found: link.downloadUrl });
  }
  const file = basename(options.path);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  try {
    const { sheet: _, ...rest } = options;
    const [wanted, ...more] =
      typeof options.sheet === "string" ? [options.sheet] : (options.sheet ?? []);
    const given = { ...rest, file, limits, ...(wanted !== undefined && { sheet: wanted }) };
    const source = await openSource(given);
    const all = await openAllSheets(source, { ...given, more });
    if (all !== undefined) return all;
    try {
      return await toOpenedSheet(source, given);
    } catch (error) {
      await source.close();
      throw error;
    }
  } catch (error) {
    throw fromFileError(error, file);
  }
}

/** A sheet of a workbook to choose from. */
interface SheetEntry extends CountedSheet {
  readonly rows: number;
  readonly hasMoreRows: boolean;
  /** Known headers of the row that has most of them. */
  readonly knownHeaders: number;
}

/**
 * Lists the visible sheets with content in the order of the workbook, whichever can be read. Rows
 * are counted up to 10,000. The sheets of XML and JSON are their records. CSV has no sheets. Throws a `SheetError` if the
 * file is no workbook that can be read.
 */
export async function listSheets({
  countKnownHeaders = () => 0,
  ...options
}: Pick<
  OpenSheetOptions,
  "path" | "countKnownHeaders" | "judgeRecord" | "signal" | "limits"
>): Promise<readonly SheetEntry[]> {
  const file = basename(options.path);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  try {
    const source = await openSource({ ...options, file, limits, isList: true });
    await source.close();
    return (source.records ?? source.facts?.leftOutSheets ?? []).map(({ name, rows, head }) => ({
      name,
      rows,
      hasMoreRows: hasMoreRows(rows),
      knownHeaders: Math.max(0, ...head.map((texts) => countKnownHeaders(texts))),
    }));
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
  if (found.kind === "xml" || found.kind === "json") {
    return await openNestedSource(found.kind, options);
  }
  if (WORKBOOK_NAME.test(file)) throw new SheetError("E_FILE_TYPE", { file, hint: "text" });
  return await openCsvSource(options);
}

async function readHead(path: string): Promise<Buffer> {
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(KIND_BYTES), 0, KIND_BYTES);
  return buffer.subarray(0, bytesRead);
}

/** Throws {@link SheetError} `E_FILE_…` for a file that is missing, a folder, or not readable. */
export async function assertReadable(path: string): Promise<void> {
  try {
    await using file = await open(path, "r");
    if (!(await file.stat()).isDirectory()) return;
  } catch (error) {
    throw fromFileError(error, path);
  }
  throw new SheetError("E_FILE_DIRECTORY", { file: path });
}

/** A table behind a link. */
export interface SheetLink {
  /** Address of the one sheet that the link shows, or of the whole workbook if it shows none. */
  readonly downloadUrl: string;
  readonly kind: "csv" | "xlsx";
  /** A name for messages and for the file. */
  readonly name: string;
}

const HOST = "docs.google.com";
const DOCUMENT = /^\/spreadsheets(?:\/u\/\d+)?\/d\/([\w-]{20,})(?:\/|$)/;
const SHEET = /(?:^|[#&?])gid=(\d+)/;

/**
 * Resolves a link; `undefined` for a text that is no link. A link to anything but a Google sheet is
 * returned as it is: the caller decides whether to download it, and the content decides its kind.
 */
export function resolveSheetLink(text: string): SheetLink | undefined {
  const trimmed = text.trim();
  if (!/^(?:https?|sftp|ftps?):\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  const id = url.hostname === HOST ? DOCUMENT.exec(url.pathname)?.[1] : undefined;
  return id === undefined ? plainLink(url) : googleLink(url, id);
}

function plainLink(url: URL): SheetLink {
  const isWorkbook = /\.xlsx$/i.test(url.pathname);
  return { downloadUrl: url.href, kind: isWorkbook ? "xlsx" : "csv", name: url.href };
}

function googleLink(url: URL, id: string): SheetLink {
  const sheet = SHEET.exec(url.hash)?.[1] ?? SHEET.exec(url.search)?.[1];
  const kind = sheet === undefined ? "xlsx" : "csv";
  const gid = sheet === undefined ? "" : `&gid=${sheet}`;
  return {
    downloadUrl: `https://${HOST}/spreadsheets/d/${id}/export?format=${kind}${gid}`,
    kind,
    name: `google-sheet-${id.slice(0, 8)}.${kind}`,
  };
}

/** How the sheets are opened. */
interface AllSheetsOptions extends HeaderOptions {
  /** Further sheets that are wanted besides `sheet`, by name or number. */
  readonly more: readonly string[];
}

interface SheetPart {
  readonly source: RowSource;
  readonly opened: OpenedSheet;
}

/**
 * Joins the wanted sheets, or all with the headers of the one that knows most of them; `undefined`
 * where one sheet is wanted or the file has no other. Takes the source over. Throws
 * `E_SHEETS_DIFFER` for a named sheet with other headers, and where all are wanted for one whose
 * headers are only partly the same.
 */
async function openAllSheets(
  first: RowSource,
  options: AllSheetsOptions,
): Promise<OpenedSheet | undefined> {
  const { sheet: wanted, more } = options;
  const others = first.facts?.leftOutSheets ?? [];
  const isNamed = more.length > 0 && first.kind === "xlsx";
  if (!isNamed && (!isAllSheets(wanted) || others.length === 0)) return undefined;
  await using stack = new AsyncDisposableStack();
  stack.defer(() => first.close());
  const openPart = async (name: string): Promise<SheetPart> => {
    const given = { ...options, sheet: name };
    const source = name === first.sheet ? first : await openSource(given);
    if (source !== first) stack.defer(() => source.close());
    return { source, opened: await toOpenedSheet(source, given) };
  };

  const { parts, leftOut } = isNamed
    ? await openNamedPart(first, options, openPart)
    : await openAlike(first, options, openPart);
  const owned = stack.move();
  return join(parts, { ...options, leftOut, close: () => owned.disposeAsync() });
}

type OpenPart = (name: string) => Promise<SheetPart>;

interface OpenedParts {
  readonly parts: readonly SheetPart[];
  readonly leftOut: readonly LeftOutSheet[];
}

/** Opens the sheets that were named, each once. */
async function openNamedPart(
  first: RowSource,
  { file, sheet: wanted = "", more }: AllSheetsOptions,
  openPart: OpenPart,
): Promise<OpenedParts> {
  assertOne(first, wanted);
  const main = await openPart(first.sheet);
  const parts = [main];
  for (const name of more) {
    const part = await openPart(name);
    assertOne(part.source, name);
    if (parts.some(({ source }) => source.sheet === part.source.sheet)) continue;
    assertSameHeaders(main, part, file);
    parts.push(part);
  }
  return { parts, leftOut: [] };
}

/** In a list, the word for all sheets is the name of one. */
function assertOne({ sheet, facts }: RowSource, wanted: string): void {
  if (!isAllSheets(wanted) || isAllSheets(sheet)) return;
  const names = [sheet, ...(facts?.leftOutSheets ?? []).map(({ name }) => name)];
  throw new SheetError("E_SHEET_UNKNOWN", { found: wanted, names });
}

/** Opens all sheets whose headers are those of the sheet that knows most of them. */
async function openAlike(
  first: RowSource,
  options: AllSheetsOptions,
  openPart: OpenPart,
): Promise<OpenedParts> {
  const candidates = [await describe(first), ...(first.facts?.leftOutSheets ?? [])];
  const main = await openPart(findMain(candidates, options).name);
  const rest = candidates.filter(({ name }) => name !== main.source.sheet);
  const leftOut = rest.filter((sheet) => !hasHeaders(sheet, main.opened.header.cells));
  const parts = [main];
  for (const sheet of rest) {
    if (leftOut.includes(sheet)) continue;
    const part = await openPart(sheet.name);
    assertSameHeaders(main, part, options.file);
    parts.push(part);
  }
  return { parts, leftOut };
}

async function describe(source: RowSource): Promise<LeftOutSheet> {
  const content = createSheetContent();
  for await (const { cells } of source.rows()) {
    if (content.isFull()) break;
    content.add(cells);
  }
  return { name: source.sheet, ...content.content() };
}

/** The first of the sheets with most known headers. */
function findMain(
  candidates: readonly LeftOutSheet[],
  { countKnownHeaders = () => 0 }: HeaderOptions,
): LeftOutSheet {
  const counted = candidates.map((sheet) => ({
    sheet,
    known: Math.max(0, ...sheet.head.map((texts) => countKnownHeaders(texts))),
  }));
  return counted.reduce((best, each) => (each.known > best.known ? each : best)).sheet;
}

function assertSameHeaders(main: SheetPart, part: SheetPart, file: string): void {
  const wanted = toTexts(main.opened.header);
  const texts = toTexts(part.opened.header);
  const index = [...wanted, ...texts].findIndex((_, at) => wanted[at] !== texts[at]);
  if (index === -1) return;
  const { sheet } = part.opened;
  const names = [main.opened.sheet, sheet];
  const headers = [wanted[index] ?? "", texts[index] ?? ""];
  throw new SheetError("E_SHEETS_DIFFER", { file, names, headers, column: index + 1 });
}

/** Headers without empty ones at the end. */
function toTexts({ cells }: SheetRow): readonly string[] {
  const last = cells.findLastIndex((cell) => !isBlank(cell));
  return cells.slice(0, last + 1).map((cell: CellValue) => String(cell ?? "").trim());
}

interface Joined extends AllSheetsOptions {
  readonly leftOut: readonly LeftOutSheet[];
  readonly close: () => Promise<void>;
}

function join(parts: readonly SheetPart[], joined: Joined): OpenedSheet {
  const { file, limits, leftOut, close } = joined;
  const [main] = parts;
  if (main === undefined) throw new Error("no sheet was opened");
  const sheets = numberRows(parts);
  async function* batches(): AsyncGenerator<Iterable<SheetRow>> {
    let count = 0;
    function* numbered(batch: Iterable<SheetRow>, rowsBefore: number): Generator<SheetRow> {
      for (const row of batch) {
        count += 1;
        if (count > limits.rows)
          throw new SheetError("E_TOO_MANY_ROWS", { file, limit: limits.rows });
        yield rowsBefore === 0 ? row : { ...row, row: row.row + rowsBefore };
      }
    }
    for (const [index, { opened }] of parts.entries()) {
      const { rowsBefore = 0 } = sheets[index] ?? {};
      for await (const batch of opened.batches()) yield numbered(batch, rowsBefore);
    }
  }
  const { header } = main.opened;
  return {
    ...main.opened,
    ...(sheets.length > 1 && { sheets }),
    rows: () => readRows(batches()),
    batches,
    notices: (row = header.row) =>
      parts.flatMap((part) => noticesOf(part, { row, leftOut, isMain: part === main })),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Rows that a sheet is numbered by at least, so that people see the number of the sheet. */
const MIN_STEP = 1_000;

/** The second sheet's row 7 becomes 2007, or 20007 where a sheet has a thousand rows. */
function numberRows(parts: readonly SheetPart[]): readonly JoinedSheet[] {
  const lastRow = Math.max(...parts.map(({ source }) => source.facts?.lastRow ?? 0));
  let step = MIN_STEP;
  while (step <= lastRow) step *= 10;
  return parts.map(({ opened: { sheet: name } }, index) => ({
    name,
    rowsBefore: index === 0 ? 0 : step * (index + 1),
  }));
}

interface NoticeOptions {
  /** The last row of headers of the first sheet. */
  readonly row: number;
  readonly isMain: boolean;
  readonly leftOut: readonly LeftOutSheet[];
}

function noticesOf(
  { source, opened: { sheet, header } }: SheetPart,
  { row, isMain, leftOut }: NoticeOptions,
): readonly SheetNotice[] {
  if (source.facts === undefined) return [];
  const facts = { ...source.facts, leftOutSheets: isMain ? leftOut : [] };
  return toNotices(facts, isMain ? row : header.row).map((notice) => inSheet(sheet, notice));
}

/** A notice about other sheets names them itself. */
function inSheet(sheet: string, { code, count, message }: SheetNotice): SheetNotice {
  if (code === "W_SHEETS_LEFT_OUT") return { code, count, message };
  const { tr, en } = message;
  return {
    code,
    count,
    message: { tr: `“${sheet}” sayfası: ${tr}`, en: `Sheet “${sheet}”: ${en}` },
  };
}
