/** Releases the updates that were held only because the unit of listed prices was unknown. */

import type { ProductChanges } from "@catalog/contract";

import { compareFields, DISCOUNT_FIELDS } from "../plan/compare.ts";
import { readAllRows } from "../ports/read-all-rows.ts";
import type { RowRecord } from "../row/row-record.ts";
import { PRICE_UNIT_CODE } from "./guard-issue.ts";
import {
  type GuardPlannedRowsOptions,
  type KnownProduct,
  readKnown,
} from "./guard-planned-rows.ts";
import { PRICE_UNIT_CAUSE } from "./manual-release.ts";

const BATCH_ROWS = 200;

/**
 * Options of {@link releaseUnknownUnit}; it compares no prices, so the caller runs
 * `guardPlannedRows` next.
 */
export interface ReleaseUnknownUnitOptions extends Pick<
  GuardPlannedRowsOptions,
  "runId" | "journal" | "verificationLog" | "signal"
> {
  readonly priceUnit: "minor" | "major";
}

/**
 * Makes such rows `ready`, and `unchanged` those whose price the store already shows. A row that
 * another guard holds as well stays held. Makes no call. Returns how many rows are ready.
 */
export async function releaseUnknownUnit(options: ReleaseUnknownUnitOptions): Promise<number> {
  const { journal, runId, signal } = options;
  let ready = 0;
  for await (const rows of readAllRows(journal, runId, { states: ["held"] }, BATCH_ROWS)) {
    signal?.throwIfAborted();
    const waiting = rows.filter(waitsForUnit);
    const knownOf = await readKnown(options, waiting);
    for (const record of waiting) {
      const to = isAsWanted(record, knownOf(record), options) ? "unchanged" : "ready";
      await moveRow(options, record, to);
      if (to === "ready") ready += 1;
    }
  }
  return ready;
}

const isOfUnit = ({ code }: RowRecord["issues"][number]): boolean => code === PRICE_UNIT_CODE;

/** Any other error of a held row is a reason of its own to hold it. */
const waitsForUnit = ({ action, issues }: RowRecord): boolean =>
  action === "update" &&
  issues.some(isOfUnit) &&
  issues.every((issue) => isOfUnit(issue) || issue.code.startsWith("W_"));

async function moveRow(
  { journal, runId, priceUnit }: ReleaseUnknownUnitOptions,
  { row, issues }: RowRecord,
  to: "ready" | "unchanged",
): Promise<void> {
  await journal.recordOutcome(
    { runId, row, from: "held" },
    {
      to,
      cause: PRICE_UNIT_CAUSE,
      changes: to === "unchanged" ? [] : undefined,
      issues: issues.filter((issue) => !isOfUnit(issue)),
      evidence: { rule: "the unit of the listing's prices is known by now", priceUnit },
    },
  );
}

/** The fields of a row that can be judged without the row's cells. */
const AMOUNTS: ReadonlySet<string> = new Set(["price", ...DISCOUNT_FIELDS]);

function isAsWanted(
  { payload }: RowRecord,
  known: KnownProduct,
  { priceUnit }: ReleaseUnknownUnitOptions,
): boolean {
  const wanted = toWanted(payload);
  if (known.seen === undefined || !Object.keys(wanted).every((field) => AMOUNTS.has(field))) {
    return false;
  }
  return compareFields({ ...known, wanted, priceUnit }).changes.length === 0;
}

const toWanted = (payload: RowRecord["payload"]): ProductChanges =>
  Object.fromEntries(
    Object.entries(payload ?? {}).filter(
      ([field, value]) => field !== "product_id" && value !== undefined,
    ),
  );
