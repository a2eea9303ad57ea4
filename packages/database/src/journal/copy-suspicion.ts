/** Evidence that another copy of the database has sent rows that this one does not know of. */

import type { Ledger, CopySuspicion } from "@catalog/runs";

import { fromJson } from "../sqlite/json.ts";
import { toLiteral } from "../sqlite/literals.ts";
import { type JournalContext, selectRun } from "./context.ts";

type CopySuspicionMethods = Pick<
  Ledger,
  "mustRecheck" | "readCopySuspicion" | "readWaitingElsewhere" | "acceptCopy"
>;

export function createCopySuspicion(context: JournalContext): CopySuspicionMethods {
  const { database } = context;
  const { build } = database;
  return {
    async mustRecheck(runId) {
      const marked = selectRun(context, runId).select("must_recheck");
      return (database.get(marked)?.must_recheck ?? 0) > 0;
    },
    async readCopySuspicion(runId) {
      const run = database.get(selectRun(context, runId).select("must_recheck"));
      const copy = database.get(build.selectFrom("copy").select("doubted_seq"));
      // A run that was planned after an older copy was put in place was planned from that copy.
      const restoredSeq = run?.must_recheck || copy?.doubted_seq || null;
      return { restoredSeq, lastBegun: readLastBegun(context, runId) };
    },
    async readWaitingElsewhere(runId) {
      return readUnfinished(context, runId).flatMap((other) => {
        const lastBegun = readLastBegun(context, other);
        return lastBegun === null
          ? []
          : readShared(context, runId, other).map((row) => ({ row, lastBegun }));
      });
    },
    async acceptCopy() {
      database.run(build.updateTable("copy").set({ doubted_seq: 0 }));
    },
  };
}

/** Other runs of the store that have adds waiting. */
function readUnfinished({ database, store }: JournalContext, runId: string): readonly string[] {
  return database
    .all(
      database.build
        .selectFrom("run")
        .select("id")
        .where("store", "=", store)
        .where("id", "<>", runId)
        // No row of an archived run waits.
        .where("archive_at_ms", "is not", null)
        .where((where) =>
          where.exists(
            where
              .selectFrom("run_row")
              .select("row_no")
              .whereRef("run_row.run_id", "=", "run.id")
              .where("run_row.state", "in", WAITING)
              .where("run_row.action", "=", "add"),
          ),
        ),
    )
    .map(({ id }) => id);
}

const WAITING = ["ready", "held"] as const;

/** Ready adds of the run whose code waits in the other run and was never sent there. */
function readShared({ database }: JournalContext, runId: string, other: string): readonly number[] {
  return database
    .all(
      database.build
        .selectFrom("run_row as mine")
        .innerJoin("run_row as theirs", "theirs.code_key", "mine.code_key")
        .select("mine.row_no")
        .distinct()
        .where("mine.run_id", "=", runId)
        .where("mine.state", "=", "ready")
        .where("mine.action", "=", "add")
        .where("theirs.run_id", "=", other)
        // Literals, so that SQLite uses the partial index of adds that wait.
        .where("theirs.state", "in", WAITING.map(toLiteral))
        .where("theirs.action", "=", toLiteral("add"))
        .orderBy("mine.row_no"),
    )
    .map(({ row_no }) => row_no);
}

function readLastBegun(context: JournalContext, runId: string): CopySuspicion["lastBegun"] {
  const last = context.database.get(
    context.database.build
      .selectFrom("event")
      .select(["at_ms", "evidence_json"])
      .where("run_id", "=", selectRun(context, runId))
      .where("to_state", "=", "sending")
      .orderBy("seq", "desc")
      .limit(1),
  );
  if (last === undefined) return null;
  const { serverMs } = fromJson<{ readonly serverMs?: unknown }>(last.evidence_json);
  return { atMs: last.at_ms, serverMs: typeof serverMs === "number" ? serverMs : null };
}
