/** Runs that may be over, and are looked at from time to time until they are archived. */

import type { Selectable } from "kysely";

import type { Schema } from "../sql/schema.ts";
import type { Steps } from "../sql/steps.ts";
import type { ArchiveContext } from "./archive-context.ts";

/** A run that is not archived. */
export type Candidate = Selectable<
  Pick<
    Schema["run"],
    "id" | "command" | "state" | "file_json" | "settings_json" | "created_at_ms" | "updated_at_ms"
  >
>;

export interface RunCandidates {
  /** Finds the run that is to be looked at first; `undefined` where none is due. */
  findDue(nowMs: number): Steps<Candidate | undefined>;
  /** Reads again a run that is not archived yet. */
  read(runId: string): Steps<Candidate | undefined>;
  /** Looks at the run again at this time, and not before. */
  postpone(runId: string, untilMs: number): Steps<number>;
  /** Finds all runs that were last changed before this time. */
  listOlder(beforeMs: number): Steps<readonly Candidate[]>;
  /** Makes all of them due. */
  makeDue(beforeMs: number): Steps<number>;
}

const COLUMNS = [
  "id",
  "command",
  "state",
  "file_json",
  "settings_json",
  "created_at_ms",
  "updated_at_ms",
] as const;

export function createRunCandidates({ database, store }: ArchiveContext): RunCandidates {
  const { build } = database;
  const open = build
    .selectFrom("run")
    .select(COLUMNS)
    .where("store", "=", store)
    .where("archive_at_ms", "is not", null);
  const change = build.updateTable("run").where("store", "=", store);
  return {
    findDue: (nowMs) =>
      database.get(open.where("archive_at_ms", "<=", nowMs).orderBy("archive_at_ms").limit(1)),
    read: (runId) => database.get(open.where("id", "=", runId)),
    postpone: (runId, untilMs) =>
      database.run(change.set({ archive_at_ms: untilMs }).where("id", "=", runId)),
    listOlder: (beforeMs) =>
      database.all(open.where("updated_at_ms", "<", beforeMs).orderBy("updated_at_ms")),
    makeDue: (beforeMs) =>
      database.run(
        change
          .set({ archive_at_ms: 0 })
          .where("archive_at_ms", "is not", null)
          .where("updated_at_ms", "<", beforeMs),
      ),
  };
}
