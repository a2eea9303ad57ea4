/**
 * Applies a planned run: checks again what may have changed since its plan, sends the rows, and
 * compares prices once reading back has shown the unit of the listing's prices.
 */

import { type Clock, systemClock } from "@catalog/clock";

import {
  comparePlannedPrices,
  type ComparePricesOptions,
  countUnknownUnit,
} from "../guards/guard-planned-rows.ts";
import { releaseStock } from "../guards/stock-first.ts";
import { type Journal, readAllRows } from "../ports/journal.ts";
import { countSentAttempts } from "../reconcile/decide-absent.ts";
import { type RowState, toCounts } from "../row/row-state.ts";
import type { ApplyResult } from "./outcome.ts";
import { checkAdds, type CheckAddsOptions } from "./pre-send-checks.ts";
import { sendRounds, type SendRoundsOptions } from "./send-rounds.ts";
import type { RecheckOptions } from "./update-rechecks.ts";

/** The run, and what is checked before its rows are sent and while they are. */
export interface ApplyRunOptions extends Omit<SendRoundsOptions, "recheck" | "onReconciled"> {
  /** How updates are rechecked; a function is called before each pass over the rows. */
  readonly recheck: RecheckOptions | (() => Promise<RecheckOptions>);
  /** How adds are checked. @default they are sent as they were planned */
  readonly adds?: CheckAddsOptions | undefined;
  /** Compares prices that the plan could not compare. @default none is compared */
  readonly prices?: Omit<ComparePricesOptions, "runId" | "journal" | "signal"> | undefined;
  /** Rows that are sent and judged before the others. @default none */
  readonly canary?: CanaryOptions | undefined;
  /**
   * Reads back the rows that were sent, from which the unit of prices may be learnt.
   * @default nothing is read back while rows are held for that unit
   */
  readonly readBack?: (() => Promise<void>) | undefined;
  /** Called before rows are sent, with the number of rows that are left. */
  readonly onReconciled?: ((pending: number) => void) | undefined;
}

interface CanaryOptions {
  readonly rows: number;
  /**
   * Reads the sent rows back and judges them. Returns why the other rows may not be sent;
   * `undefined` where they may.
   */
  readonly judge: () => Promise<ApplyResult | undefined>;
}

/**
 * Sends the ready rows of a run, and the stock of updates whose price alone is held. A run with
 * nothing left to send is only reconciled.
 */
export async function applyRun(options: ApplyRunOptions): Promise<ApplyResult> {
  const { clock = systemClock, stop } = options;
  try {
    return await sendPlan({ ...options, clock });
  } catch (error) {
    if (stop?.aborted === true && error === stop.reason) return { end: "stopped" };
    throw error;
  }
}

type Resolved = ApplyRunOptions & { readonly clock: Clock };

/** Sends rows, at most so many of them. */
type Send = (limits: Pick<SendRoundsOptions, "max" | "maxRejected">) => Promise<ApplyResult>;

async function sendPlan(options: Resolved): Promise<ApplyResult> {
  const { journal, runId, canary } = options;
  const adds = options.adds && (await checkAdds(options, options.adds));
  await comparePrices(options);
  if (canary === undefined) await releaseStock({ ...options, signal: options.stop });
  const before = toCounts(await journal.countRows(runId));
  const send: Send = async (limits) => {
    const { recheck } = options;
    return await sendRounds({
      ...options,
      ...limits,
      recheck: { adds, ...(typeof recheck === "function" ? await recheck() : recheck) },
      onReconciled: () => options.onReconciled?.(before.pending),
    });
  };
  if (canary !== undefined) {
    const ended = await sendCanary(options, canary, send);
    if (ended !== undefined) return ended;
    // Reading back the canary may have shown the unit of prices.
    await comparePrices(options);
    await releaseStock({ ...options, signal: options.stop });
  }
  return await sendUnknownUnitRows(options, () => sendRest(options, before.rejected, send));
}

const comparePrices = async ({ prices, ...options }: Resolved): Promise<number> =>
  prices === undefined
    ? 0
    : await comparePlannedPrices({ ...options, ...prices, signal: options.stop });

/** Sends the ready rows, then the stock of updates whose price was held meanwhile. */
async function sendRest(options: Resolved, rejected: number, send: Send): Promise<ApplyResult> {
  const { journal, runId, maxRejected = Infinity, max } = options;
  // The limit covers the whole run, so rejected rows of the canary count, too.
  const now = toCounts(await journal.countRows(runId)).rejected;
  const sent = await send({ max, maxRejected: Math.max(0, maxRejected - (now - rejected)) });
  if (sent.end !== "finished") return sent;
  // A guard that was asked again while rows were sent may have held further prices.
  return (await releaseStock({ ...options, signal: options.stop })) === 0
    ? sent
    : await sendRest(options, rejected, send);
}

/**
 * Sends the ready rows, and then rows that were held only because the unit of prices was unknown,
 * if reading back the sent rows has shown the unit. Makes no call that reading back would not make.
 */
async function sendUnknownUnitRows(
  options: Resolved,
  send: () => Promise<ApplyResult>,
): Promise<ApplyResult> {
  const first = await send();
  if (first.end !== "finished" || options.readBack === undefined) return first;
  if ((await countUnknownUnit(options)) === 0) return first;
  await options.readBack();
  return (await comparePrices(options)) === 0 ? first : await send();
}

/** Calls of `send` after which a canary with unsent rows is given up. */
const MAX_ROUNDS = 3;

/**
 * Sends the canary and has it judged. The progress is read from the journal, so after a crash the
 * next process sends only the missing rows.
 */
async function sendCanary(
  options: Resolved,
  { rows, judge }: CanaryOptions,
  send: Send,
): Promise<ApplyResult | undefined> {
  const { journal, runId } = options;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const left = rows - (await readSentRows(journal, runId)).size;
    const ready = await journal.readRows(runId, { states: ["ready"], limit: 1 });
    if (left <= 0 || ready.length === 0) break;
    const sent = await send({ max: left, maxRejected: options.maxRejected });
    if (sent.end !== "finished") return sent;
  }
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
