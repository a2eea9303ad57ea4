/**
 * Sends the ready rows of a run in rounds. Every request is recorded before its first byte leaves,
 * so the process may die at any line here: rows found `sending` are looked up at the next start.
 */

import type { Clock } from "@catalog/clock";
import type { Localized } from "@catalog/i18n";

import type { Journal } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import type { UnknownPolicy } from "../reconcile/decide-absent.ts";
import type { CodeKeys } from "../reconcile/match-product.ts";
import { reconcile, reconcileOpen, reconcileRefusals } from "../reconcile/reconcile.ts";
import { createRefusalTrust } from "../reconcile/refusal-trust.ts";
import { createVisibilitySampler, sampleVisibility } from "../reconcile/visibility.ts";
import type { AddRechecks } from "./add-rechecks.ts";
import type { ApplyResult, SentRow } from "./outcome.ts";
import {
  createCircuitBreaker,
  createRateLimitPause,
  createRateLimitScope,
  type RateLimitPenalty,
} from "./send-gate.ts";
import { type PassOptions, sendReadyRows, type SendState } from "./send-ready-rows.ts";
import type { RecheckOptions } from "./update-rechecks.ts";

/** Ports and limits of {@link sendRounds}. */
export interface SendRoundsOptions extends CodeKeys {
  readonly runId: string;
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  /** The sheet's name, for issues. */
  readonly sheet: string;
  /** How updates are rechecked before they leave; a function is called once. */
  readonly recheck: RecheckOptions | (() => Promise<RecheckOptions>);
  /** The rechecks of adds. @default adds are not rechecked */
  readonly adds?: AddRechecks | undefined;
  readonly clock?: Clock;
  /**
   * Maximum number of requests under way; adds go one at a time in a store not seen to show them.
   * @default 4
   */
  readonly concurrency?: number;
  /** @default "hold" */
  readonly onUnknown?: UnknownPolicy;
  readonly lookupDelaysMs?: readonly number[];
  /**
   * Shortest time, in milliseconds, over which an add is looked up before it is sent again.
   * @default 15 minutes
   */
  readonly quietMs?: number;
  /** One of this many adds, and at most one a second, is sampled until the store shows it; 0 samples
   * none. @default 20 */
  readonly sampleEvery?: number;
  /** Rejected rows after which nothing more is sent. @default unlimited */
  readonly maxRejected?: number | undefined;
  /**
   * Number of rows to send now, one at a time in the order of the sheet; the rest stay ready.
   * @default all
   */
  readonly max?: number | undefined;
  /** Notified of the pauses that the marketplace asks for. */
  readonly penalty?: RateLimitPenalty | undefined;
  /** No request leaves from this moment on. @default it may leave at any time */
  readonly untilMs?: number | undefined;
  /** Aborts to stop new requests; those under way are waited for. */
  readonly stop?: AbortSignal | undefined;
  readonly onRow?: (row: SentRow) => void;
  /** Called once rows that earlier processes left open are reconciled, before any row is sent. */
  readonly onReconciled?: () => void;
}

const DEFAULT_CONCURRENCY = 4;
const SAMPLE_EVERY = 20;

/** Rows sent one by one before the store's visibility is read again. */
const UNVERIFIED_ROWS = 20;

/** Waits before each row that is sent alone while the breaker is half open, in milliseconds. */
const PROBE_DELAYS_MS: readonly number[] = [0, 5_000, 15_000, 30_000];

/**
 * Maximum number of rounds of sending and reconciling without progress; a row that is ready after
 * the last one waits for a resume.
 */
const MAX_ROUNDS = 5;

const ROWS_LEFT: Localized = {
  tr: "bazı satırlar gönderilemedi.",
  en: "some rows could not be sent.",
};

const STILL_LOST: Localized = {
  tr: "tek tek gönderilen satırların yanıtı da alınamadı.",
  en: "the answers to single rows were lost as well.",
};

type Ready = SendState["options"];

/**
 * Sends every ready row of a run, or `max` of them, after it has reconciled what an earlier process
 * left open. Throws the reason of `stop` where it is aborted before everything was sent.
 */
export async function sendRounds(
  given: SendRoundsOptions & { readonly clock: Clock },
): Promise<ApplyResult> {
  const { max } = given;
  const state = await openSendState(given);
  const { options, breaker } = state;
  if (max === undefined) await sendProbe(state);
  let rounds = 0;
  let ready = await countReady(options);
  while (rounds < MAX_ROUNDS) {
    const result = await sendReadyRows(state, await readPass(state));
    if (isLast(result, options)) return result;
    await reconcileRound(options);
    // The rows that were not sent stay ready, and are left to the next call.
    if (max !== undefined) return breaker.end ?? result;
    if (breaker.mayProbe && !(await isOver(state))) return breaker.end ?? result;
    if (breaker.end !== undefined) return breaker.end;
    const left = await countLeft(options);
    const over = findEnd(options, left);
    if (over !== undefined) return over;
    // Only rounds without progress count, because a pass may leave rows at its limits.
    if (left >= ready) rounds += 1;
    ready = left;
  }
  return { end: "breaker", reason: ROWS_LEFT };
}

/** The end of a run with nothing left to send, or of one whose time is over. */
function findEnd({ clock, untilMs = Infinity }: Ready, left: number): ApplyResult | undefined {
  if (left === 0) return { end: "finished" };
  return clock.now() >= untilMs ? { end: "period" } : undefined;
}

/** Counts the ready rows, after refused rows have become ready or final. */
async function countLeft(options: Ready): Promise<number> {
  const ready = await countReady(options);
  if (ready > 0) return ready;
  await reconcileRefusals({ ...options, signal: options.stop });
  return await countReady(options);
}

/** Says whether lookups are impossible or not allowed either. */
const isLast = ({ end }: ApplyResult, { stop }: Ready): boolean =>
  end === "login" || end === "permission" || stop?.aborted === true;

async function openSendState(given: Parameters<typeof sendRounds>[0]): Promise<SendState> {
  const { adds, recheck, clock, marketplace, penalty, stop, sampleEvery = SAMPLE_EVERY } = given;
  const { maxRejected, concurrency = DEFAULT_CONCURRENCY } = given;
  const rechecked = typeof recheck === "function" ? await recheck() : recheck;
  const options: Ready = { ...given, recheck: { adds, ...rechecked } };
  await reconcileOpen({ ...options, mayWait: true, signal: stop });
  options.onReconciled?.();
  const probe = (): Promise<number> => marketplace.countProducts("approved", stop);
  return {
    options,
    // One breaker for all rounds, so that tokens refused over several rounds add up.
    breaker: createCircuitBreaker({ clock, maxRejected, concurrency }),
    pause: createRateLimitPause({ clock, probe, penalty, stop }),
    sampler: createVisibilitySampler({ ...options, signal: stop, every: sampleEvery }),
    trust: createRefusalTrust(options),
    limit: createRateLimitScope(),
  };
}

async function reconcileRound(options: Ready): Promise<void> {
  const { stop: signal, sampleEvery } = options;
  await reconcile({ ...options, mayWait: true, signal });
  if (sampleEvery !== 0) await sampleVisibility({ ...options, signal });
}

/** Sends the first add to a store alone, and looks up its product. */
async function sendProbe(state: SendState): Promise<void> {
  const { options, sampler } = state;
  if (options.sampleEvery === 0 || options.stop?.aborted === true) return;
  if ((await sampler.read()).samples > 0 || !(await hasReadyAdds(options))) return;
  await sendReadyRows(state, { concurrency: 1, max: 1, addsOnly: true });
  if ((await sampler.read()).samples > 0) await sampler.awaitProbe();
}

/**
 * In a store of unknown visibility each lost add stays unknown, so adds are sent one at a time. In
 * a store that shows new products each lost one is looked up, so they need no limit of their own.
 */
async function readPass({ options, sampler }: SendState): Promise<PassOptions> {
  const { concurrency = DEFAULT_CONCURRENCY, max, sampleEvery } = options;
  if (max !== undefined) return { concurrency: 1, max };
  if (!(await hasReadyAdds(options))) return { concurrency };
  const { verdict } = await sampler.read();
  const isUnverified = verdict === "blind" || (verdict === "unknown" && sampleEvery !== 0);
  return isUnverified ? { concurrency: 1, max: UNVERIFIED_ROWS } : { concurrency };
}

/** Half open: a read and then one row sent alone show whether requests succeed again. */
async function isOver(state: SendState): Promise<boolean> {
  const { options, breaker } = state;
  const { clock, marketplace, stop } = options;
  for (const delayMs of PROBE_DELAYS_MS) {
    if (delayMs > 0) await clock.sleep(delayMs, stop);
    await marketplace.countProducts("approved", stop);
    breaker.close();
    await sendReadyRows(state, { concurrency: 1, max: 1 });
    if (breaker.lost === 0 || stop?.aborted === true) return breaker.end === undefined;
    await reconcileRound(options);
  }
  breaker.open(STILL_LOST);
  return false;
}

async function hasReadyAdds({ journal, runId }: Ready): Promise<boolean> {
  const states = await journal.countRows(runId);
  return states.some(({ state, action }) => state === "ready" && action === "add");
}

async function countReady({ journal, runId }: Ready): Promise<number> {
  const states = await journal.countRows(runId);
  return states.reduce((sum, { state, rows }) => sum + (state === "ready" ? rows : 0), 0);
}
