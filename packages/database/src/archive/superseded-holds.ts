/**
 * Held rows of a sync that a newer sync of the same feed has replaced: what the newer one holds is
 * what a person decides on. Only updates of which nothing was ever sent are cancelled.
 */

import type { Clock } from "@catalog/clock";
import { FEED_COMMAND, type RunFile } from "@catalog/runs";
import { type RawBuilder, sql } from "kysely";

import { createTransitions } from "../journal/transitions.ts";
import { fromJson } from "../sqlite/json.ts";
import { toLiteral } from "../sqlite/literals.ts";
import type { ArchiveContext } from "./archive-context.ts";
import type { Candidate } from "./run-candidates.ts";

export interface SupersededHolds {
  /** Counts the rows that {@link SupersededHolds.cancel} would cancel, over all of its calls. */
  count(run: Candidate): number;
  /** Cancels some within the caller's transaction; returns their number. */
  cancel(run: Candidate): number;
}

/** Rows cancelled in one commit. */
const BATCH_ROWS = 500;

export function createSupersededHolds(
  context: ArchiveContext & { readonly clock: Clock },
): SupersededHolds {
  const transitions = createTransitions({ ...context, runKind: "feeds" });
  const listHolds = createListHolds(context);
  const findNewer = createFindNewer(context);
  return {
    count: (run) => (findNewer(run) === undefined ? 0 : listHolds(run, -1).length),
    cancel(run) {
      const newer = findNewer(run);
      if (newer === undefined) return 0;
      const rows = listHolds(run, BATCH_ROWS);
      for (const row of rows) {
        const key = { runId: run.id, row, from: "held" } as const;
        transitions.move(key, {
          to: "cancelled",
          cause: "superseded-hold",
          evidence: { run: newer },
        });
      }
      return rows.length;
    },
  };
}

type ListHolds = (run: Candidate, limit: number) => readonly number[];

/** Lists held updates without a request; the limit -1 stands for all. */
function createListHolds({ database }: ArchiveContext): ListHolds {
  const { build } = database;
  return ({ id }, limit) =>
    database
      .all(
        build
          .selectFrom("run_row")
          .select("row_no")
          .where("run_id", "=", id)
          .where("state", "=", toLiteral("held"))
          .where("action", "=", "update")
          .where("attempts", "=", 0)
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom("op")
                  .select("op.row_no")
                  .whereRef("op.run_id", "=", "run_row.run_id")
                  .whereRef("op.row_no", "=", "run_row.row_no"),
              ),
            ),
          )
          .orderBy("row_no")
          .limit(limit),
      )
      .map(({ row_no }) => row_no);
}

/** Returns the function that finds the newest finished sync of the run's feed, if it is newer. */
function createFindNewer({
  database,
  store,
}: ArchiveContext): (run: Candidate) => string | undefined {
  const { build } = database;
  return ({ command, state, file_json, created_at_ms }) => {
    if (command !== FEED_COMMAND || state !== "finished") return undefined;
    const newest = build
      .selectFrom("run")
      .select("id")
      .where("store", "=", store)
      .where("created_at_ms", ">", created_at_ms)
      .where("command", "=", FEED_COMMAND)
      .where("state", "=", toLiteral("finished"))
      .where(isOfFeed(fromJson<RunFile>(file_json)))
      .orderBy("created_at_ms", "desc")
      .limit(1);
    return database.get(newest)?.id;
  };
}

/** A sync of an earlier version is known by its file, or by the address without its query. */
function isOfFeed({ feed, path, name }: RunFile): RawBuilder<boolean> {
  if (feed !== undefined) return sql<boolean>`json_extract(file_json, '$.feed') = ${feed}`;
  return /^https?:/iu.test(name)
    ? sql<boolean>`json_extract(file_json, '$.name') = ${name}`
    : sql<boolean>`json_extract(file_json, '$.path') = ${path}`;
}
