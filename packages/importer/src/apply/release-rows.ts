/** Settles held rows as a person has decided on each, and tells what sends those that may go now. */

import { type Toolkit } from "@catalog/connection";
import { type StoreLock } from "@catalog/database";
import { guardOf, type RowRecord, type RunRecord } from "@catalog/runs";

import { isPriceUncompared } from "./recheck-price-guards.ts";
import { isFeedRun, type Release, type Released, releaseRow } from "./release-row.ts";

/** A held row, and what is to become of it. */
export interface DecidedRow {
  readonly record: RowRecord;
  readonly release: Release;
}

/** A row of the file, and what became of it. */
export type ReleasedRow = Released & { readonly row: number };

/** What was decided, and by whom. */
export interface ReleaseRowsOptions {
  readonly run: RunRecord;
  readonly decided: readonly DecidedRow[];
  /** Name of the person, for the evidence. */
  readonly by: string;
  readonly reason?: string | undefined;
  /** Rejects with its reason before the next row; rows that are settled stay so. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each row once it is settled. */
  readonly onReleased?: (released: ReleasedRow) => void;
}

/** What became of the rows. */
export interface ReleasedRows {
  readonly released: readonly ReleasedRow[];
  /**
   * What sends the rows that may go now.
   * - `nothing`: there are none.
   * - `apply`: `applyPlanned`, which sends them and no others.
   * - `resume`: a resume, with other rows of the run that waited before and were not decided on now.
   * - `sync`: the next sync.
   */
  readonly sentBy: "nothing" | "apply" | "resume" | "sync";
}

/** Settles the rows one after the other; one that cannot be released stays held and says why. */
export async function releaseRows(
  toolkit: Toolkit,
  { decided, onReleased, ...by }: ReleaseRowsOptions,
): Promise<ReleasedRows> {
  const [waiting] = await toolkit.journal.readRows(by.run.id, { states: ["ready"], limit: 1 });
  const released: ReleasedRow[] = [];
  for (const { record, release } of decided) {
    by.signal?.throwIfAborted();
    const outcome = await releaseRow(toolkit, { ...by, record, release });
    const row = { row: record.row, ...outcome };
    released.push(row);
    onReleased?.(row);
  }
  if (!released.some(({ to }) => to === "ready")) return { released, sentBy: "nothing" };
  if (isFeedRun(by.run)) return { released, sentBy: "sync" };
  return { released, sentBy: waiting === undefined ? "apply" : "resume" };
}

/**
 * Keeps off the processes that would send the rows: for a run of a sync other syncs, and no import,
 * because the next sync sends them. Throws `StoreError` `E_STORE_BUSY`.
 */
export function lockForRelease(toolkit: Toolkit, run: RunRecord, command: string): StoreLock {
  const lock = isFeedRun(run) ? toolkit.locks.feeds(command) : toolkit.locks.store(command);
  lock.nameRun(run.id);
  return lock;
}

/** What it means to send a row: what a guard holds goes as planned, if it is still what was shown. */
export function toSending({ action, issues }: Pick<RowRecord, "action" | "issues">): Release {
  const isGuarded = action === "update" && issues.some((issue) => guardOf(issue) !== undefined);
  return { kind: isGuarded ? "approve" : "resend" };
}

/** The rows whose price was compared with nothing, because the unit of prices was unknown. */
export async function findUncompared(
  toolkit: Toolkit,
  run: RunRecord,
  records: readonly RowRecord[],
): Promise<readonly number[]> {
  const rows: number[] = [];
  for (const record of records) {
    if (await isPriceUncompared(toolkit, run, record)) rows.push(record.row);
  }
  return rows;
}

/** Rows of which a person has accepted what cannot be checked. */
export interface AcceptedRows {
  /** The store may hold the product without showing it. */
  readonly blind: ReadonlySet<number>;
  /** The price was compared with nothing, and the person has checked it. */
  readonly uncompared: ReadonlySet<number>;
}

/** The decisions, with what a person has accepted of single rows. */
export function acceptRows(
  decided: readonly DecidedRow[],
  { blind, uncompared }: AcceptedRows,
): readonly DecidedRow[] {
  return decided.map(({ record, release }) => {
    if (uncompared.has(record.row)) return { record, release: { kind: "approve" } };
    return blind.has(record.row)
      ? { record, release: { kind: "resend", isBlindAccepted: true } }
      : { record, release };
  });
}
