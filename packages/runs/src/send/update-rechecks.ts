/**
 * Rechecks the products of updates shortly before they are sent, 50 in one call. Nothing is kept
 * for the next process, which rechecks again.
 */

import { isDeepStrictEqual } from "node:util";

import type { Clock } from "@catalog/clock";
import type { Localized } from "@catalog/i18n";

import { heldBesides, toGuardIssue } from "../guards/guard-issue.ts";
import type { GuardSettings } from "../guards/guard-settings.ts";
import { guardPrice } from "../guards/price-guards.ts";
import { isStockAlone } from "../guards/stock-first.ts";
import { readPriceTag } from "../plan/compare.ts";
import type { PriceUnit } from "../plan/price-unit.ts";
import type { Ledger, ListingCache } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import { PAGE_SIZE, type ProductId, type StoreProduct } from "../ports/product.ts";
import { countSentAttempts } from "../reconcile/decide-absent.ts";
import { idsOf, readProducts } from "../reconcile/find-products.ts";
import type { IssueLocation, RowIssue } from "../row/issues.ts";
import {
  type FieldChange,
  isManualRelease,
  type RowEvent,
  type RowRecord,
} from "../row/row-record.ts";
import type { BeforeValueLog } from "../verify/verification.ts";
import type { AddRechecks } from "./add-rechecks.ts";
import { judgeRecheck, type RecheckFinding, type RecheckInput } from "./judge-recheck.ts";
import { RECHECK_MAX_AGE_MS } from "./recheck-limits.ts";

/** Ports and limits of the rechecks of a run. */
export interface RecheckOptions {
  readonly before: BeforeValueLog;
  /** Rechecks of the codes of adds. @default adds are not rechecked */
  readonly adds?: AddRechecks | undefined;
  /** Unit of the listed prices as it is known now. */
  readonly priceUnit: PriceUnit;
  /** Price guards to run on the listed values. @default none */
  readonly guards?: RecheckGuards | undefined;
  /** Fields that a row may write over any listed value. @default none */
  readonly ignored?: ReadonlySet<string> | undefined;
  /**
   * When this process has read the listing of the plan, in milliseconds. @default another process
   * has
   */
  readonly keptAtMs?: number | undefined;
  /** Texts for fields and their values. @default the API's names */
  readonly texts?: RecheckTexts | undefined;
  /** @default {@link RECHECK_MAX_AGE_MS} */
  readonly maxAgeMs?: number | undefined;
  /** Calls an hour that are allowed now. @default unlimited */
  readonly callsPerHour?: (() => number | undefined) | undefined;
}

interface RecheckGuards {
  readonly settings: GuardSettings;
  /** The cell that a field of the row came from. */
  readonly locationOf: (row: RowRecord, field: string) => IssueLocation;
}

/** Texts for fields and their values in issues. */
export interface RecheckTexts {
  readonly field: (field: string) => Localized;
  readonly value: (row: RowRecord, shown: ShownValue) => Localized | Promise<Localized>;
}

/**
 * A value of a field as the store shows it, in its own unit where that is unknown, or as the row
 * has it.
 */
interface ShownValue {
  readonly field: string;
  readonly value: unknown;
  readonly from: "store" | "row";
  /** The listing that shows the value, where it is read again. */
  readonly listing?: StoreProduct | undefined;
}

/** The result of rechecking a row. */
export type RecheckVerdict =
  | { readonly kind: "go" }
  | Extract<RecheckFinding, { readonly kind: "overtaken" | "gone" }>
  | { readonly kind: "guarded"; readonly issues: readonly RowIssue[] }
  | { readonly kind: "appeared"; readonly ids: readonly ProductId[] }
  | {
      /** The subject of an action is not as it was planned. */
      readonly kind: "subject";
      readonly code:
        | "E_ACTION_CHANGED"
        | "E_ACTION_DONE"
        | "E_ACTION_GONE"
        | "E_ACTION_TAKEN"
        | "E_ACTION_UNSEEN";
      readonly words: Localized;
      /** The row's changes from what the store shows now. @default unchanged */
      readonly changes?: readonly FieldChange[];
    };

/** A row that is to be sent, with the last recheck of its product or its code. */
export interface RecheckedRow {
  readonly record: RowRecord;
  readonly verdict: RecheckVerdict;
  /** Says whether the recheck is recent enough to send the request. */
  readonly isFresh: () => boolean;
  /** Rechecks again where the recheck has expired, together with other expired rows. */
  readonly renew: () => Promise<void>;
  /** Ends the rechecks of the row. */
  readonly close: () => void;
}

export interface Rechecks {
  /** Rechecks rows that are about to be sent; up to 50 updates take one call. */
  open(records: readonly RowRecord[], signal?: AbortSignal): Promise<readonly RecheckedRow[]>;
}

interface RechecksOptions {
  readonly runId: string;
  readonly journal: Pick<Ledger, "readEvents" | "readLastSent"> &
    Pick<ListingCache, "readSeenById">;
  readonly marketplace: Pick<Marketplace, "listProducts">;
  readonly clock: Pick<Clock, "now">;
  readonly recheck: RecheckOptions;
  readonly stop?: AbortSignal | undefined;
}

/** A row that is still being rechecked. */
interface Rechecked {
  readonly record: RowRecord;
  /** Whether a request of the row may have left before this process opened it. */
  readonly wasSent: boolean;
  atMs: number;
  verdict: RecheckVerdict;
}

const SEND: RecheckVerdict = { kind: "go" };

export function createRechecks(options: RechecksOptions): Rechecks {
  const { recheck, stop } = options;
  const { keptAtMs = -Infinity } = recheck;
  const isYoung = createIsYoung(options);
  const open = new Set<Rechecked>();
  /** Rechecks under way, by row. */
  const underWay = new Map<Rechecked, Promise<void>>();

  const isFresh = ({ record, atMs }: Rechecked): boolean =>
    record.action !== "update" || isYoung(atMs);
  const isStale = (row: Rechecked): boolean => row.verdict === SEND && !isFresh(row);

  const recheckRows = async (rows: readonly Rechecked[], signal?: AbortSignal): Promise<void> => {
    const work = recheckBatch(options, rows, signal);
    for (const row of rows) underWay.set(row, work);
    try {
      await work;
    } finally {
      for (const row of rows) if (underWay.get(row) === work) underWay.delete(row);
    }
  };
  const renew = async (row: Rechecked): Promise<void> => {
    const joined = underWay.get(row);
    if (joined !== undefined) await joined;
    if (!isStale(row)) return;
    const others = [...open].filter((one) => one !== row && isStale(one) && !underWay.has(one));
    await recheckRows([row, ...others].slice(0, PAGE_SIZE), stop);
    // Under a small rate limit the other statuses may have taken longer than a recheck is valid.
    if (isStale(row)) await recheckRows([row], stop);
  };
  const toRow = (row: Rechecked): RecheckedRow => ({
    record: row.record,
    get verdict() {
      return row.verdict;
    },
    isFresh: () => isFresh(row),
    renew: () => renew(row),
    close: () => open.delete(row),
  });

  return {
    async open(records, signal) {
      const rows = await createRecheckedRows(options, records);
      if (isYoung(keptAtMs)) await takeKeptValues(options, rows, keptAtMs);
      const stale = rows.filter(isStale);
      if (stale.length > 0) await recheckRows(stale, signal);
      for (const row of rows) open.add(row);
      return rows.map(toRow);
    },
  };
}

function createIsYoung({ clock, recheck }: RechecksOptions): (atMs: number) => boolean {
  const { maxAgeMs = RECHECK_MAX_AGE_MS } = recheck;
  return (atMs) => {
    const ageMs = clock.now() - atMs;
    // A recheck from the future was made before the clock was put back.
    return ageMs >= 0 && ageMs <= maxAgeMs;
  };
}

async function createRecheckedRows(
  options: RechecksOptions,
  records: readonly RowRecord[],
): Promise<Rechecked[]> {
  const rows: Rechecked[] = [];
  for (const record of records) {
    const wasSent = record.attempts > 0 && (await wasSentBefore(options, record));
    rows.push({ record, wasSent, atMs: -Infinity, verdict: SEND });
  }
  return rows;
}

/** A listing that the plan has just read need not be read again. */
async function takeKeptValues(
  { runId, recheck }: RechecksOptions,
  rows: readonly Rechecked[],
  keptAtMs: number,
): Promise<void> {
  const kept = await recheck.before.readBefore(
    runId,
    rows.map(({ record }) => record.row),
  );
  for (const row of rows) if (kept.has(row.record.row)) row.atMs = keptAtMs;
}

async function recheckBatch(
  options: RechecksOptions,
  rows: readonly Rechecked[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { runId, clock, recheck } = options;
  const records = rows.map(({ record }) => record);
  const seen = await readProducts(idsOf(records), { ...options, signal });
  const endMs = clock.now();
  const before = await recheck.before.readBefore(
    runId,
    records.map(({ row }) => row),
  );
  const asking = records.filter((record) => !before.has(record.row) || hasPrice(record));
  const lastSent = await options.journal.readLastSent(idsOf(asking));
  const judged: (JudgedRecheck & { readonly row: Rechecked; readonly atMs: number })[] = [];
  for (const row of rows) {
    const { productId: id } = row.record;
    const listed = id === null ? undefined : seen.get(id);
    const sent = id === null ? undefined : lastSent.get(id);
    const known = { planned: before.get(row.record.row), now: listed?.product, lastSent: sent };
    const atMs = listed?.atMs ?? endMs;
    judged.push({ ...(await judgeRow(options, row, known)), row, atMs });
  }
  const kept = judged.flatMap(({ row: { record }, overwritten }) =>
    overwritten === undefined || isDeepStrictEqual(overwritten, before.get(record.row))
      ? []
      : [{ row: record.row, product: overwritten }],
  );
  await recheck.before.saveBefore(runId, kept);
  // Set after the listing was stored, so that a row never leaves without its overwritten values.
  for (const { row, verdict, atMs } of judged) Object.assign(row, { verdict, atMs });
}

const hasPrice = ({ payload }: RowRecord): boolean =>
  payload?.price !== undefined || payload?.has_discount !== undefined;

type RecheckValues = Pick<RecheckInput, "planned" | "now" | "lastSent">;

interface JudgedRecheck {
  readonly verdict: RecheckVerdict;
  /** The listing that the request of a row that may be sent overwrites. */
  readonly overwritten?: StoreProduct | undefined;
}

async function judgeRow(
  options: RechecksOptions,
  { record, wasSent }: Rechecked,
  known: RecheckValues,
): Promise<JudgedRecheck> {
  const { priceUnit, ignored } = options.recheck;
  const found = judgeRecheck({ ...known, record, priceUnit, wasSent, ignored });
  if (found.kind === "gone") {
    return { verdict: (await wasReleasedAsGone(options, record)) ? SEND : found };
  }
  if (found.kind === "overtaken") return { verdict: found };
  const issues = await guard(options, record, known);
  if (issues.length > 0) return { verdict: { kind: "guarded", issues } };
  return { verdict: SEND, overwritten: found.before };
}

async function guard(
  options: RechecksOptions,
  record: RowRecord,
  { now, lastSent }: RecheckValues,
): Promise<readonly RowIssue[]> {
  const { guards, priceUnit } = options.recheck;
  const { payload: sent } = record;
  // The price of the row is held, and a stock alone needs no guard of prices.
  if (isStockAlone(record)) return [];
  if (guards === undefined || sent === null || now === undefined) return [];
  const old = readPriceTag({ seen: now, lastSent, priceUnit });
  const found = guardPrice({ old, sent }, guards.settings);
  if (found.length === 0 || (await wasReleased(options, record))) return [];
  const location = guards.locationOf(record, sent.price === undefined ? "discount_value" : "price");
  return found.map((finding) => toGuardIssue(finding, location, heldBesides(sent, now)));
}

/**
 * Says whether a person has released the row; the recheck then compares only what has changed
 * since.
 */
async function wasReleased(options: RechecksOptions, record: RowRecord): Promise<boolean> {
  const events = await readEvents(options, record);
  return events.some(isManualRelease);
}

/** Says whether a person has released the row although its product was not listed. */
async function wasReleasedAsGone(options: RechecksOptions, record: RowRecord): Promise<boolean> {
  const events = await readEvents(options, record);
  const at = events.findLastIndex(({ to }) => to === "held");
  return events[at]?.evidence["isGone"] === true && events.slice(at).some(isManualRelease);
}

async function wasSentBefore(options: RechecksOptions, record: RowRecord): Promise<boolean> {
  const events = await readEvents(options, record);
  // What the row has sent alone before is no part of its next request.
  const parted = events.findLastIndex(({ cause }) => cause === "stock-sent");
  return countSentAttempts(events.slice(parted + 1)) > 0;
}

const readEvents = (
  { journal, runId }: RechecksOptions,
  { row }: RowRecord,
): Promise<readonly RowEvent[]> => journal.readEvents({ runId, row });
