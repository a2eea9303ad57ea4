/** Lets the price guards look at rows that were planned before the unit of prices was known. */

import { readPriceTag } from "../plan/compare.ts";
import { type PriceUnit } from "../plan/price-unit.ts";
import { type Journal } from "../ports/journal.ts";
import { readAllRows } from "../ports/read-all-rows.ts";
import { type ReadBackBook } from "../ports/verification-log.ts";
import { type IssuePlace } from "../row/issue-texts.ts";
import { type RowIssue } from "../row/issue.ts";
import { type RowRecord } from "../row/row-record.ts";
import { toUnknownOldIssue } from "./guard-issue.ts";
import { type GuardSettings } from "./guard-settings.ts";
import { type GuardedUpdate, guardUpdate } from "./guard-update.ts";
import { isPersonRelease } from "./manual-release.ts";
import { findUnguarded } from "./row-guards.ts";

export interface HoldGuardedOptions {
  readonly runId: string;
  readonly journal: Journal;
  /** Other plans have replaced the last listing since; what this one saw is kept here. */
  readonly readBack: Pick<ReadBackBook, "readBefore">;
  /** As it is known by now. */
  readonly priceUnit: PriceUnit;
  readonly guards: GuardSettings;
  /** The cell that a field of the row came from. */
  readonly placeOf: (row: RowRecord, field: string) => IssuePlace;
  readonly signal?: AbortSignal | undefined;
}

const BATCH_ROWS = 200;

/**
 * Holds the updates that are ready and change a price further than the guards let pass, by what the
 * store showed when they were planned, and those of which nobody knows the old price. Where the unit
 * is still unknown, it holds what {@link guardUpdate} does then. A row that was held for that and is
 * ready again was let go by a person, and stays so. Makes no call. Says how many there were.
 */
export async function holdGuarded(options: HoldGuardedOptions): Promise<number> {
  const { journal, runId } = options;
  const waiting = { states: ["ready"], action: "update" } as const;
  let held = 0;
  for await (const rows of readAllRows(journal, runId, waiting, BATCH_ROWS)) {
    options.signal?.throwIfAborted();
    held += await holdBatch(options, rows);
  }
  return held;
}

async function holdBatch(options: HoldGuardedOptions, rows: readonly RowRecord[]): Promise<number> {
  const { journal, runId, priceUnit } = options;
  const knownOf = await readKnown(options, rows);
  let held = 0;
  for (const record of rows) {
    const found = guardRow(options, record, knownOf(record));
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

/** What is known of the product of a row. */
export type KnownProduct = Pick<GuardedUpdate, "seen" | "lastSent">;

/** Each product as its own plan saw it; where that was not kept, as the last listing showed it. */
export async function readKnown(
  { journal, readBack, runId }: Pick<HoldGuardedOptions, "journal" | "readBack" | "runId">,
  rows: readonly RowRecord[],
): Promise<(record: RowRecord) => KnownProduct> {
  const ids = rows.map(({ productId }) => productId).filter((id) => id !== null);
  const before = await readBack.readBefore(
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

function guardRow(
  { guards, placeOf, priceUnit }: HoldGuardedOptions,
  record: RowRecord,
  known: KnownProduct,
): readonly RowIssue[] {
  const { payload: sent } = record;
  if (sent === null) return [];
  const place = placeOf(record, sent.price === undefined ? "discount_value" : "price");
  const update = { ...known, sent, priceUnit };
  const found = guardUpdate(update, { guards, placeOf: () => place });
  if (found.length > 0 || priceUnit === "unknown") return found;
  const old = readPriceTag({ ...known, priceUnit });
  const guard = findUnguarded({ old, sent }, guards);
  return guard === undefined ? [] : [toUnknownOldIssue(guard, place)];
}

/** Stands in the evidence of what is held here, and of no other hold. */
const LATER = "priceUnit";

/**
 * A process may die between the last hold and its note that all rows were looked at. While the unit
 * is unknown, any release by a person counts: what it let go cannot be compared any better now.
 */
async function wasLetGo(
  { journal, runId, priceUnit }: HoldGuardedOptions,
  { row }: RowRecord,
): Promise<boolean> {
  const events = await journal.readEvents({ runId, row });
  if (priceUnit === "unknown") return events.some(isPersonRelease);
  return events.some(
    ({ cause, evidence }) =>
      cause === "guard" && LATER in evidence && evidence[LATER] !== "unknown",
  );
}
