/** Streams the body of an upload into a file of the home. */

import { createHash, randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Readable } from "node:stream";

import { makeFolder } from "@catalog/i18n";

import { RequestError } from "../site.ts";

/** A file that was received whole. */
export interface ReceivedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface ReceiveOptions {
  /** Folder of uploads; created when it is missing. */
  readonly folder: string;
  /** Name as the person knows it; only its ending is used, and only a known one. */
  readonly name: string;
  readonly maxBytes: number;
}

/** End of the name of a file that is still being received. */
export const UNFINISHED = ".part";

/** Endings of tables; the readers still look at the content. */
const ENDINGS: ReadonlySet<string> = new Set([
  ".csv",
  ".fods",
  ".ods",
  ".tsv",
  ".txt",
  ".xls",
  ".xlsm",
  ".xlsx",
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

/** The file is longer than one that is taken. */
export function tooLarge(maxBytes: number): RequestError {
  const limit = Math.floor(maxBytes / MEGABYTE);
  return new RequestError(413, "E_UPLOAD_LARGE", {
    tr: `Dosya ${limit} MB'tan büyük. Satırları birkaç dosyaya bölüp her birini ayrı yükleyin.`,
    en: `The file is larger than ${limit} MB. Split its rows into several files and upload each of them.`,
  });
}
