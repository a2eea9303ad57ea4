/**
 * Reconciles updates that were lost or refused: they set absolute values, so the listing shows
 * which took effect. A lost update that did not is sent again; a refused one is rejected.
 */

import type { Clock } from "@catalog/clock";

import type { Journal } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import { toIssue } from "../row/issue-texts.ts";
import type { RowOutcome } from "../row/row-outcome.ts";
import { toCarriedOut } from "../row/row-parts.ts";
import { toAddHistory } from "./decide-absent.ts";
import { idsOf, readProducts } from "./find-products.ts";
import { judgeUpdate } from "./judge-update.ts";
import { type OpenRow, recordOutcome } from "./open-add.ts";

export interface ReconcileUpdatesOptions {
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
  const { row: number, code } = row.record;
  const location = { sheet: options.sheet, row: number, column: "", cell: "", value: code ?? "" };
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
