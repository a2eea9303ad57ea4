/**
 * Applies a planned run: checks again what may have changed since its plan, sends the rows, and
 * compares prices once reading back has shown the unit of the listing's prices.
 */

import { type Clock, systemClock } from "@catalog/clock";

import { reconcileHeldActions } from "../actions/reconcile-actions.ts";
import {
  comparePlannedPrices,
  type ComparePricesOptions,
  countUnknownUnit,
} from "../guards/guard-planned-rows.ts";
import { countStock, releaseStock } from "../guards/stock-first.ts";
import { type Journal, readAllRows } from "../ports/journal.ts";
import type { RunRecord } from "../ports/run-repository.ts";
import { countSentAttempts } from "../reconcile/decide-absent.ts";
import { auditDuplicates } from "../reconcile/match-product.ts";
import { rowAddress } from "../row/row-address.ts";
import { type RowState, toCounts } from "../row/row-state.ts";
import { learnRefusals, verifyRun, type VerifyRunOptions } from "../verify/verify-rows.ts";
import type { ApplyProgress, ApplyResult, Explain } from "./outcome.ts";
import { checkAdds, type CheckAddsOptions } from "./pre-send-checks.ts";
import { sendRounds, type SendRoundsOptions } from "./send-rounds.ts";

/** The run, and what is checked before its rows are sent and while they are. */
export interface ApplyRunOptions extends Omit<
  SendRoundsOptions,
  "adds" | "onReconciled" | "onRow"
> {
  /** How adds are checked. @default they are sent as they were planned */
  readonly adds?: CheckAddsOptions | undefined;
  /** Compares prices that the plan could not compare. @default none is compared */
  readonly prices?: Omit<ComparePricesOptions, "runId" | "journal" | "signal"> | undefined;
  /** Rows that are sent and judged before the others. @default none */
  readonly canary?: CanaryOptions | undefined;
  /** Where the result is recorded. @default the rows alone are recorded */
  readonly record?: RecordOptions | undefined;
  /**
   * Says what an error of the marketplace means for the run; `undefined` for any other error, which
   * is thrown. @default every error is thrown
   */
  readonly explain?: Explain | undefined;
  /** Called with each step, each row that was sent or read back, and each page of the store. */
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}

interface RecordOptions extends Pick<VerifyRunOptions, "runs" | "log" | "nameField"> {
  readonly run: Pick<RunRecord, "file" | "facts">;
  /** Whether the sent rows are read back; a canary is in any case. */
  readonly isVerified: boolean;
  /**
   * Whether rows are read back, and more are sent, while some are held for the unit of prices.
   */
  readonly learnsUnit: boolean;
}

interface CanaryOptions {
  readonly rows: number;
  /**
   * Judges the sent rows, which were read back. Returns why the other rows may not be sent;
   * `undefined` where they may.
   */
  readonly judge: () => Promise<ApplyResult | undefined>;
}

/** Why no more rows were sent, and adds of the run that the store shows twice. */
export interface AppliedRun extends ApplyResult {
  /** @default none was looked for */
  readonly duplicates?: readonly { readonly row: number; readonly code: string }[];
}

type Resolved = ApplyRunOptions & { readonly clock: Clock; readonly maxRejected: number };

/**
 * Sends the ready rows of a run, and the stock of updates whose price alone is held; then reads
 * back what was sent. A run with nothing left to send is only reconciled. The state of the run is
 * recorded even after an error.
 */
export async function applyRun(given: ApplyRunOptions): Promise<AppliedRun> {
  const { clock = systemClock, maxRejected = Infinity, onProgress } = given;
  const options: Resolved = { ...given, clock, maxRejected };
  const { record, runId } = options;
  onProgress?.({ step: "recheck", done: 0 });
  if (record === undefined) return await sendPlan(options);
  const { runs, run } = record;
  const nameRow = (row: number): string => rowAddress(run.file, row);
  const startedAtMs = clock.now();
  await runs.update(runId, { state: "running" });
  let state: RunRecord["state"] = "stopped";
  try {
    const sent = await sendPlan(options);
    const planned = run.facts?.capabilities ?? [];
    await learnRefusals({ ...options, ...record, planned, sinceMs: startedAtMs });
    state = (await hasRowsLeft(options)) ? "stopped" : "finished";
    const found = state === "finished" ? await auditDuplicates({ ...options, nameRow }) : [];
    await runs.addWarnings(
      runId,
      found.map(({ message }) => ({ code: "W_DUPLICATE_FOUND", message })),
    );
    const mayRead = READ_BACK.has(sent.end);
    if (mayRead && record.isVerified) {
      await verifyRun({ ...options, ...record, signal: options.stop });
      await settleLearned(options);
    }
    return { ...sent, duplicates: found };
  } finally {
    await runs.update(runId, { state });
  }
}

/** Ends after which the rows that were sent are read back. */
const READ_BACK: ReadonlySet<ApplyResult["end"]> = new Set([
  "finished",
  "period",
  "too-many-rejected",
]);

/** Reading back may have shown what a held action of unknown outcome has made of its subject. */
async function settleLearned(options: Resolved): Promise<void> {
  if (options.marketplace.actions === undefined) return;
  try {
    await reconcileHeldActions({ ...options, signal: options.stop });
  } catch (error) {
    toEnd(options, error);
  }
}

async function hasRowsLeft({ journal, runId }: Resolved): Promise<boolean> {
  const { pending, unknown, held } = toCounts(await journal.countRows(runId));
  return pending + unknown > 0 || (held > 0 && (await countStock({ journal, runId })) > 0);
}

/** Reads back rows before others are sent. */
async function readBack({ record, ...options }: Resolved): Promise<void> {
  if (record !== undefined) await verifyRun({ ...options, ...record, signal: options.stop });
}

/** Sends until nothing is ready any more, or something stops the run. */
async function sendPlan(options: Resolved): Promise<ApplyResult> {
  const { journal, runId, canary, stop, onProgress, maxRejected } = options;
  try {
    const adds = await checkAdds(options, options.adds);
    await comparePrices(options);
    if (canary === undefined) await releaseStock({ ...options, signal: stop });
    const before = toCounts(await journal.countRows(runId));
    const rounds = { ...options, adds, ...countSent(before.pending, onProgress) };
    if (canary !== undefined) {
      const ended = await sendCanary(options, canary, rounds);
      if (ended !== undefined) return ended;
      // Reading back the canary may have shown the unit of prices.
      await comparePrices(options);
      await releaseStock({ ...options, signal: stop });
    }
    let mayLearnUnit = options.record?.learnsUnit === true;
    for (;;) {
      // The limit covers the whole run, so rejected rows of the canary count, too.
      const rejected = toCounts(await journal.countRows(runId)).rejected - before.rejected;
      const left = Math.max(0, maxRejected - rejected);
      const sent = await sendRounds({ ...rounds, maxRejected: left });
      if (sent.end !== "finished") return sent;
      // A guard that was asked again while rows were sent may have held further prices.
      if ((await releaseStock({ ...options, signal: stop })) > 0) continue;
      if (!mayLearnUnit || (await countUnknownUnit(options)) === 0) return sent;
      mayLearnUnit = false;
      await readBack(options);
      if ((await comparePrices(options)) === 0) return sent;
    }
  } catch (error) {
    return toEnd(options, error);
  }
}

/** Throws any error that is no end of a run. */
function toEnd({ stop, explain }: Resolved, error: unknown): ApplyResult {
  if (stop?.aborted === true && error === stop.reason) return { end: "stopped" };
  const ended = explain?.(error);
  if (ended === undefined) throw error;
  return ended;
}

/** Reports the rows that are sent, of those that were ready at first. */
function countSent(
  total: number,
  onProgress: ApplyRunOptions["onProgress"],
): Pick<SendRoundsOptions, "onReconciled" | "onRow"> {
  let done = 0;
  return {
    onReconciled: () => onProgress?.({ step: "send", done, total }),
    onRow(row) {
      done += 1;
      onProgress?.({ step: "send", done, total, row });
    },
  };
}

const comparePrices = async ({ prices, ...options }: Resolved): Promise<number> =>
  prices === undefined
    ? 0
    : await comparePlannedPrices({ ...options, ...prices, signal: options.stop });

/** Calls of {@link sendRounds} after which a canary with unsent rows is given up. */
const MAX_ROUNDS = 3;

/**
 * Sends the canary and has it judged. The progress is read from the journal, so after a crash the
 * next process sends only the missing rows.
 */
async function sendCanary(
  options: Resolved,
  { rows, judge }: CanaryOptions,
  rounds: Parameters<typeof sendRounds>[0],
): Promise<ApplyResult | undefined> {
  const { journal, runId } = options;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const left = rows - (await readSentRows(journal, runId)).size;
    const ready = await journal.readRows(runId, { states: ["ready"], limit: 1 });
    if (left <= 0 || ready.length === 0) break;
    const sent = await sendRounds({ ...rounds, max: left });
    if (sent.end !== "finished") return sent;
  }
  await readBack({ ...options, onProgress: undefined });
  return await judge();
}

/** States of a row of which a request may have been sent. */
const SENT_STATES: readonly RowState[] = [
  "sending",
  "ambiguous",
  "held",
  "done",
  "rejected",
  "cancelled",
];

/** Returns the rows of a run for which a request was sent; a released claim does not count. */
export async function readSentRows(
  journal: Pick<Journal, "readRows" | "readEvents">,
  runId: string,
): Promise<ReadonlySet<number>> {
  const sent = new Set<number>();
  for await (const records of readAllRows(journal, runId, { states: SENT_STATES })) {
    for (const { row, attempts } of records) {
      if (attempts === 0) continue;
      if (countSentAttempts(await journal.readEvents({ runId, row })) > 0) sent.add(row);
    }
  }
  return sent;
}
