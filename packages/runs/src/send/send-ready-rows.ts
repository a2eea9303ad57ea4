/**
 * Sends the ready rows of a run in one pass, several at a time. Updates are claimed in batches, so
 * that one commit and one disk sync serve a whole batch.
 */

import type { Localized } from "@catalog/i18n";
import pLimit from "p-limit";

import { createActionRechecks, withActionRechecks } from "../actions/action-rechecks.ts";
import { toHeldAsOne } from "../guards/stock-first.ts";
import { type Ledger, readAllRows } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import { reconcileRefusedRow } from "../reconcile/reconcile.ts";
import type { RefusalTrust } from "../reconcile/refusal-trust.ts";
import { toServerMs, type VisibilitySampler } from "../reconcile/visibility.ts";
import { toIssue, toRowLocation } from "../row/issues.ts";
import type { Claim, RowRecord } from "../row/row-record.ts";
import type { ApplyResult, SentRow } from "./outcome.ts";
import { countUpdatesAtOnce } from "./recheck-limits.ts";
import {
  createRecheckQueue,
  holdChangedRow,
  type RecheckQueue,
  withAddRechecks,
} from "./recheck-queue.ts";
import {
  type CircuitBreaker,
  createSendGate,
  isLostRow,
  type RateLimitPause,
  type RateLimitScope,
  type SendGate,
} from "./send-gate.ts";
import type { SendRoundsOptions } from "./send-rounds.ts";
import { releaseClaim, sendRow, type SentOutcome, toHeldRow } from "./send-row.ts";
import { createRechecks, type RecheckedRow, type RecheckOptions } from "./update-rechecks.ts";

/** State that the passes of one run share. */
export interface SendState {
  readonly options: SendRoundsOptions & {
    readonly clock: NonNullable<SendRoundsOptions["clock"]>;
    readonly recheck: RecheckOptions;
  };
  readonly breaker: CircuitBreaker;
  readonly pause: RateLimitPause;
  readonly sampler: VisibilitySampler;
  readonly trust: RefusalTrust;
  readonly limit: RateLimitScope;
}

/** Which rows a pass sends. */
export interface PassOptions {
  /** Maximum number of requests under way. */
  readonly concurrency: number;
  /** @default all */
  readonly max?: number;
  /** @default false */
  readonly addsOnly?: boolean;
}

/** Ready rows read at a time. */
const FETCH_ROWS = 100;

/** Rows claimed at a time for each worker. */
const CLAIMS_PER_WORKER = 2;

/** A pass that is running. */
interface OpenPass extends SendState {
  readonly gate: SendGate;
  readonly claims: RowClaims;
}

/**
 * Sends ready rows until there are none, the run is stopped or the breaker opens. Each worker sends
 * one row after the other. The outcome of an update that is done is recorded while the worker's
 * next request is under way; any other outcome is handled before it leaves. A failure keeps the
 * other workers from sending more.
 */
export async function sendReadyRows(state: SendState, pass: PassOptions): Promise<ApplyResult> {
  const { options, breaker, pause, trust } = state;
  const { stop } = options;
  const { concurrency } = pass;
  const batchRows = CLAIMS_PER_WORKER * concurrency;
  const rows = openRecheckQueue(state, pass, batchRows);
  const gate = createSendGate({ ...options, breaker, pause });
  const claims = claimRows({ ...options, rows, gate, batchRows });
  const open: OpenPass = { ...state, gate, claims };
  const workers = Array.from({ length: concurrency }, async () => {
    let recording: Promise<void> = Promise.resolve();
    try {
      while (await gate.ready()) {
        const next = await claims.next();
        if (next === undefined) break;
        const { rechecked, claim } = next;
        const outcome = await sendRow(
          { ...options, trust, gate, claim, rechecked },
          rechecked.record,
        ).finally(() => rechecked.close());
        const before = recording;
        recording = recordOutcome(open, outcome, before);
        // The rejection is handled where the recording is awaited.
        recording.catch(() => undefined);
        await before;
        const { action, state: reached } = outcome.sent;
        if (action !== "update" || reached !== "done") await recording;
      }
      await recording;
    } catch (error) {
      gate.close();
      await Promise.allSettled([recording]);
      throw error;
    }
  });

  // All workers end before the failure of one is thrown, so that nothing stays in flight.
  const ends = await Promise.allSettled(workers);
  await rows.close();
  const [released] = await Promise.allSettled([claims.close()]);
  for (const end of [...ends, released]) if (end.status === "rejected") throw end.reason;
  if (breaker.end !== undefined) return breaker.end;
  return { end: stop?.aborted === true ? "stopped" : "finished" };
}

/** The rows of a pass with their rechecks; rows whose product has changed are held. */
function openRecheckQueue(
  state: SendState,
  { concurrency, max, addsOnly = false }: PassOptions,
  batchRows: number,
): RecheckQueue {
  const { options, pause } = state;
  const { actions } = options.marketplace;
  const { callsPerHour, maxAgeMs } = options.recheck;
  const rechecks = withActionRechecks(
    createRechecks(options),
    actions && createActionRechecks({ ...options, callsPerHour, maxAgeMs, actions }),
  );
  const hold = async (row: RecheckedRow): Promise<void> => {
    if (row.verdict.kind === "go") return;
    const words = await holdChangedRow(options, { record: row.record, verdict: row.verdict });
    row.close();
    options.onRow?.(toHeldRow(row.record, words));
  };
  return createRecheckQueue({
    rows: readyRows(state, addsOnly),
    rechecks: withAddRechecks({ ...options, rechecks, adds: options.recheck.adds }),
    batchRows,
    updatesAtOnce: countUpdatesAtOnce(concurrency, options.recheck.callsPerHour?.()),
    max,
    mayRead: () => pause.over(),
    hold,
    stop: options.stop,
  });
}

/** A pause of this length, in milliseconds, gives other programs time to add the same product. */
const LONG_PAUSE_MS = 5_000;

const LOST: Localized = { tr: "bir yanıt alınamadı.", en: "an answer was lost." };

/**
 * Resolves once the outcome is recorded after the one before, and updates breaker and samples. A
 * refused add is looked up at once. Where the one before could not be recorded, rejects as that
 * did, once this outcome is written, too.
 */
async function recordOutcome(
  pass: OpenPass,
  { sent, written }: SentOutcome,
  before: Promise<void>,
): Promise<void> {
  const { options, breaker, sampler, claims } = pass;
  await Promise.allSettled([before, written]);
  await before;
  await written;
  // The next request of this worker is under way by now.
  claims.claimAhead();
  if (sent.isDeferred === true) return;
  await waitForLimit(pass, sent);
  const reconciled = await reconcileLostAdd(options, sent);
  breaker.note(reconciled);
  if (isLostRow(reconciled) && (await sampler.read()).verdict === "blind")
    breaker.open(reconciled.words ?? LOST);
  options.onRow?.(reconciled);
  await sampler.note(reconciled);
}

async function waitForLimit(
  { options, pause, limit, claims }: OpenPass,
  { row, state, impliedState, limit: limited, words = LOST }: SentRow,
): Promise<void> {
  if (limited === undefined) {
    if (state === "done" || state === "rejected" || impliedState === "rejected") limit.passed();
    return;
  }
  const waitMs = limit.refused({ row, words, isPaused: pause.isOn, ...limited });
  pause.begin(waitMs);
  // A pause may be longer than a claim should last.
  await claims.release();
  await pause.over();
  if (waitMs >= LONG_PAUSE_MS) options.recheck.adds?.expire();
}

/** Holds a row that is refused with 429 while all others are accepted. */
async function holdGivenUp({ options, limit }: SendState, record: RowRecord): Promise<boolean> {
  const { row } = record;
  const words = limit.givenUp(row);
  if (words === undefined) return false;
  const { runId, journal, sheet, onRow } = options;
  const location = toRowLocation(sheet, record);
  const issue = toIssue("E_REFUSED_OFTEN", location, words);
  await journal.recordOutcome(
    { runId, row, from: "ready" },
    {
      to: "held",
      cause: "refused-often",
      ...toHeldAsOne(record, [issue]),
      note: issue.message.en,
    },
  );
  onRow?.(toHeldRow(record, issue.message));
  return true;
}

/**
 * A lost update is read back at the end of the pass, with others; a lost add before anything else
 * is sent.
 */
async function reconcileLostAdd(options: SendState["options"], sent: SentRow): Promise<SentRow> {
  const { runId, stop } = options;
  const isOpen = sent.impliedState !== undefined && sent.action === "add";
  if (!isOpen || stop?.aborted === true) return sent;
  const key = { runId, row: sent.row };
  const state = await reconcileRefusedRow({ ...options, mayWait: true, signal: stop }, key);
  return { ...sent, state };
}

/** Rows that are ready and not given up, in the order of the sheet, read as they are needed. */
async function* readyRows(state: SendState, addsOnly: boolean): AsyncGenerator<RowRecord> {
  const { journal, runId } = state.options;
  const filter = { states: ["ready"], action: addsOnly ? "add" : undefined } as const;
  for await (const rows of readAllRows(journal, runId, filter, FETCH_ROWS)) {
    for (const row of rows) if (!(await holdGivenUp(state, row))) yield row;
  }
}

/** A row for a worker. Without a claim it is recorded alone, just before its first byte. */
interface RowToSend {
  readonly rechecked: RecheckedRow;
  readonly claim: Claim | undefined;
}

interface RowClaims {
  /** Returns the next row in the order of the sheet; `undefined` after the last one. */
  next(): Promise<RowToSend | undefined>;
  /**
   * Begins to claim the next batch where every row of the last one is taken, so that its disk sync
   * does not delay the requests that follow the next answers.
   */
  claimAhead(): void;
  /** Releases the claims of rows that no worker has taken; these rows can be claimed again. */
  release(): Promise<void>;
  /** Releases them at the end, once nothing is claimed any more. */
  close(): Promise<void>;
}

interface ClaimRowsOptions {
  readonly runId: string;
  readonly journal: Pick<Ledger, "claim" | "recordOutcome">;
  readonly marketplace: Pick<Marketplace, "serverTimeMs">;
  readonly rows: Pick<RecheckQueue, "next">;
  readonly gate: Pick<SendGate, "isOpen">;
  /** Rows in a batch, at least 1. */
  readonly batchRows: number;
}

/** Creates the claims of a pass. It claims nothing while the gate is closed. */
export function claimRows(options: ClaimRowsOptions): RowClaims {
  const { journal, gate } = options;
  const oneAtATime = pLimit(1);
  /** Rows of the batch that no worker has taken, in the order of the sheet. */
  let batch: readonly RecheckedRow[] = [];
  /** Claims of rows of the batch, by row. */
  const claims = new Map<number, Claim>();

  /** A row is handed out only once its last claim was given back, or it would still be `sending`. */
  let released: Promise<unknown> = Promise.resolve();

  const release = async (): Promise<void> => {
    const unsent = [...claims.values()];
    claims.clear();
    const giving = Promise.all(unsent.map((claim) => releaseClaim(journal, claim)));
    released = Promise.allSettled([released, giving]);
    await giving;
  };
  const claimBatch = async (): Promise<void> => {
    for (const claim of await claimUpdates(options, batch)) claims.set(claim.row, claim);
    // A pause may have begun during the commit.
    if (!gate.isOpen) await release();
  };
  const prepare = async (): Promise<void> => {
    if (batch.length === 0) batch = await takeBatch(options);
    if (claims.size === 0 && gate.isOpen) await claimBatch();
  };
  /** The batch that is claimed ahead; its failure is that of the next row. */
  let ahead: Promise<void> | undefined;
  const next = async (): Promise<RowToSend | undefined> => {
    const prepared = ahead;
    ahead = undefined;
    if (prepared !== undefined) await prepared;
    await released;
    if (batch.length === 0 || (claims.size === 0 && gate.isOpen)) await prepare();
    const [rechecked, ...rest] = batch;
    if (rechecked === undefined) return undefined;
    batch = rest;
    const { row } = rechecked.record;
    const claim = claims.get(row);
    claims.delete(row);
    return { rechecked, claim };
  };

  return {
    next: () => oneAtATime(next),
    claimAhead() {
      if (batch.length > 0 || ahead !== undefined || !gate.isOpen) return;
      // A worker that waits for its row claims the batch itself.
      if (oneAtATime.activeCount + oneAtATime.pendingCount > 0) return;
      ahead = oneAtATime(prepare);
      // The caller of `next` gets the rejection; without a caller it must not count as unhandled.
      ahead.catch(() => undefined);
    },
    release,
    async close() {
      await Promise.allSettled([ahead]);
      await release();
    },
  };
}

async function takeBatch({ rows, batchRows }: ClaimRowsOptions): Promise<readonly RecheckedRow[]> {
  const batch: RecheckedRow[] = [];
  while (batch.length < batchRows) {
    const row = await rows.next();
    if (row === undefined) break;
    batch.push(row);
  }
  return batch;
}

/**
 * Claims only updates: a power cut loses the proof that a claim was not sent; an update is then
 * compared with the store and sent again, but an add would be held for a person.
 */
async function claimUpdates(
  { runId, journal, marketplace }: ClaimRowsOptions,
  batch: readonly RecheckedRow[],
): Promise<readonly Claim[]> {
  const updates = batch.filter(({ record }) => record.action === "update");
  if (updates.length === 0) return [];
  const evidence = { serverMs: toServerMs(marketplace) };
  const claims = await journal.claim(
    updates.map(({ record: { row } }) => ({ runId, row, evidence })),
  );
  return claims.filter((claim) => claim !== undefined);
}
