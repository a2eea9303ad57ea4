/**
 * The result of reading back a row that was answered as done, and the port that keeps it. It is
 * kept beside the row's state and does not change it: the state follows the marketplace's answer.
 */

import { isSameValue, readShown, type ShownField } from "../plan/compare.ts";
import type { PriceUnit } from "../plan/price-unit.ts";
import type { RowBackground } from "../plan/row-background.ts";
import type { ProductChanges, StoreProduct } from "../ports/product.ts";
import type { CandidateRow, RowDecision, RowKey, RowRecord } from "../row/row-record.ts";
import type { Capability, CapabilityFinding } from "./capability.ts";

/**
 * The result of reading a row back.
 *
 * - `accepted`: answered as done, and not read back.
 * - `visible`: the listing shows what was sent, in the fields that it shows.
 * - `mismatch`: it shows the product with other values.
 * - `not-visible`: it does not show the product yet.
 */
type VerificationStatus = "accepted" | "visible" | "mismatch" | "not-visible";

/** Number of rows of a run for each result. */
export type VerificationCounts = Readonly<Record<VerificationStatus, number>>;

/** A field that shows another value than was sent. */
interface Mismatch {
  readonly field: string;
  readonly sent: unknown;
  readonly seen: unknown;
  /** It shows the value from before the update: the field was ignored, or the listing is late. */
  readonly isOld: boolean;
}

/** The last result of reading a row back. */
export interface Verification {
  readonly row: number;
  readonly status: Exclude<VerificationStatus, "accepted">;
  readonly fields: readonly Mismatch[];
  /** How often it was read back. */
  readonly looks: number;
}

interface JudgedVerification extends Pick<Verification, "status" | "fields"> {
  /** Fields that the row changed and that are shown as they were sent. */
  readonly proven: readonly string[];
}

interface JudgeVerificationOptions {
  readonly seen: StoreProduct | undefined;
  readonly priceUnit: PriceUnit;
  /** What was sent last for the product, over all runs. */
  readonly lastSent?: ProductChanges | undefined;
}

/** Compares a done row with what the listing shows of its product. */
export function judgeVerification(
  record: RowRecord,
  options: JudgeVerificationOptions,
): JudgedVerification {
  const { seen, priceUnit, lastSent } = options;
  if (seen === undefined) return { status: "not-visible", fields: [], proven: [] };
  const sent: ProductChanges = record.payload ?? {};
  const shown = readShown(sent, { seen, priceUnit }).filter((field) =>
    isComparable(field, lastSent),
  );
  const fields = shown.filter(({ isSame }) => !isSame).map((field) => toMismatch(record, field));
  const proven = shown.filter((field) => field.isSame && isChange(record, field));
  return {
    status: fields.length === 0 ? "visible" : "mismatch",
    fields,
    proven: proven.map(({ field }) => field),
  };
}

/**
 * A value that a later request has replaced is not shown any more, and images may be kept under
 * another address: neither can be compared.
 */
function isComparable(
  { field, sent, shown, isSame }: ShownField,
  lastSent: ProductChanges | undefined,
): boolean {
  if (shown === undefined || (field === "images" && !isSame)) return false;
  const last = new Map(Object.entries(lastSent ?? {})).get(field);
  return last === undefined || isSameValue(last, sent);
}

function toMismatch({ action, changes }: RowRecord, { field, sent, shown }: ShownField): Mismatch {
  const change = changes.find((one) => one.field === field);
  const isOld =
    action === "add"
      ? Array.isArray(shown) && shown.length === 0
      : change?.old !== undefined && isSameValue(change.old, shown);
  return { field, sent, seen: shown, isOld };
}

/** A value that the product had before the update is no proof that the update set it. */
function isChange({ action, changes }: RowRecord, { field, sent }: ShownField): boolean {
  if (action === "add") return true;
  const change = changes.find((one) => one.field === field);
  return change?.old !== undefined && !isSameValue(change.old, sent);
}

/** A row that is done, with the results of reading it back so far. */
export interface DoneRow extends RowKey {
  readonly record: RowRecord;
  readonly readings: number;
  /** Fields that differed when it was last read back. */
  readonly fields: readonly Mismatch[];
}

/** A product as the listing showed it when an update of it was planned. */
export interface BeforeValue {
  readonly row: number;
  readonly product: StoreProduct;
}

/** Results of reading back, and values that updates have overwritten, for the runs of one store. */
export interface VerificationLog {
  /** Reads done rows of the run that were not read back yet, in the order of the sheet. */
  readUnverified(runId: string, after: number, limit: number): Promise<readonly DoneRow[]>;
  /**
   * Reads rows that were read back fewer than `maxLookups` times and not seen as they were sent; of
   * one run or of all runs of the store, the latest first.
   */
  readOpen(query: {
    readonly runId?: string | undefined;
    readonly maxLookups: number;
    readonly limit: number;
  }): Promise<readonly DoneRow[]>;
  /** Replaces the earlier results of reading the rows back. */
  saveVerifications(runId: string, verifications: readonly Verification[]): Promise<void>;
  /** Reads in the order of the sheet, rows with a higher number than `after`. */
  readVerifications(runId: string, after: number, limit: number): Promise<readonly Verification[]>;
  countVerifications(runId: string): Promise<VerificationCounts>;

  /** Keeps the values that updates will overwrite. */
  saveBefore(runId: string, values: readonly BeforeValue[]): Promise<void>;
  readBefore(runId: string, rows: readonly number[]): Promise<ReadonlyMap<number, StoreProduct>>;

  /** Reads what was learnt of the marketplace, over all its stores. */
  readCapabilities(): Promise<readonly Capability[]>;
  saveCapabilities(findings: readonly CapabilityFinding[]): Promise<void>;
  /**
   * Resets these fields of updates from refused to documented or assumed; other fields keep their
   * state.
   */
  forgetRefusals(fields: readonly string[]): Promise<void>;
}

/** Keeps the listing that a row was decided or rechecked against, which its request overwrites. */
export type BeforeValueLog = Pick<VerificationLog, "readBefore" | "saveBefore">;

/**
 * Returns the products of the updates as the listing shows them now, of held updates too, because a
 * person may release them.
 */
export function toBeforeValues(
  candidates: readonly CandidateRow[],
  decisions: readonly RowDecision[],
  { seenOf }: Pick<RowBackground, "seenOf">,
): readonly BeforeValue[] {
  return candidates.flatMap((candidate, index) => {
    const { row } = candidate;
    const { action, productId } = decisions[index] ?? {};
    if (action !== "update") return [];
    const found = seenOf(candidate).find(({ product }) => product.id === productId);
    return found === undefined ? [] : [{ row, product: found.product }];
  });
}
