/** Files in the folder of the page: received, copied, made for a download, and removed again. */

import { createHash, randomUUID } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { chmod, copyFile, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { Readable } from "node:stream";

import type { Connection } from "@catalog/connection";
import { makeFolder } from "@catalog/i18n";
import type { FastifyReply } from "fastify";

import { fileGone, RequestError, type Site } from "./site.ts";

export interface ReceivedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

interface ReceiveOptions {
  readonly folder: string;
  /** Name as the person knows it; only its ending is used, and only a known one. */
  readonly name: string;
  readonly maxBytes: number;
}

/** End of the name of a file that is still being received. */
const UNFINISHED = ".part";

/** Endings of tables; the readers still look at the content. */
const ENDINGS: ReadonlySet<string> = new Set([
  ".csv",
  ".fods",
  ".json",
  ".jsonl",
  ".ndjson",
  ".ods",
  ".tsv",
  ".txt",
  ".xls",
  ".xlsm",
  ".xlsx",
  ".xml",
]);

/**
 * Receives the body. Throws {@link RequestError} 413 for one that is too long, and 408 for one that
 * was cut off; whatever goes wrong, no file stays.
 */
export async function receiveFile(body: Readable, options: ReceiveOptions): Promise<ReceivedFile> {
  const { folder, name, maxBytes } = options;
  const ending = extname(name).toLowerCase();
  const path = join(folder, `${randomUUID()}${ENDINGS.has(ending) ? ending : ".csv"}`);
  const part = `${path}${UNFINISHED}`;
  makeFolder(folder);
  try {
    await using file = await open(part, "wx", 0o600);
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of body) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError("the body is no stream of bytes");
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await rename(part, path);
    return { path, sha256: hash.digest("hex"), bytes };
  } catch (error) {
    await rm(part, { force: true });
    throw isCutOff(error) ? cutOff(error) : error;
  }
}

/** Whether the other side left, or took so long that the connection was closed. */
const isCutOff = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ECONNRESET" || error.code === "ERR_STREAM_PREMATURE_CLOSE");

/** Mostly nobody is left to read it; it is no bug of the server. */
const cutOff = (cause: unknown): RequestError => {
  const text = {
    tr: "Dosyanın gelişi yarıda kesildi. Yeniden yükleyin.",
    en: "The file stopped arriving half way. Upload it again.",
  };
  return new RequestError(408, "E_UPLOAD_CUT", text, { cause });
};

const MEGABYTE = 1024 * 1024;

export function tooLarge(maxBytes: number): RequestError {
  const limit = Math.floor(maxBytes / MEGABYTE);
  return new RequestError(413, "E_UPLOAD_LARGE", {
    tr: `Dosya ${limit} MB'tan büyük. Satırları birkaç dosyaya bölüp her birini ayrı yükleyin.`,
    en: `The file is larger than ${limit} MB. Split its rows into several files and upload each of them.`,
  });
}

/** Copies a file into the folder of uploads under a name of its own. */
export async function resaveFile(source: string, folder: string): Promise<ReceivedFile> {
  makeFolder(folder);
  const path = join(folder, `${randomUUID()}${extname(source)}`);
  await copyFile(source, path);
  await chmod(path, 0o600);
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    if (!(chunk instanceof Uint8Array)) continue;
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { path, sha256: hash.digest("hex"), bytes };
}

export function makeFileFolder(folder: string): { readonly id: string; readonly path: string } {
  const id = randomUUID();
  const path = join(folder, id);
  makeFolder(path);
  return { id, path };
}

/** Sends a file as a download. Throws {@link RequestError} 404 where it is gone. */
export async function sendFile(
  reply: FastifyReply,
  { path, name }: { readonly path: string; readonly name: string },
): Promise<FastifyReply> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw fileGone();
  const plain = name.replaceAll(/[^\w.-]+/gu, "_");
  return await reply
    .header("content-type", "application/octet-stream")
    .header("content-length", found.size)
    .header(
      "content-disposition",
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
    .send(createReadStream(path));
}

/** Files of a folder that are older are removed. */
interface RemoveOldOptions {
  readonly folder: string;
  readonly maxAgeMs: number;
  readonly nowMs: number;
  /** End of the names. @default any name */
  readonly ending?: string | undefined;
}

/** Removes what processes that were killed have left; a missing folder has nothing. */
export async function removeOldFiles(options: RemoveOldOptions): Promise<void> {
  const { folder, maxAgeMs, nowMs, ending = "" } = options;
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(ending))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    const isOld = found?.isFile() === true && nowMs - found.mtimeMs > maxAgeMs;
    if (isOld) await rm(path, { force: true });
  }
}

/** Removes the folders of a folder that are older, with all that they hold. */
export async function removeOldFolders({
  folder,
  maxAgeMs,
  nowMs,
}: Omit<RemoveOldOptions, "ending">): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    const isOld = found?.isDirectory() === true && nowMs - found.mtimeMs > maxAgeMs;
    if (isOld) await rm(path, { recursive: true, force: true });
  }
}

const DAY_MS = 24 * 60 * 60_000;

/** Removes what earlier processes have left: uploads that were cut off, outputs of commands. */
export async function removeLeftovers({
  clock,
  folder,
}: Pick<Site, "clock" | "folder">): Promise<void> {
  const nowMs = clock.now();
  const uploads = { folder: join(folder, "uploads"), ending: UNFINISHED };
  await removeOldFiles({ ...uploads, nowMs, maxAgeMs: DAY_MS });
  // A command may continue for days after the page that has started it.
  await removeOldFiles({ folder: join(folder, "commands"), nowMs, maxAgeMs: 30 * DAY_MS });
}

/**
 * Removes uploads and result files of finished runs that are older than so many days. The cells of an
 * upload are in the database; drafts stay until a person deletes them, and the rows of runs are pruned
 * by `keepDays`.
 */
export async function removeFinishedFiles(
  { folder, clock, store }: Pick<Site, "folder" | "clock" | "store">,
  days: number,
): Promise<void> {
  const connection = await store.connection();
  const beforeMs = clock.now() - days * DAY_MS;
  const results = join(folder, "results");
  for (const name of await readdir(results).catch(() => [])) {
    const path = join(results, name);
    const isOver = (await isUnchangedSince(path, beforeMs)) && (await isFinished(connection, name));
    if (isOver) await rm(path, { recursive: true, force: true });
  }
  const uploads = join(folder, "uploads");
  for (const { path, run } of await connection.memory.drafts.list()) {
    if (run === null || dirname(path) !== uploads) continue;
    const isOver =
      (await isUnchangedSince(path, beforeMs)) && (await isFinished(connection, run.id));
    if (isOver) await rm(path, { force: true });
  }
}

async function isUnchangedSince(path: string, beforeMs: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs < beforeMs;
}

/** A folder that belongs to no run of the store is left alone. */
const isFinished = async ({ runs }: Connection, id: string): Promise<boolean> =>
  (await runs.read(id))?.state === "finished";
