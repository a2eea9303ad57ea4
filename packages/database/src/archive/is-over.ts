/**
 * Whether a run is over for good: no row of it waits for anything, no request of it is open, and
 * nothing of it is left to be read back. Only such a run is archived or pruned.
 */

import {
  FEED_COMMAND,
  FINAL_STATES,
  MAX_READ_BACKS,
  type RunSettings,
  type StateCount,
} from "@catalog/runs";
import { type RawBuilder, sql } from "kysely";

import type { Database } from "../sql/database.ts";
import { fromJson } from "../sql/json.ts";
import { toLiteral } from "../sql/literals.ts";
import type { Schema } from "../sql/schema.ts";
import type { Steps } from "../sql/steps.ts";

/** A run, and the counts of its rows. */
export interface RunToJudge {
  readonly run: Pick<Schema["run"], "id" | "command" | "state"> & {
    readonly settings_json: string;
  };
  readonly states: readonly StateCount[];
}

export function* isOver(database: Database, { run, states }: RunToJudge): Steps<boolean> {
  if (run.state !== "finished") return false;
  if (states.some(({ state, rows }) => rows > 0 && !FINAL_STATES.includes(state))) return false;
  if (yield* hasOpenRequest(database, run.id)) return false;
  if (yield* waitsForReadBack(database, run.id)) return false;
  if (isReadBack(run) && (yield* hasUnread(database, run.id))) return false;
  return !(yield* hasNewestEvent(database, run.id));
}

function* hasOpenRequest(database: Database, runId: string): Steps<boolean> {
  const open = database.build
    .selectFrom("op")
    .select("row_no")
    .where("run_id", "=", runId)
    .where("state", "in", ["sending", "ambiguous", "held"])
    .limit(1);
  return (yield* database.get(open)) !== undefined;
}

/** Rows that the store did not show as they were sent, and that are read again. */
function* waitsForReadBack(database: Database, runId: string): Steps<boolean> {
  const open = database.build
    .selectFrom("verification")
    .select("row_no")
    .where("run_id", "=", runId)
    .where("status", "<>", toLiteral("visible"))
    .where("looks", "<", MAX_READ_BACKS)
    .limit(1);
  return (yield* database.get(open)) !== undefined;
}

/** A sync reads back a sample itself. */
const isReadBack = ({ command, settings_json }: RunToJudge["run"]): boolean =>
  command !== FEED_COMMAND && fromJson<RunSettings>(settings_json).noVerify !== true;

function* hasUnread(database: Database, runId: string): Steps<boolean> {
  const unread = database.build
    .selectFrom("run_row")
    .select("row_no")
    .where("run_id", "=", runId)
    .where("state", "=", toLiteral("done"))
    .where("product_id", "is not", null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom("verification")
            .select("verification.row_no")
            .whereRef("verification.run_id", "=", "run_row.run_id")
            .whereRef("verification.row_no", "=", "run_row.row_no"),
        ),
      ),
    )
    .limit(1);
  return (yield* database.get(unread)) !== undefined;
}

const NEWEST_SEQ: RawBuilder<number> = sql<number>`(SELECT max(seq) FROM event)`;

/** The next event is numbered from the newest one, and copies are told apart by these numbers. */
export function* hasNewestEvent(database: Database, runId: string): Steps<boolean> {
  const newest = database.build.selectFrom("event").select("run_id").where("seq", "=", NEWEST_SEQ);
  return (yield* database.get(newest))?.run_id === runId;
}
