/** Whether a PostgreSQL database keeps what the program relies on. */

import { type RawBuilder, sql } from "kysely";

import { TRIGGERS } from "../migrations/rules.ts";
import type { Database, Queries } from "../sql/database.ts";
import { createQueries } from "../sql/queries.ts";
import type { Steps } from "../sql/steps.ts";
import { assertMigrated } from "./migrate-postgres.ts";
import { administer } from "./pool.ts";
import { createPostgresBuilder, createRunOn } from "./run-on.ts";

/** Indexes that keep a product from being added twice, or updated twice at a time. */
const GUARDING_INDEXES = ["one_add_per_code", "one_update_in_flight"] as const;

interface Named {
  readonly name: string;
}

const SOUND_INDEXES: RawBuilder<Named> = sql<Named>`
  SELECT indexrelid::regclass::text AS name FROM pg_index
  WHERE indisunique AND indisvalid AND indisready`;

const ACTIVE_TRIGGERS: RawBuilder<Named> = sql<Named>`
  SELECT tgname::text AS name FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'`;

interface Setting extends Named {
  readonly value: string;
}

/** Settings without which a commit may be lost although the server has confirmed it. */
const DURABILITY: RawBuilder<Setting> = sql<Setting>`
  SELECT name, setting AS value FROM pg_settings WHERE name IN ('fsync', 'full_page_writes')`;

/** Returns what is missing or switched off; empty where nothing is. */
export async function checkPostgres(database: Database): Promise<readonly string[]> {
  return listFaults(await database.snapshot(() => read(database)));
}

/**
 * Does the same for an address, where no store is opened. Rejects with `DatabaseError` where the
 * server cannot be used or its tables are of another version.
 */
export async function checkServer(url: string): Promise<readonly string[]> {
  const queries = createQueries(createPostgresBuilder());
  return await administer({ url, command: "catalog db check" }, async (client, address) => {
    await assertMigrated(client, address);
    return listFaults(await createRunOn()(client, read(queries)));
  });
}

interface Found {
  readonly indexes: readonly Named[];
  readonly triggers: readonly Named[];
  readonly settings: readonly Setting[];
}

function listFaults(found: Found): readonly string[] {
  return [
    ...listMissing("index", GUARDING_INDEXES, found.indexes),
    ...listMissing("trigger", TRIGGERS, found.triggers),
    ...found.settings
      .filter(({ value }) => value !== "on")
      .map(({ name, value }) => `${name}: ${value}`),
  ];
}

function listMissing(
  kind: string,
  needed: readonly string[],
  found: readonly Named[],
): readonly string[] {
  const known = new Set(found.map(({ name }) => name));
  return needed.filter((name) => !known.has(name)).map((name) => `${kind} ${name}: missing`);
}

function* read({ build, all }: Pick<Queries, "build" | "all">): Steps<Found> {
  return {
    indexes: yield* all({ compile: () => SOUND_INDEXES.compile(build) }),
    triggers: yield* all({ compile: () => ACTIVE_TRIGGERS.compile(build) }),
    settings: yield* all({ compile: () => DURABILITY.compile(build) }),
  };
}
