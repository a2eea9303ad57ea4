/**
 * Rows whose outcome is open, and the updates among them: they set absolute values, so the listing
 * shows which took effect. A lost update that did not is sent again; a refused one is rejected.
 */

import type { Clock } from "@catalog/clock";

import { openBody, toCarriedOut } from "../guards/stock-first.ts";
import { compareFields } from "../plan/compare.ts";
import { type Journal, RowMovedError } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import type { StoreProduct } from "../ports/product.ts";
import { toIssue, toRowLocation } from "../row/issues.ts";
import type { RowKey, RowOutcome, RowRecord } from "../row/row-record.ts";
import type { RowState } from "../row/row-state.ts";
import { type AddHistory, toAddHistory, type UnknownPolicy } from "./decide-absent.ts";
import { idsOf, readProducts } from "./find-products.ts";
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
   * other products may show more. @default false
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

interface ReconcileUpdatesOptions {
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  readonly clock: Clock;
  /** Waits before each lookup, in milliseconds. */
  readonly lookupDelaysMs: readonly number[];
  /** The sheet's name, for issues. */
  readonly sheet: string;
  readonly signal?: AbortSignal | undefined;
}

/** Number of lookups of an update that the store does not show: it may take effect late. */
const UPDATE_LOOKUPS = 2;

/** Looks up all lost or refused updates together. */
export async function reconcileUpdates(
  options: ReconcileUpdatesOptions,
  rows: readonly OpenRow[],
): Promise<void> {
  const { marketplace, clock, signal, lookupDelaysMs } = options;
  const delays = lookupDelaysMs.slice(0, UPDATE_LOOKUPS);
  let open = rows;
  for (const [n, delayMs] of delays.entries()) {
    if (open.length === 0) return;
    if (delayMs > 0) await clock.sleep(delayMs, signal);
    const ids = idsOf(open.map(({ record }) => record));
    const seen = await readProducts(ids, { marketplace, signal });
    const missing: OpenRow[] = [];
    for (const row of open) {
      const { productId } = row.record;
      const found = productId === null ? undefined : seen.get(productId)?.product;
      const judged = judgeUpdate(row.record, found);
      if (judged.to === "done") await recordCarriedOut(options, row, judged);
      else if (n === delays.length - 1) await reconcileMissingUpdate(options, row, judged);
      else missing.push(row);
    }
    open = missing;
  }
}

/** A lost update is sent again; a refused one is rejected once the store does not show it. */
async function reconcileMissingUpdate(
  options: ReconcileUpdatesOptions,
  row: OpenRow,
  judged: RowOutcome,
): Promise<void> {
  const events = await options.journal.readEvents(row);
  const { impliedState, text = { tr: "", en: "" } } = toAddHistory(events);
  if (impliedState !== "rejected") {
    await recordCarriedOut(options, row, judged);
    return;
  }
  const location = toRowLocation(options.sheet, row.record);
  const opened = events.findLast(({ from }) => from === "sending");
  await recordCarriedOut(options, row, {
    to: "rejected",
    cause: "refused-and-absent",
    note: row.record.note ?? text.en,
    issues: [toIssue("E_REJECTED", location, text)],
    evidence: { ...judged.evidence, status: opened?.evidence["status"] },
  });
}

async function recordCarriedOut(
  options: ReconcileUpdatesOptions,
  row: OpenRow,
  outcome: RowOutcome,
): Promise<void> {
  await recordOutcome(options, row, toCarriedOut(row.record, outcome));
}

/** Returns `done` when the store shows every field of the update; otherwise it is sent again. */
function judgeUpdate(record: RowRecord, seen: StoreProduct | undefined): RowOutcome {
  if (seen === undefined) return { to: "ready", cause: "read-back-missing" };
  const wanted = openBody(record) ?? {};
  const { changes, notComparable } = compareFields({ wanted, seen, priceUnit: "unknown" });
  const isApplied = changes.length === 0 && notComparable.length === 0;
  const evidence = { rule: "read back by id", changes, notComparable };
  return isApplied
    ? { to: "done", cause: "read-back", evidence }
    : { to: "ready", cause: "read-back-differs", evidence };
}
