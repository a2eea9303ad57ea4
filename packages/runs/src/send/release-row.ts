/**
 * A person's decision on a held row, recorded after what can be checked has been checked. An add is
 * risky to send again where the store may have its product without showing it, as no product can be
 * deleted.
 */

import type { Clock } from "@catalog/clock";

import { fromShown, judgeView } from "../actions/judge-view.ts";
import { PRICE_UNIT_CODE } from "../guards/guard-issue.ts";
import { joinParts } from "../guards/stock-first.ts";
import { type KnownPriceUnit, readKnownUnit } from "../plan/price-unit.ts";
import { ACTIONS, isAction } from "../ports/action.ts";
import type { Journal, KnownCode } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import { LISTING_STATUSES, parseProductId } from "../ports/product.ts";
import type { RunRecord } from "../ports/run-repository.ts";
import { countSentAttempts, SETTLE_TIME_MS } from "../reconcile/decide-absent.ts";
import { findProducts } from "../reconcile/find-products.ts";
import { isStoreVisible, judgeVisibility } from "../reconcile/visibility.ts";
import type { RowEvent, RowKey, RowOutcome, RowRecord } from "../row/row-record.ts";
import { isVisibilityUnproven } from "./pre-send-checks.ts";

/** A person's decision on a held row. */
export type Release =
  | {
      /** The product is in the store under this id, which is looked up. */
      readonly kind: "as-done";
      readonly productId: string;
    }
  | {
      /**
       * The row is sent. An add is sent only if the store does not show its code now; a price held
       * for its unknown unit only if it is compared before it is sent.
       */
      readonly kind: "resend";
      /**
       * The person has accepted that the store may have the product of an add without showing it.
       * @default false
       */
      readonly isUnprovenAccepted?: boolean;
    }
  | {
      /** The planned update, which a guard has held, is sent as it is. */
      readonly kind: "approve";
    }
  | {
      /** The row is given up. */
      readonly kind: "cancel";
    };

/** The ports of the decisions on one run. */
interface ReleasePorts {
  readonly run: Pick<RunRecord, "id" | "kind" | "facts">;
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  readonly clock: Pick<Clock, "now">;
  /** Product codes with the same key are the same product. */
  readonly codeKey: (code: string) => string;
  /** Reads what is known of the unit of prices besides prices that were sent. */
  readonly readKnown: () => Promise<KnownPriceUnit>;
  readonly signal?: AbortSignal | undefined;
}

/** A held row, the decision on it, and the person who made it. */
interface ReleaseRowOptions extends ReleasePorts {
  readonly record: RowRecord;
  readonly release: Release;
  /** Name of the person, for the evidence. */
  readonly by: string;
  readonly reason?: string | undefined;
  /** Called before a row becomes ready; after a crash in between, the row is still held. */
  readonly beforeReady?: ((key: RowKey) => Promise<void>) | undefined;
}

/** Why a row stays held. */
export type ReleaseRefusal =
  | "E_RELEASE_NO_BODY"
  | "E_RELEASE_UNKNOWN_ID"
  | "E_RELEASE_OTHER_CODE"
  | "E_RELEASE_FOUND"
  | "E_RELEASE_BLIND"
  | "E_RELEASE_PRICE_UNIT"
  | "E_RELEASE_FEED_UNIT"
  | "E_RELEASE_TAKEN"
  | "E_RELEASE_SUPERSEDED";

/** The state of the row after the decision; one that could not be released has a reason. */
type RowReleased =
  | { readonly to: "done" | "ready" | "cancelled" }
  | {
      readonly to: "held";
      readonly code: ReleaseRefusal;
      /** What the reason names: a code, ids or a run. */
      readonly detail: string;
    };

const keep = (code: ReleaseRefusal, detail = ""): RowReleased => ({ to: "held", code, detail });

/**
 * Records the decision on one held row, or leaves the row held and returns the reason. A released
 * row is sent by a resume; a row that a sync has held is sent by the next sync. The caller holds a
 * lock under which no other process sends rows of the run.
 */
export async function releaseHeldRow(options: ReleaseRowOptions): Promise<RowReleased> {
  const { release, record } = options;
  if (release.kind === "cancel") return await recordDecision(options, { to: "cancelled" });
  if (record.call !== undefined) return await releaseAction(options);
  if (record.action === null || record.payload === null) return keep("E_RELEASE_NO_BODY");
  if (release.kind === "as-done") return await recordAsDone(options, release.productId);
  const doubt = release.kind === "resend" ? await findResendRisk(options, release) : undefined;
  if (doubt !== undefined) return doubt;
  const isInTheWay = record.action === "add" ? await findObstacle(options) : undefined;
  const changes = joinParts(record.changes);
  return isInTheWay ?? (await recordDecision(options, { to: "ready", issues: [], changes }));
}

/**
 * Records the decision on a held action. Before it is sent its subject is read again: what the store
 * shows as done is not sent, and what it shows now is what later looks compare with.
 */
async function releaseAction(options: ReleaseRowOptions): Promise<RowReleased> {
  const { record, release, marketplace, signal, journal, run } = options;
  const { action, code } = record;
  if (release.kind === "as-done") {
    return await recordDecision(options, { to: "done", issues: [] });
  }
  if (!isAction(action) || marketplace.actions === undefined) return keep("E_RELEASE_NO_BODY");
  const known = await journal.readActions([record.codeKey ?? ""]);
  const other = known.find(
    (one) =>
      (one.runId !== run.id || one.row !== record.row) &&
      (one.state !== "done" || (one.action === action && ACTIONS[action].isOnce)),
  );
  if (other !== undefined) return keep("E_RELEASE_TAKEN", other.runId);
  const { subject } = ACTIONS[action];
  const { views } = await marketplace.actions.readSubjects(subject, [code ?? ""], signal);
  const view = views.get(code ?? "");
  if (judgeView(record, view) === "reached") return keep("E_RELEASE_FOUND", code ?? "");
  const changes = fromShown(record.changes, view);
  return await recordDecision(options, { to: "ready", issues: [], changes });
}

/** Returns the risk that a person must accept before the row is sent; makes no call. */
async function findResendRisk(
  options: ReleaseRowOptions,
  { isUnprovenAccepted }: Extract<Release, { readonly kind: "resend" }>,
): Promise<RowReleased | undefined> {
  const { run, journal } = options;
  if (await isPriceUncompared(options)) {
    return run.kind === "sync" ? keep("E_RELEASE_FEED_UNIT") : keep("E_RELEASE_PRICE_UNIT", run.id);
  }
  if (isUnprovenAccepted === true || (await readSent(options)) === undefined) return undefined;
  const { verdict } = judgeVisibility(await journal.readLagSamples());
  return verdict === "visible" ? undefined : keep("E_RELEASE_BLIND");
}

/**
 * Whether the price of a held row was not compared and will not be compared before it is sent: the
 * unit is unknown, the guards have run again already, or the next sync sends the row as released.
 */
export async function isPriceUncompared({
  run,
  record,
  journal,
  readKnown,
}: Pick<ReleaseRowOptions, "run" | "record" | "journal" | "readKnown">): Promise<boolean> {
  if (!record.issues.some(({ code }) => code === PRICE_UNIT_CODE)) return false;
  const isComparedLater = run.kind !== "sync" && (run.facts?.priceUnit ?? "unknown") === "unknown";
  return !isComparedLater || (await readKnownUnit(journal, await readKnown())) === undefined;
}

async function recordAsDone(options: ReleaseRowOptions, given: string): Promise<RowReleased> {
  const { marketplace, signal } = options;
  const id = parseProductId(given);
  const query = { ids: [id], statuses: LISTING_STATUSES, signal };
  for await (const { product } of findProducts(marketplace, query)) {
    const shown = product.product_code ?? "";
    if (!isCode(options, shown)) return keep("E_RELEASE_OTHER_CODE", shown);
    return await recordDecision(options, { to: "done", productId: id, issues: [] });
  }
  return keep("E_RELEASE_UNKNOWN_ID", given);
}

const isCode = (
  { codeKey, record }: Pick<ReleaseRowOptions, "codeKey" | "record">,
  shown: string | null | undefined,
): boolean => codeKey(shown ?? "") === (record.codeKey ?? "");

/** Returns why an add cannot be sent now: its code is in another run or in the store. */
async function findObstacle(options: ReleaseRowOptions): Promise<RowReleased | undefined> {
  const { run, record, journal } = options;
  const [taken] = await journal.readKnownCodes([record.codeKey ?? ""]);
  const refused = taken?.isRefused === true ? taken : undefined;
  if (taken !== undefined && refused === undefined && !isOf(taken, run, record)) {
    return keep("E_RELEASE_TAKEN", taken.runId);
  }
  const found = await findByCode(options);
  if (found.size > 0) return keep("E_RELEASE_FOUND", [...found].join(", "));
  // The person has checked the store and states that the refused add has made no product.
  if (refused !== undefined) await journal.freeCode(refused);
  return undefined;
}

const isOf = (taken: KnownCode, { id }: Pick<RunRecord, "id">, { row }: RowRecord): boolean =>
  taken.runId === id && taken.row === row;

/** Finds the ids under which the store shows the row's code. Rejects unless all calls succeed. */
async function findByCode(options: ReleaseRowOptions): Promise<ReadonlySet<string>> {
  const { record, marketplace, signal } = options;
  const found = new Set<string>();
  for await (const { product } of findProducts(marketplace, { code: record.code ?? "", signal })) {
    if (isCode(options, product.product_code)) found.add(product.id);
  }
  return found;
}

const BY_A_PERSON = "settled by a person";

async function recordDecision(
  { journal, run, record, release, by, reason, beforeReady }: ReleaseRowOptions,
  outcome: Omit<RowOutcome, "cause" | "to"> & { readonly to: "done" | "ready" | "cancelled" },
): Promise<RowReleased> {
  const key = { runId: run.id, row: record.row, from: "held" } as const;
  const isUnproven = release.kind === "resend" && release.isUnprovenAccepted === true;
  const rule = isUnproven ? "settled by a person, though the store may hide it" : BY_A_PERSON;
  const evidence = { rule, by, reason, ...(isUnproven && { isBlindAccepted: true }) };
  if (outcome.to === "ready") await beforeReady?.(key);
  const decided = { ...outcome, cause: `released-${release.kind}`, evidence } as const;
  try {
    await journal.recordOutcome(key, decided);
  } catch (error) {
    // A held row that a newer sync has replaced may be cancelled without the caller's lock.
    const [now] = await journal.readRows(run.id, { after: record.row - 1, limit: 1 });
    if (now?.row === record.row && now.state === "cancelled") return keep("E_RELEASE_SUPERSEDED");
    throw error;
  }
  if (isUnproven && isVisibilityUnproven(record)) await journal.acceptCopy();
  return { to: outcome.to };
}

/** Rows whose product may be in the store although it is not shown. */
interface ResendRisks {
  /**
   * Rows whose request may have been sent, in a store that has not been seen to show new products.
   */
  readonly unproven: readonly RowRecord[];
  /** Rows whose request may still be carried out, in a store that shows new products. */
  readonly early: readonly RowRecord[];
}

/** Minutes within which a sent request may still take effect; a resume waits as long. */
export const RESEND_WAIT_MINUTES: number = SETTLE_TIME_MS / 60_000;

/**
 * Finds the risks of rows that a person wants to send again; makes no call where none of their
 * requests may have been sent.
 */
export async function readResendRisks({
  records,
  ...ports
}: ReleasePorts & { readonly records: readonly RowRecord[] }): Promise<ResendRisks> {
  const sent: RowRecord[] = [];
  const early: RowRecord[] = [];
  for (const record of records) {
    const events = await readSent({ ...ports, record });
    if (events === undefined) continue;
    sent.push(record);
    const begunMs = events.findLast(({ to }) => to === "sending")?.atMs ?? 0;
    if (ports.clock.now() - begunMs < SETTLE_TIME_MS) early.push(record);
  }
  if (sent.length === 0) return { unproven: [], early: [] };
  const isVisible = await isStoreVisible(ports);
  return isVisible ? { unproven: [], early } : { unproven: sent, early: [] };
}

/**
 * Reads the events of an add whose request may have been sent, by this run or an earlier one, from
 * this home or a copy; `undefined` for any other row.
 */
async function readSent({
  journal,
  run: { id: runId },
  record: { row, action, codeKey: key, issues },
}: Pick<ReleaseRowOptions, "journal" | "run" | "record">): Promise<
  readonly RowEvent[] | undefined
> {
  if (action !== "add") return undefined;
  const events = await journal.readEvents({ runId, row });
  // Another copy of the home may have sent it.
  if (isVisibilityUnproven({ issues }) || countSentAttempts(events) > 0) return events;
  if (!issues.some(({ code }) => code === "E_REFUSED_BEFORE")) return undefined;
  const [known] = await journal.readKnownCodes([key ?? ""]);
  return known?.isRefused === true ? await journal.readEvents(known) : undefined;
}
