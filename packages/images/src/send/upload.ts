/**
 * Uploads prepared images to the company's own server, which returns their addresses. They are kept
 * in a folder, named by their content; the originals are not changed.
 */

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

import type { Clock } from "@catalog/clock";
import { makeFolder } from "@catalog/i18n";
import pLimit from "p-limit";
import { request } from "undici";

import { createSingleFlight, hashBytes, type ImageCheckCache } from "../check/image-checker.ts";
import type { Decoded, PrepareSettings } from "../decode/decode-protocol.ts";
import type { Decoder } from "../decode/decoder.ts";
import { problem } from "../problem.ts";

/** The settings that apply unless the user changes them. */
export const DEFAULT_PREPARE: PrepareSettings = {
  maxEdge: 1600,
  targetBytes: 500 * 1024,
  quality: 82,
};

/** A prepared image on disk: always a JPEG. */
export interface PreparedFile {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** What images are prepared with, and where they are kept. */
interface PreparedImagesOptions {
  /** Absolute path; created when it is missing. */
  readonly folder: string;
  readonly settings: PrepareSettings;
  readonly decoder: Pick<Decoder, "prepare">;
  readonly cache: ImageCheckCache;
}

/** Prepares the images of one run. */
export interface PreparedImages {
  /** Prepares an image once for the same bytes and settings; `readBytes` is only called then. */
  prepare(
    sha256: string,
    readBytes: () => Promise<Decoded<Uint8Array>>,
  ): Promise<Decoded<PreparedFile>>;
}

interface PreparedMemo {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Creates the preparation of images; it writes only below `folder`. */
export function createPreparedImages(options: PreparedImagesOptions): PreparedImages {
  const { folder, settings, decoder, cache } = options;
  const once = createSingleFlight<Decoded<PreparedFile>>();
  const { maxEdge, targetBytes, quality } = settings;

  const pathOf = (sha256: string): string =>
    join(folder, sha256.slice(0, 2), `${sha256.slice(2)}.jpg`);

  async function prepareOnce(
    sha256: string,
    readBytes: () => Promise<Decoded<Uint8Array>>,
  ): Promise<Decoded<PreparedFile>> {
    const key = `prepared:${sha256}:${maxEdge}:${targetBytes}:${quality}`;
    const memo = await cache.read<PreparedMemo>(key);
    if (memo !== undefined && (await isWhole(pathOf(memo.sha256), memo.sizeBytes))) {
      return { ok: true, value: { ...memo, path: pathOf(memo.sha256) } };
    }
    const original = await readBytes();
    if (!original.ok) return original;
    const prepared = await decoder.prepare(original.value, settings);
    if (!prepared.ok) return prepared;
    const { bytes } = prepared.value;
    const made = { sha256: hashBytes(bytes), sizeBytes: bytes.byteLength };
    await writeWhole(pathOf(made.sha256), bytes);
    await cache.write(key, made satisfies PreparedMemo);
    return { ok: true, value: { ...made, path: pathOf(made.sha256) } };
  }

  return {
    prepare: (sha256, readBytes) => once(sha256, () => prepareOnce(sha256, readBytes)),
  };
}

async function isWhole(path: string, sizeBytes: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.size === sizeBytes;
}

/** Writes a file so that a name in the folder always has its whole content, even after a crash. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  makeFolder(dirname(path));
  const part = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(part, bytes, { flag: "wx", mode: 0o600 });
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
}

/** A program that gets `{file}` and prints an address, or an address that accepts an HTTP PUT. */
export type UploadTarget =
  | {
      readonly kind: "command";
      /** The program and its arguments; no shell interprets them. */
      readonly command: readonly string[];
      /** The folder in which it is started, so that a relative path names the intended program. */
      readonly folder: string;
      /** The program's whole environment. */
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "put";
      /** `{sha256}` is replaced by the hash of the image. */
      readonly put: string;
      /**
       * Address of the image afterwards, if the server does not return it; `{sha256}` as above.
       * @default what the server returns: `Location`, or an address as the body or as its `url`
       */
      readonly address?: string | undefined;
      /** Sent as a bearer token. */
      readonly token?: string | undefined;
    };

/** Where images are uploaded; `signal` ends uploads under way. */
interface UploaderOptions {
  readonly target: UploadTarget;
  readonly cache: ImageCheckCache;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** Uploads the images of one run. */
export interface Uploader {
  /** Uploads an image and returns its address; the same content is uploaded once. */
  upload(file: PreparedFile): Promise<Decoded<string>>;
}

const UPLOADS_AT_A_TIME = 2;
const UPLOAD_TIMEOUT_MS = 60_000;
const MAX_ANSWER_CHARS = 10_000;

/** Creates an uploader: at most two uploads at a time, each limited to one minute. */
export function createUploader({ target, cache, clock, signal }: UploaderOptions): Uploader {
  const limit = pLimit(UPLOADS_AT_A_TIME);
  const once = createSingleFlight<Decoded<string>>();
  const location = hashBytes(Buffer.from(locationOf(target)));

  async function uploadOnce(file: PreparedFile): Promise<Decoded<string>> {
    const key = `upload:${location}:${file.sha256}`;
    const known = await cache.read<{ readonly address: string }>(key);
    if (known !== undefined) return { ok: true, value: known.address };
    const done = await limit(() => withTimeLimit((stop) => send(target, file, stop)));
    if (done.ok) await cache.write(key, { address: done.value });
    return done;
  }

  async function withTimeLimit(
    work: (stop: AbortSignal) => Promise<string>,
  ): Promise<Decoded<string>> {
    signal?.throwIfAborted();
    const over = new AbortController();
    const late = new AbortController();
    const watch = clock.sleep(UPLOAD_TIMEOUT_MS, over.signal).then(
      () => late.abort(new UploadFailure("timeout")),
      () => undefined,
    );
    const stop = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    try {
      return { ok: true, value: toAddress(await work(stop)) };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error instanceof UploadFailure ? error.message : reasonOf(error);
      return { ok: false, problem: problem("E_IMG_UPLOAD", { reason }) };
    } finally {
      over.abort();
      await watch;
    }
  }

  return {
    upload: (file) => once(file.sha256, () => uploadOnce(file)),
  };
}

/** Why an upload returned no address; its message is shown to people. */
class UploadFailure extends Error {
  override readonly name = "UploadFailure";
}

/** The code of a system error, without the path in its message. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "?";

const locationOf = (target: UploadTarget): string =>
  target.kind === "command" ? target.command.join("\0") : `${target.put} ${target.address ?? ""}`;

const send = (target: UploadTarget, file: PreparedFile, stop: AbortSignal): Promise<string> =>
  target.kind === "command" ? runCommand(target, file, stop) : putFile(target, file, stop);

async function runCommand(
  { command, folder, env }: Extract<UploadTarget, { kind: "command" }>,
  file: PreparedFile,
  stop: AbortSignal,
): Promise<string> {
  const [program = "", ...args] = command.map((word) => fill(word, file));
  const child = spawn(program, args, {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "ignore"],
    signal: stop,
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [printed, code] = await Promise.all([text(child.stdout), ended]);
  if (code !== 0) throw new UploadFailure(`exit ${code}`);
  return printed.slice(0, MAX_ANSWER_CHARS).trim().split("\n").at(-1) ?? "";
}

async function putFile(
  { put, address, token }: Extract<UploadTarget, { kind: "put" }>,
  file: PreparedFile,
  stop: AbortSignal,
): Promise<string> {
  const answer = await request(fill(put, file), {
    method: "PUT",
    body: await readFile(file.path),
    headers: {
      "content-type": "image/jpeg",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    signal: stop,
  });
  const body = (await answer.body.text()).slice(0, MAX_ANSWER_CHARS).trim();
  if (answer.statusCode < 200 || answer.statusCode > 299) {
    throw new UploadFailure(`HTTP ${answer.statusCode}`);
  }
  if (address !== undefined) return fill(address, file);
  const { location } = answer.headers;
  return typeof location === "string" ? location : readAddress(body);
}

/** Reads an address that is the whole text, or the `url` of a JSON document. */
function readAddress(body: string): string {
  if (!body.startsWith("{")) return body;
  try {
    const document: unknown = JSON.parse(body);
    const url = new Map(Object.entries(Object(document))).get("url");
    return typeof url === "string" ? url : "";
  } catch {
    return "";
  }
}

const fill = (template: string, { path, sha256 }: PreparedFile): string =>
  template.replaceAll("{file}", () => path).replaceAll("{sha256}", sha256);

/** Checks that a server or a program returned an address, since it is sent to the marketplace. */
function toAddress(answer: string): string {
  const isAddress = /^https:\/\/\S+$/u.test(answer) && URL.canParse(answer);
  if (!isAddress) throw new UploadFailure("no https address was answered");
  return answer;
}
