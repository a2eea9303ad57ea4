/**
 * What is kept from run to run besides the runs: notes, lists of names, checks of images, and the
 * column profiles that a person has set.
 */

import type { Clock } from "@catalog/clock";
import type { ZodType } from "zod";

import type { RepositoryOptions } from "../locks/leases.ts";
import type { Database, Steps } from "../sql/database.ts";
import { fromJson, parseNote, toJson } from "../sql/queries.ts";
import { createSharedRules } from "./shared-rules.ts";

/** Small values that are stored as JSON under a key, and validated when they are read. */
export interface NoteRepository {
  /**
   * Returns the note under the key; `undefined` where there is none, it does not match the schema, or
   * it was written `maxAgeMs` ago or earlier. @default any age
   */
  readNote<Note>(key: string, schema: ZodType<Note>, maxAgeMs?: number): Promise<Note | undefined>;
  /** Writes several notes, all or none. */
  saveNotes(notes: Readonly<Record<string, unknown>>): Promise<void>;
  /** Returns the notes whose keys begin with the text, the latest first. */
  listNotes<Note>(
    prefix: string,
    schema: ZodType<Note>,
  ): Promise<readonly { readonly key: string; readonly note: Note }[]>;
  /** Deletes notes; returns how many there were. */
  removeNotes(keys: readonly string[]): Promise<number>;
}

/**
 * Creates a repository of notes about marketplaces, over all their stores; a key names the
 * marketplace. The notes are kept in the table of name lists.
 */
export function createNoteRepository(database: Database, clock: Clock): NoteRepository {
  const { build } = database;
  return {
    readNote: async (key, schema, maxAgeMs = Number.MAX_SAFE_INTEGER) =>
      parseNote(await readEntries(database, key, clock.now() - maxAgeMs), schema),
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
          yield* writeEntries(database, key, { nowMs: clock.now(), entries: note });
        }
      });
    },
  };
}

/** Lists of names and ids that change rarely, kept between runs. */
export interface NameCache {
  /** Returns `undefined` when the list is unknown, or was written `maxAgeMs` ago or earlier. */
  read<Entry>(key: string, maxAgeMs: number): Promise<readonly Entry[] | undefined>;
  write(key: string, entries: readonly unknown[]): Promise<void>;
  /** Deletes the lists whose keys begin with the text and that were written `maxAgeMs` ago or earlier. */
  forget(prefix: string, maxAgeMs: number): Promise<void>;
}

/** Creates a name cache in the database. A key names the marketplace, the list and its parent. */
export function createNameCache(database: Database, clock: Clock): NameCache {
  return {
    async read<Entry>(key: string, maxAgeMs: number) {
      const json = await readEntries(database, key, clock.now() - maxAgeMs);
      return json === undefined ? undefined : fromJson<readonly Entry[]>(json);
    },
    async write(key, entries) {
      await database.execute(writeEntries(database, key, { nowMs: clock.now(), entries }));
    },
    async forget(prefix, maxAgeMs) {
      const query = database.build
        .deleteFrom("name_list")
        .where("key", ">=", prefix)
        .where("key", "<", `${prefix}\uffff`)
        .where("fetched_at_ms", "<=", clock.now() - maxAgeMs);
      await database.execute(database.run(query));
    },
  };
}

async function readEntries(
  database: Database,
  key: string,
  afterMs: number,
): Promise<string | undefined> {
  const query = database.build
    .selectFrom("name_list")
    .select("entries_json")
    .where("key", "=", key)
    .where("fetched_at_ms", ">", afterMs);
  return (await database.execute(database.get(query)))?.entries_json;
}

const writeEntries = (
  database: Database,
  key: string,
  { nowMs, entries }: { readonly nowMs: number; readonly entries: unknown },
): Steps<number> =>
  database.upsert("name_list", ["key"], {
    key,
    fetched_at_ms: nowMs,
    entries_json: toJson(entries),
  });

/** Results of image checks, kept between runs. */
export interface ImageCheckCache {
  /** Reads what was last written under the key. */
  read<Memo>(key: string): Promise<Memo | undefined>;
  write(key: string, memo: unknown): Promise<void>;
}

const DAY_MS = 86_400_000;
const KEPT_MS = 90 * DAY_MS;

/** Creates the cache in the database. It deletes entries that were not written for 90 days. */
export function createImageCheckCache(database: Database, clock: Clock): ImageCheckCache {
  const { build } = database;
  let hasForgotten = false;

  function* forgetOld(): Steps<void> {
    if (hasForgotten) return;
    hasForgotten = true;
    const before = clock.now() - KEPT_MS;
    yield* database.run(build.deleteFrom("picture_memo").where("written_at_ms", "<", before));
  }

  function* write(key: string, memo: unknown): Steps<void> {
    yield* forgetOld();
    const columns = { key, written_at_ms: clock.now(), memo_json: toJson(memo) };
    yield* database.upsert("picture_memo", ["key"], columns);
  }

  return {
    async read<Memo>(key: string) {
      const query = build.selectFrom("picture_memo").select("memo_json").where("key", "=", key);
      const found = await database.execute(database.get(query));
      return found === undefined ? undefined : fromJson<Memo>(found.memo_json);
    },
    async write(key, memo) {
      await database.execute(write(key, memo));
    },
  };
}

/** How the columns of one kind of sheet are read, as a person has confirmed it. */
export interface Profile {
  /** Empty for a profile that was learnt from a run without a name. */
  readonly name: string;
  /** Equal for sheets with the same headers. */
  readonly headerKey: string;
  /** All headers of such a sheet, used or not. */
  readonly headers: readonly string[];
  /** Header to field key, `property:NAME`, or `-` for a column that is left out. */
  readonly columns: Readonly<Record<string, string>>;
  /** Field key to the value of cells that are empty. */
  readonly constants: Readonly<Record<string, string>>;
  readonly decimal: "comma" | "point" | null;
  /** The file of the run from which it was learnt; `null` where the profile was imported. */
  readonly learntFrom: string | null;
  /** Whether all stores of the marketplace have it that have no profile of this name. @default false */
  readonly isShared?: true | undefined;
}

/** The profiles of one store; a name may stand for several sets of headers. */
export interface ProfileRepository {
  /** Returns the named profiles, those that are shared with other stores included, sorted by name. */
  list(): Promise<readonly Profile[]>;
  read(name: string, headerKey: string): Promise<Profile | undefined>;
  /** Returns the latest profile for these headers, under any name. */
  readLatest(headerKey: string): Promise<Profile | undefined>;
  /** Returns the profiles that were learnt without a name, the latest first. */
  listLearnt(): Promise<readonly Profile[]>;
  save(profile: Profile): Promise<void>;
  /** Has all stores of the marketplace have the profiles of a name; returns how many there are. */
  share(name: string): Promise<number>;
  /** Makes shared profiles of a name this store's own, and of no other one; returns how many. */
  unshare(name: string): Promise<number>;
  /** Deletes all profiles of a name; returns how many there were. */
  remove(name: string): Promise<number>;
  /** Deletes the profile without a name of these headers; returns how many there were. */
  forget(headerKey: string): Promise<number>;
}

/** Creates the profile repository of a store; profiles of other stores are not visible. */
export function createProfileRepository(options: RepositoryOptions): ProfileRepository {
  const { database, clock } = options;
  const { build } = database;
  const store = database.storeKey(options.store);
  const profiles = build
    .selectFrom("column_profile")
    .select("profile_json")
    .where("store", "=", store);
  const stored = build.deleteFrom("column_profile").where("store", "=", store);
  const shared = createSharedRules<Profile>(options, "profile");
  const listOwn = async (): Promise<readonly Profile[]> => {
    const named = profiles.where("name", "<>", "").orderBy("name").orderBy("header_key");
    return (await database.execute(database.all(named))).map(fromColumns);
  };
  const listShared = async (): Promise<readonly Profile[]> =>
    (await shared.list()).map(({ value }) => Object.assign({}, value, { isShared: true as const }));
  const save: ProfileRepository["save"] = async (profile) => {
    const { name, headerKey } = profile;
    const key = { store, name, header_key: headerKey };
    const own = { ...profile, isShared: undefined };
    const columns = { ...key, profile_json: toJson(own), updated_at_ms: clock.now() };
    await database.execute(
      database.upsert("column_profile", ["store", "name", "header_key"], columns),
    );
  };

  return {
    save,
    async list() {
      const own = await listOwn();
      const known = new Set(own.map(keyOfProfile));
      const others = (await listShared()).filter((one) => !known.has(keyOfProfile(one)));
      return [...own, ...others].toSorted((a, b) => (keyOfProfile(a) < keyOfProfile(b) ? -1 : 1));
    },
    async share(name) {
      const own = (await listOwn()).filter((one) => one.name === name);
      for (const profile of own) await shared.put(keyOfProfile(profile), profile);
      await database.execute(database.run(stored.where("name", "=", name)));
      return own.length;
    },
    async unshare(name) {
      const common = (await listShared()).filter((one) => one.name === name);
      const known = new Set((await listOwn()).map(keyOfProfile));
      for (const profile of common) {
        const key = keyOfProfile(profile);
        if (!known.has(key)) await save(profile);
        await shared.put(key, null);
      }
      return common.length;
    },
    async listLearnt() {
      const learnt = profiles.where("name", "=", "").orderBy("updated_at_ms", "desc");
      return (await database.execute(database.all(learnt))).map(fromColumns);
    },
    async read(name, headerKey) {
      const query = profiles.where("name", "=", name).where("header_key", "=", headerKey);
      const own = toProfile(await database.execute(database.get(query)));
      if (own !== undefined || name === "") return own;
      return (await listShared()).find((one) => one.name === name && one.headerKey === headerKey);
    },
    async readLatest(headerKey) {
      const latest = profiles
        .where("header_key", "=", headerKey)
        .orderBy("updated_at_ms", "desc")
        // Of a named profile and a nameless one of the same time, the named one comes first.
        .orderBy("name", "desc");
      const own = toProfile(await database.execute(database.get(latest.limit(1))));
      return own ?? (await listShared()).find((one) => one.headerKey === headerKey);
    },
    remove: (name) => database.execute(database.run(stored.where("name", "=", name))),
    async forget(headerKey) {
      const nameless = stored.where("name", "=", "").where("header_key", "=", headerKey);
      return await database.execute(database.run(nameless));
    },
  };
}

const keyOfProfile = ({ name, headerKey }: Profile): string => `${name}\n${headerKey}`;

const toProfile = (found: { readonly profile_json: string } | undefined): Profile | undefined =>
  found && fromColumns(found);

const fromColumns = (found: { readonly profile_json: string }): Profile =>
  fromJson<Profile>(found.profile_json);
