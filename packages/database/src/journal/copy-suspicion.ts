/** Evidence that another copy of the database has sent rows that this one does not know of. */

import type { CopySuspicion, Ledger, RunWaitingElsewhere } from "@catalog/runs";

import { fromJson } from "../sql/json.ts";
import { toLiteral } from "../sql/literals.ts";
import { eachStep, type Steps } from "../sql/steps.ts";
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
      return ((await database.execute(database.get(marked)))?.must_recheck ?? 0) > 0;
    },
    readCopySuspicion: (runId) => database.execute(readCopySuspicion(context, runId)),
    readWaitingElsewhere: (runId) => database.execute(readWaitingElsewhere(context, runId)),
    async acceptCopy() {
      await database.transaction(() =>
        database.run(build.updateTable("copy").set({ doubted_seq: 0 })),
      );
    },
  };
}

function* readCopySuspicion(context: JournalContext, runId: string): Steps<CopySuspicion> {
  const { database } = context;
  const run = yield* database.get(selectRun(context, runId).select("must_recheck"));
  const copy = yield* database.get(database.build.selectFrom("copy").select("doubted_seq"));
  // A run that was planned after an older copy was put in place was planned from that copy.
  const restoredSeq = run?.must_recheck || copy?.doubted_seq || null;
  return { restoredSeq, lastBegun: yield* readLastBegun(context, runId) };
}

function* readWaitingElsewhere(
  context: JournalContext,
  runId: string,
): Steps<readonly RunWaitingElsewhere[]> {
  const others = yield* readUnfinished(context, runId);
  const found = yield* eachStep(others, function* readOne(other) {
    const lastBegun = yield* readLastBegun(context, other);
    if (lastBegun === null) return [];
    return (yield* readShared(context, runId, other)).map((row) => ({ row, lastBegun }));
  });
  return found.flat();
}

/** Other runs of the store that have adds waiting. */
function* readUnfinished(
  { database, store }: JournalContext,
  runId: string,
): Steps<readonly string[]> {
  const found = yield* database.all(
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
  );
  return found.map(({ id }) => id);
}

const WAITING = ["ready", "held"] as const;

/** Ready adds of the run whose code waits in the other run and was never sent there. */
function* readShared(
  { database }: JournalContext,
  runId: string,
  other: string,
): Steps<readonly number[]> {
  const found = yield* database.all(
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
  );
  return found.map(({ row_no }) => row_no);
}

function* readLastBegun(context: JournalContext, runId: string): Steps<CopySuspicion["lastBegun"]> {
  const last = yield* context.database.get(
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
