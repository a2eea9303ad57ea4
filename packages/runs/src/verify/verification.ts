/**
 * What reading back says of a row that was answered as done. It stands beside the row's state and
 * changes nothing of it: the marketplace's answer decides that.
 */

import { type ProductChanges, type StoreProduct } from "@catalog/contract";

import { isSameValue, readShown, type ShownField } from "../plan/compare.ts";
import { type PriceUnit } from "../plan/price-unit.ts";
import { type RowRecord } from "../row/row-record.ts";

/**
 * - `accepted`: answered as done; nobody has looked.
 * - `visible`: the listing shows what was sent, as far as it shows such fields at all.
 * - `mismatch`: it shows the product, and something else in it.
 * - `not-visible`: it does not show the product yet.
 */
export const VERIFICATION_STATUSES = ["accepted", "visible", "mismatch", "not-visible"] as const;

/** What reading a row back has shown; one of {@link VERIFICATION_STATUSES}. */
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** How many rows of a run ended how. */
export type VerificationCounts = Readonly<Record<VerificationStatus, number>>;

/** A field that shows something else than what was sent. */
export interface Mismatch {
  readonly field: string;
  readonly sent: unknown;
  readonly seen: unknown;
  /** It shows what stood there before: the field was ignored, or the listing is late. */
  readonly isOld: boolean;
}

/** The outcome of the last look at a row. */
export interface Verification {
  readonly row: number;
  readonly status: Exclude<VerificationStatus, "accepted">;
  readonly fields: readonly Mismatch[];
  /** How often it was looked for. */
  readonly looks: number;
}

export interface Judged extends Pick<Verification, "status" | "fields"> {
  /** Fields that were changed by the row and are shown as they were sent. */
  readonly proven: readonly string[];
}

export interface JudgeOptions {
  readonly seen: StoreProduct | undefined;
  readonly priceUnit: PriceUnit;
  /** What was sent last for the product, over all runs. */
  readonly lastSent?: ProductChanges | undefined;
}

/** Judges one row that is done by what the listing shows of its product. */
export function judgeReadBack(record: RowRecord, options: JudgeOptions): Judged {
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
 * A value that a later request has replaced cannot be shown any more, and pictures may be kept
 * under another address: neither says anything.
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

/** What stood there before as well is no proof that it was taken. */
function isChange({ action, changes }: RowRecord, { field, sent }: ShownField): boolean {
  if (action === "add") return true;
  const change = changes.find((one) => one.field === field);
  return change?.old !== undefined && !isSameValue(change.old, sent);
}
