/**
 * The requests of archived rows. A request that was answered stays while a field of it is the one
 * that was sent last for its product: plans compare with these values, and an undo restores what
 * stood before them. An add that takes its product code stays for ever.
 */

import { CODE_TAKING_STATES, type Payload } from "@catalog/runs";
import { sql } from "kysely";

import { ENDED_ORDER } from "../journal/sent-products.ts";
import { fromJson } from "../sql/json.ts";
import { toLiteral } from "../sql/literals.ts";
import type { ProductId, Schema } from "../sql/schema.ts";
import type { Steps } from "../sql/steps.ts";
import type { ArchiveContext, RowRange } from "./archive-context.ts";

interface Request extends Pick<
  Schema["op"],
  "run_id" | "row_no" | "kind" | "state" | "product_id" | "payload_json"
> {
  readonly ended_seq: number | null;
  /** The row's last event. */
  readonly ended: number | null;
}

/** What becomes of the requests of rows that are being archived. */
export interface SettledRequests {
  /** Requests of these rows that stay, with their last event. */
  readonly kept: readonly { readonly row: number; readonly endedSeq: number | null }[];
  /** Requests of rows that were archived before, all of whose fields were sent again since. */
  readonly superseded: readonly { readonly runId: string; readonly row: number }[];
}

/** Decides within the caller's transaction, before the events of the rows are deleted. */
export type SettleRequests = (range: RowRange) => Steps<SettledRequests>;

export function createSettleRequests(context: ArchiveContext): SettleRequests {
  const { readMine, readNewest, readArchived } = prepareReads(context);
  return function* settleRequests(range) {
    const mine = yield* readMine(range);
    const kept = mine.filter(takesCode);
    const superseded: Request[] = [];
    for (const [productId, of] of Map.groupBy(mine, answeredProduct)) {
      if (productId === null) continue;
      const product = { productId, store: context.store };
      const archived = yield* readArchived(product);
      const last = findLastSent([...of, ...archived, ...(yield* readNewest(product))]);
      const isLast = (request: Request): boolean => takesCode(request) || last.has(toKey(request));
      kept.push(...of.filter((request) => isLast(request) && !takesCode(request)));
      superseded.push(...archived.filter((request) => !isLast(request)));
    }
    return {
      kept: kept.map(({ row_no: row, ended: endedSeq }) => ({ row, endedSeq })),
      superseded: superseded.map(({ run_id: runId, row_no: row }) => ({ runId, row })),
    };
  };
}

const toKey = ({ run_id, row_no }: Pick<Request, "run_id" | "row_no">): string =>
  `${run_id} ${row_no}`;

const takesCode = ({ kind, state }: Request): boolean =>
  kind === "add" && CODE_TAKING_STATES.includes(state);

const answeredProduct = ({ state, product_id }: Request): ProductId | null =>
  state === "done" ? product_id : null;

/** Of answered requests of one product, those of which a field was not sent again later. */
function findLastSent(requests: readonly Request[]): ReadonlySet<string> {
  const distinct = new Map(requests.map((request) => [toKey(request), request]));
  const newestFirst = [...distinct.values()].toSorted((a, b) => (b.ended ?? 0) - (a.ended ?? 0));
  const sentLater = new Set<string>();
  const last = newestFirst.filter(({ payload_json }) => {
    const fields = Object.keys(fromJson<Payload>(payload_json));
    const isLast = fields.some((field) => !sentLater.has(field));
    for (const field of fields) sentLater.add(field);
    return isLast;
  });
  return new Set(last.map(toKey));
}

interface ProductKey {
  readonly productId: ProductId;
  readonly store: number;
}

interface Reads {
  readonly readMine: (range: RowRange) => Steps<Request[]>;
  /** Requests whose rows are archived already; few, as they were the last ones. */
  readonly readArchived: (product: ProductKey) => Steps<Request[]>;
  /**
   * Some of the latest requests. Later ones that are not read only keep a request longer: it is
   * judged again when they are archived.
   */
  readonly readNewest: (product: ProductKey) => Steps<Request[]>;
}

const NEWEST = 4;

function prepareReads({ database }: ArchiveContext): Reads {
  const requests = database.build
    .selectFrom("op")
    .select(["run_id", "row_no", "kind", "state", "product_id", "payload_json", "ended_seq"])
    .select(ENDED_ORDER.as("ended"));
  return {
    readMine: database.prepareAll((arg) =>
      requests
        .where("run_id", "=", arg("runId"))
        .where("row_no", ">", arg("after"))
        .where("row_no", "<=", arg("last")),
    ),
    readArchived: database.prepareAll((arg) =>
      requests
        .where("product_id", "=", arg("productId"))
        .where("store", "=", arg("store"))
        .where("ended_seq", "is not", null)
        // Read through the index of archived requests, not that of all requests of the product.
        .where(sql<string>`state || ''`, "=", "done"),
    ),
    readNewest: database.prepareAll((arg) =>
      requests
        .where("product_id", "=", arg("productId"))
        .where("store", "=", arg("store"))
        .where("state", "=", toLiteral("done"))
        // Ids of runs begin with their time.
        .orderBy("run_id", "desc")
        .limit(NEWEST),
    ),
  };
}
