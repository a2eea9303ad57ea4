/**
 * Held rows of a sync that a newer sync of the same feed has replaced: what the newer one holds is
 * what a person decides on. Only updates of which no request
 * is open are cancelled: nothing was sent, or their stock was, and the price waits.
 */

import type { Clock } from "@catalog/clock";
import { FEED_COMMAND, type RunFile } from "@catalog/runs";
import { sql } from "kysely";

import { createTransitions } from "../journal/transitions.ts";
import { dialectFunctions } from "../sql/dialect-functions.ts";
import { fromJson } from "../sql/json.ts";
import { toLiteral } from "../sql/literals.ts";
import type { Steps } from "../sql/steps.ts";
import type { ArchiveContext } from "./archive-context.ts";
import type { Candidate } from "./run-candidates.ts";

export interface SupersededHolds {
  /** Counts the rows that {@link SupersededHolds.cancel} would cancel, over all of its calls. */
  count(run: Candidate): Steps<number>;
  /** Cancels some within the caller's transaction; returns their number. */
  cancel(run: Candidate): Steps<number>;
}

/** Rows cancelled in one commit. */
const BATCH_ROWS = 500;

export function createSupersededHolds(
  context: ArchiveContext & { readonly clock: Clock },
): SupersededHolds {
  const transitions = createTransitions(context);
  const listHolds = createListHolds(context);
  const findNewer = createFindNewer(context);
  return {
    *count(run) {
      const newer = yield* findNewer(run);
      return newer === undefined ? 0 : (yield* listHolds(run, Number.MAX_SAFE_INTEGER)).length;
    },
    *cancel(run) {
      const newer = yield* findNewer(run);
      if (newer === undefined) return 0;
      const rows = yield* listHolds(run, BATCH_ROWS);
      for (const row of rows) {
        const key = { runId: run.id, row, from: "held" } as const;
        yield* transitions.move(key, {
          to: "cancelled",
          cause: "superseded-hold",
          evidence: { run: newer },
        });
      }
      return rows.length;
    },
  };
}

type ListHolds = (run: Candidate, limit: number) => Steps<readonly number[]>;

/** Lists held updates without a request, and those whose request was carried out. */
function createListHolds({ database }: ArchiveContext): ListHolds {
  const { build } = database;
  return function* listHolds({ id }, limit) {
    const held = yield* database.all(
      build
        .selectFrom("run_row")
        .select("row_no")
        .where("run_id", "=", id)
        .where("state", "=", toLiteral("held"))
        .where("action", "=", "update")
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom("op")
                .select("op.row_no")
                .whereRef("op.run_id", "=", "run_row.run_id")
                .whereRef("op.row_no", "=", "run_row.row_no")
                .where("op.state", "<>", "done"),
            ),
          ),
        )
        .orderBy("row_no")
        .limit(limit),
    );
    return held.map(({ row_no }) => row_no);
  };
}

/** Returns the function that finds the newest finished sync of the run's feed, if it is newer. */
function createFindNewer({
  database,
  store,
}: ArchiveContext): (run: Candidate) => Steps<string | undefined> {
  const { build } = database;
  const { jsonText } = dialectFunctions(database.dialect);
  return function* findNewer({ command, state, file_json, created_at_ms }) {
    const { feed } = fromJson<RunFile>(file_json);
    if (command !== FEED_COMMAND || state !== "finished" || feed === undefined) return undefined;
    const newest = build
      .selectFrom("run")
      .select("id")
      .where("store", "=", store)
      .where("created_at_ms", ">", created_at_ms)
      .where("command", "=", FEED_COMMAND)
      .where("state", "=", toLiteral("finished"))
      .where(jsonText(sql.ref<string>("file_json"), "feed"), "=", feed)
      .orderBy("created_at_ms", "desc")
      .limit(1);
    return (yield* database.get(newest))?.id;
  };
}
