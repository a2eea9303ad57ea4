import { fromJson, toJson } from "../sqlite/json.ts";
import { readStoreKey } from "../store-key.ts";
import { type StoreBookOptions } from "./rules.ts";

/** How the columns of one kind of sheet are read, as a person has accepted it. */
export interface Profile {
  /** Empty for what was learnt from a run without a name. */
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
  /** The file of the run from which it was learnt; `null` where it was imported. */
  readonly learntFrom: string | null;
}

/** The profiles of one store; a name may stand for several sets of headers. */
export interface ProfileBook {
  /** By name, without the nameless ones. */
  list(): Promise<readonly Profile[]>;
  read(name: string, headerKey: string): Promise<Profile | undefined>;
  /** The latest for these headers, under whatever name. */
  readLatest(headerKey: string): Promise<Profile | undefined>;
  save(profile: Profile): Promise<void>;
  /** Forgets all sets of headers of a name; says how many there were. */
  remove(name: string): Promise<number>;
}

/** The profile book of a store; the profiles of other stores are unknown to it. */
export function createProfileBook({ database, clock, ...options }: StoreBookOptions): ProfileBook {
  const { build } = database;
  const store = readStoreKey(database, options.store);
  const profiles = build
    .selectFrom("column_profile")
    .select("profile_json")
    .where("store", "=", store);

  return {
    async list() {
      const named = profiles.where("name", "<>", "").orderBy("name").orderBy("header_key");
      return database.all(named).map((found) => fromJson<Profile>(found.profile_json));
    },
    read: async (name, headerKey) =>
      toProfile(
        database.get(profiles.where("name", "=", name).where("header_key", "=", headerKey)),
      ),
    readLatest: async (headerKey) =>
      toProfile(
        database.get(
          profiles
            .where("header_key", "=", headerKey)
            .orderBy("updated_at_ms", "desc")
            // Of a profile and of what a person said beside it, the profile has the name.
            .orderBy("name", "desc")
            .limit(1),
        ),
      ),
    async save(profile) {
      const { name, headerKey } = profile;
      const columns = {
        store,
        name,
        header_key: headerKey,
        profile_json: toJson(profile),
        updated_at_ms: clock.now(),
      };
      database.run(
        build
          .insertInto("column_profile")
          .values(columns)
          .onConflict((conflict) =>
            conflict.columns(["store", "name", "header_key"]).doUpdateSet(columns),
          ),
      );
    },
    async remove(name) {
      const query = build.deleteFrom("column_profile").where("store", "=", store);
      return database.run(query.where("name", "=", name));
    },
  };
}

const toProfile = (found: { readonly profile_json: string } | undefined): Profile | undefined =>
  found === undefined ? undefined : fromJson<Profile>(found.profile_json);
