/**
 * Sends what a plan decided. Every request is written down before its first byte leaves, so a
 * process may die on any line here: what was `sending` is looked up at the next start.
 */

import { type Clock, systemClock } from "@catalog/clock";

import { type Breaker, createBreaker } from "./breaker.ts";
import { type Journal, type RowRecord } from "./journal.ts";
import { type Marketplace } from "./marketplace.ts";
import { reconcile, settleOpen, type UnknownPolicy } from "./reconcile.ts";
import { sendRow, type SentRow } from "./send-row.ts";

export interface ApplyRunOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  readonly codeKey: (code: string) => string;
  /** The sheet's name, for issues. */
  readonly sheet: string;
  readonly clock?: Clock;
  /** Rows on their way at a time. @default 4 */
  readonly concurrency?: number;
  /** @default "hold" */
  readonly onUnknown?: UnknownPolicy;
  readonly lookDelaysMs?: readonly number[];
  /** Rejected rows after which nothing more is sent. @default unlimited */
  readonly maxRejected?: number;
  /** Stops new requests; those on their way are waited for. */
  readonly stop?: AbortSignal | undefined;
  readonly onRow?: (row: SentRow) => void;
}

/** Why no more rows were sent. All but `finished` leave a run that can be resumed. */
export type ApplyEnd =
  | "finished"
  | "stopped"
  | "breaker"
  | "too-many-rejected"
  | "login"
  | "permission";

export interface ApplyResult {
  readonly end: ApplyEnd;
  /** What the marketplace said last, when it is the reason. */
  readonly reason?: string | undefined;
}

const DEFAULT_CONCURRENCY = 4;

/** Ready rows fetched at a time. */
const BATCH_ROWS = 100;

/** Rounds of sending and settling; a row that is ready after the last one waits for a resume. */
const MOST_ROUNDS = 5;

/** Sends every ready row of a run, settling first whatever an earlier process left open. */
export async function applyRun(options: ApplyRunOptions): Promise<ApplyResult> {
  const { clock = systemClock, stop } = options;
  try {
    return await sendAndSettle({ ...options, clock });
  } catch (error) {
    if (stop?.aborted === true && error === stop.reason) return { end: "stopped" };
    throw error;
  }
}

type Ready = ApplyRunOptions & { readonly clock: Clock };

async function sendAndSettle(options: Ready): Promise<ApplyResult> {
  const { journal, runId, stop } = options;
  const settle = (): Promise<number> => reconcile({ ...options, signal: stop });

  // One for all rounds: a login that is refused once a round is as refused as one within a round.
  const breaker = createBreaker({ maxRejected: options.maxRejected });
  await settleOpen({ ...options, signal: stop });
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const result = await drain(options, breaker);
    if (result.end === "login" || result.end === "permission" || stop?.aborted === true) {
      return result;
    }
    await settle();
    if (result.end !== "finished") return result;
    const left = await journal.readRows(runId, { states: ["ready"], limit: 1 });
    if (left.length === 0) return result;
  }
  return { end: "breaker", reason: "some rows could not be sent" };
}

/** One pass over the ready rows, several at a time. */
async function drain(options: Ready, breaker: Breaker): Promise<ApplyResult> {
  const { concurrency = DEFAULT_CONCURRENCY, stop, clock } = options;
  const rows = readyRows(options.journal, options.runId);
  let hasFailed = false;

  const mayGoOn = (): boolean => !hasFailed && stop?.aborted !== true && breaker.end === undefined;

  const sendNext = async (): Promise<boolean> => {
    const next = await rows.next();
    if (next.done === true || !mayGoOn()) return false;
    const sent = await sendRow(options, next.value);
    breaker.note(sent);
    options.onRow?.(sent);
    if (sent.waitMs > 0) await waitOut(clock, sent.waitMs, stop);
    return mayGoOn();
  };
  const work = async (): Promise<void> => {
    try {
      while (await sendNext());
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  // Every worker comes to its end before a failure of one is passed on: nothing is left in flight.
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, work));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  if (breaker.end !== undefined) return breaker.end;
  return { end: stop?.aborted === true ? "stopped" : "finished" };
}

/** Rows that are ready now, in the order of the sheet, fetched as they are needed. */
async function* readyRows(journal: Journal, runId: string): AsyncGenerator<RowRecord> {
  let after = 0;
  for (;;) {
    const rows = await journal.readRows(runId, { states: ["ready"], after, limit: BATCH_ROWS });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield* rows;
    after = last.row;
  }
}

/** Waits as the marketplace asked; a stop ends the wait and is no failure. */
async function waitOut(clock: Clock, ms: number, stop: AbortSignal | undefined): Promise<void> {
  try {
    await clock.sleep(ms, stop);
  } catch (error) {
    if (stop?.aborted !== true) throw error;
  }
}
