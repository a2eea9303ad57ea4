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

import type { Oracle } from "../oracle/oracle.ts";
import type { Timeline } from "../timeline.ts";
import { RUN, STORE } from "../world/disk.ts";
import type { FaultWeather } from "../world/faults.ts";
import type { Market } from "../world/market.ts";
import type { Random } from "../world/random.ts";
import { START_MS } from "../world/sim-process.ts";
import type { MachinesPlan } from "./plan.ts";
import type { Machine } from "./process.ts";
import type { Wire } from "./wire.ts";
import type { WorldJob } from "./world-queue.ts";

export interface SharedDatabase extends AsyncDisposable {
  readonly url: string;
  readonly activity: Activity;
  /** The database as somebody sees it who works beside the machines. */
  readonly observed: Database;
  /** Opens it for a process. */
  open(options: OpenOptions): Promise<Opened>;
  query: TestDatabase["query"];
}

interface OpenOptions {
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

interface ServerClock {
  /** Time of the server's clock, since the start of the world. */
  readonly nowMs: () => number;
}

/** The server tells the time of the world: its own function is found before that of the system. */
const CLOCK = `
  CREATE SCHEMA IF NOT EXISTS world;
  CREATE SEQUENCE IF NOT EXISTS world.now_ms;
  CREATE OR REPLACE FUNCTION world.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
    'SELECT to_timestamp(last_value / 1000.0) FROM world.now_ms';
  GRANT USAGE ON SCHEMA world TO PUBLIC;
  GRANT ALL ON SEQUENCE world.now_ms TO PUBLIC`;

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

/* Work on the real database that is under way, for which a world waits before its next event. */

interface Activity {
  /** Counts work while it lasts. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** A clock of which work waits; the world goes on meanwhile. */
  toClock(clock: Clock, onWake: () => Promise<void>): Clock;
  /** Resolves once all of it has come to rest. */
  drain(): Promise<void>;
}

/** Rounds of the event loop in which what an answer has started begins its own work. */
const ROUNDS = 3;

function createActivity(): Activity {
  let count = 0;
  let onRest: (() => void) | undefined;
  const leave = (): void => {
    count -= 1;
    if (count === 0) onRest?.();
  };
  const rest = (): Promise<void> =>
    count === 0 ? Promise.resolve() : new Promise((resolve) => (onRest = resolve));
  const run: Activity["run"] = async (work) => {
    count += 1;
    try {
      return await work();
    } finally {
      leave();
    }
  };
  return {
    run,
    toClock: (clock, onWake) => ({
      now: () => Math.floor(clock.now()),
      async sleep(ms, signal) {
        leave();
        try {
          await clock.sleep(ms, signal);
        } finally {
          count += 1;
        }
        await onWake();
      },
    }),
    async drain() {
      for (let round = 0; round < ROUNDS; round += 1) {
        if (count > 0) round = 0;
        await rest();
        await new Promise(setImmediate);
      }
    },
  };
}

/** The database, whose calls are counted; `before` comes before each. */
function watchDatabase(
  database: Database,
  { run }: Pick<Activity, "run">,
  before: () => Promise<void> = () => Promise.resolve(),
): Database {
  const counted = <Result>(work: () => Promise<Result>): Promise<Result> =>
    run(async () => {
      await before();
      return await work();
    });
  return {
    ...database,
    execute: (steps) => counted(() => database.execute(steps)),
    transaction: (work) => counted(() => database.transaction(work)),
    transactionUnsynced: (work) => counted(() => database.transactionUnsynced(work)),
    transactionAtOnce: (work) => counted(() => database.transactionAtOnce(work)),
    snapshot: (work) => counted(() => database.snapshot(work)),
  };
}

/* State that the parts of a world of several machines share. */

export interface MachinesWorld {
  readonly random: Random;
  readonly plan: MachinesPlan;
  readonly timeline: Timeline;
  readonly market: Market;
  readonly oracle: Oracle;
  readonly shared: SharedDatabase;
  readonly machines: readonly Machine[];
  readonly wires: Set<Wire>;
  /** The jobs of the queue, by the ids of their runs. */
  readonly jobs: Map<string, WorldJob>;
  readonly counts: { starts: number; deaths: number; cuts: number; takeOvers: number };
  /** Whether the faults have ended. */
  readonly calm: { isHere: boolean };
  /** Whether the workers end. */
  readonly end: { isHere: boolean };
  readonly weather: () => FaultWeather | undefined;
  /** Error that all clocks have besides their own. */
  readonly skewMs: () => number;
  /** A request of the machine is under way, and something may happen to it. */
  readonly strike: (machine: Machine) => void;
  readonly onEvent: ((text: string) => void) | undefined;
}
