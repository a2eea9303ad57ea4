/**
 * The audit: a chain of entries whose end is a row of its own. That row is locked by everything that
 * writes for the team, so that concurrent writers keep one chain, and decide one after the other.
 */

import {
  type AuditRecords,
  CHAIN_START,
  chainEntry,
  type ChainedEntry,
  type ChainEnd,
  follows,
  type NewAuditRecord,
} from "@catalog/team";

import type { Database, Queries, Steps } from "../sql/database.ts";

/** Commits work together with the entries that it appends. */
export type TeamCommit = <Result>(
  work: (append: (entry: NewAuditRecord) => Steps<void>) => Steps<Result>,
) => Promise<Result>;

/** Creates the function that commits alone, over all processes of the database. */
export function createTeamCommit(
  database: Database,
  seen: { note(end: ChainEnd): void },
): TeamCommit {
  const { build, get, run } = database;
  const selectEnd = build.selectFrom("audit_end").select(["seq", "hash"]).where("id", "=", 1);
  // A transaction on a file is alone as it is.
  const lockEnd = database.dialect === "sqlite" ? selectEnd : selectEnd.forUpdate();
  return async (work) => {
    const { done, end: newest } = await database.transaction(function* commit() {
      let end = yield* readEnd(get(lockEnd));
      const result = yield* work(function* append(record) {
        const { seq, atMs, store, text, hash } = chainEntry(end, record);
        end = { seq, hash };
        const row = { seq, at_ms: atMs, store, entry_json: text, hash };
        yield* run(build.insertInto("audit").values(row));
        yield* run(build.updateTable("audit_end").set(end).where("id", "=", 1));
      });
      return { done: result, end };
    });
    seen.note(newest);
    return done;
  };
}

function* readEnd(get: Steps<ChainEnd | undefined>): Steps<ChainEnd> {
  const end = yield* get;
  if (end === undefined) throw new Error("the audit has no end");
  return end;
}

export function createAuditRecords(database: Database, commit: TeamCommit): AuditRecords {
  const { build } = database;
  return {
    append: (entry) => commit((append) => append(entry)),
    async list({ store, before, after, limit }) {
      const order = after === undefined ? "desc" : "asc";
      let query = build.selectFrom("audit").selectAll().orderBy("seq", order).limit(limit);
      if (after !== undefined) query = query.where("seq", ">", after);
      if (store !== undefined) query = query.where("store", "=", store);
      if (before !== undefined) query = query.where("seq", "<", before);
      return (await database.execute(database.all(query))).map(toEntry);
    },
    findBreak: () => database.snapshot(() => findAuditBreak(database)),
  };
}

/** Entries that are read at a time. */
const PAGE = 1_000;

/**
 * Returns the number of the first entry that does not follow from those before it, or that is missing
 * at the end; `undefined` for a sound chain.
 */
export function* findAuditBreak({
  build,
  all,
  get,
}: Pick<Queries, "build" | "all" | "get">): Steps<number | undefined> {
  let end = CHAIN_START;
  for (;;) {
    const page = yield* all(
      build.selectFrom("audit").selectAll().where("seq", ">", end.seq).orderBy("seq").limit(PAGE),
    );
    for (const row of page) {
      const entry = toEntry(row);
      if (!follows(end, entry)) return end.seq + 1;
      end = { seq: entry.seq, hash: entry.hash };
    }
    if (page.length < PAGE) break;
  }
  const first = yield* get(build.selectFrom("audit").select("seq").where("seq", "<", 1).limit(1));
  const known = yield* get(build.selectFrom("audit_end").select(["seq", "hash"]));
  if (first !== undefined) return first.seq;
  return known?.seq === end.seq && known.hash === end.hash ? undefined : end.seq + 1;
}

/** The fault that a check reports. */
export const describeAuditBreak = (seq: number | undefined): readonly string[] =>
  seq === undefined ? [] : [`audit: entry ${seq} was changed, removed or put in`];

const toEntry = (row: {
  readonly seq: number;
  readonly at_ms: number;
  readonly store: number | null;
  readonly entry_json: string;
  readonly hash: string;
}): ChainedEntry => ({
  seq: row.seq,
  atMs: row.at_ms,
  store: row.store,
  text: row.entry_json,
  hash: row.hash,
});
