/**
 * An update whose price is held goes in two requests: first its stock, and the rest once it is
 * released. Each change of the row says whether it waits or was sent; one request has the others.
 */

import type { ProductChanges } from "@catalog/contract";

import { toStockSentIssue } from "../guards/guard-issue.ts";
import type { FieldChange, Payload } from "./row-decision.ts";
import type { RowOutcome } from "./row-outcome.ts";
import type { RowRecord } from "./row-record.ts";

type Parts = Pick<RowRecord, "payload" | "changes">;

/** The field that does not wait for the others. */
export const STOCK_FIELD = "stock_count";

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
