/** Files that were uploaded for several stores, and the drafts that were made of them, as tables. */

import type { SharedFile, SharedFileRecords } from "@catalog/team";
import type { Selectable } from "kysely";

import type { Database, Steps } from "../sql/database.ts";
import type { TeamCommit } from "./audit-records.ts";
import type { TeamSchema } from "./team-schema.ts";

type StoredFile = Selectable<TeamSchema["shared_file"]>;
type StoredDraft = Selectable<TeamSchema["shared_draft"]>;

const toFile = (
  { id, name, person, created_at_ms: createdAtMs }: StoredFile,
  drafts: readonly StoredDraft[],
): SharedFile => ({
  id,
  name,
  person,
  createdAtMs,
  drafts: drafts.map(({ store, draft }) => ({ store, draft })),
});

export function createSharedFileRecords(database: Database, commit: TeamCommit): SharedFileRecords {
  const { build, all, get, run } = database;
  const withDrafts = function* withDrafts(
    files: readonly StoredFile[],
  ): Steps<readonly SharedFile[]> {
    const ids = files.map(({ id }) => id);
    if (ids.length === 0) return [];
    const own = build.selectFrom("shared_draft").selectAll().where("shared_file", "in", ids);
    const drafts = Map.groupBy(
      yield* all(own.orderBy("shared_file").orderBy("store")),
      ({ shared_file: file }) => file,
    );
    return files.flatMap((file) => {
      const found = drafts.get(file.id);
      return found === undefined ? [] : [toFile(file, found)];
    });
  };
  const readFile = function* readFile(id: number): Steps<SharedFile | undefined> {
    const found = yield* get(build.selectFrom("shared_file").selectAll().where("id", "=", id));
    const [file] = yield* withDrafts(found === undefined ? [] : [found]);
    return file;
  };
  return {
    add: ({ name, person, createdAtMs, drafts }, toEntries) =>
      commit(function* add(append) {
        const used = build.selectFrom("shared_draft").select("shared_file");
        yield* run(build.deleteFrom("shared_file").where("id", "not in", used));
        const columns = { name, person, created_at_ms: createdAtMs };
        const added = yield* get(build.insertInto("shared_file").values(columns).returningAll());
        if (added === undefined) throw new Error("a file that was just noted cannot be read");
        const rows = drafts.map((each) => ({ shared_file: added.id, ...each }));
        yield* run(build.insertInto("shared_draft").values(rows));
        for (const entry of toEntries(added.id)) yield* append(entry);
        return toFile(added, rows);
      }),
    read: (id) => database.snapshot(() => readFile(id)),
    find: ({ store, draft }) =>
      database.snapshot(function* find() {
        const own = build.selectFrom("shared_draft").select("shared_file");
        const found = yield* get(own.where("store", "=", store).where("draft", "=", draft));
        return found && (yield* readFile(found.shared_file));
      }),
    async list(stores, limit) {
      if (stores.length === 0) return [];
      return await database.snapshot(function* list() {
        const seen = build
          .selectFrom("shared_draft")
          .select("shared_file")
          .where("store", "in", stores);
        const files = build.selectFrom("shared_file").selectAll().where("id", "in", seen);
        return yield* withDrafts(yield* all(files.orderBy("id", "desc").limit(limit)));
      });
    },
  };
}
