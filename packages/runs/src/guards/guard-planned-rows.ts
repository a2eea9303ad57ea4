/**
 * Price guards of rows that were planned before the unit of listed prices was known: they are run
 * once more, and rows that waited for the unit alone are released.
 */

import { compareFields, DISCOUNT_FIELDS, readPriceTag } from "../plan/compare.ts";
import {
  type KnownPriceUnit,
  type PriceUnit,
  readKnownUnit,
  UNKNOWN_UNIT,
} from "../plan/price-unit.ts";
import { type Journal, judgeRows, readAllRows } from "../ports/journal.ts";
import type { ProductChanges } from "../ports/product.ts";
import type { RunRepository } from "../ports/run-repository.ts";
import type { IssueLocation, RowIssue } from "../row/issues.ts";
import { isManualRelease, type RowRecord } from "../row/row-record.ts";
import type { VerificationLog } from "../verify/verification.ts";
import { PRICE_UNIT_CODE, toUnknownOldIssue } from "./guard-issue.ts";
import { type GuardSettings, toGuardSettings } from "./guard-settings.ts";
import { findUnguarded, type GuardedUpdate, guardUpdate } from "./price-guards.ts";
import { isStockAlone, openBody } from "./stock-first.ts";

/** The run, and what is known of the unit of prices by now. */
export interface ComparePricesOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly runs: Pick<RunRepository, "read" | "update">;
  /** Listings as this plan read them; a later plan may have replaced the listing cache. */
  readonly verificationLog: Pick<VerificationLog, "readBefore">;
  /** Reads what is known of the unit besides prices that were sent. */
  readonly readKnown: () => Promise<KnownPriceUnit>;
  /** Code of the run's warning about the unknown unit, which is dropped once the unit is known. */
  readonly warning: string;
  /** The cell that a field of the row came from. */
  readonly locationOf: (row: RowRecord, field: string) => IssueLocation;
  readonly signal?: AbortSignal | undefined;
}

interface GuardPlannedRowsOptions extends ComparePricesOptions {
  /** The unit as it is known now. */
  readonly priceUnit: PriceUnit;
  readonly guards: GuardSettings;
}

/**
 * Runs the price guards on a run that was planned before the unit of the listing's prices was
 * known, and returns the number of rows that became ready. Makes no call.
 * - Unit known: releases the rows that were held for the unit alone, and holds those on which a
 *   guard trips; a row that something else holds too stays held, with its price compared. This
 *   happens once in a run, and again after a crash in between; a row that a person has released is
 *   not held again.
 * - Unit unknown: holds rows whose price needs it.
 * - Undo: does nothing, because an undo restores earlier values of the store.
 */
export async function comparePlannedPrices(given: ComparePricesOptions): Promise<number> {
  const { runId, runs, journal } = given;
  const run = await runs.read(runId);
  const facts = run?.facts ?? null;
  if (run === undefined || facts === null || facts.priceUnit !== "unknown") return 0;
  if (run.progress.undoOf !== undefined) return 0;
  const unit = (await readKnownUnit(journal, await given.readKnown())) ?? UNKNOWN_UNIT;
  const { priceUnit } = unit;
  const guards = toGuardSettings(run.settings.guardLimits, run.settings.allowed);
  const options = { ...given, priceUnit, guards };
  if (priceUnit === "unknown") {
    await guardPlannedRows(options);
    return 0;
  }
  const ready = await releaseUnknownUnit({ ...options, priceUnit });
  await compareHeldPrices(options);
  const released = Math.max(0, ready - (await guardPlannedRows(options)));
  const warnings = run.warnings.filter(({ code }) => code !== given.warning);
  const known = { ...facts, ...unit, priceUnitQuestion: undefined };
  await runs.update(runId, { facts: known, warnings });
  return released;
}

/** Counts the rows of a run that are held because the unit of prices is unknown. */
export async function countUnknownUnit({
  journal,
  runId,
}: Pick<ComparePricesOptions, "journal" | "runId">): Promise<number> {
  let rows = 0;
  for await (const held of readAllRows(journal, runId, { states: ["held"] })) {
    rows += held.filter(({ issues }) => issues.some(isOfUnit)).length;
  }
  return rows;
}

/**
 * Holds the ready updates whose price change is beyond the guards' limits, compared with the
 * listing that their plan read, and those whose old price is not known. While the unit is unknown,
 * it holds what {@link guardUpdate} holds. A row that a person has released from such a hold stays
 * ready. Makes no call. Returns how many rows it held.
 */
async function guardPlannedRows(options: GuardPlannedRowsOptions): Promise<number> {
  const { priceUnit } = options;
  const evidence = { [GUARDED_AFTER_PLAN]: priceUnit };
  const { held = 0 } = await judgeRows(options, READY_UPDATES, async (rows) => {
    const knownOf = await readKnown(options, rows);
    return async (record) => {
      const found = guardRow(options, record, knownOf(record));
      if (found.length === 0 || (await wasReleased(options, record))) return undefined;
      return { to: "held", cause: "guard", issues: [...record.issues, ...found], evidence };
    };
  });
  return held;
}

const READY_UPDATES = { states: ["ready"], action: "update" } as const;

/** What is known of the product of a row. */
type KnownProduct = Pick<GuardedUpdate, "seen" | "lastSent">;

/**
 * Each product as its own plan read it, or, where that was not kept, as the listing cache has it.
 */
async function readKnown(
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
function guardRow(
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

/**
 * Runs the price guards over held updates that waited for the unit among other things: what they
 * find takes the place of that issue, and the row stays held. For use once the unit is known, after
 * `releaseUnknownUnit`. Makes no call.
 */
async function compareHeldPrices(options: GuardPlannedRowsOptions): Promise<void> {
  const { priceUnit } = options;
  await judgeRows(options, HELD, async (rows) => {
    const knownOf = await readKnown(
      options,
      rows.filter(({ issues }) => issues.some(isOfUnit)),
    );
    return (record) => {
      if (!record.issues.some(isOfUnit)) return undefined;
      const others = record.issues.filter((issue) => !isOfUnit(issue));
      const codes = new Set(others.map(({ code }) => code));
      // A guard that compares new prices with each other needs no unit, and has spoken already.
      const found = guardRow(options, record, knownOf(record)).filter(
        ({ code }) => !codes.has(code),
      );
      return { to: "held", cause: "guard", issues: [...others, ...found], evidence: { priceUnit } };
    };
  });
}

const HELD = { states: ["held"] } as const;

/**
 * Options of {@link releaseUnknownUnit}; it compares no prices, so the caller runs
 * `guardPlannedRows` next.
 */
interface ReleaseUnknownUnitOptions extends Pick<
  GuardPlannedRowsOptions,
  "runId" | "journal" | "verificationLog" | "signal"
> {
  readonly priceUnit: "minor" | "major";
}

/**
 * Makes such rows `ready`, and `unchanged` those whose price the store already shows. A row that
 * another guard holds as well stays held. Makes no call. Returns how many rows are ready.
 */
async function releaseUnknownUnit(options: ReleaseUnknownUnitOptions): Promise<number> {
  const { priceUnit } = options;
  const evidence = { rule: "the unit of the listing's prices is known by now", priceUnit };
  const { ready = 0 } = await judgeRows(options, HELD, async (rows) => {
    const knownOf = await readKnown(options, rows.filter(waitsForUnit));
    return (record) => {
      if (!waitsForUnit(record)) return undefined;
      const issues = record.issues.filter((issue) => !isOfUnit(issue));
      return isAsWanted(record, knownOf(record), options)
        ? { to: "unchanged", cause: "price-unit", changes: [], issues, evidence }
        : { to: "ready", cause: "price-unit", issues, evidence };
    };
  });
  return ready;
}

const isOfUnit = ({ code }: RowRecord["issues"][number]): boolean => code === PRICE_UNIT_CODE;

/** Any other error of a held row is a reason of its own to hold it. */
const waitsForUnit = ({ action, issues }: RowRecord): boolean =>
  action === "update" &&
  issues.some(isOfUnit) &&
  issues.every((issue) => isOfUnit(issue) || issue.code.startsWith("W_"));

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
