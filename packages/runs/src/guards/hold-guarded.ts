/** Lets the price guards look at rows that were planned before the unit of prices was known. */

import { type PriceUnit, readPriceTag } from "../compare.ts";
import { type IssuePlace } from "../findings.ts";
import { type RowIssue } from "../issue.ts";
import { type Journal, type RowRecord } from "../journal.ts";
import { type ReadBackBook } from "../verify/read-back-book.ts";
import { toGuardIssue, toUnknownOldIssue } from "./guard-issue.ts";
import { type GuardSettings } from "./guard-settings.ts";
import { type PriceTag } from "./paid-price.ts";
import { findUnguarded, guardPrice } from "./row-guards.ts";

export interface HoldGuardedOptions {
  readonly runId: string;
  readonly journal: Journal;
  /** Other plans have replaced the last listing since; what this one saw is kept here. */
  readonly readBack: Pick<ReadBackBook, "readBefore">;
  /** As it is known by now. */
  readonly priceUnit: Exclude<PriceUnit, "unknown">;
  readonly guards: GuardSettings;
  /** The cell that a field of the row came from. */
  readonly placeOf: (row: RowRecord, field: string) => IssuePlace;
  readonly signal?: AbortSignal | undefined;
}

const BATCH_ROWS = 200;

/**
 * Holds the updates that are ready and change a price further than the guards let pass, by what the
 * store showed when they were planned, and those of which nobody knows the old price. A row that it
 * held before and that is ready again was let go by a person, and stays so. Makes no call. Says how
 * many there were.
 */
export async function holdGuarded(options: HoldGuardedOptions): Promise<number> {
  const { journal, runId } = options;
  let held = 0;
  let after = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    const filter = { states: ["ready"], after, limit: BATCH_ROWS } as const;
    const rows = await journal.readRows(runId, filter);
    const last = rows.at(-1);
    if (last === undefined) return held;
    held += await holdBatch(
      options,
      rows.filter(({ action }) => action === "update"),
    );
    after = last.row;
  }
}

async function holdBatch(options: HoldGuardedOptions, rows: readonly RowRecord[]): Promise<number> {
  const { journal, runId, priceUnit } = options;
  const oldOf = await readOldTags(options, rows);
  let held = 0;
  for (const record of rows) {
    const found = guardRow(options, record, oldOf(record));
    if (found.length === 0 || (await wasLetGo(options, record))) continue;
    await journal.settle(
      { runId, row: record.row, from: "ready" },
      {
        to: "held",
        cause: "guard",
        issues: [...record.issues, ...found],
        evidence: { [LATER]: priceUnit },
      },
    );
    held += 1;
  }
  return held;
}

/** Each product as its own plan saw it; where that was not kept, as the last listing showed it. */
async function readOldTags(
  { journal, readBack, runId, priceUnit }: HoldGuardedOptions,
  rows: readonly RowRecord[],
): Promise<(record: RowRecord) => PriceTag> {
  const ids = rows.map(({ productId }) => productId).filter((id) => id !== null);
  const before = await readBack.readBefore(
    runId,
    rows.map(({ row }) => row),
  );
  const shown = new Map(
    (await journal.readSeenById(ids)).map(({ product }) => [product.id, product]),
  );
  const sent = await journal.readLastSent(ids);
  return ({ row, productId }) => {
    if (productId === null) return {};
    const seen = before.get(row) ?? shown.get(productId);
    return readPriceTag({ seen, lastSent: sent.get(productId), priceUnit });
  };
}

function guardRow(
  { guards, placeOf }: HoldGuardedOptions,
  record: RowRecord,
  old: PriceTag,
): readonly RowIssue[] {
  const { payload: sent } = record;
  if (sent === null) return [];
  const place = placeOf(record, sent.price === undefined ? "discount_value" : "price");
  const found = guardPrice({ old, sent }, guards).map((finding) => toGuardIssue(finding, place));
  if (found.length > 0) return found;
  const guard = findUnguarded({ old, sent }, guards);
  return guard === undefined ? [] : [toUnknownOldIssue(guard, place)];
}

/** Stands in the evidence of what is held here, and of no other hold. */
const LATER = "priceUnit";

/** A process may die between the last hold and its note that all rows were looked at. */
async function wasLetGo(
  { journal, runId }: HoldGuardedOptions,
  { row }: RowRecord,
): Promise<boolean> {
  const events = await journal.readEvents({ runId, row });
  return events.some(({ cause, evidence }) => cause === "guard" && LATER in evidence);
}
