/**
 * Notices that the people of the database are those of a backup: sessions, invitations and keys that have
 * ended since would open the server again. The machine remembers the newest entry of the audit that it
 * has seen, which no older copy has; where it remembers nothing, what the engine has noticed decides.
 */

import { join } from "node:path";

import { CHAIN_START, type ChainEnd, type EndedAccess, type TeamRecords } from "@catalog/team";

import type { Database, Queries, Steps } from "../sql/database.ts";
import { DOUBT, readMark, writeMark } from "../sqlite/restored-copy.ts";
import type { TeamCommit } from "./audit-records.ts";

/** The newest entry that was seen here. */
export interface SeenEnd {
  read(): ChainEnd | undefined;
  note(end: ChainEnd): void;
}

/** Remembers it in a file of the folder; without one, as long as the process lives. */
export function createSeenEnd(folder: string | undefined, databaseId: string): SeenEnd {
  const path = folder === undefined ? undefined : join(folder, `${databaseId}.people.json`);
  let last: ChainEnd | undefined;
  return {
    read: () => (path === undefined ? last : readEnd(path)),
    note(end) {
      if (end.seq === last?.seq && end.hash === last.hash) return;
      last = end;
      if (path !== undefined) writeEnd(path, end);
    },
  };
}

function readEnd(path: string): ChainEnd | undefined {
  const mark = readMark(path);
  return mark && { seq: mark.seq, hash: mark.line };
}

function writeEnd(path: string, { seq, hash }: ChainEnd): void {
  try {
    writeMark(path, { line: hash, seq });
  } catch {
    // A full disk only weakens what is noticed.
  }
}

export async function readDatabaseId(database: Database): Promise<string> {
  const query = database.build.selectFrom("copy").select("database_id");
  return (await database.execute(database.get(query)))?.database_id ?? "";
}

/** Creates the function that ends what a backup has brought back. */
export function createEndRevived(
  database: Database,
  commit: TeamCommit,
  seen: SeenEnd,
): TeamRecords["endRevived"] {
  return async (atMs, toEntry) => {
    const found = await database.execute(judge(database, seen));
    if (found.isCurrent) {
      seen.note(found.end);
      return undefined;
    }
    return await commit(function* endRevived(append) {
      // Another process may have been first.
      const { isCurrent } = yield* judge(database, seen);
      if (isCurrent) return undefined;
      const ended = yield* endAll(database, atMs);
      yield* database.run(database.build.updateTable("copy").set({ people_doubted: DOUBT.none }));
      if (Object.values(ended).every((count) => count === 0)) return undefined;
      yield* append(toEntry(ended));
      return ended;
    });
  };
}

interface Judged {
  readonly isCurrent: boolean;
  readonly end: ChainEnd;
}

function* judge(queries: Queries, seen: SeenEnd): Steps<Judged> {
  const { build, get, run } = queries;
  const copy = yield* get(build.selectFrom("copy").select("people_doubted"));
  const end = (yield* get(build.selectFrom("audit_end").select(["seq", "hash"]))) ?? CHAIN_START;
  const doubt = copy?.people_doubted ?? DOUBT.none;
  const has = yield* hasSeen(queries, seen.read());
  if (has === "lacks" || doubt === DOUBT.certain) return { isCurrent: false, end };
  if (doubt === DOUBT.none) return { isCurrent: true, end };
  // A replica that has all that was seen here has lost nothing.
  const isCurrent = has === "all";
  if (isCurrent) yield* run(build.updateTable("copy").set({ people_doubted: DOUBT.none }));
  return { isCurrent, end };
}

/** Whether the audit has the newest entry that was seen here. */
function* hasSeen(
  { build, get }: Queries,
  known: ChainEnd | undefined,
): Steps<"all" | "lacks" | "unknown"> {
  if (known === undefined || known.seq === 0) return "unknown";
  const own = yield* get(build.selectFrom("audit").select("hash").where("seq", "=", known.seq));
  return own?.hash === known.hash ? "all" : "lacks";
}

function* endAll({ build, run }: Queries, atMs: number): Steps<EndedAccess> {
  const sessions = yield* run(build.deleteFrom("person_session"));
  const invitations = yield* run(build.deleteFrom("invitation"));
  const change = build.updateTable("api_key").set({ ended_at_ms: atMs });
  const keys = yield* run(change.where("ended_at_ms", "is", null));
  return { sessions, invitations, keys };
}
