/** Opens the sheet of a file or of a link, and asks for what the file does not say. */

import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { CatalogError } from "@catalog/connection";
import { bareAddress, isAddress, type Localized, makeFolder } from "@catalog/i18n";
import { downloadFile, type DownloadLimits, FetchError, type FindLogin } from "@catalog/images";
import {
  type OpenedSheet,
  openSheet,
  type OpenSheetOptions,
  type ReadLimits,
  SheetError,
  type resolveSheetLink,
  unpackTable,
} from "@catalog/sheets";

export { type FindLogin } from "@catalog/images";

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

/** A workbook with several sheets, or a document with several records, that may hold the products. */
export interface SheetQuestion {
  /** Base name of the file. */
  readonly file: string;
  /** `record`: the paths of the records of XML or JSON, of which one can be read. */
  readonly of: "sheet" | "record";
  /** The choices with their numbers of filled rows, records with the first names of their values. */
  readonly sheets: readonly {
    readonly name: string;
    readonly rows: number | undefined;
    readonly sample?: readonly string[] | undefined;
  }[];
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
  /** Whether a sheet with these headers was accepted before. @default none was */
  readonly knows?: ((sheet: OpenedSheet) => Promise<boolean>) | undefined;
}

/** A sheet, and what was given for reading it. */
interface OpenedTable {
  readonly sheet: OpenedSheet;
  readonly given: Omit<OpenSheetOptions, "path" | "signal">;
}

/** A file to read, which is that of its table where it was compressed. */
interface UnpackedFile extends Disposable {
  readonly options: OpenSheetOptions;
}

/**
 * Unpacks a file where it is compressed, and asks which table of a zip is meant. Throws the
 * `SheetError` of {@link unpackTable}.
 */
export async function unpackFile(
  options: OpenSheetOptions,
  { askSheet }: Pick<FileQuestions, "askSheet"> = {},
): Promise<UnpackedFile> {
  const { path, sheet, limits, signal } = options;
  const unpack = (wanted: string | undefined): ReturnType<typeof unpackTable> =>
    unpackTable({ path, wanted, limits, signal });
  const given = typeof sheet === "string" ? sheet : undefined;
  const unpacked = await unpack(given).catch(async (error: unknown) => {
    if (!(error instanceof SheetError) || error.code !== "E_PACKED_CHOICE") throw error;
    const answer =
      given === undefined ? await askSheet?.(toSheetQuestion("sheet", error.details)) : undefined;
    if (typeof answer !== "string") throw error;
    return await unpack(answer);
  });
  if (unpacked === undefined) return { options, [Symbol.dispose]: () => undefined };
  const { sheet: _, ...rest } = options;
  const read = unpacked.isChosen ? rest : options;
  return {
    options: { ...read, path: unpacked.path },
    [Symbol.dispose]: () => unpacked[Symbol.dispose](),
  };
}

/** Throws the `SheetError` of {@link openSheet} where a question is missing or gets no answer. */
export async function openTable(
  options: OpenSheetOptions,
  questions: FileQuestions,
): Promise<OpenedTable> {
  try {
    return { sheet: await openSheet(options), given: options };
  } catch (error) {
    const known = await recallRecord(error, options, questions);
    const answer = known ?? (await askAbout(error, questions));
    if (answer === undefined) throw error;
    const given = { ...options, ...answer };
    return { sheet: await openSheet(given), given };
  }
}

/** The record that a person has named before: the only one with headers of an accepted file. */
export async function recallRecord(
  error: unknown,
  options: OpenSheetOptions,
  { knows }: Pick<FileQuestions, "knows">,
): Promise<Pick<OpenSheetOptions, "sheet"> | undefined> {
  if (knows === undefined || !(error instanceof SheetError) || error.code !== "E_RECORD_CHOICE")
    return undefined;
  const known: string[] = [];
  for (const record of error.details.names ?? []) {
    await using sheet = await openSheet({ ...options, sheet: record });
    if (await knows(sheet)) known.push(record);
  }
  const [sheet, ...others] = known;
  return sheet === undefined || others.length > 0 ? undefined : { sheet };
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
  if (code !== "E_SHEET_CHOICE" && code !== "E_RECORD_CHOICE") return undefined;
  const of = code === "E_SHEET_CHOICE" ? "sheet" : "record";
  const sheet = await askSheet?.(toSheetQuestion(of, details));
  return sheet === undefined ? undefined : { sheet };
}

const toSheetQuestion = (
  of: SheetQuestion["of"],
  { file = "", names = [], rowCounts = [], samples = [] }: SheetError["details"],
): SheetQuestion => ({
  file,
  of,
  sheets: names.map((name, index) => ({ name, rows: rowCounts[index], sample: samples[index] })),
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
  /** @default no login is sent */
  readonly findLogin?: FindLogin | undefined;
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

function toDownloadError(error: unknown, { name, downloadUrl }: SheetLink): unknown {
  if (!(error instanceof FetchError)) return error;
  const isShared = name !== downloadUrl && error.status !== undefined;
  if (!isShared)
    return toRefusedDownload(error, { address: downloadUrl, code: "E_TABLE_DOWNLOAD" });
  // A table of Google's is not opened by a login but by sharing it.
  const { tr, en } = nameAttempts(`${name} (${error.status})`, error);
  return new CatalogError("E_TABLE_DOWNLOAD", {
    tr: `${tr}. Bağlantıya sahip herkesin görebileceği biçimde paylaşıldığını denetleyin ya da tabloyu indirip dosyayı verin.`,
    en: `${en}. Check that it is shared with everyone who has the link, or download it and give the file.`,
  });
}

const nameAttempts = (link: string, { attempts }: FetchError): Localized =>
  attempts === 1
    ? { tr: link, en: link }
    : { tr: `${link}; ${attempts} kez denendi`, en: `${link}, tried ${attempts} times` };

const LOGIN_ERRORS: ReadonlySet<FetchError["code"]> = new Set([
  "E_FETCH_LOGIN",
  "E_FETCH_LOGIN_REFUSED",
  "E_FETCH_HOST_KEY",
  "E_FETCH_HOST_KEY_CHANGED",
  "E_FETCH_KEY_FILE",
  "E_URL_LOGIN_PLAIN",
]);

interface RefusedDownload {
  readonly address: string;
  /** Code of a failure that no login helps with. */
  readonly code: "E_TABLE_DOWNLOAD" | "E_FEED_ADDRESS";
}

/** Says what happened to a download. The query of an address may hold a key, so it is left out. */
export function toRefusedDownload(
  error: FetchError,
  { address, code }: RefusedDownload,
): CatalogError {
  const search = URL.parse(address)?.search ?? "";
  const name = bareAddress(address);
  const describe = (words: string): string =>
    `${name}. ${search === "" ? words : words.replaceAll(search, "")}`;
  const { tr, en } = error.localized;
  const words = { tr: describe(tr), en: describe(en) };
  return new CatalogError(LOGIN_ERRORS.has(error.code) ? "E_DOWNLOAD_LOGIN" : code, words);
}

/**
 * Names a downloaded file by its address, without the query. A web page in the place of a table comes
 * from a login or an error page, which nobody can save as a workbook.
 */
export function nameDownload(error: SheetError, { address, code }: RefusedDownload): Error {
  const name = bareAddress(address);
  if (error.details.hint !== "html") {
    return new SheetError(error.code, { ...error.details, file: name }, { cause: error });
  }
  return new CatalogError(code, {
    tr: `${name}. Sunucu dosya yerine bir web sayfası gönderdi; oturum açma ya da hata sayfası olabilir. Adresi tarayıcıda açıp kontrol edin.`,
    en: `${name}. The server sent a web page instead of the file, perhaps its login or an error page. Open the address in a browser and check it.`,
  });
}

/** Names the file of a link for people: an address without its secrets. */
export const nameLinkedFile = ({ name }: SheetLink): string =>
  isAddress(name) ? bareAddress(name) : name;

/** The last part of the name, in characters that every file system accepts. */
function toFileName({ kind, ...link }: SheetLink): string {
  const last = nameLinkedFile({ kind, ...link })
    .split("/")
    .findLast((part) => part !== "");
  return withEnding(last ?? "", kind);
}

function withEnding(last: string, kind: SheetLink["kind"]): string {
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
