/** Rows whose outcome is open, and what reconciling them needs. */

import type { Clock } from "@catalog/clock";

import type { Journal } from "../ports/journal.ts";
import { RowMovedError } from "../ports/ledger.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import type { toIssue } from "../row/issue-texts.ts";
import type { RowOutcome } from "../row/row-outcome.ts";
import type { RowKey, RowRecord } from "../row/row-record.ts";
import type { RowState } from "../row/row-state.ts";
import { type AddHistory, toAddHistory, type UnknownPolicy } from "./decide-absent.ts";
import type { CodeKeys } from "./match-product.ts";

/** Ports and limits of `reconcile`. */
export interface ReconcileOptions extends CodeKeys {
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  readonly clock: Clock;
  /** @default "hold" */
  readonly onUnknown?: UnknownPolicy | undefined;
  /** Run that is being resumed: only its held adds may be sent again. @default none */
  readonly runId?: string | undefined;
  /**
   * Waits before each lookup, in milliseconds; after the last one a row stays open for a later
   * start.
   */
  readonly lookupDelaysMs?: readonly number[] | undefined;
  /**
   * Shortest time, in milliseconds, over which an add is looked up before it is sent again.
   * @default 15 minutes
   */
  readonly quietMs?: number | undefined;
  /**
   * Leaves refused adds of the run open while their absence is unproven: the run continues, and its
   * other products may tell more. @default false
   */
  readonly mayWait?: boolean | undefined;
  /** The sheet's name, for issues. */
  readonly sheet: string;
  readonly signal?: AbortSignal | undefined;
}

/** A row whose request may have been carried out. */
export type OpenRow = RowKey & { readonly record: RowRecord };

/** An add with the facts from its events. */
export type OpenAdd = OpenRow & { readonly history: AddHistory; readonly state: RowState };

/** Whether a refused add of the run may wait for a proof while the run continues. */
export const mayStayOpen = (
  { mayWait, runId }: ReconcileOptions,
  { history, runId: runOfRow }: OpenAdd,
): boolean => mayWait === true && history.impliedState === "ready" && runOfRow === runId;

/** Adds to each row the facts of its events. */
export async function withHistories(
  { journal }: ReconcileOptions,
  rows: readonly OpenRow[],
  state: RowState,
): Promise<readonly OpenAdd[]> {
  const adds: OpenAdd[] = [];
  for (const { runId, row, record } of rows) {
    const history = toAddHistory(await journal.readEvents({ runId, row }));
    adds.push({ runId, row, record, history, state });
  }
  return adds;
}

/** Records the outcome of a row, unless the row has moved since it was read. */
export async function recordOutcome(
  { journal }: Pick<ReconcileOptions, "journal">,
  { runId, row, record }: OpenRow,
  outcome: RowOutcome,
): Promise<void> {
  const { state: from, attempts: attempt } = record;
  await unlessMoved(journal.recordOutcome({ runId, row, from, attempt }, outcome));
}

/**
 * Resolves with whether a write about an open row was made. Where an answer has settled the row
 * while it was looked up, that answer stands.
 */
export async function unlessMoved(write: Promise<void>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof RowMovedError) return false;
    throw error;
  }
}

/** The location of an issue about the row, which has no cell. */
export function locationOf(
  { sheet }: ReconcileOptions,
  record: RowRecord,
): Parameters<typeof toIssue>[1] {
  return { sheet, row: record.row, column: "", cell: "", value: record.code ?? "" };
}
