import { open, stat } from "node:fs/promises";
import { basename } from "node:path";

import { openAllSheets } from "./all-sheets.ts";
import type { CountedSheet } from "./counted-sheets.ts";
import { openCsvSource } from "./csv/csv-source.ts";
import { detectKind, KIND_BYTES } from "./file-kind.ts";
import type { CountKnownHeaders } from "./header-row.ts";
import { DEFAULT_LIMITS, MB, type ReadLimits } from "./limits.ts";
import { type OpenedSheet, toOpenedSheet } from "./opened-sheet.ts";
import type { RowSource, SourceOptions } from "./row-source.ts";
import { fromFileError, SheetError } from "./sheet-error.ts";
import { resolveSheetLink } from "./sheet-link.ts";
import { openXlsxSource } from "./xlsx/read/xlsx-source.ts";

/** The file, and what the user says about it. */
export interface OpenSheetOptions {
  readonly path: string;
  /**
   * Workbooks only: the name of the sheet, where case and accents do not count, its number from 1,
   * or `all` for every sheet with the same headers, read as one. Several names or numbers are read
   * as one in their order, and must all have the same headers.
   */
  readonly sheet?: string | readonly string[];
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

/**
 * Opens the sheet of a CSV file or a workbook (`.xlsx`, `.xls`, `.ods`); the kind is detected from
 * the content, not from the name. Of several sheets the only one with known headers is opened. A
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
    const all = await openAllSheets(source, { ...given, more, openSource });
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
export interface SheetEntry extends CountedSheet {
  readonly rows: number;
  /** Known headers of the row that has most of them. */
  readonly knownHeaders: number;
}

/**
 * Lists the visible sheets with content in the order of the workbook, whichever can be read. Rows
 * are counted up to `MAX_COUNTED_ROWS`. A text file has no sheets. Throws a `SheetError` if the
 * file is no workbook that can be read.
 */
export async function listSheets({
  countKnownHeaders = () => 0,
  ...options
}: Pick<OpenSheetOptions, "path" | "countKnownHeaders" | "signal" | "limits">): Promise<
  readonly SheetEntry[]
> {
  const file = basename(options.path);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  try {
    const source = await openSource({ ...options, file, limits, isList: true });
    await source.close();
    return (source.facts?.leftOutSheets ?? []).map(({ name, rows, head }) => ({
      name,
      rows,
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
  if (WORKBOOK_NAME.test(file)) throw new SheetError("E_FILE_TYPE", { file, hint: "text" });
  return await openCsvSource(options);
}

async function readHead(path: string): Promise<Buffer> {
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(KIND_BYTES), 0, KIND_BYTES);
  return buffer.subarray(0, bytesRead);
}
