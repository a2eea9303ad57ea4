/** Requests that the marketplace has carried out, in the order in which they ended. */

import type { WriteAction } from "@catalog/runs";
import { sql } from "kysely";

import type { Queries, Steps } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/queries.ts";
import type { ProductId } from "../sql/schema.ts";

/** A request that has ended, with what it has sent. */
export interface EndedRequest {
  /** The event with which it ended. */
  readonly seq: number;
  readonly kind: WriteAction;
  readonly product_id: ProductId | null;
  readonly code_key: string | null;
  readonly payload_json: string;
  readonly at_ms: number;
}

interface StoreQueries {
  readonly database: Pick<Queries, "build" | "all">;
  readonly store: number;
}

interface EndedRange {
  /** The last event that is known. */
  readonly after: number;
  /** Maximum number of requests. */
  readonly limit: number;
}

/** Reads the next requests that have ended, also those whose events are archived. */
export function* readEndedRequests(
  queries: StoreQueries,
  range: EndedRange,
): Steps<EndedRequest[]> {
  return [...(yield* readLatelyEnded(queries, range)), ...(yield* readArchived(queries, range))]
    .toSorted((a, b) => a.seq - b.seq)
    .slice(0, range.limit);
}

function* readArchived(
  { database, store }: StoreQueries,
  { after, limit }: EndedRange,
): Steps<EndedRequest[]> {
  const found = yield* database.all(
    database.build
      .selectFrom("op")
      .select(["kind", "product_id", "code_key", "payload_json", "begun_at_ms", "settled_at_ms"])
      .select(sql<number>`ended_seq`.as("seq"))
      .where("store", "=", store)
      .where("ended_seq", ">", after)
      .where("state", "=", "done")
      .orderBy("ended_seq")
      .limit(limit),
  );
  return found.map((ended) =>
    Object.assign(ended, { at_ms: ended.settled_at_ms ?? ended.begun_at_ms }),
  );
}

function* readLatelyEnded(
  { database, store }: StoreQueries,
  { after, limit }: EndedRange,
): Steps<EndedRequest[]> {
  const found = yield* database.all(
    database.build
      .selectFrom("event")
      .innerJoin("op", (join) =>
        join.onRef("op.run_id", "=", "event.run_id").onRef("op.row_no", "=", "event.row_no"),
      )
      .select(["event.seq", "op.kind", "op.product_id", "op.code_key", "op.payload_json"])
      .select(["event.cause", "event.evidence_json", "event.at_ms"])
      .where("event.seq", ">", after)
      .where((where) =>
        where.or([where("event.to_state", "=", "done"), where("event.cause", "=", "stock-sent")]),
      )
      .where("op.store", "=", store)
      .orderBy("event.seq")
      .limit(limit),
  );
  return found.map((ended) => Object.assign(ended, { payload_json: bodyOf(ended) }));
}

/** A price may be under way by now in the place of the stock that its row has sent alone. */
function bodyOf({
  cause,
  evidence_json,
  payload_json,
}: Readonly<Record<"cause" | "evidence_json" | "payload_json", string>>): string {
  if (cause !== "stock-sent") return payload_json;
  return toJson(fromJson<{ readonly sent?: object }>(evidence_json).sent ?? {});
}
