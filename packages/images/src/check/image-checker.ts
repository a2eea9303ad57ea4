/**
 * Checks images, each distinct one once per run however many rows name it, and decodes the same
 * bytes at most once. Results for addresses are stored: while one is fresh nothing is downloaded,
 * and after that a conditional request asks the server whether the image has changed.
 */

import { createHash } from "node:crypto";

import { type Clock, systemClock } from "@catalog/clock";
import { bareAddress } from "@catalog/i18n";
import pLimit from "p-limit";

import type { Decoded } from "../decode/decode-protocol.ts";
import type { Decoder } from "../decode/decoder.ts";
import { FetchError, type FetchErrorCode } from "../guard/fetch-error.ts";
import type { GuardedAnswer, GuardedFetch } from "../guard/guarded-fetch.ts";
import type { ImageFacts } from "../image-rules.ts";
import { type ImageProblem, type ImageProblemCode, problem } from "../problem.ts";
import type { ImageSource } from "../sources/image-source.ts";

/**
 * Creates a function that runs one piece of work per key at a time: concurrent callers get the same
 * result.
 */
export function createSingleFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const started = underWay.get(key);
    if (started !== undefined) return started;
    const begun = forgetAfter(key, work);
    underWay.set(key, begun);
    return begun;
  };

  async function forgetAfter(key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      underWay.delete(key);
    }
  }
}

/**
 * Stored checks of images between runs: the port that this package needs and the database provides.
 */
export interface ImageCheckCache {
  /** Reads the value that was written last under the key. */
  read<Memo>(key: string): Promise<Memo | undefined>;
  write(key: string, memo: unknown): Promise<void>;
}

interface ContentTools {
  readonly decoder: Pick<Decoder, "inspect">;
  readonly cache: ImageCheckCache;
}

/** Version of the stored decoding results; raised when the facts of an image change. */
const VERSION = 1;

const contentKeyOf = (sha256: string): string => `content:${VERSION}:${sha256}`;

/** SHA-256 of the bytes, in hexadecimal. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Reads the stored result for these bytes. */
async function readStoredContent(
  cache: ImageCheckCache,
  sha256: string,
): Promise<Decoded<ImageFacts> | undefined> {
  const stored = await cache.read<Decoded<ImageFacts>>(contentKeyOf(sha256));
  return stored === undefined || stored.ok || isStorable(stored) ? stored : undefined;
}

/** Decodes bytes without a stored result, and stores it. */
async function readContent(
  { decoder, cache }: ContentTools,
  bytes: Uint8Array,
): Promise<Decoded<ImageFacts>> {
  const sha256 = hashBytes(bytes);
  const known = await readStoredContent(cache, sha256);
  if (known !== undefined) return known;
  const decoded = await decoder.inspect(bytes);
  const sizeBytes = bytes.byteLength;
  const found: Decoded<ImageFacts> = decoded.ok
    ? { ok: true, value: { ...decoded.value, sizeBytes, sha256 } }
    : decoded;
  if (isStorable(found)) await cache.write(contentKeyOf(sha256), found);
  return found;
}

/** A timeout depends on the machine, and the limit of pixels on a setting; neither is stored. */
const isStorable = (found: Decoded<ImageFacts>): boolean =>
  found.ok || !PASSING_PROBLEMS.has(found.problem.code);

const PASSING_PROBLEMS: ReadonlySet<ImageProblemCode> = new Set<ImageProblemCode>([
  "E_IMG_SLOW",
  "E_IMG_PIXELS",
]);

type Failure = Pick<FetchError, "status" | "detail" | "setting"> & { readonly host: string };

const unreachable = ({ host }: Failure): ImageProblem => problem("E_IMG_UNREACHABLE", { host });

const PROBLEMS: Readonly<Record<FetchErrorCode, (failure: Failure) => ImageProblem>> = {
  // Images are not fetched by FTP.
  E_URL_FTP: () => problem("E_URL_FORM"),
  E_FETCH_HOST_KEY: unreachable,
  E_FETCH_HOST_KEY_CHANGED: unreachable,
  E_FETCH_KEY_FILE: unreachable,
  E_FETCH_MISSING: unreachable,
  E_FETCH_CHANGING: unreachable,
  E_URL_FORM: () => problem("E_URL_FORM"),
  E_URL_CREDENTIALS: () => problem("E_URL_CREDENTIALS"),
  E_URL_LOGIN_PLAIN: () => problem("E_URL_CREDENTIALS"),
  E_URL_PRIVATE: ({ host }) => problem("E_URL_PRIVATE", { host }),
  E_URL_PORT: ({ host }) => problem("E_URL_PORT", { host }),
  E_URL_REDIRECT: () => problem("E_IMG_REDIRECT"),
  E_FETCH_LOGIN: ({ status }) => problem("E_IMG_STATUS", { status: String(status ?? "") }),
  E_FETCH_LOGIN_REFUSED: ({ status }) => problem("E_IMG_STATUS", { status: String(status ?? "") }),
  E_FETCH_STATUS: ({ status }) => problem("E_IMG_STATUS", { status: String(status ?? "") }),
  E_FETCH_SIZE: ({ detail, setting }) =>
    problem("E_IMG_SIZE", { size: `> ${detail}`, limit: detail, setting: `limits.${setting}` }),
  E_FETCH_SLOW: () => problem("E_IMG_SLOW"),
  E_FETCH_ENCODING: () => problem("E_IMG_TYPE"),
  E_FETCH_CERTIFICATE: unreachable,
  E_FETCH_CUT: unreachable,
  E_FETCH_FAILED: unreachable,
};

/** Turns the failure of a download into a problem of the image. */
export function toImageProblem(error: FetchError, address: string): ImageProblem {
  const { code, status, detail, setting } = error;
  return PROBLEMS[code]({
    status,
    detail,
    setting,
    host: URL.parse(address)?.host ?? bareAddress(address),
  });
}

/** Failures that may be gone the next time; the limit of a size may be raised until then. */
const PASSING_FETCHES: ReadonlySet<FetchErrorCode> = new Set([
  "E_FETCH_CERTIFICATE",
  "E_FETCH_SLOW",
  "E_FETCH_CUT",
  "E_FETCH_FAILED",
  "E_FETCH_SIZE",
]);

const SERVER_ERROR = 500;
const TOO_MANY = 429;

/** Whether a failure is transient, so that it is not stored. */
export function isTransient(error: FetchError): boolean {
  if (PASSING_FETCHES.has(error.code)) return true;
  const { status = 0 } = error;
  return status >= SERVER_ERROR || status === TOO_MANY;
}

interface UrlCheckerOptions extends ContentTools {
  readonly fetcher: Pick<GuardedFetch, "fetch">;
  readonly clock: Clock;
  readonly freshMs: number;
  readonly brokenFreshMs: number;
  readonly isAgain: boolean;
  readonly signal: AbortSignal | undefined;
}

/** How the addresses of a run were checked, each counted once. */
interface ImageCounts {
  readonly downloads: number;
  /** Answered by the server with 304, not modified. */
  readonly unchanged: number;
  /** Taken from a fresh check of an earlier run. */
  readonly remembered: number;
  /** Those of `remembered` whose check failed. */
  readonly rememberedBroken: number;
}

type CheckedUrl = Decoded<ImageFacts>;

interface UrlChecker {
  readonly options: UrlCheckerOptions;
  readonly openedAtMs: number;
  readonly counts: { -readonly [Name in keyof ImageCounts]: number };
  /** Transient problems, kept for this run only. */
  readonly passing: Map<string, ImageProblem>;
  /** Addresses that were counted as remembered. */
  readonly counted: Set<string>;
}

/** The stored check of an address. */
interface StoredUrlCheck {
  readonly atMs: number;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** SHA-256 of the download; absent when it is no image. */
  readonly sha256?: string | undefined;
  /** Why nothing was downloaded, or why the download is no image. */
  readonly problem?: ImageProblem | undefined;
}

const NOT_MODIFIED = 304;

const keyOf = (address: string): string => `address:${address}`;

function createUrlChecker(options: UrlCheckerOptions): UrlChecker {
  const counts = { downloads: 0, unchanged: 0, remembered: 0, rememberedBroken: 0 };
  const openedAtMs = options.clock.now();
  return { options, openedAtMs, counts, passing: new Map(), counted: new Set() };
}

/** Reads the stored check of an address; `undefined` where it is missing or no longer fresh. */
async function readStoredUrlCheck(
  checker: UrlChecker,
  address: string,
): Promise<CheckedUrl | undefined> {
  const passing = checker.passing.get(address);
  if (passing !== undefined) return { ok: false, problem: passing };
  const memo = await readStoredCheck(checker, address);
  if (memo === undefined || !isFresh(checker, memo)) return undefined;
  const recalled = await restoreCheck(checker, memo);
  const isNew =
    recalled !== undefined && memo.atMs < checker.openedAtMs && !checker.counted.has(address);
  if (isNew) {
    checker.counted.add(address);
    checker.counts.remembered += 1;
    if (!recalled.ok) checker.counts.rememberedBroken += 1;
  }
  return recalled;
}

function isFresh({ options, openedAtMs }: UrlChecker, memo: StoredUrlCheck): boolean {
  if (memo.atMs >= openedAtMs) return true;
  const age = options.clock.now() - memo.atMs;
  const freshMs = memo.problem === undefined ? options.freshMs : options.brokenFreshMs;
  return !options.isAgain && age < freshMs;
}

const readStoredCheck = (
  checker: UrlChecker,
  address: string,
): Promise<StoredUrlCheck | undefined> =>
  checker.options.cache.read<StoredUrlCheck>(keyOf(address));

const storeCheck = (checker: UrlChecker, address: string, memo: StoredUrlCheck): Promise<void> =>
  checker.options.cache.write(keyOf(address), memo);

async function restoreCheck(
  checker: UrlChecker,
  memo: StoredUrlCheck,
): Promise<CheckedUrl | undefined> {
  if (memo.problem !== undefined) return { ok: false, problem: memo.problem };
  const { cache } = checker.options;
  return memo.sha256 === undefined ? undefined : await readStoredContent(cache, memo.sha256);
}

/** Requests the address, and stores the result. */
async function checkUrl(checker: UrlChecker, address: string): Promise<CheckedUrl> {
  const { fetcher, signal, clock } = checker.options;
  signal?.throwIfAborted();
  const memo = await readStoredCheck(checker, address);
  const recalled = memo && (await restoreCheck(checker, memo));
  const known = recalled === undefined ? undefined : memo;
  let answer: GuardedAnswer;
  try {
    const { etag, lastModified } = known ?? {};
    answer = await fetcher.fetch(address, { etag, lastModified, signal });
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    checker.counts.downloads += 1;
    return await noteFailure(checker, address, error);
  }
  if (answer.status === NOT_MODIFIED && known !== undefined && recalled !== undefined) {
    checker.counts.unchanged += 1;
    await storeCheck(checker, address, { ...known, atMs: clock.now() });
    return recalled;
  }
  checker.counts.downloads += 1;
  return await noteContent(checker, address, answer);
}

async function noteFailure(
  checker: UrlChecker,
  address: string,
  error: FetchError,
): Promise<CheckedUrl> {
  const found = toImageProblem(error, address);
  if (isTransient(error)) checker.passing.set(address, found);
  else await storeCheck(checker, address, { atMs: checker.options.clock.now(), problem: found });
  return { ok: false, problem: found };
}

async function noteContent(
  checker: UrlChecker,
  address: string,
  { body, etag, lastModified }: GuardedAnswer,
): Promise<CheckedUrl> {
  const found = await readContent(checker.options, body);
  if (!found.ok && !isStorable(found)) {
    checker.passing.set(address, found.problem);
    return found;
  }
  const outcome = found.ok ? { sha256: found.value.sha256 } : { problem: found.problem };
  await storeCheck(checker, address, {
    atMs: checker.options.clock.now(),
    etag,
    lastModified,
    ...outcome,
  });
  return found;
}

/** How a sheet names an image. */
export interface ImageReference {
  readonly kind: "address" | "file";
  /** The address, or the name of the file. */
  readonly text: string;
}

/** What an image checker works with. */
interface ImageCheckerOptions {
  readonly fetcher: Pick<GuardedFetch, "fetch">;
  readonly decoder: Pick<Decoder, "inspect">;
  readonly cache: ImageCheckCache;
  /** Source of images named by file name. @default none */
  readonly source?: ImageSource | undefined;
  /** @default the machine's own */
  readonly clock?: Clock | undefined;
  /** Maximum number of images checked at a time. @default 6 */
  readonly concurrency?: number | undefined;
  /** How long a good check stays valid, in milliseconds. @default 24 h */
  readonly freshMs?: number | undefined;
  /** How long a failed check stays valid, in milliseconds. @default 15 min */
  readonly brokenFreshMs?: number | undefined;
  /** Requests every address again, without using stored checks. @default false */
  readonly isAgain?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Checks the images of one run. */
export interface ImageChecker {
  /**
   * Checks an image. Rejects only when the run is stopped or this machine fails, never because of
   * the image.
   */
  check(source: ImageReference): Promise<Decoded<ImageFacts>>;
  /** Reads the bytes of an image, to prepare it; an address is downloaded again. */
  readBytes(source: ImageReference): Promise<Decoded<Uint8Array>>;
  counts(): ImageCounts;
}

const HOUR_MS = 3_600_000;
const DEFAULT_FRESH_MS = 24 * HOUR_MS;
const DEFAULT_BROKEN_FRESH_MS = HOUR_MS / 4;
const DEFAULT_CONCURRENCY = 6;

/** Makes the checker of one run. */
export function createImageChecker(options: ImageCheckerOptions): ImageChecker {
  const { fetcher, decoder, cache, source, clock = systemClock, signal } = options;
  const { freshMs = DEFAULT_FRESH_MS, brokenFreshMs = DEFAULT_BROKEN_FRESH_MS } = options;
  const { isAgain = false } = options;
  const limit = pLimit(options.concurrency ?? DEFAULT_CONCURRENCY);
  const once = createSingleFlight<CheckedUrl>();
  const memoryTools = { decoder, cache };
  const times = { clock, freshMs, brokenFreshMs, isAgain };
  const checker = createUrlChecker({ ...memoryTools, ...times, fetcher, signal });

  const readFile = async (name: string): Promise<Decoded<Uint8Array>> =>
    source === undefined ? missing(name) : await source.read(name);

  const checkFile = async (name: string): Promise<CheckedUrl> => {
    const bytes = await readFile(name);
    return bytes.ok ? await readContent(memoryTools, bytes.value) : bytes;
  };

  return {
    counts: () => ({ ...checker.counts }),
    check: ({ kind, text }) =>
      once(`${kind}:${text}`, async () => {
        if (kind === "file") return await limit(() => checkFile(text));
        const known = await readStoredUrlCheck(checker, text);
        return known ?? (await limit(() => checkUrl(checker, text)));
      }),
    readBytes: ({ kind, text }) =>
      limit(() => (kind === "file" ? readFile(text) : download({ fetcher, signal }, text))),
  };
}

function missing(name: string): Decoded<never> {
  return { ok: false, problem: problem("E_IMG_MISSING", { value: name, source: "—" }) };
}

async function download(
  { fetcher, signal }: Pick<ImageCheckerOptions, "fetcher" | "signal">,
  address: string,
): Promise<Decoded<Uint8Array>> {
  try {
    return { ok: true, value: (await fetcher.fetch(address, { signal })).body };
  } catch (error) {
    if (error instanceof FetchError) return { ok: false, problem: toImageProblem(error, address) };
    throw error;
  }
}
