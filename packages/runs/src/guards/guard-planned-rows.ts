/** Runs the price guards over rows that were planned before the unit of listed prices was known. */

import { readPriceTag } from "../plan/compare.ts";
import type { PriceUnit } from "../plan/price-unit.ts";
import type { Journal } from "../ports/journal.ts";
import { readAllRows } from "../ports/read-all-rows.ts";
import type { VerificationLog } from "../ports/verification-log.ts";
import type { IssueLocation } from "../row/issue-texts.ts";
import type { RowIssue } from "../row/issue.ts";
import { isStockAlone, openBody } from "../row/row-parts.ts";
import type { RowRecord } from "../row/row-record.ts";
import { toUnknownOldIssue } from "./guard-issue.ts";
import type { GuardSettings } from "./guard-settings.ts";
import { type GuardedUpdate, guardUpdate } from "./guard-update.ts";
import { isManualRelease } from "./manual-release.ts";
import { findUnguarded } from "./row-guards.ts";

export interface GuardPlannedRowsOptions {
  readonly runId: string;
  readonly journal: Journal;
  /** Listings as this plan read them; a later plan may have replaced the listing cache. */
  readonly verificationLog: Pick<VerificationLog, "readBefore">;
  /** The unit as it is known now. */
  readonly priceUnit: PriceUnit;
  readonly guards: GuardSettings;
  /** The cell that a field of the row came from. */
  readonly locationOf: (row: RowRecord, field: string) => IssueLocation;
  readonly signal?: AbortSignal | undefined;
}

const BATCH_ROWS = 200;

/**
 * Holds the ready updates whose price change is beyond the guards' limits, compared with the
 * listing that their plan read, and those whose old price is not known. While the unit is unknown,
 * it holds what {@link guardUpdate} holds. A row that a person has released from such a hold stays
 * ready. Makes no call. Returns how many rows it held.
 */
export async function guardPlannedRows(options: GuardPlannedRowsOptions): Promise<number> {
  const { journal, runId } = options;
  const waiting = { states: ["ready"], action: "update" } as const;
  let held = 0;
  for await (const rows of readAllRows(journal, runId, waiting, BATCH_ROWS)) {
    options.signal?.throwIfAborted();
    held += await holdBatch(options, rows);
  }
  return held;
}

async function holdBatch(
  options: GuardPlannedRowsOptions,
  rows: readonly RowRecord[],
): Promise<number> {
  const { journal, runId, priceUnit } = options;
  const knownOf = await readKnown(options, rows);
  let held = 0;
  for (const record of rows) {
    const found = guardRow(options, record, knownOf(record));
    if (found.length === 0 || (await wasReleased(options, record))) continue;
    await journal.recordOutcome(
      { runId, row: record.row, from: "ready" },
      {
        to: "held",
        cause: "guard",
        issues: [...record.issues, ...found],
        evidence: { [GUARDED_AFTER_PLAN]: priceUnit },
      },
    );
    held += 1;
  }
  return held;
}

/** What is known of the product of a row. */
export type KnownProduct = Pick<GuardedUpdate, "seen" | "lastSent">;

/**
 * Each product as its own plan read it, or, where that was not kept, as the listing cache has it.
 */
export async function readKnown(
  {
    journal,
    verificationLog,
    runId,
  }: Pick<GuardPlannedRowsOptions, "journal" | "verificationLog" | "runId">,
  rows: readonly RowRecord[],
): Promise<(record: RowRecord) => KnownProduct> {
  const ids = rows.map(({ productId }) => productId).filter((id) => id !== null);
  const before = await verificationLog.readBefore(
    runId,
    rows.map(({ row }) => row),
  );
  const shown = new Map(
    (await journal.readSeenById(ids)).map(({ product }) => [product.id, product]),
  );
  const lastSent = await journal.readLastSent(ids);
  return ({ row, productId }) => {
    if (productId === null) return {};
    return { seen: before.get(row) ?? shown.get(productId), lastSent: lastSent.get(productId) };
  };
}

/** What the price guards find on an update, with what is known of its product. */
export function guardRow(
  { guards, locationOf, priceUnit }: GuardPlannedRowsOptions,
  record: RowRecord,
  known: KnownProduct,
): readonly RowIssue[] {
  const sent = openBody(record);
  if (sent === null || isStockAlone(record)) return [];
  const location = locationOf(record, sent.price === undefined ? "discount_value" : "price");
  const update = { ...known, sent, priceUnit };
  const found = guardUpdate(update, { guards, locationOf: () => location });
  if (found.length > 0 || priceUnit === "unknown") return found;
  const old = readPriceTag({ ...known, priceUnit });
  const guard = findUnguarded({ old, sent }, guards);
  return guard === undefined ? [] : [toUnknownOldIssue(guard, location)];
}

/** A key in the evidence of the holds that are made here, and of no other hold. */
const GUARDED_AFTER_PLAN = "priceUnit";

/**
 * A process may die between the last hold and the record that all rows were guarded. While the unit
 * is unknown, any release by a person counts, because the guards could not compare that row any
 * better now.
 */
async function wasReleased(
  { journal, runId, priceUnit }: GuardPlannedRowsOptions,
  { row }: RowRecord,
): Promise<boolean> {
  const events = await journal.readEvents({ runId, row });
  if (priceUnit === "unknown") return events.some(isManualRelease);
  return events.some(
    ({ cause, evidence }) =>
      cause === "guard" &&
      GUARDED_AFTER_PLAN in evidence &&
      evidence[GUARDED_AFTER_PLAN] !== "unknown",
  );
}
