/** The people of a server: opened from the file of the home, or from a PostgreSQL server. */

import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { createTeam, type SecretKey, type Team } from "@catalog/team";

import type { DatabaseWait } from "../patience.ts";
import type { Database } from "../sql/database.ts";
import { openDatabase } from "../sqlite/sqlite.ts";
import { createAuditRecords, createTeamCommit } from "./audit-records.ts";
import { createEndRevived, createSeenEnd, readDatabaseId, type SeenEnd } from "./older-copy.ts";
import { createInvitationRecords, createPersonRecords } from "./person-records.ts";
import { createKeyRecords, createSessionRecords } from "./session-records.ts";
import { createSharedFileRecords } from "./shared-file-records.ts";
import { createCommentRecords, createStoreRecords } from "./store-records.ts";

export interface OpenTeamOptions {
  /** Folder of the file; it exists. */
  readonly home: string;
  /** Address of a PostgreSQL database. @default the file of the home */
  readonly databaseUrl?: string | undefined;
  readonly clock: Clock;
  /** The command, such as `catalog web`, for messages of other processes. @default `catalog` */
  readonly command?: string | undefined;
  /** How work waits for a database that is away, locked or full. @default 30 seconds */
  readonly databaseWait?: DatabaseWait | undefined;
  /** Keys for credentials, the newest first. @default credentials can be neither saved nor read */
  readonly secretKeys?: readonly SecretKey[] | undefined;
}

/** How long work waits for the database, in milliseconds, where nobody asks for more. */
const WAIT_MS = 30_000;

/**
 * Opens the team of a database, which is that of all its stores. Rejects with `DatabaseError` where the
 * database cannot be used.
 */
export async function openTeam(options: OpenTeamOptions): Promise<Team> {
  const { home, secretKeys } = options;
  const { database, clock } = await openTeamDatabase(options);
  const seen = createSeenEnd(home, await readDatabaseId(database));
  const team = createTeamOf(database, { clock, secretKeys, seen });
  await team.endRevived();
  return team;
}

/** Creates the team of an open database, which is closed with it. */
export function createTeamOf(
  database: Database,
  {
    seen = createSeenEnd(undefined, ""),
    ...options
  }: Pick<OpenTeamOptions, "secretKeys"> & {
    readonly clock: Pick<Clock, "now">;
    /** @default what this process has seen of it */
    readonly seen?: SeenEnd;
  },
): Team {
  const commit = createTeamCommit(database, seen);
  return createTeam({
    ...options,
    records: {
      endRevived: createEndRevived(database, commit, seen),
      people: createPersonRecords(database, commit),
      invitations: createInvitationRecords(database, commit),
      sessions: createSessionRecords(database, commit),
      keys: createKeyRecords(database, commit),
      audit: createAuditRecords(database, commit),
      stores: createStoreRecords(database, commit),
      comments: createCommentRecords(database, commit),
      sharedFiles: createSharedFileRecords(database, commit),
      async [Symbol.asyncDispose]() {
        await database.close();
      },
    },
  });
}

const monotonicMs = (): number => performance.now();

/** The clock of a server is that of the database, which all machines share. */
async function openTeamDatabase({
  home,
  databaseUrl: url,
  clock,
  command,
  databaseWait,
}: OpenTeamOptions): Promise<{ readonly database: Database; readonly clock: Pick<Clock, "now"> }> {
  const wait = { maxMs: WAIT_MS, ...databaseWait };
  if (url === undefined) {
    const options = { command, sinceMs: clock.now(), wait: { ...wait, clock } };
    return { database: await openDatabase(join(home, "catalog.db"), options), clock };
  }
  // Its driver takes 30 ms to load.
  const { openPostgres, openServerClock } = await import("../postgres/open-postgres.ts");
  const database = await openPostgres({ url, clock, command, home, wait });
  return { database, clock: await openServerClock({ database, clock, monotonicMs }) };
}
