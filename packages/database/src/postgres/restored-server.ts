/**
 * Detects that an older copy took the place of a PostgreSQL database: a backup that was restored, or
 * a replica that took over without the newest commits. The rows name the place where they were
 * written, which no copy shares; and each machine remembers in its home the last event that it has
 * seen committed, which no older copy has. The generation of the rows grows by one each time, so
 * that a machine which comes later knows that it was noticed.
 */

import { join } from "node:path";

import { makeFolder } from "@catalog/i18n";
import { type RawBuilder, sql } from "kysely";
import type { Client } from "pg";

import { DatabaseError, isUnavailable, TakenOverError } from "../errors.ts";
import type { Database, Queries } from "../sql/database.ts";
import { toScopeStatement } from "../sql/row-security.ts";
import { DOUBT, type Mark, readMark, writeMark } from "../sqlite/restored-copy.ts";
import { commitAll } from "./pool.ts";

type Queryable = Pick<Client, "query">;

/** Number of the database, and of a table in it: neither outlives a backup that is read in. */
const OWN_NUMBERS = `' ' || (SELECT oid FROM pg_database WHERE datname = current_database())
  || ' ' || to_regclass('copy')::oid`;

/**
 * The server, and the timeline of its log, which changes when a replica takes over or a log is
 * replayed up to a point in time. Its control file names the new timeline only after a checkpoint.
 */
const FULL_PLACE = `(SELECT system_identifier FROM pg_control_system())
  || ' ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ${OWN_NUMBERS}`;

/**
 * Returns the expression for the place; some hosted servers do not reveal all of it. Not within a
 * transaction, which a refusal would end.
 */
export async function findPlace(client: Queryable): Promise<string> {
  try {
    await client.query(`SELECT ${FULL_PLACE}`);
    return FULL_PLACE;
  } catch (error) {
    if (isUnavailable(error)) return OWN_NUMBERS;
    throw error;
  }
}

/** What the rows say of themselves, and where they are. */
interface Found {
  readonly database_id: string;
  readonly generation: number;
  readonly place: string;
  readonly here: string;
  /** The last event. */
  readonly seq: number;
}

const selectFound = (place: string): string =>
  `SELECT database_id, generation, place, ${place} AS here,
     newest_event() AS seq
   FROM copy`;

/** Names the place in rows that have none, once their tables are made or filled. */
export async function recordPlace(client: Queryable, place: string): Promise<void> {
  await client.query(`UPDATE copy SET place = ${place} WHERE place = ''`);
}

/** Where the rows are now, and the generation that a machine has seen; 0 for none. */
interface Restored {
  readonly place: string;
  readonly generation: number;
  /** Whether they are those of an older copy for certain. */
  readonly isCertain: boolean;
}

/**
 * Marks all runs, whose ready rows the lost copy may have sent; returns their number. Within a
 * transaction.
 */
export async function markRestored(
  client: Queryable,
  { place, generation, isCertain }: Restored,
): Promise<number> {
  const next = "newest_event() + 1";
  await client.query(toScopeStatement({ crossing: "restore" }));
  const { rowCount } = await client.query(`UPDATE run SET must_recheck = ${next}`);
  await client.query(
    `UPDATE copy SET doubted_seq = ${next}, generation = greatest(generation, ${generation}) + 1,
       place = ${place},
       people_doubted = greatest(people_doubted, ${isCertain ? DOUBT.certain : DOUBT.perhaps})`,
  );
  return rowCount ?? 0;
}

/** Watches whether the rows are still those that were opened. */
export interface RestoreWatch extends Pick<Database, "isRestored" | "assertCurrent" | "noteSent"> {
  /** Reads whether the rows are those that were opened; `undefined` where they are. */
  readonly readChange: (client: Queryable) => Promise<DatabaseError | undefined>;
}

/** Where the database is, and what reads it. */
interface RestoreWatchOptions {
  /** Address without its password, for messages. */
  readonly address: string;
  readonly queries: Queries;
  /** Folder in which the machine remembers the last event. @default it remembers nothing */
  readonly home: string | undefined;
}

/** Compares the rows with their place and with what the machine remembers, and marks old ones. */
export async function watchForRestore(
  client: Queryable,
  { address, queries, home }: RestoreWatchOptions,
): Promise<RestoreWatch> {
  const place = await findPlace(client);
  const { isRestored, opened, path } = await commitAll(client, () => open(client, place, home));
  let seen: Found | undefined;
  const toChange = (found: Found | undefined): DatabaseError | undefined => {
    if (found !== undefined && isTakenOver(opened.here, found.here)) {
      return new TakenOverError(address);
    }
    const isSame = found?.here === opened.here && found.generation === opened.generation;
    return isSame ? undefined : new DatabaseError("E_DATABASE_RESTORED", address);
  };
  const query: RawBuilder<Found> = sql<Found>`${sql.raw(selectFound(place))}`;
  const compiled = query.compile(queries.build);
  return {
    isRestored,
    *assertCurrent() {
      const found = yield* queries.get<Found>({ compile: () => compiled });
      const change = toChange(found);
      if (change !== undefined) throw change;
      seen = found;
    },
    noteSent() {
      if (path !== undefined && seen !== undefined) remember(path, seen);
    },
    readChange: async (other) => toChange(await read(other, place)),
  };
}

/** Whether only the timeline of the log differs: it is the same database on another server. */
function isTakenOver(opened: string, here: string): boolean {
  const [before, after] = [opened.split(" "), here.split(" ")];
  return (
    opened !== here &&
    before.length === FULL_PARTS &&
    before.every((part, at) => at === TIMELINE_PART || part === after[at])
  );
}

/** Parts of {@link FULL_PLACE}: the server, the timeline, the database and its table. */
const FULL_PARTS = 4;
const TIMELINE_PART = 1;

interface Opened {
  readonly isRestored: boolean;
  readonly opened: Found;
  /** Where the machine remembers the last event. */
  readonly path: string | undefined;
}

async function open(client: Queryable, place: string, home: string | undefined): Promise<Opened> {
  const found = await read(client, place, "FOR UPDATE");
  if (found === undefined) throw new Error("the table of copies is empty");
  const path = home === undefined ? undefined : join(home, `${found.database_id}.seen.json`);
  const mark = path === undefined ? undefined : readMark(path);
  const isCertain = isBehind(found, mark);
  if (isSamePlace(found) && !isCertain) return { isRestored: false, opened: found, path };
  await markRestored(client, { place, generation: toGeneration(mark), isCertain });
  return { isRestored: true, opened: (await read(client, place)) ?? found, path };
}

async function read(client: Queryable, place: string, lock = ""): Promise<Found | undefined> {
  return (await client.query<Found>(`${selectFound(place)} ${lock}`)).rows[0];
}

/** A role that may not see the server compares what it may see. */
const isSamePlace = ({ place, here }: Found): boolean =>
  place !== "" && (place.endsWith(here) || here.endsWith(place));

const toGeneration = (mark: Mark | undefined): number => Number(mark?.line ?? 0);

function isBehind({ generation, seq }: Found, mark: Mark | undefined): boolean {
  if (mark === undefined) return false;
  const noted = toGeneration(mark);
  return noted > generation || (noted === generation && mark.seq > seq);
}

function remember(path: string, { generation, seq }: Found): void {
  try {
    makeFolder(join(path, ".."));
    writeMark(path, { line: String(generation), seq });
  } catch {
    // A full disk only weakens the detection, so the failure is ignored.
  }
}
