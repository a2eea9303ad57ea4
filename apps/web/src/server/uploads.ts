/** Takes files, links and pasted cells; each becomes a draft. */

import { copyFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

import type { Lang } from "@catalog/i18n";
import { createTableDownload, findListKind } from "@catalog/importer";
import { resolveSheetLink, unpackTable } from "@catalog/sheets";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import type { DraftView, UploadedView } from "../api/drafts.ts";
import type { PlannedRunId } from "../api/runs.ts";
import { MAX_PASTED_LENGTH, MAX_UPLOAD_BYTES, MAX_UPLOADS_BYTES } from "../api/session.ts";
import type { DraftFile, Drafts } from "./drafts/drafts.ts";
import { makeFileFolder, receiveFile, resaveFile, tooLarge } from "./files.ts";
import { askerOf, makerOf, needs, toUploader } from "./needs.ts";
import type { RunJobs } from "./runs/run-jobs.ts";
import { fileGone, parseInput, RequestError, requestLang, type Site } from "./site.ts";

const MAX_LETTERS = 200;

// Control characters, and marks that change the direction of a text and so disguise an ending.
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Reads the percent-encoded name of a header; the fallback where there is none. */
export function readFileName(
  header: string | readonly string[] | undefined,
  fallback: string,
): string {
  if (typeof header !== "string") return fallback;
  return toFileName(decode(header), fallback);
}

/** The last part of a name, without characters that nobody sees, and at most 200 letters long. */
export function toFileName(text: string, fallback: string): string {
  const last = text.split(/[/\\]/u).at(-1) ?? "";
  const name = last.replaceAll(UNSEEN, "").trim();
  return name === "" ? fallback : Array.from(name).slice(-MAX_LETTERS).join("");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // It is not percent-encoded.
    return text;
  }
}

/**
 * Writes pasted cells as CSV with tabs, as they were pasted. Cells are separated by tabs; one with a line break or a tab in it
 * stands in quotes, as spreadsheet programs copy it.
 */
export function toCsv(pasted: string): string {
  const lines = parsePasted(pasted).map((cells) => cells.map(quoteCell).join("\t"));
  return `\uFEFF${lines.map((line) => `${line}\r\n`).join("")}`;
}

const quoteCell = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** A cell in quotes, or one without them, and what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/uy;

/** The rows of pasted cells; line breaks at the end make no row. */
export function parsePasted(pasted: string): readonly (readonly string[])[] {
  const text = pasted.replace(/^\uFEFF/u, "");
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = new RegExp(CELL);
  for (let found = cell.exec(text); found !== null; found = cell.exec(text)) {
    const [, quoted, plain = "", end] = found;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== "\t") {
      rows.push(row);
      row = [];
    }
    if (end === "" || cell.lastIndex >= text.length) break;
  }
  if (row.length > 0) rows.push([...row, ""]);
  while (rows.at(-1)?.every((each) => each === "")) rows.pop();
  return rows;
}

interface UploadRoomOptions {
  readonly folder: string;
  readonly maxTotalBytes: number;
  /**
   * Files whose drafts were sent, those to remove first at the beginning. Their cells are in the
   * database, so that only another way of reading them is lost.
   */
  readonly sentFiles: () => Promise<readonly string[]>;
}

/**
 * Makes room for this many further bytes, and removes no file of a draft that was not sent. Throws
 * {@link RequestError} 507 where that is not enough.
 */
async function makeRoom(bytes: number, options: UploadRoomOptions): Promise<void> {
  const { folder, maxTotalBytes, sentFiles } = options;
  const sizes = await readSizes(folder);
  let total = bytes;
  for (const size of sizes.values()) total += size;
  if (total <= maxTotalBytes) return;
  const removable = (await sentFiles()).filter((path) => sizes.has(path));
  const freed = removable.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
  // Where it does not help, nothing is lost for it.
  if (total - freed > maxTotalBytes) throw full(maxTotalBytes);
  for (const path of removable) {
    if (total <= maxTotalBytes) return;
    await rm(path, { force: true });
    total -= sizes.get(path) ?? 0;
  }
}

/** Sizes of the files of a folder by their paths; a missing folder has none. */
async function readSizes(folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() === true) sizes.set(path, found.size);
  }
  return sizes;
}

const MEGABYTE = 1024 * 1024;

const full = (maxTotalBytes: number): RequestError => {
  const limit = Math.floor(maxTotalBytes / MEGABYTE);
  return new RequestError(507, "E_UPLOADS_FULL", {
    tr: `Yüklenen dosyalara ayrılan ${limit} MB doldu. Yükle sayfasında artık gerekmeyen dosyaları silip yeniden yükleyin.`,
    en: `The ${limit} MB for uploaded files are used up. Delete files that you no longer need on the page Upload, then upload again.`,
  });
};

interface UploadOptions extends Pick<Drafts, "create" | "sentFiles"> {
  readonly jobs: Pick<RunJobs, "planList">;
  /** @default 200 MB */
  readonly maxBytes?: number | undefined;
  /** Limit of all uploads together. @default that of the site */
  readonly maxTotalBytes?: number | undefined;
  /** Private servers that links may name. @default none */
  readonly allowHosts?: readonly string[] | undefined;
}

const linkBody = z.object({ url: z.string().min(1).max(8_000) });

const cellsBody = z.object({
  /** Rows in lines, cells separated by tabs, as spreadsheet programs copy them. */
  text: z.string().min(1).max(MAX_PASTED_LENGTH),
  /** Name of the draft; empty for the default one. */
  name: z.string().max(200),
});

/** Of one person, over all stores of a server. */
const MAX_UPLOADS = 2;

const nameOf = (request: FastifyRequest): string => toUploader(askerOf(request));

/** A character of a JSON text may take six bytes. */
const CELLS_BYTES = 6 * MAX_PASTED_LENGTH;

export function addUploadRoutes(app: FastifyInstance, site: Site, options: UploadOptions): void {
  const { maxBytes = MAX_UPLOAD_BYTES } = options;
  const { enterUpload: enter = createUploadGate() } = site;

  // The body stays a stream; the route reads it and counts its bytes.
  app.addContentTypeParser("application/octet-stream", (_request, body, done) => done(null, body));

  app.post("/uploads", needs("editor"), async (request, reply) => {
    const bytes = Number(request.headers["content-length"] ?? 0);
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    const { body } = request;
    if (!(body instanceof Readable)) throw notAFile();
    using _lock = enter(nameOf(request));
    const lang = requestLang(request);
    const name = readFileName(request.headers["x-file-name"], DEFAULT_NAME[lang]);
    await makeRoom(bytes, roomOf(site, options));
    const view = await takeBody({ body, name, lang, by: makerOf(request) }, site, options);
    return await reply.status(201).send(view);
  });

  app.post(
    "/uploads/cells",
    { ...needs("editor"), bodyLimit: CELLS_BYTES },
    async (request, reply) => {
      using _lock = enter(nameOf(request));
      const { text, name } = parseInput(cellsBody, request.body);
      const lang = requestLang(request);
      const csv = {
        body: Readable.from([Buffer.from(toCsv(text))]),
        lang,
        by: makerOf(request),
      };
      const shown = toFileName(name, PASTED_NAME[lang]);
      const view = await takeBody({ ...csv, name: withCsvEnding(shown) }, site, options);
      return await reply.status(201).send(view);
    },
  );

  app.post("/uploads/link", needs("editor"), async (request, reply) => {
    using _lock = enter(nameOf(request));
    const view = await takeLink(request, site, options);
    return await reply.status(201).send(view);
  });
}

const DEFAULT_NAME: Readonly<Record<Lang, string>> = { tr: "dosya", en: "file" };
const PASTED_NAME: Readonly<Record<Lang, string>> = {
  tr: "yapıştırılan hücreler.csv",
  en: "pasted cells.csv",
};

const withCsvEnding = (name: string): string => (/\.csv$/iu.test(name) ? name : `${name}.csv`);

const roomOf = (
  site: Site,
  { maxTotalBytes = site.maxUploadsBytes ?? MAX_UPLOADS_BYTES, sentFiles }: UploadOptions,
): UploadRoomOptions => ({ folder: uploadFolder(site), maxTotalBytes, sentFiles });

const uploadFolder = ({ folder }: Site): string => join(folder, "uploads");

interface Upload extends Pick<DraftFile, "by"> {
  readonly body: Readable;
  readonly name: string;
  readonly lang: Lang;
}

async function takeBody(
  { body, name, lang, by }: Upload,
  site: Site,
  options: UploadOptions,
): Promise<UploadedView> {
  const { maxBytes = MAX_UPLOAD_BYTES } = options;
  // Without a store there is nobody to check the rows for, so nothing is received.
  await site.store.connection();
  const file = await receiveFile(body, { folder: uploadFolder(site), name, maxBytes });
  return await keepFile({ ...file, name, by }, lang, { site, options });
}

async function takeLink(
  request: FastifyRequest,
  site: Site,
  options: UploadOptions,
): Promise<UploadedView> {
  const lang = requestLang(request);
  const link = resolveSheetLink(parseInput(linkBody, request.body).url);
  if (link === undefined) throw notALink();
  const { memory, clock } = await site.store.connection();
  const download = createTableDownload({
    folder: memory.tableFolder,
    clock,
    allowHosts: options.allowHosts,
    findLogin: await site.feedLogins?.open({}),
    // A person waits for the answer, and can try again.
    retries: 0,
  });
  // A later download of the same link replaces that file, and the draft needs its own.
  const file = await resaveFile(await download(link), uploadFolder(site));
  const name = toFileName(decodeName(link.name), DEFAULT_NAME[lang]);
  return await keepFile({ ...file, name, by: makerOf(request) }, lang, { site, options });
}

/** A file of a draft of another store. */
interface OtherFile extends Pick<DraftFile, "name" | "by"> {
  readonly path: string;
  readonly lang: Lang;
}

/**
 * Makes a draft of a file that another store has got, from a copy of its own. Throws as an upload does,
 * and {@link RequestError} 404 where the file is gone.
 */
export async function takeCopy(
  { path, name, by, lang }: OtherFile,
  site: Site,
  options: UploadOptions,
): Promise<DraftView> {
  const size = await stat(path).catch(() => undefined);
  if (size?.isFile() !== true) throw fileGone();
  await site.store.connection();
  await makeRoom(size.size, roomOf(site, options));
  const file = await resaveFile(path, uploadFolder(site));
  try {
    return await options.create({ ...file, name, by }, lang);
  } catch (error) {
    await rm(file.path, { force: true });
    throw error;
  }
}

/** Makes a draft of a file that has come; without one the file is removed. */
async function keepFile(
  file: DraftFile,
  lang: Lang,
  { site, options }: { readonly site: Site; readonly options: UploadOptions },
): Promise<UploadedView> {
  let kept = file;
  try {
    kept = await unpackUpload(file, site, options);
    // The length of a body need not be declared, and a compressed one grows.
    await makeRoom(0, roomOf(site, options));
    const kind = await findListKind(kept.path);
    if (kind === undefined) return await options.create(kept, lang);
    const planned = await takeList({ kind, kept, lang }, site, options);
    await rm(kept.path, { force: true });
    return planned;
  } catch (error) {
    await rm(kept.path, { force: true });
    throw error;
  }
}

type ListKind = NonNullable<Awaited<ReturnType<typeof findListKind>>>;

/** The command that takes a list; packages get what each row says. */
const LIST_COMMANDS: Readonly<Record<ListKind, readonly [string, ...string[]]>> = {
  answers: ["answer"],
  packages: ["orders", "as-written"],
  templates: ["shipping", "templates", "import"],
};

interface UploadedList {
  readonly kind: ListKind;
  readonly kept: DraftFile;
  readonly lang: Lang;
}

/** Plans a list that is filled in, in place of a draft, as it is about no products. */
async function takeList(
  { kind, kept, lang }: UploadedList,
  site: Site,
  { jobs }: Pick<UploadOptions, "jobs">,
): Promise<PlannedRunId> {
  const { path: folder } = makeFileFolder(join(site.folder, "answers"));
  // The history names a run by its file.
  const path = join(folder, DOTS.test(kept.name) ? DEFAULT_NAME[lang] : kept.name);
  try {
    await copyFile(kept.path, path);
    return await jobs.planList(site, { command: LIST_COMMANDS[kind], path, lang, by: kept.by });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A name that names a folder. */
const DOTS = /^\.{1,2}$/u;

/** The table of a compressed file, which takes its place, as it is read many times. */
async function unpackUpload(
  file: DraftFile,
  site: Site,
  { maxBytes = MAX_UPLOAD_BYTES }: UploadOptions,
): Promise<DraftFile> {
  const { path, name } = file;
  const limits = { unpackedMb: maxBytes / MB };
  using unpacked = await unpackTable({ path, name, limits });
  if (unpacked === undefined) return file;
  const table = await resaveFile(unpacked.path, uploadFolder(site));
  await rm(path, { force: true });
  return { ...file, ...table, name: toFileName(unpacked.path, name) };
}

const MB = 1024 * 1024;

/** The last part of an address, without its query. */
const decodeName = (name: string): string => {
  if (!URL.canParse(name)) return name;
  return readFileName(new URL(name).pathname, "");
};

/** Lets each person upload two files at a time, and refuses more. */
export function createUploadGate(): NonNullable<Site["enterUpload"]> {
  const taken = new Map<string, number>();
  return (person) => {
    const own = taken.get(person) ?? 0;
    if (own >= MAX_UPLOADS) throw tooMany();
    taken.set(person, own + 1);
    return {
      [Symbol.dispose]: () => {
        const left = (taken.get(person) ?? 1) - 1;
        if (left === 0) taken.delete(person);
        else taken.set(person, left);
      },
    };
  };
}

const tooMany = (): RequestError =>
  new RequestError(429, "E_UPLOADS_BUSY", {
    tr: "İki dosyanız zaten yükleniyor. Biri bitince yeniden deneyin.",
    en: "You are uploading two files already. Try again when one of them is done.",
  });

const notAFile = (): RequestError =>
  new RequestError(400, "E_UPLOAD_EMPTY", {
    tr: "Dosya boş geldi. Dosyayı seçip yeniden yükleyin.",
    en: "The file came empty. Choose the file and upload it again.",
  });

const notALink = (): RequestError =>
  new RequestError(400, "E_LINK", {
    tr: "Bu bir bağlantı değil. http:// ya da https:// ile başlayan adresi yapıştırın.",
    en: "This is no link. Paste the address that starts with http:// or https://.",
  });
