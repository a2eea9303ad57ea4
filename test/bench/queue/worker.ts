/** A worker of the comparison of queues. Its commands take 20 ms and do nothing. */

import { setTimeout as wait } from "node:timers/promises";

import { systemClock } from "@catalog/clock";
import { type Connection, openConnection } from "@catalog/connection";
import {
  createWorkSlots,
  runStoreJobs,
  runStoreSchedules,
  shareReads,
  type StartCommand,
} from "@catalog/jobs";
import pg from "pg";
import { PgBoss } from "pg-boss";

import {
  BOSS_TIMES,
  ENDLESS,
  type Mode,
  nameOf,
  ONE_QUEUE,
  storeOf,
  STORES,
  type Told,
} from "./stores.ts";

const COMMAND_MS = 20;
const MAX_COMMANDS = 4;
const ENDLESS_MS = 3_600_000;
const HEARTBEAT_MS = 5_000;
/** pg-boss is asked so often where no notification comes. */
const LOOK_MS = 10_000;

/** What the jobs of pg-boss hold. */
interface Work {
  readonly run?: string;
}

const [mode, url = "", home = ""] = process.argv.slice(2);
const never = new AbortController().signal;
let statements = 0;

const say = (told: Told): void => void process.send?.(told);

function countStatements(): void {
  const query: unknown = Reflect.get(pg.Client.prototype, "query");
  if (typeof query !== "function") throw new Error("the driver has no query");
  Reflect.set(pg.Client.prototype, "query", function counted(this: unknown, ...args: unknown[]) {
    statements += 1;
    return Reflect.apply(query, this, args);
  });
}

async function command(kind: "sync" | "run", run: string): Promise<void> {
  say({ is: "started", kind, run, atMs: Date.now() });
  await wait(run === ENDLESS ? ENDLESS_MS : COMMAND_MS);
}

async function runOurs(isShared: boolean): Promise<void> {
  const slots = createWorkSlots(MAX_COMMANDS);
  const stores: Connection[] = [];
  for (let at = 0; at < STORES; at += 1) stores.push(await openStore(at));
  const shared = isShared ? shareReads(stores, { clock: systemClock, stop: never }) : new Map();
  say({ is: "ready" });
  const common = {
    command: "catalog worker",
    startCommand,
    lang: "en",
    stop: never,
    slots,
  } as const;
  await Promise.all(
    stores.flatMap((store) => {
      const tools = { ...store, memory: { ...store.memory, ...shared.get(store) } };
      return [
        runStoreSchedules(tools, { ...common, stopsSyncs: true }),
        runStoreJobs(tools, common),
      ];
    }),
  );
}

/** A command that is no process. */
const startCommand: StartCommand = (words) => {
  const run = words.find((word) => word.startsWith("r-"));
  const ended = command(run === undefined ? "sync" : "run", run ?? "");
  return {
    pid: undefined,
    ended: ended.then(() => ({ exit: 0, document: undefined, errors: "" })),
    onProgress: () => undefined,
    stop: () => undefined,
  };
};

const openStore = (at: number): Promise<Connection> =>
  openConnection({
    ...storeOf(at),
    home,
    databaseUrl: url,
    credentials: { clientKey: "key", clientSecret: "secret" },
    clock: systemClock,
    random: Math.random,
  });

async function openBoss(useListenNotify: boolean): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    max: MAX_COMMANDS,
    migrate: false,
    createSchema: false,
    useListenNotify,
    ...BOSS_TIMES,
  });
  boss.on("error", (error) => {
    throw error;
  });
  return await boss.start();
}

const doWork = ({ run }: Work): Promise<void> =>
  command(run === undefined ? "sync" : "run", run ?? "");

async function runQueuePerStore(): Promise<void> {
  const slots = createWorkSlots(MAX_COMMANDS);
  const boss = await openBoss(true);
  const times = { pollingIntervalSeconds: 30, notifyPollingIntervalSeconds: 60 };
  for (let at = 0; at < STORES; at += 1) {
    await boss.work<Work>(nameOf(at), times, async ([job]) => {
      if (job !== undefined) await slots.run("apply", never, () => doWork(job.data));
    });
  }
  say({ is: "ready" });
}

async function runOneQueue(): Promise<void> {
  const boss = await openBoss(false);
  const own = new Set(Array.from({ length: STORES }, (_, at) => nameOf(at)));
  const client = new pg.Client(url);
  await client.connect();
  let wake = Promise.withResolvers<void>();
  client.on("notification", () => wake.resolve());
  await client.query(`LISTEN "${await readChannel(client)}"`);
  let free = MAX_COMMANDS;
  const work = async ({
    id,
    data,
  }: {
    readonly id: string;
    readonly data: Work;
  }): Promise<void> => {
    const beat = setInterval(() => void boss.touch(ONE_QUEUE, id), HEARTBEAT_MS);
    await doWork(data);
    clearInterval(beat);
    await boss.complete(ONE_QUEUE, id);
    free += 1;
    wake.resolve();
  };
  say({ is: "ready" });
  for (;;) {
    wake = Promise.withResolvers<void>();
    if (free > 0) {
      const groups = await readGroups(client);
      const ignoreGroups = groups.filter((group) => !own.has(group));
      const isDue = groups.length > ignoreGroups.length;
      const rest = { batchSize: free, groupConcurrency: 1, ignoreGroups };
      const jobs = isDue ? await boss.fetch<Work>(ONE_QUEUE, rest) : [];
      free -= jobs.length;
      for (const job of jobs) void work(job);
    }
    await Promise.race([wake.promise, wait(LOOK_MS)]);
  }
}

/** The channel of pg-boss, as it names it itself. */
async function readChannel(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ readonly name: string }>(
    "SELECT 'pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24) AS name",
  );
  return rows[0]?.name ?? "";
}

/** The stores for which something is due. */
async function readGroups(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly group_id: string }>(
    `SELECT DISTINCT group_id FROM pgboss.job
       WHERE name = '${ONE_QUEUE}' AND state < 'active' AND start_after <= now()`,
  );
  return rows.map(({ group_id }) => group_id);
}

const RUNS: Readonly<Record<Mode, () => Promise<void>>> = {
  "own reads": () => runOurs(false),
  "shared reads": () => runOurs(true),
  "queue per store": runQueuePerStore,
  "one queue": runOneQueue,
};

countStatements();
setInterval(() => {
  const { user, system } = process.cpuUsage();
  const rssMb = process.memoryUsage().rss / 2 ** 20;
  say({ is: "cost", statements, cpuMs: (user + system) / 1000, rssMb });
}, 1_000);
process.on("disconnect", () => process.exit());
const run = Object.entries(RUNS).find(([name]) => name === mode)?.[1];
if (run === undefined) throw new Error(`there is no mode ${mode}`);
await run();
