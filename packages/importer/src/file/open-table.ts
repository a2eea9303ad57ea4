/** Opens the sheet of a file or of a link, and asks for what the file does not say. */

import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { CatalogError } from "@catalog/connection";
import { type Localized, makeFolder } from "@catalog/i18n";
import { downloadFile, type DownloadLimits, FetchError } from "@catalog/images";
import {
  type OpenedSheet,
  openSheet,
  type OpenSheetOptions,
  type ReadLimits,
  SheetError,
  type resolveSheetLink,
} from "@catalog/sheets";

type SheetLink = NonNullable<ReturnType<typeof resolveSheetLink>>;

/** A file whose encoding is ambiguous. */
interface EncodingQuestion {
  /** Base name of the file. */
  readonly file: string;
  /** Encodings, best first, each with the same words as they read in it. */
  readonly readings: NonNullable<SheetError["details"]["readings"]>;
}

/** Asks a person; the answer is the encoding of a reading, or `undefined` where none is right. */
export type AskEncoding = (question: EncodingQuestion) => Promise<string | undefined>;

/** A workbook with several sheets that may hold the products. */
export interface SheetQuestion {
  /** Base name of the file. */
  readonly file: string;
  /** The sheets with their numbers of filled rows. */
  readonly sheets: readonly { readonly name: string; readonly rows: number | undefined }[];
}

/**
 * Asks a person; the answer is the name of a sheet, several names, `all`, or `undefined` where none
 * shall be read.
 */
export type AskSheet = (question: SheetQuestion) => Promise<string | readonly string[] | undefined>;

/** Questions about a file. @default no question is asked */
interface FileQuestions {
  readonly askEncoding?: AskEncoding | undefined;
  readonly askSheet?: AskSheet | undefined;
}

/** A sheet, and what was given for reading it. */
interface OpenedTable {
  readonly sheet: OpenedSheet;
  readonly given: Omit<OpenSheetOptions, "path" | "signal">;
}

/** Throws the `SheetError` of {@link openSheet} where a question is missing or gets no answer. */
export async function openTable(
  options: OpenSheetOptions,
  questions: FileQuestions,
): Promise<OpenedTable> {
  try {
    return { sheet: await openSheet(options), given: options };
  } catch (error) {
    const answer = await askAbout(error, questions);
    if (answer === undefined) throw error;
    const given = { ...options, ...answer };
    return { sheet: await openSheet(given), given };
  }
}

async function askAbout(
  error: unknown,
  { askEncoding, askSheet }: FileQuestions,
): Promise<Pick<OpenSheetOptions, "encoding" | "sheet"> | undefined> {
  if (!(error instanceof SheetError)) return undefined;
  const { code, details } = error;
  if (code === "E_ENCODING_UNSURE") {
    const { file = "", readings = [] } = details;
    const encoding = await askEncoding?.({ file, readings });
    return encoding === undefined ? undefined : { encoding };
  }
  if (code !== "E_SHEET_CHOICE") return undefined;
  const sheet = await askSheet?.(toSheetQuestion(details));
  return sheet === undefined ? undefined : { sheet };
}

const toSheetQuestion = ({
  file = "",
  names = [],
  rowCounts = [],
}: SheetError["details"]): SheetQuestion => ({
  file,
  sheets: names.map((name, index) => ({ name, rows: rowCounts[index] })),
});

/** Downloads a table within its own limits, and returns the absolute path of the file. */
export type DownloadTable = (link: SheetLink, signal?: AbortSignal) => Promise<string>;

/** Limits of a file that a person or a program gives. */
export type FileLimits = ReadLimits & DownloadLimits;

interface TableDownloadOptions {
  /** Folder of downloads; created when it is missing. */
  readonly folder: string;
  readonly clock: Clock;
  /** Private servers that are allowed. @default none */
  readonly allowHosts?: readonly string[] | undefined;
  readonly limits?: Partial<DownloadLimits> | undefined;
  /** Maximum number of further attempts where the server or the connection fails. @default 3 */
  readonly retries?: number | undefined;
}

/**
 * Creates the download; a link always has the same file, which each download replaces as a whole.
 */
export function createTableDownload({ folder, ...options }: TableDownloadOptions): DownloadTable {
  return async (link, signal) => {
    const path = join(folder, `${digest(link.downloadUrl)}-${toFileName(link)}`);
    const part = `${path}.part`;
    makeFolder(folder);
    try {
      await downloadFile({ ...options, address: link.downloadUrl, path: part, signal });
    } catch (error) {
      await rm(part, { force: true });
      throw toDownloadError(error, link);
    }
    await rename(part, path);
    return path;
  };
}

function toDownloadError(error: unknown, { name }: SheetLink): unknown {
  if (!(error instanceof FetchError)) return error;
  const reason = [error.code, error.status].filter((part) => part !== undefined).join(" ");
  const link = `${name} (${reason})`;
  if (error.setting === undefined) {
    return new CatalogError("E_TABLE_DOWNLOAD", nameAttempts(link, error));
  }
  const { tr, en } = error.localized;
  return new CatalogError("E_TABLE_DOWNLOAD", {
    tr: `${link}. ${withoutStop(tr)}`,
    en: `${link}. ${withoutStop(en)}`,
  });
}

const nameAttempts = (link: string, { attempts }: FetchError): Localized =>
  attempts === 1
    ? { tr: link, en: link }
    : { tr: `${link}; ${attempts} kez denendi`, en: `${link}, tried ${attempts} times` };

/** The sentence that continues behind it has a full stop of its own. */
const withoutStop = (text: string): string => text.replace(/\.$/u, "");

/** The last part of the name, in characters that every file system accepts. */
function toFileName({ name, kind }: SheetLink): string {
  const last = name.split(/[/?#]/u).findLast((part) => part !== "") ?? "";
  const safe = last.replaceAll(/[^\w.-]/gu, "_").slice(-60);
  return safe.toLowerCase().endsWith(`.${kind}`) ? safe : `${safe}.${kind}`;
}

/** A stream would leave a buffer to the garbage collector with every piece. */
const BUFFER_BYTES = 512 * 1024;

const digest = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 12);

/** SHA-256 of a file's bytes, in hexadecimal; `undefined` for a file that cannot be read. */
export async function hashFile(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  try {
    await using file = await open(path);
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, bytesRead));
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
