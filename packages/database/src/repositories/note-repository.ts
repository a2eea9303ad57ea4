/** Notes: small values that are remembered as JSON under a key, and checked as they are read. */

import { type Clock } from "@catalog/clock";
import { type ZodType } from "zod";

import { fromJson, toJson } from "../sqlite/json.ts";
import { type Database } from "../sqlite/sqlite.ts";

export interface NoteBook {
  /** The note under the key; `undefined` where there is none, and where it is not of the schema. */
  readNote<Note>(key: string, schema: ZodType<Note>): Note | undefined;
  /** Writes several notes, all or none. */
  saveNotes(notes: Readonly<Record<string, unknown>>): void;
}

/** Notes that are forgotten one day. */
export interface DatedNoteBook extends NoteBook {
  /** The same; `undefined` as well where it was written `maxAgeMs` ago or earlier. @default never */
  readNote<Note>(key: string, schema: ZodType<Note>, maxAgeMs?: number): Note | undefined;
}

/** A note as it is stored, if it is one of the schema. */
export function parseNote<Note>(json: string | undefined, schema: ZodType<Note>): Note | undefined {
  return json === undefined ? undefined : schema.safeParse(fromJson<unknown>(json)).data;
}

/**
 * Notes about marketplaces, whichever of their stores they come from; keys name the marketplace. They
 * stand in the table of the lists of names.
 */
export function createNoteBook(database: Database, clock: Clock): DatedNoteBook {
  const { build } = database;
  return {
    readNote(key, schema, maxAgeMs = Number.MAX_SAFE_INTEGER) {
      const found = database.get(
        build
          .selectFrom("name_list")
          .select("entries_json")
          .where("key", "=", key)
          .where("fetched_at_ms", ">", clock.now() - maxAgeMs),
      );
      return parseNote(found?.entries_json, schema);
    },
    saveNotes(notes) {
      database.transaction(() => {
        for (const [key, note] of Object.entries(notes)) {
          const columns = { key, fetched_at_ms: clock.now(), entries_json: toJson(note) };
          database.run(
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
