/** Moves of a row and its request, with one statement for each, whatever the outcome contains. */

import {
  type AttemptedRow,
  isLegalMove,
  type RowKey,
  RowMovedError,
  type RowState,
  type RowOutcome,
} from "@catalog/runs";
import { sql } from "kysely";

import { createCasts } from "../sql/casts.ts";
import { toJsonList } from "../sql/json.ts";
import type { ProductId } from "../sql/schema.ts";
import { type Steps, together } from "../sql/steps.ts";
import { selectRun, type StepsContext } from "./context.ts";
import { createEventLog } from "./events.ts";

/** A row, and the state that the caller takes it to be in. */
export type Transition = AttemptedRow & { readonly from: RowState };

export interface Transitions {
  /** Moves a row and appends the event; throws when the row is in another state. */
  move(key: Transition, outcome: RowOutcome): Steps<void>;
  /**
   * Does the same, and ends or moves the row's open request, where it has one; `endedAtMs` is `null`
   * where it goes on. Returns `false` when the row is in another state, or was begun again.
   */
  tryEnd(key: Transition, outcome: RowOutcome, endedAtMs: number | null): Steps<boolean>;
}

export function createTransitions(context: StepsContext): Transitions {
  const { database, clock } = context;
  const appendEvent = createEventLog(database);
  const moveRow = prepareMove(context);
  const moveOp = prepareOpMove(context);
  /** Returns the steps that append the event; `undefined` where the row was not moved. */
  const tryMove = function* tryMove(
    key: Transition,
    outcome: RowOutcome,
  ): Steps<Steps<unknown> | undefined> {
    const { runId, row, from, attempt = null } = key;
    const { to, cause, productId = null, note, issues, changes, evidence = {} } = outcome;
    if (!isLegalMove(from, to)) {
      throw new Error(`row ${row} of ${runId} may not go from ${from} to ${to}`);
    }
    const atMs = clock.now();
    const moved = yield* moveRow({
      runId,
      row,
      from,
      attempt,
      to,
      productId,
      atMs,
      begins: to === "sending" ? 1 : 0,
      isNoted: note === undefined ? 0 : 1,
      note: note ?? null,
      issues: orNull(issues),
      changes: orNull(changes),
    });
    if (moved !== 1) return undefined;
    return appendEvent({ runId, row, from, to, cause, evidence, atMs });
  };
  return {
    *move(key, outcome) {
      const event = yield* tryMove(key, outcome);
      if (event === undefined) throw new RowMovedError(key, key.from);
      yield* event;
    },
    *tryEnd(key, outcome, settledAtMs) {
      const event = yield* tryMove(key, outcome);
      if (event === undefined) return false;
      const { runId, row } = key;
      const { productId = null } = outcome;
      const end = moveOp({ runId, row, to: toOpState(outcome), productId, settledAtMs });
      yield* together([event, end]);
      return true;
    },
  };
}

/** A request that was carried out is done, though the rest of its row waits. */
function toOpState({ to, cause, keepsCode = false }: RowOutcome): RowState {
  if (cause === "stock-sent") return "done";
  return keepsCode ? "held" : to;
}

const orNull = (list: readonly unknown[] | undefined): string | null =>
  list === undefined ? null : toJsonList(list);

interface RowMove extends RowKey {
  readonly from: RowState;
  readonly to: RowState;
  /** `null` stands for any attempt. */
  readonly attempt: number | null;
  /** 1 adds one attempt. */
  readonly begins: 0 | 1;
  /** `null` keeps the row's own value, as it does for `issues` and `changes`. */
  readonly productId: ProductId | null;
  readonly issues: string | null;
  readonly changes: string | null;
  readonly isNoted: 0 | 1;
  readonly note: string | null;
  readonly atMs: number;
}

function prepareMove(context: StepsContext): (move: RowMove) => Steps<number> {
  const { asInteger } = createCasts(context.database.dialect);
  return context.database.prepare<RowMove>((arg) =>
    context.database.build
      .updateTable("run_row")
      .set({
        state: arg("to"),
        updated_at_ms: arg("atMs"),
        attempts: sql`attempts + ${arg("begins")}`,
        product_id: sql`coalesce(${arg("productId")}, product_id)`,
        issues_json: sql`coalesce(${arg("issues")}, issues_json)`,
        changes_json: sql`coalesce(${arg("changes")}, changes_json)`,
        note: sql`CASE WHEN ${asInteger(arg("isNoted"))} = 1 THEN ${arg("note")} ELSE note END`,
      })
      .where("run_id", "=", selectRun(context, arg("runId")))
      .where("row_no", "=", arg("row"))
      .where("state", "=", arg("from"))
      .where("attempts", "=", sql<number>`coalesce(${arg("attempt")}, attempts)`),
  );
}

interface OpMove extends RowKey {
  readonly to: RowState;
  /** `null` keeps the request's own value. */
  readonly productId: ProductId | null;
  readonly settledAtMs: number | null;
}

function prepareOpMove({ database }: StepsContext): (move: OpMove) => Steps<number> {
  return database.prepare<OpMove>((arg) =>
    database.build
      .updateTable("op")
      .set({
        state: arg("to"),
        settled_at_ms: arg("settledAtMs"),
        product_id: sql`coalesce(${arg("productId")}, product_id)`,
      })
      .where("run_id", "=", arg("runId"))
      .where("row_no", "=", arg("row"))
      // A request that is `ready` is over, because nothing of it left. Its row may be held because
      // another row has taken the code, and must not take it back. One that is `done` stays so when
      // the rest of its row moves on.
      .where("state", "not in", ["ready", "done"]),
  );
}
