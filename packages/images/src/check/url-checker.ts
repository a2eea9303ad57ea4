/**
 * Checks addresses. What was found is remembered: while it is fresh nothing is downloaded, after that
 * the server is asked whether the picture has changed.
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

/** How a run's addresses were checked, each counted once. */
export interface PictureCounts {
  readonly downloads: number;
  /** The server said that nothing has changed. */
  readonly unchanged: number;
  /** Known from an earlier run, and fresh. */
  readonly remembered: number;
  /** Of those, the ones that are not well. */
  readonly rememberedBroken: number;
}

export type Checked = Decoded<PictureFacts>;

export interface AddressDesk {
  readonly options: AddressDeskOptions;
  readonly openedAtMs: number;
  readonly counts: { -readonly [Name in keyof PictureCounts]: number };
  /** What may change by itself is kept for this run only. */
  readonly passing: Map<string, PictureProblem>;
  /** Addresses that were counted as remembered. */
  readonly counted: Set<string>;
}

/** What is remembered of an address. */
interface AddressMemo {
  readonly atMs: number;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Of what was downloaded; absent when it is no picture. */
  readonly sha256?: string | undefined;
  /** Why nothing was downloaded, or why it is no picture. */
  readonly problem?: PictureProblem | undefined;
}

const NOT_MODIFIED = 304;

const keyOf = (address: string): string => `address:${address}`;

export function createAddressDesk(options: AddressDeskOptions): AddressDesk {
  const counts = { downloads: 0, unchanged: 0, remembered: 0, rememberedBroken: 0 };
  const openedAtMs = options.clock.now();
  return { options, openedAtMs, counts, passing: new Map(), counted: new Set() };
}

/** What is known of an address and still holds; nothing when it has to be asked for. */
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

/** Asks the server, and remembers what came of it. */
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
