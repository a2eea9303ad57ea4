/**
 * Adds that a person wants to send again, and of which "the store does not show it" is no proof:
 * their product may be there and waiting to be shown, and no product can be deleted.
 */

import { type Connection } from "@catalog/connection";
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

export interface ResendRisks {
  /** Their request may have left, and the store has not been seen to show what is added to it. */
  readonly unproven: readonly RowRecord[];
  /** The store shows what is added, but their request may still be carried out. */
  readonly early: readonly RowRecord[];
}

export interface FindResendRisksOptions {
  readonly run: RunRecord;
  /** Rows that are to be sent again. */
  readonly records: readonly RowRecord[];
  readonly signal?: AbortSignal | undefined;
}

/** So long a request may take effect after it was sent; the same wait as that of a resume. */
export const RESEND_WAIT_MINUTES: number = SETTLE_TIME_MS / 60_000;

/** Looks for the doubts of these rows; makes no call where no request of theirs has left. */
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

/** Whether the row is one of the blind ones, by what is known already: makes no call. */
export async function isUnprovenResend(
  connection: Pick<Connection, "journal">,
  run: RunRecord,
  record: RowRecord,
): Promise<boolean> {
  if ((await readSent(connection, run, record)) === undefined) return false;
  return judgeVisibility(await connection.journal.readLagSamples()).verdict !== "visible";
}

/**
 * What happened to an add whose request has left or may have left, in this run or an earlier one,
 * from here or from a copy.
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
