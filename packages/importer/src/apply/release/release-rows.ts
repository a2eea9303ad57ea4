/** Records the decisions of a person on held rows, and returns what sends the released rows. */

import type { Connection, StoreLock } from "@catalog/connection";
import { guardOf, type RowRecord, type RunRecord } from "@catalog/runs";

import { isPriceUncompared } from "../recheck/recheck-price-guards.ts";
import { isFeedRun, type Release, type ReleaseResult, releaseRow } from "./release-row.ts";

/** A held row and its decision. */
export interface DecidedRow {
  readonly record: RowRecord;
  readonly release: Release;
}

/** The number of a row, and the outcome of its decision. */
export type ReleasedRow = ReleaseResult & { readonly row: number };

/** The decisions, and the person who made them. */
export interface ReleaseRowsOptions {
  readonly run: RunRecord;
  readonly decided: readonly DecidedRow[];
  /** Name of the person, for the evidence. */
  readonly by: string;
  readonly reason?: string | undefined;
  /** Checked before each row; decisions that are recorded already stay. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each row after its decision is recorded. */
  readonly onReleased?: (released: ReleasedRow) => void;
}

/** The outcomes of all decisions. */
export interface ReleasedRows {
  readonly released: readonly ReleasedRow[];
  /**
   * What sends the released rows.
   * - `nothing`: no row was released.
   * - `apply`: `applyPlan`, which sends the released rows alone.
   * - `resume`: a resume; rows that were ready before were not decided now and are sent by it, too.
   * - `sync`: the next sync.
   */
  readonly sentBy: "nothing" | "apply" | "resume" | "sync";
}

/** Records the decisions in order; a row that cannot be released stays held, with the reason. */
export async function releaseRows(
  connection: Connection,
  { decided, onReleased, ...by }: ReleaseRowsOptions,
): Promise<ReleasedRows> {
  const [waiting] = await connection.journal.readRows(by.run.id, { states: ["ready"], limit: 1 });
  const released: ReleasedRow[] = [];
  for (const { record, release } of decided) {
    by.signal?.throwIfAborted();
    const outcome = await releaseRow(connection, { ...by, record, release });
    const row = { row: record.row, ...outcome };
    released.push(row);
    onReleased?.(row);
  }
  if (!released.some(({ to }) => to === "ready")) return { released, sentBy: "nothing" };
  if (isFeedRun(by.run)) return { released, sentBy: "sync" };
  return { released, sentBy: waiting === undefined ? "apply" : "resume" };
}

/**
 * Takes the lock under which rows of the run are released. Rows held by a sync need only the lock
 * of feeds, so running imports are not stopped. Rejects with `DatabaseError` `E_STORE_BUSY`.
 */
export async function lockForRelease(
  { locks }: Connection,
  run: RunRecord,
  command: string,
): Promise<StoreLock> {
  const lock = await (isFeedRun(run) ? locks.feeds(command) : locks.store(command));
  await lock.nameRun(run.id);
  return lock;
}

/**
 * The release of a row that a person wants to be sent. A guarded update is approved: it is checked
 * again before it is sent, with the value that it replaces.
 */
export function toSending({ action, issues }: Pick<RowRecord, "action" | "issues">): Release {
  const isGuarded = action === "update" && issues.some((issue) => guardOf(issue) !== undefined);
  return { kind: isGuarded ? "approve" : "resend" };
}

/** Numbers of the rows whose price was not compared, because the price unit was unknown. */
export async function findUncompared(
  connection: Connection,
  run: RunRecord,
  records: readonly RowRecord[],
): Promise<readonly number[]> {
  const rows: number[] = [];
  for (const record of records) {
    if (await isPriceUncompared(connection, run, record)) rows.push(record.row);
  }
  return rows;
}

/** Numbers of rows for which a person has accepted a risk that cannot be checked. */
export interface AcceptedRows {
  /** The store may hold the product without showing it. */
  readonly unproven: ReadonlySet<number>;
  /** The price was not compared, and the person has checked it. */
  readonly uncompared: ReadonlySet<number>;
}

/** The decisions, with the risks that a person has accepted for single rows. */
export function acceptRows(
  decided: readonly DecidedRow[],
  { unproven, uncompared }: AcceptedRows,
): readonly DecidedRow[] {
  return decided.map(({ record, release }) => {
    if (uncompared.has(record.row)) return { record, release: { kind: "approve" } };
    return unproven.has(record.row)
      ? { record, release: { kind: "resend", isUnprovenAccepted: true } }
      : { record, release };
  });
}
