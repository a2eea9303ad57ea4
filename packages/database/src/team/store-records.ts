/** The stores of a server with their encrypted credentials, and comments on their runs, as tables. */

import type {
  Comment,
  CommentRecords,
  FourEyes,
  SealedStore,
  StoreRecords,
  TeamStore,
} from "@catalog/team";
import type { Selectable } from "kysely";

import { type Database, readStoreKey, type Steps, toStoreAddress } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/queries.ts";
import type { TeamCommit } from "./audit-records.ts";
import type { TeamSchema } from "./team-schema.ts";

const NO_FOUR_EYES: FourEyes = { mode: "never", moreThanRows: null };

type StoredStore = Pick<
  Selectable<TeamSchema["team_store"]>,
  "store" | "name" | "key_id" | "sealed"
> & { readonly base_url: string; readonly store_id: string };

const toStore = (row: StoredStore): TeamStore => ({
  id: row.store,
  name: row.name,
  baseUrl: row.base_url,
  storeId: row.store_id,
});

const toSealedStore = (row: StoredStore): SealedStore => ({
  ...toStore(row),
  sealed: { keyId: row.key_id, text: row.sealed },
});

export function createStoreRecords(database: Database, commit: TeamCommit): StoreRecords {
  const { build, all, get, run } = database;
  const stores = build
    .selectFrom("team_store")
    .innerJoin("store", "store.id", "team_store.store")
    .select(["store", "name", "key_id", "sealed", "base_url", "store_id"]);
  const byName = (name: string): Steps<StoredStore | undefined> =>
    get(stores.where("name", "=", name));
  const byId = (id: number): Steps<StoredStore | undefined> => get(stores.where("store", "=", id));
  const readFourEyes = function* readFourEyes(id: number): Steps<FourEyes | undefined> {
    const found = yield* get(
      build.selectFrom("team_store").select("four_eyes_json").where("store", "=", id),
    );
    if (found === undefined) return undefined;
    const { four_eyes_json: json } = found;
    return json === null ? NO_FOUR_EYES : fromJson<FourEyes>(json);
  };
  return {
    list: async () => (await database.execute(all(stores.orderBy("name")))).map(toSealedStore),
    async find(name) {
      const found = await database.execute(byName(name));
      return found && toStore(found);
    },
    async read(id) {
      const found = await database.execute(byId(id));
      return found && toSealedStore(found);
    },
    save: ({ name, ...typed }, seal, toEntry) =>
      commit(function* save(append) {
        const address = toStoreAddress(typed);
        const id = yield* readStoreKey(database, address);
        const named = yield* byName(name);
        if (named !== undefined && named.store !== id) return { taken: toStore(named) };
        const known = yield* byId(id);
        if (known !== undefined && known.name !== name) return { taken: toStore(known) };
        const stored = { id, name, ...address };
        const { keyId, text } = seal(stored);
        const columns = { key_id: keyId, sealed: text };
        const entry = toEntry(stored, known === undefined);
        yield* run(
          known === undefined
            ? build
                .insertInto("team_store")
                .values({ store: id, name, ...columns, created_at_ms: entry.atMs })
            : build.updateTable("team_store").set(columns).where("store", "=", id),
        );
        yield* append(entry);
        return stored;
      }),
    fourEyes: (id) => database.execute(readFourEyes(id)),
    setFourEyes: (id, value, toEntry) =>
      commit(function* setFourEyes(append) {
        const before = yield* readFourEyes(id);
        const change = build.updateTable("team_store").set({ four_eyes_json: toJson(value) });
        yield* run(change.where("store", "=", id));
        yield* append(toEntry(before ?? NO_FOUR_EYES));
      }),
    reseal: (changes, toEntry) =>
      commit(function* reseal(append) {
        let count = 0;
        for (const { id, from, to } of changes) {
          count += yield* run(
            build
              .updateTable("team_store")
              .set({ key_id: to.keyId, sealed: to.text })
              .where("store", "=", id)
              .where("sealed", "=", from.text),
          );
        }
        if (count > 0) yield* append(toEntry(count));
        return count;
      }),
  };
}

const toComment = (row: Selectable<TeamSchema["run_comment"]>): Comment => ({
  id: row.id,
  run: row.run_id,
  row: row.row_no,
  person: row.person,
  text: row.text,
  atMs: row.at_ms,
});

export function createCommentRecords(database: Database, commit: TeamCommit): CommentRecords {
  const { build, all, get } = database;
  return {
    add: ({ store, run, row, person, text, atMs }, toEntry) =>
      commit(function* add(append) {
        const owned = yield* get(
          build.selectFrom("run").select("id").where("id", "=", run).where("store", "=", store),
        );
        if (owned === undefined) return undefined;
        const columns = { store, run_id: run, row_no: row, person, text, at_ms: atMs };
        const added = yield* get(build.insertInto("run_comment").values(columns).returningAll());
        if (added === undefined) throw new Error("a comment that was just written cannot be read");
        yield* append(toEntry(added.id));
        return toComment(added);
      }),
    async list(store, run) {
      const own = build
        .selectFrom("run_comment")
        .selectAll()
        .where("store", "=", store)
        .where("run_id", "=", run)
        .orderBy("id");
      return (await database.execute(all(own))).map(toComment);
    },
    async listNewest(store, limit) {
      const ofRuns = build
        .selectFrom("run_comment")
        .selectAll()
        .where("store", "=", store)
        .where("row_no", "is", null)
        .orderBy("id", "desc")
        .limit(limit);
      return (await database.execute(all(ofRuns))).map(toComment);
    },
  };
}
