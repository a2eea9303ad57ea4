/** Notes: small values that are stored as JSON under a key, and validated when they are read. */

import type { Clock } from "@catalog/clock";
import type { ZodType } from "zod";

import type { Database } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/json.ts";

/** Reads and writes notes; whose notes they are depends on the repository. */
export interface NoteRepository {
  /**
   * Returns the note under the key; `undefined` where there is none or it does not match the
   * schema.
   */
  readNote<Note>(key: string, schema: ZodType<Note>): Promise<Note | undefined>;
  /** Writes several notes, all or none. */
  saveNotes(notes: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Notes with an age limit. */
export interface DatedNoteRepository extends NoteRepository {
  /**
   * Returns also `undefined` for a note that was written `maxAgeMs` ago or earlier. @default no
   * limit
   */
  readNote<Note>(key: string, schema: ZodType<Note>, maxAgeMs?: number): Promise<Note | undefined>;
}

/** Notes that can be listed by the beginning of their keys, and removed. */
export interface ListedNoteRepository extends DatedNoteRepository {
  /** Returns the notes whose keys begin with the text, the latest first. */
  listNotes<Note>(
    prefix: string,
    schema: ZodType<Note>,
  ): Promise<readonly { readonly key: string; readonly note: Note }[]>;
  /** Deletes notes; returns how many there were. */
  removeNotes(keys: readonly string[]): Promise<number>;
}

/** Parses a stored note; `undefined` where it does not match the schema. */
export function parseNote<Note>(json: string | undefined, schema: ZodType<Note>): Note | undefined {
  return json === undefined ? undefined : schema.safeParse(fromJson<unknown>(json)).data;
}

/**
 * Creates a repository of notes about marketplaces, over all their stores; a key names the
 * marketplace. The notes are kept in the table of name lists.
 */
export function createNoteRepository(database: Database, clock: Clock): ListedNoteRepository {
  const { build } = database;
  return {
    async readNote(key, schema, maxAgeMs = Number.MAX_SAFE_INTEGER) {
      const query = build
        .selectFrom("name_list")
        .select("entries_json")
        .where("key", "=", key)
        .where("fetched_at_ms", ">", clock.now() - maxAgeMs);
      const found = await database.execute(database.get(query));
      return parseNote(found?.entries_json, schema);
    },
    async listNotes(prefix, schema) {
      const query = build
        .selectFrom("name_list")
        .select(["key", "entries_json"])
        .where("key", ">=", prefix)
        .where("key", "<", `${prefix}\uffff`)
        .orderBy("fetched_at_ms", "desc");
      const found = await database.execute(database.all(query));
      return found.flatMap(({ key, entries_json: json }) => {
        const note = parseNote(json, schema);
        return note === undefined ? [] : [{ key, note }];
      });
    },
    async removeNotes(keys) {
      if (keys.length === 0) return 0;
      const query = build.deleteFrom("name_list").where("key", "in", [...keys]);
      return await database.execute(database.run(query));
    },
    async saveNotes(notes) {
      await database.transaction(function* saveAll() {
        for (const [key, note] of Object.entries(notes)) {
          const columns = { key, fetched_at_ms: clock.now(), entries_json: toJson(note) };
          yield* database.run(
            build
              .insertInto("name_list")
              .values(columns)
              .onConflict((conflict) => conflict.column("key").doUpdateSet(columns)),
          );
        }
      });
    },
  };
}
