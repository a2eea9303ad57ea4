/**
 * An update whose price is held goes in two requests: first its stock, and the rest once it is
 * released. Each change of the row says whether it waits or was sent; one request has the others.
 */

import { type Journal, readAllRows } from "../ports/journal.ts";
import type { ProductChanges } from "../ports/product.ts";
import { isBlocking, type RowIssue } from "../row/issues.ts";
import type {
  FieldChange,
  Payload,
  RowDecision,
  RowOutcome,
  RowRecord,
} from "../row/row-record.ts";
import { GUARD_CODES, PRICE_UNIT_CODE, toStockSentIssue, toWaitingIssue } from "./guard-issue.ts";

type Parts = Pick<RowRecord, "payload" | "changes">;

/** The field that does not wait for the others. */
const STOCK_FIELD = "stock_count";

/** The body of the row's next request, or of the one that is under way. */
export function openBody({ payload, changes }: Parts): Payload | null {
  const closed = fieldsOf(changes, ({ part }) => part !== undefined);
  return payload === null || closed.size === 0 ? payload : omit(payload, closed);
}

/** The fields that the row has sent: all of a row that is done. */
export function sentBody({
  state,
  payload,
  changes,
}: Parts & Pick<RowRecord, "state">): ProductChanges {
  if (payload === null) return {};
  if (state === "done") return payload;
  const sent = fieldsOf(changes, ({ part }) => part === "sent");
  return Object.fromEntries(Object.entries(payload).filter(([field]) => sent.has(field)));
}

/** Whether the row has sent something, whatever became of the rest. */
export const hasSent = ({ state, changes }: Pick<RowRecord, "state" | "changes">): boolean =>
  state === "done" || changes.some(({ part }) => part === "sent");

/** Whether the row is sending its stock, and the rest waits. */
export const isStockAlone = ({ changes }: Pick<RowRecord, "changes">): boolean =>
  changes.some(({ part }) => part === "waiting");

/** Lets everything but the stock wait. */
export const splitStock = (changes: readonly FieldChange[]): readonly FieldChange[] =>
  changes.map((change) =>
    change.field === STOCK_FIELD || change.part !== undefined
      ? change
      : { ...change, part: "waiting" },
  );

/** Lets nothing wait any more: the row is one again, without what it has sent. */
export const joinParts = (changes: readonly FieldChange[]): readonly FieldChange[] =>
  changes.map((change) => (change.part === "waiting" ? withoutPart(change) : change));

/**
 * The outcome of a request that was carried out: a row of which a part waits is held again, with
 * that part.
 */
export function toCarriedOut(
  record: Parts & Pick<RowRecord, "issues">,
  outcome: RowOutcome,
): RowOutcome {
  if (outcome.to !== "done" || !isStockAlone(record)) return outcome;
  const body = openBody(record);
  const stock = body?.stock_count;
  const sent = omit({ ...body }, new Set(["product_id"]));
  const issues =
    stock === undefined
      ? record.issues
      : record.issues.map((issue) => toStockSentIssue(issue, stock));
  const changes = record.changes.map((change): FieldChange => {
    return change.part === "waiting" ? withoutPart(change) : { ...change, part: "sent" };
  });
  const evidence = { ...outcome.evidence, answer: outcome.cause, sent };
  return { ...outcome, to: "held", cause: "stock-sent", changes, issues, evidence };
}

const withoutPart = (change: FieldChange): FieldChange => omit(change, new Set(["part"]));

const fieldsOf = (
  changes: readonly FieldChange[],
  is: (change: FieldChange) => boolean,
): ReadonlySet<string> => new Set(changes.filter(is).map(({ field }) => field));

function omit<Body extends object>(body: Body, fields: ReadonlySet<string>): Body {
  const rest = { ...body };
  for (const field of fields) Reflect.deleteProperty(rest, field);
  return rest;
}

interface ReleaseStockOptions {
  readonly runId: string;
  readonly journal: Pick<Journal, "readRows" | "recordOutcome">;
  readonly signal?: AbortSignal | undefined;
}

/** The guards of prices; every other reason holds the stock as well. */
const PRICE_CODES: ReadonlySet<string> = new Set([
  PRICE_UNIT_CODE,
  GUARD_CODES["price-drop"],
  GUARD_CODES["price-rise"],
  GUARD_CODES["price-scale"],
  GUARD_CODES["discount-price"],
  GUARD_CODES["currency-change"],
  GUARD_CODES["below-cost"],
]);

/**
 * Whether only the price of a held update waits, and its stock is sent. A stock that the listing did
 * not show is not: nobody could say later what it has overwritten.
 */
export function sendsStock({
  state,
  action,
  changes,
  issues,
}: Pick<RowDecision | RowRecord, "action" | "changes" | "issues" | "state">): boolean {
  if (state !== "held" || action !== "update") return false;
  const open = changes.filter(({ part }) => part === undefined);
  const stock = open.find(({ field }) => field === STOCK_FIELD);
  const reasons = issues.filter(isBlocking);
  return (
    stock?.old !== undefined &&
    open.length > 1 &&
    reasons.length > 0 &&
    reasons.every(({ code }) => PRICE_CODES.has(code))
  );
}

/**
 * Makes the held updates whose stock does not wait `ready`, with their stock alone; they are held
 * again once it is sent. Makes no call. Returns how many there are.
 */
export async function releaseStock({
  runId,
  journal,
  signal,
}: ReleaseStockOptions): Promise<number> {
  let released = 0;
  for await (const rows of readAllRows(journal, runId, { states: ["held"], action: "update" })) {
    signal?.throwIfAborted();
    for (const { row, changes } of rows.filter(sendsStock)) {
      await journal.recordOutcome(
        { runId, row, from: "held" },
        { to: "ready", cause: "stock-first", changes: splitStock(changes) },
      );
      released += 1;
    }
  }
  return released;
}

/**
 * How a row is held for further reasons: one whose stock was to be sent alone is one row again, and
 * still waits for what its price waits for.
 */
export function toHeldAsOne(
  record: Pick<RowRecord, "changes" | "issues">,
  issues: readonly RowIssue[],
): Required<Pick<RowOutcome, "issues" | "changes">> | { readonly issues: readonly RowIssue[] } {
  if (!isStockAlone(record)) return { issues };
  const waiting = record.issues.map(toWaitingIssue);
  return { issues: [...waiting, ...issues], changes: joinParts(record.changes) };
}

/** Counts the held updates whose stock is sent when the run is applied. */
export const countStock = (options: ReleaseStockOptions): Promise<number> =>
  countHeld(options, sendsStock);

/** Counts the held updates whose stock has been sent. */
export const countSentStock = (options: ReleaseStockOptions): Promise<number> =>
  countHeld(options, hasSent);

async function countHeld(
  { runId, journal }: ReleaseStockOptions,
  isCounted: (row: RowRecord) => boolean,
): Promise<number> {
  let rows = 0;
  for await (const held of readAllRows(journal, runId, { states: ["held"], action: "update" })) {
    rows += held.filter(isCounted).length;
  }
  return rows;
}
