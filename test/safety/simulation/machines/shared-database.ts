/** A database on a real server that several simulated machines share. */

import type { Clock } from "@catalog/clock";
import {
  createLeases,
  createRunRepository,
  createTestDatabase,
  type Database,
  type Leases,
  openPostgres,
  openServerClock,
  type TestDatabase,
} from "@catalog/database/testing";
import { sql } from "kysely";

import { RUN, STORE } from "../world/disk.ts";
import { START_MS } from "../world/sim-process.ts";
import { type Activity, createActivity, watchDatabase } from "./activity.ts";

export interface SharedDatabase extends AsyncDisposable {
  readonly url: string;
  readonly activity: Activity;
  /** The database as somebody sees it who works beside the machines. */
  readonly observed: Database;
  /** Opens it for a process. */
  open(options: OpenOptions): Promise<Opened>;
  query: TestDatabase["query"];
}

export interface OpenOptions {
  /** Address through the wire of the process. */
  readonly url: string;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
}

export interface Opened {
  readonly database: Database;
  readonly leases: Leases;
  readonly clock: Clock;
  /** The server's time, as the machine reads it. */
  readonly serverClock: Clock;
}

export interface ServerClock {
  /** Time of the server's clock, since the start of the world. */
  readonly nowMs: () => number;
}

/** The server tells the time of the world: its own function is found before that of the system. */
const CLOCK = `
  CREATE SCHEMA IF NOT EXISTS world;
  CREATE SEQUENCE IF NOT EXISTS world.now_ms;
  CREATE OR REPLACE FUNCTION world.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
    'SELECT to_timestamp(last_value / 1000.0) FROM world.now_ms'`;

/** Opens an empty database with the runs. */
export async function openShared(
  runIds: readonly string[],
  { nowMs }: ServerClock,
): Promise<SharedDatabase> {
  const server = await createTestDatabase();
  await server.query(CLOCK);
  const name = new URL(server.url).pathname.slice(1);
  await server.query(`ALTER DATABASE ${name} SET search_path = world, public, pg_catalog`);
  const activity = createActivity();
  const now = (): number => Math.floor(START_MS + nowMs());
  const clock = { now, sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 1)) };
  const direct = await openPostgres({ url: server.url, clock, store: STORE, command: "observer" });
  const observed = watchDatabase(direct, activity);
  const runs = createRunRepository({ database: observed, clock, store: STORE });
  for (const id of runIds) await runs.create({ ...RUN, id });
  const setTime = async (): Promise<void> => {
    const query = sql<object>`SELECT setval('world.now_ms', ${now()})`;
    await direct.execute(direct.get({ compile: () => query.compile(direct.build) }));
  };
  const opened: Database[] = [];
  return {
    url: server.url,
    activity,
    observed,
    query: (text, values) => server.query(text, values),
    async open(options) {
      const own = activity.toClock(options.clock, setTime);
      const { url, monotonicMs } = options;
      const given = { url, clock: own, store: STORE, command: "machine" };
      const database = await activity.run(() => openPostgres(given));
      opened.push(database);
      const scope = `store ${database.storeKey(STORE)}`;
      const timed = watchDatabase(database, activity, setTime);
      // Renewals wait for their time outside any work.
      const leases = createLeases({
        database: timed,
        scope,
        monotonicMs,
        clock: { now: () => own.now(), sleep: (ms, signal) => options.clock.sleep(ms, signal) },
      });
      const serverClock = await openServerClock({ database: timed, clock: own, monotonicMs });
      return {
        database: watchDatabase(database, activity),
        leases,
        clock: own,
        serverClock,
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...opened, direct].map(async (database) => await database.close()));
      await server[Symbol.asyncDispose]();
    },
  };
}
