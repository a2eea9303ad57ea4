/**
 * Finds adds that are risky to send again: the store does not show their product, but may have it
 * without showing it, and no product can be deleted.
 */

import type { Connection } from "@catalog/connection";
import { codeKey } from "@catalog/mapping";
import {
  countSentAttempts,
  judgeVisibility,
  sampleVisibility,
  SETTLE_TIME_MS,
  readVisibility,
  type RowEvent,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";

import { isVisibilityUnproven } from "../recheck/hold-unproven-adds.ts";

/** Rows whose product may be in the store although it is not shown. */
export interface ResendRisks {
  /**
   * Rows whose request may have been sent, in a store that has not been seen to show new products.
   */
  readonly unproven: readonly RowRecord[];
  /** Rows whose request may still be carried out, in a store that shows new products. */
  readonly early: readonly RowRecord[];
}

/** The rows that a person wants to send again. */
export interface FindResendRisksOptions {
  readonly run: RunRecord;
  /** Rows that are to be sent again. */
  readonly records: readonly RowRecord[];
  readonly signal?: AbortSignal | undefined;
}

/** Minutes within which a sent request may still take effect; a resume waits as long. */
export const RESEND_WAIT_MINUTES: number = SETTLE_TIME_MS / 60_000;

/** Finds the risks of the rows; makes no call where none of their requests may have been sent. */
export async function findResendRisks(
  connection: Connection,
  { run, records, signal }: FindResendRisksOptions,
): Promise<ResendRisks> {
  const { journal, marketplace, clock } = connection;
  const sent: RowRecord[] = [];
  const early: RowRecord[] = [];
  for (const record of records) {
    const events = await readSent(connection, run, record);
    if (events === undefined) continue;
    sent.push(record);
    if (clock.now() - lastBegunMs(events) < SETTLE_TIME_MS) early.push(record);
  }
  if (sent.length === 0) return { unproven: [], early: [] };
  await sampleVisibility({ journal, marketplace, signal });
  const { verdict } = await readVisibility({ journal, marketplace, codeKey, signal });
  return verdict === "visible" ? { unproven: [], early } : { unproven: sent, early: [] };
}

/** Whether the row is an unproven one, by what is already recorded; makes no call. */
export async function isUnprovenResend(
  connection: Pick<Connection, "journal">,
  run: RunRecord,
  record: RowRecord,
): Promise<boolean> {
  if ((await readSent(connection, run, record)) === undefined) return false;
  return judgeVisibility(await connection.journal.readLagSamples()).verdict !== "visible";
}

/**
 * Reads the events of an add whose request may have been sent, by this run or an earlier one, from
 * this home or a copy; `undefined` for any other row.
 */
async function readSent(
  { journal }: Pick<Connection, "journal">,
  { id: runId }: RunRecord,
  record: RowRecord,
): Promise<readonly RowEvent[] | undefined> {
  const { row, action, codeKey: key, issues } = record;
  if (action !== "add") return undefined;
  const events = await journal.readEvents({ runId, row });
  // Another copy of the home may have sent it.
  if (isVisibilityUnproven(record) || countSentAttempts(events) > 0) return events;
  if (!issues.some(({ code }) => code === "E_REFUSED_BEFORE")) return undefined;
  const [known] = await journal.readKnownCodes([key ?? ""]);
  return known?.isRefused === true ? await journal.readEvents(known) : undefined;
}

const lastBegunMs = (events: readonly RowEvent[]): number =>
  events.findLast(({ to }) => to === "sending")?.atMs ?? 0;
