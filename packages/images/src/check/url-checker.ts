/**
 * Checks addresses. Results are stored: while one is fresh nothing is downloaded, and after that a
 * conditional request asks the server whether the image has changed.
 */

import type { Clock } from "@catalog/clock";

import type { Decoded } from "../decode/decode-protocol.ts";
import { FetchError } from "../guard/fetch-error.ts";
import type { GuardedAnswer, GuardedFetch } from "../guard/guarded-fetch.ts";
import type { ImageFacts } from "../image-rules.ts";
import type { ImageProblem } from "../problem.ts";
import { isTransient, toImageProblem } from "./fetch-problem.ts";
import { type ContentTools, isStorable, readContent, readStoredContent } from "./read-content.ts";

export interface UrlCheckerOptions extends ContentTools {
  readonly fetcher: Pick<GuardedFetch, "fetch">;
  readonly clock: Clock;
  readonly freshMs: number;
  readonly brokenFreshMs: number;
  readonly isAgain: boolean;
  readonly signal: AbortSignal | undefined;
}

/** How the addresses of a run were checked, each counted once. */
export interface ImageCounts {
  readonly downloads: number;
  /** Answered by the server with 304, not modified. */
  readonly unchanged: number;
  /** Taken from a fresh check of an earlier run. */
  readonly remembered: number;
  /** Those of `remembered` whose check failed. */
  readonly rememberedBroken: number;
}

export type CheckedUrl = Decoded<ImageFacts>;

export interface UrlChecker {
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

export function createUrlChecker(options: UrlCheckerOptions): UrlChecker {
  const counts = { downloads: 0, unchanged: 0, remembered: 0, rememberedBroken: 0 };
  const openedAtMs = options.clock.now();
  return { options, openedAtMs, counts, passing: new Map(), counted: new Set() };
}

/** Reads the stored check of an address; `undefined` where it is missing or no longer fresh. */
export async function readStoredUrlCheck(
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
export async function checkUrl(checker: UrlChecker, address: string): Promise<CheckedUrl> {
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
