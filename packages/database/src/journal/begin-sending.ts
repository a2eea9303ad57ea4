/** Starts to send a row: it takes its product code, or its product, and becomes `sending`. */

import {
  type StartOfSend,
  CODE_TAKING_STATES,
  openBody,
  type Payload,
  type RowKey,
} from "@catalog/runs";

import { fromJson, fromJsonList, toJson } from "../sql/json.ts";
import { toLiteral } from "../sql/literals.ts";
import type { ProductId, RunRowTable, Schema } from "../sql/schema.ts";
import { type Steps, together } from "../sql/steps.ts";
import { type JournalContext, selectRun } from "./context.ts";
import type { Transitions } from "./transitions.ts";

/** Returns the number of the attempt, or `taken`; runs within the caller's transaction. */
export type StartSend = (row: StartOfSend) => Steps<number | "taken">;

export function createStart(context: JournalContext, moves: Transitions): StartSend {
  const { clock } = context;
  const readRow = prepareRead(context);
  const isTaken = prepareRivals(context);
  const writeOp = prepareOp(context);
  return function* startSend({ evidence, ...key }) {
    const record = yield* readRow(key);
    if (record === undefined)
      throw new Error(`this store has no row ${key.row} of a run ${key.runId}`);
    const { action, code_key: codeKey, product_id: productId } = record;
    const payload = record.payload_json === null ? null : fromJson<Payload>(record.payload_json);
    const body = openBody({ payload, changes: fromJsonList(record.changes_json) });
    if (action === null || body === null) {
      throw new Error(`row ${key.row} has nothing to send`);
    }
    if (action === "add" && codeKey === null) throw new Error(`row ${key.row} has no product code`);
    if (yield* isTaken[action]({ ...key, codeKey, productId })) return "taken";

    yield* together([
      moves.move({ ...key, from: "ready" }, { to: "sending", cause: "begin", evidence }),
      writeOp({
        run_id: key.runId,
        row_no: key.row,
        kind: action,
        code_key: codeKey,
        product_id: productId,
        price: body.price ?? null,
        payload_json: toJson(body),
        begun_at_ms: clock.now(),
      }),
    ]);
    return record.attempts + 1;
  };
}

type PlannedRow = Pick<RunRowTable, "action" | "code_key" | "product_id" | "payload_json"> & {
  readonly changes_json: string;
  readonly attempts: number;
};

function prepareRead(context: JournalContext): (key: RowKey) => Steps<PlannedRow | undefined> {
  return context.database.prepareGet<RowKey, PlannedRow>((arg) =>
    context.database.build
      .selectFrom("run_row")
      .select(["action", "code_key", "product_id", "payload_json", "changes_json", "attempts"])
      .where("run_id", "=", selectRun(context, arg("runId")))
      .where("row_no", "=", arg("row")),
  );
}

interface Claim extends RowKey {
  readonly codeKey: string | null;
  readonly productId: ProductId | null;
}

/**
 * Queries for what the unique indexes would refuse, within the transaction that then writes. The
 * indexes still hold where a query misses a rival.
 */
function prepareRivals({
  database,
  store,
}: JournalContext): Readonly<Record<"add" | "update", (claim: Claim) => Steps<boolean>>> {
  const others = database.build
    .selectFrom("op")
    .select("row_no")
    .where("store", "=", store)
    .limit(1);
  const add = database.prepareGet<Claim, object>((arg) =>
    others
      .where((where) =>
        where.or([where("run_id", "<>", arg("runId")), where("row_no", "<>", arg("row"))]),
      )
      .where("code_key", "=", arg("codeKey"))
      .where("kind", "=", toLiteral("add"))
      .where("state", "in", CODE_TAKING_STATES.map(toLiteral)),
  );
  const update = database.prepareGet<Claim, object>((arg) =>
    others
      .where((where) =>
        where.or([where("run_id", "<>", arg("runId")), where("row_no", "<>", arg("row"))]),
      )
      .where("product_id", "=", arg("productId"))
      .where("kind", "=", toLiteral("update"))
      .where("state", "in", [toLiteral("sending"), toLiteral("ambiguous")]),
  );
  return {
    *add(claim) {
      return (yield* add(claim)) !== undefined;
    },
    *update(claim) {
      return (yield* update(claim)) !== undefined;
    },
  };
}

type NewOp = Omit<Schema["op"], "store" | "state" | "settled_at_ms" | "suspect_key" | "ended_seq">;

/** The new request replaces that of an earlier attempt. */
function prepareOp({ database, store }: JournalContext): (op: NewOp) => Steps<number> {
  return database.prepare<NewOp>((arg) => {
    const op = {
      run_id: arg("run_id"),
      row_no: arg("row_no"),
      store,
      kind: arg("kind"),
      state: "sending",
      code_key: arg("code_key"),
      product_id: arg("product_id"),
      price: arg("price"),
      payload_json: arg("payload_json"),
      begun_at_ms: arg("begun_at_ms"),
      settled_at_ms: null,
    } as const;
    return database.build
      .insertInto("op")
      .values(op)
      .onConflict((conflict) => conflict.columns(["run_id", "row_no"]).doUpdateSet(op));
  });
}
