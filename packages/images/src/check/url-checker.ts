/**
 * Checks addresses. Results are stored: while one is fresh nothing is downloaded, and after that a
 * conditional request asks the server whether the image has changed.
 */

import { type Clock } from "@catalog/clock";

import { type Decoded } from "../decode/decode-protocol.ts";
import { FetchError } from "../guard/fetch-error.ts";
import { type GuardedAnswer, type GuardedFetch } from "../guard/guarded-fetch.ts";
import { type PictureFacts } from "../image-rules.ts";
import { type PictureProblem } from "../problem.ts";
import { isPassing, toPictureProblem } from "./fetch-problem.ts";
import { type ContentTools, readContent, recallContent } from "./read-content.ts";

export interface AddressDeskOptions extends ContentTools {
  readonly fetcher: Pick<GuardedFetch, "fetch">;
  readonly clock: Clock;
  readonly freshMs: number;
  readonly brokenFreshMs: number;
  readonly isAgain: boolean;
  readonly signal: AbortSignal | undefined;
}

/** How the addresses of a run were checked, each counted once. */
export interface PictureCounts {
  readonly downloads: number;
  /** Answered by the server with 304, not modified. */
  readonly unchanged: number;
  /** Taken from a fresh check of an earlier run. */
  readonly remembered: number;
  /** Those of `remembered` whose check failed. */
  readonly rememberedBroken: number;
}

export type Checked = Decoded<PictureFacts>;

export interface AddressDesk {
  readonly options: AddressDeskOptions;
  readonly openedAtMs: number;
  readonly counts: { -readonly [Name in keyof PictureCounts]: number };
  /** Transient problems, kept for this run only. */
  readonly passing: Map<string, PictureProblem>;
  /** Addresses that were counted as remembered. */
  readonly counted: Set<string>;
}

/** The stored check of an address. */
interface AddressMemo {
  readonly atMs: number;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** SHA-256 of the download; absent when it is no image. */
  readonly sha256?: string | undefined;
  /** Why nothing was downloaded, or why the download is no image. */
  readonly problem?: PictureProblem | undefined;
}

const NOT_MODIFIED = 304;

const keyOf = (address: string): string => `address:${address}`;

export function createAddressDesk(options: AddressDeskOptions): AddressDesk {
  const counts = { downloads: 0, unchanged: 0, remembered: 0, rememberedBroken: 0 };
  const openedAtMs = options.clock.now();
  return { options, openedAtMs, counts, passing: new Map(), counted: new Set() };
}

/** Reads the stored check of an address; `undefined` where it is missing or no longer fresh. */
export async function recallAddress(
  desk: AddressDesk,
  address: string,
): Promise<Checked | undefined> {
  const passing = desk.passing.get(address);
  if (passing !== undefined) return { ok: false, problem: passing };
  const memo = await readMemo(desk, address);
  if (memo === undefined || !isFresh(desk, memo)) return undefined;
  const recalled = await recall(desk, memo);
  const isNew = recalled !== undefined && memo.atMs < desk.openedAtMs && !desk.counted.has(address);
  if (isNew) {
    desk.counted.add(address);
    desk.counts.remembered += 1;
    if (!recalled.ok) desk.counts.rememberedBroken += 1;
  }
  return recalled;
}

function isFresh({ options, openedAtMs }: AddressDesk, memo: AddressMemo): boolean {
  if (memo.atMs >= openedAtMs) return true;
  const age = options.clock.now() - memo.atMs;
  const freshMs = memo.problem === undefined ? options.freshMs : options.brokenFreshMs;
  return !options.isAgain && age < freshMs;
}

const readMemo = (desk: AddressDesk, address: string): Promise<AddressMemo | undefined> =>
  desk.options.memory.read<AddressMemo>(keyOf(address));

const writeMemo = (desk: AddressDesk, address: string, memo: AddressMemo): Promise<void> =>
  desk.options.memory.write(keyOf(address), memo);

async function recall(desk: AddressDesk, memo: AddressMemo): Promise<Checked | undefined> {
  if (memo.problem !== undefined) return { ok: false, problem: memo.problem };
  const { memory } = desk.options;
  return memo.sha256 === undefined ? undefined : await recallContent(memory, memo.sha256);
}

/** Requests the address, and stores the result. */
export async function askAddress(desk: AddressDesk, address: string): Promise<Checked> {
  const { fetcher, signal, clock } = desk.options;
  signal?.throwIfAborted();
  const memo = await readMemo(desk, address);
  const recalled = memo && (await recall(desk, memo));
  const known = recalled === undefined ? undefined : memo;
  let answer: GuardedAnswer;
  try {
    const { etag, lastModified } = known ?? {};
    answer = await fetcher.fetch(address, { etag, lastModified, signal });
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    desk.counts.downloads += 1;
    return await noteFailure(desk, address, error);
  }
  if (answer.status === NOT_MODIFIED && known !== undefined && recalled !== undefined) {
    desk.counts.unchanged += 1;
    await writeMemo(desk, address, { ...known, atMs: clock.now() });
    return recalled;
  }
  desk.counts.downloads += 1;
  return await noteContent(desk, address, answer);
}

async function noteFailure(
  desk: AddressDesk,
  address: string,
  error: FetchError,
): Promise<Checked> {
  const found = toPictureProblem(error, address);
  if (isPassing(error)) desk.passing.set(address, found);
  else await writeMemo(desk, address, { atMs: desk.options.clock.now(), problem: found });
  return { ok: false, problem: found };
}

async function noteContent(
  desk: AddressDesk,
  address: string,
  { body, etag, lastModified }: GuardedAnswer,
): Promise<Checked> {
  const found = await readContent(desk.options, body);
  if (!found.ok && found.problem.code === "E_IMG_SLOW") {
    desk.passing.set(address, found.problem);
    return found;
  }
  const outcome = found.ok ? { sha256: found.value.sha256 } : { problem: found.problem };
  await writeMemo(desk, address, {
    atMs: desk.options.clock.now(),
    etag,
    lastModified,
    ...outcome,
  });
  return found;
}
