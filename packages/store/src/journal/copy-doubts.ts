/** What speaks for another copy of the database having sent rows that this one does not know of. */

import { type Journal, type RunDoubt } from "@catalog/runs";

import { fromJson } from "../database/json.ts";
import { type JournalRoom, selectRun } from "./room.ts";

type DoubtMethods = Pick<Journal, "readDoubt" | "acceptCopy">;

export function createCopyDoubts(room: JournalRoom): DoubtMethods {
  const { database } = room;
  const { build } = database;
  return {
    async readDoubt(runId) {
      const run = database.get(selectRun(room, runId).select("must_recheck"));
      const copy = database.get(build.selectFrom("copy").select("doubted_seq"));
      // What was planned after an older copy was put in place rests on that copy, too.
      const restoredSeq = run?.must_recheck || copy?.doubted_seq || null;
      return { restoredSeq, lastBegun: readLastBegun(room, runId) };
    },
    async acceptCopy() {
      database.run(build.updateTable("copy").set({ doubted_seq: 0 }));
    },
  };
}

function readLastBegun(room: JournalRoom, runId: string): RunDoubt["lastBegun"] {
  const last = room.database.get(
    room.database.build
      .selectFrom("event")
      .select(["at_ms", "evidence_json"])
      .where("run_id", "=", selectRun(room, runId))
      .where("to_state", "=", "sending")
      .orderBy("seq", "desc")
      .limit(1),
  );
  if (last === undefined) return null;
  const { serverMs } = fromJson<{ readonly serverMs?: unknown }>(last.evidence_json);
  return { atMs: last.at_ms, serverMs: typeof serverMs === "number" ? serverMs : null };
}
