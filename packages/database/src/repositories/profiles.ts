import { fromJson, toJson } from "../sql/json.ts";
import { readStoreKey } from "../store-key.ts";
import type { RepositoryOptions } from "./rules.ts";

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
}

/** The profiles of one store; a name may stand for several sets of headers. */
export interface ProfileRepository {
  /** Returns the named profiles, sorted by name. */
  list(): Promise<readonly Profile[]>;
  read(name: string, headerKey: string): Promise<Profile | undefined>;
  /** Returns the latest profile for these headers, under any name. */
  readLatest(headerKey: string): Promise<Profile | undefined>;
  /** Returns the profiles that were learnt without a name, the latest first. */
  listLearnt(): Promise<readonly Profile[]>;
  save(profile: Profile): Promise<void>;
  /** Deletes all profiles of a name; returns how many there were. */
  remove(name: string): Promise<number>;
  /** Deletes the profile without a name of these headers; returns how many there were. */
  forget(headerKey: string): Promise<number>;
}

/** Creates the profile repository of a store; profiles of other stores are not visible. */
export function createProfileRepository(options: RepositoryOptions): ProfileRepository {
  const { database, clock } = options;
  const { build } = database;
  const store = readStoreKey(database, options.store);
  const profiles = build
    .selectFrom("column_profile")
    .select("profile_json")
    .where("store", "=", store);
  const stored = build.deleteFrom("column_profile").where("store", "=", store);

  return {
    async list() {
      const named = profiles.where("name", "<>", "").orderBy("name").orderBy("header_key");
      return (await database.execute(database.all(named))).map(fromColumns);
    },
    async listLearnt() {
      const learnt = profiles.where("name", "=", "").orderBy("updated_at_ms", "desc");
      return (await database.execute(database.all(learnt))).map(fromColumns);
    },
    async read(name, headerKey) {
      const query = profiles.where("name", "=", name).where("header_key", "=", headerKey);
      return toProfile(await database.execute(database.get(query)));
    },
    async readLatest(headerKey) {
      const latest = profiles
        .where("header_key", "=", headerKey)
        .orderBy("updated_at_ms", "desc")
        // Of a named profile and a nameless one of the same time, the named one comes first.
        .orderBy("name", "desc");
      return toProfile(await database.execute(database.get(latest.limit(1))));
    },
    async save(profile) {
      const { name, headerKey } = profile;
      const key = { store, name, header_key: headerKey };
      const columns = { ...key, profile_json: toJson(profile), updated_at_ms: clock.now() };
      const query = build
        .insertInto("column_profile")
        .values(columns)
        .onConflict((conflict) =>
          conflict.columns(["store", "name", "header_key"]).doUpdateSet(columns),
        );
      await database.execute(database.run(query));
    },
    remove: (name) => database.execute(database.run(stored.where("name", "=", name))),
    async forget(headerKey) {
      const nameless = stored.where("name", "=", "").where("header_key", "=", headerKey);
      return await database.execute(database.run(nameless));
    },
  };
}

const toProfile = (found: { readonly profile_json: string } | undefined): Profile | undefined =>
  found && fromColumns(found);

const fromColumns = (found: { readonly profile_json: string }): Profile =>
  fromJson<Profile>(found.profile_json);
