/**
 * Adds that a person wants to send again, and of which "the store does not show it" is no proof:
 * their product may be there and waiting to be shown, and no product can be deleted.
 */

import { type Toolkit } from "@catalog/connection";
import { codeKey } from "@catalog/mapping";
import {
  countDepartures,
  judgeVisibility,
  lookForSamples,
  QUIET_MS,
  readVisibility,
  type RowEvent,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";

import { isUnseen } from "./hold-unproven-adds.ts";

export interface ResendDoubts {
  /** Their request may have left, and the store has not been seen to show what is added to it. */
  readonly blind: readonly RowRecord[];
  /** The store shows what is added, but their request may still be carried out. */
  readonly early: readonly RowRecord[];
}

export interface FindResendDoubtsOptions {
  readonly run: RunRecord;
  /** Rows that are to be sent again. */
  readonly records: readonly RowRecord[];
  readonly signal?: AbortSignal | undefined;
}

/** So long a request may take effect after it was sent; the same wait as that of a resume. */
export const RESEND_WAIT_MINUTES: number = QUIET_MS / 60_000;

/** Looks for the doubts of these rows; makes no call where no request of theirs has left. */
export async function findResendDoubts(
  toolkit: Toolkit,
  { run, records, signal }: FindResendDoubtsOptions,
): Promise<ResendDoubts> {
  const { journal, marketplace, clock } = toolkit;
  const departed: RowRecord[] = [];
  const early: RowRecord[] = [];
  for (const record of records) {
    const events = await readDeparted(toolkit, run, record);
    if (events === undefined) continue;
    departed.push(record);
    if (clock.now() - lastBegunMs(events) < QUIET_MS) early.push(record);
  }
  if (departed.length === 0) return { blind: [], early: [] };
  await lookForSamples({ journal, marketplace, signal });
  const { verdict } = await readVisibility({ journal, marketplace, codeKey, signal });
  return verdict === "visible" ? { blind: [], early } : { blind: departed, early: [] };
}

/** Whether the row is one of the blind ones, by what is known already: makes no call. */
export async function isBlindResend(
  toolkit: Pick<Toolkit, "journal">,
  run: RunRecord,
  record: RowRecord,
): Promise<boolean> {
  if ((await readDeparted(toolkit, run, record)) === undefined) return false;
  return judgeVisibility(await toolkit.journal.readLagSamples()).verdict !== "visible";
}

/**
 * What happened to an add whose request has left or may have left, in this run or an earlier one, from
 * here or from a copy.
 */
async function readDeparted(
  { journal }: Pick<Toolkit, "journal">,
  { id: runId }: RunRecord,
  record: RowRecord,
): Promise<readonly RowEvent[] | undefined> {
  const { row, action, codeKey: key, issues } = record;
  if (action !== "add") return undefined;
  const events = await journal.readEvents({ runId, row });
  // Another copy of the home may have sent it.
  if (isUnseen(record) || countDepartures(events) > 0) return events;
  if (!issues.some(({ code }) => code === "E_REFUSED_BEFORE")) return undefined;
  const [known] = await journal.readKnownCodes([key ?? ""]);
  return known?.isRefused === true ? await journal.readEvents(known) : undefined;
}

const lastBegunMs = (events: readonly RowEvent[]): number =>
  events.findLast(({ to }) => to === "sending")?.atMs ?? 0;
