import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { type Clock, systemClock } from "@catalog/clock";
import { type Connection, openConnection } from "@catalog/connection";
import { createTestConnection } from "@catalog/connection/testing";
import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import type { JobQueue, JobRecord, TakenJob } from "../src/queue.ts";
import { type JobEnd, judgeAttempt, runWork, type WorkStore } from "../src/run-work.ts";
import { askToStop, createStartCommand, readStopRequest } from "../src/start-command.ts";
import { createTimetable } from "../src/timetable.ts";
import { createServerWorld, type ServerAway } from "./helpers/server-world.ts";
import { createFolder } from "./helpers/temporary-folder.ts";

const JOB = { kind: "apply", key: "r-1" } as const;
const STORE = { baseUrl: "https://shop.example", storeId: "store-1" };
/** Time between two looks at the queue. */
const POLL_MS = 2_000;

const change = (taken: TakenJob, to: Partial<TakenJob>): TakenJob => ({ ...taken, ...to });

interface DoOptions {
  /** How far this machine's clock is behind that of the queue. */
  readonly behindMs?: number;
  readonly given?: Connection;
  readonly onStarted?: () => Promise<void>;
  /** What the queue is while the job is done. @default the real one */
  readonly queue?: (jobs: JobQueue) => Partial<JobQueue>;
}

/** Does one job by a program with this source, until its process has ended. */
async function doOne(source: string, { behindMs = 0, given, onStarted, queue }: DoOptions = {}) {
  const connection = given ?? (await createTestConnection()).connection;
  const { jobs } = connection.memory;
  await jobs.add({ ...JOB, spec: { lang: "en" } });
  const cwd = createFolder({ "program.mjs": source });
  const stop = new AbortController();
  const events: { readonly event: string }[] = [];
  let isBusy = false;
  const clock: Clock = {
    now: () => connection.clock.now() - behindMs,
    // The first wait of the loop while nothing is under way ends the worker.
    sleep: async (ms, signal) => {
      if (!isBusy && ms === POLL_MS) stop.abort();
      await systemClock.sleep(ms, signal);
    },
  };
  const used: JobQueue = { ...jobs, ...queue?.(jobs) };
  const take: JobQueue["take"] = async (max, of) => {
    const found = await used.take(max, of);
    isBusy = found.length > 0 || isBusy;
    return found.map((taken) =>
      change(taken, {
        async [Symbol.asyncDispose]() {
          await taken[Symbol.asyncDispose]();
          isBusy = false;
        },
      }),
    );
  };
  const tools = { ...connection, clock, memory: { ...connection.memory, jobs: { ...used, take } } };
  const startCommand = createStartCommand({
    program: [process.execPath, join(cwd, "program.mjs")],
    cwd,
    env: () => ({}),
    folder: () => cwd,
  });
  const store: WorkStore = {
    ...STORE,
    startCommand,
    open: async () => ({ ...tools, [Symbol.asyncDispose]: async () => undefined }),
    onEvent(event) {
      events.push(event);
      if (event.event === "started") void onStarted?.();
    },
  };
  await runWork(tools, [store], {
    command: "catalog worker",
    clock,
    kinds: new Set(["apply"]),
    lang: "tr",
    stop: stop.signal,
    stopsCommands: true,
    maxCommands: 1,
  });
  return { events, job: await jobs.read(JOB) };
}

const failing = (exit: number, code: string): string =>
  `console.log(JSON.stringify({ error: { code: "${code}", message: "words" } }));
   process.exitCode = ${exit};`;

it("ends a job with the outcome of its command", async () => {
  const { events, job } = await doOne(
    `if (process.argv.slice(2).join(" ") !== "resume --json --queued --no-files --lang=en -- r-1") process.exitCode = 1;`,
  );

  const result = { exit: 0, code: null, message: null };
  expect(events.map(({ event }) => event)).toEqual(["started", "ended"]);
  expect(job).toMatchObject({ result });
});

it("starts a job at once that a machine with another clock has written", async () => {
  const { job } = await doOne("", { behindMs: 10 * 60_000 });

  expect(job?.result).toMatchObject({ exit: 0 });
});

it.each([
  ["nothing could be sent of", 3, undefined],
  ["some rows failed of", 5, undefined],
  ["the breaker has stopped", 6, "E_BREAKER"],
  ["its canary has stopped", 6, "E_CANARY"],
  ["too many rows were refused of", 6, "E_TOO_MANY_REJECTED"],
])("ends a job whose run is over or needs a person: %s it", async (_why, exit, code) => {
  const { events, job } = await doOne(
    code === undefined ? `process.exitCode = ${exit};` : failing(exit, code),
  );

  const told = code === undefined ? [null, null] : [code, "words"];
  expect(job?.result).toEqual({ exit, code: told[0], message: told[1] });
  expect(events.at(-1)).toMatchObject({ event: "ended", isRetried: false });
});

it.each([
  ["the database was away", failing(2, "E_DATABASE_SERVER"), "E_DATABASE_SERVER"],
  ["the store was taken over", failing(2, "E_LEASE_LOST"), "E_LEASE_LOST"],
  ["the login was refused", failing(4, "AUTH_ERROR"), "AUTH_ERROR"],
  ["there was a bug", failing(1, "E_UNEXPECTED"), "E_UNEXPECTED"],
  ["the process was killed", `process.kill(process.pid, "SIGKILL");`, "E_COMMAND"],
  ["the process was stopped, and by no person", failing(130, "E_INTERRUPTED"), "E_INTERRUPTED"],
  ["rows are left without a reason", `process.exitCode = 6;`, "E_COMMAND"],
])("tries a job again where %s", async (_why, source, code) => {
  const { events, job } = await doOne(source);

  expect(events.at(-1)).toMatchObject({ event: "ended", isRetried: true });
  expect(job).toMatchObject({ result: undefined, failures: 1, failure: { code } });
  expect(job?.notBeforeMs).toBeGreaterThan(job?.askedAtMs ?? Infinity);
});

it("waits longer after each failure, up to five minutes, and never ends a job by their number", () => {
  const result = { exit: 1, code: "E_UNEXPECTED", message: "words" };
  const pauses: number[] = [];
  let before: Pick<JobRecord, "failures" | "failure"> = { failures: 0, failure: undefined };
  const judge = (lastedMs: number): JobEnd =>
    judgeAttempt({ result, isStopAsked: false, lastedMs, before });
  for (let failures = 1; failures <= 12; failures += 1) {
    const end = judge(1_000);
    if (end.isOver) throw new Error("the job is over");
    expect(end).toMatchObject({ failures, failure: result });
    pauses.push(end.pauseMs / 1000);
    before = end;
  }

  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300, 300, 300, 300]);
  // One that lasted has got on.
  expect(judge(61_000)).toMatchObject({ failures: 1, pauseMs: 5_000 });
});

it("counts no failure while another process works on the store", async () => {
  const { job } = await doOne(failing(75, "E_STORE_BUSY"));

  expect(job).toMatchObject({ result: undefined, failures: 0, failure: undefined });
  expect(job?.notBeforeMs).toBeGreaterThan(job?.askedAtMs ?? Infinity);
});

it("stops the command of a job that a person wants stopped, and ends the job", async () => {
  const { connection } = await createTestConnection();
  const { events, job } = await doOne("setInterval(() => {}, 1000);", {
    given: connection,
    onStarted: () => askToStop(connection, JOB.key),
  });

  expect(events.map(({ event }) => event)).toEqual(["started", "ended"]);
  expect(job).toMatchObject({ result: { exit: 130, code: "E_INTERRUPTED" } });
  expect(await readStopRequest(connection, JOB.key)).toBeUndefined();
});

it("starts nothing for a job that was to be stopped when its worker died", async () => {
  const { connection } = await createTestConnection();
  await askToStop(connection, JOB.key);

  const { events, job } = await doOne("", { given: connection });

  expect(events).toEqual([]);
  expect(job).toMatchObject({ result: { exit: 130, code: "E_INTERRUPTED" } });
  expect(await readStopRequest(connection, JOB.key)).toBeUndefined();
});

it("tells no end of a job that another worker may have taken meanwhile", async () => {
  let takes = 0;
  const done = await doOne(failing(6, "E_BREAKER"), {
    queue: (jobs) => ({
      async take(max, of) {
        takes += 1;
        const taken = takes === 1 ? await jobs.take(max, of) : [];
        return taken.map((one) => change(one, { isHeld: async () => false }));
      },
    }),
  });

  expect(done.events).toMatchObject([{ event: "started" }]);
  expect(done.job).toMatchObject({ result: undefined, failures: 0 });
});

it("starts nothing while another process works on the store", async () => {
  const { connection } = await createTestConnection();
  await using _lock = await connection.locks.store("catalog import");

  const { events, job } = await doOne("", { given: connection });

  expect([events, job?.result]).toEqual([[], undefined]);
});

/** The same store as two processes open it. */
async function openTwice(databaseUrl?: string): Promise<readonly [Connection, Connection]> {
  const set = { clock: systemClock, databaseUrl };
  const { connection: mine, folder } = await createTestConnection(set);
  const other = await openConnection({
    ...set,
    home: join(folder, "home"),
    baseUrl: mine.baseUrl,
    storeId: mine.storeId,
    credentials: { clientKey: "key", clientSecret: "secret" },
    random: () => 0,
  });
  onTestFinished(() => other[Symbol.asyncDispose]());
  return [mine, other];
}

const PLACES = [
  { name: "a file", open: () => openTwice(), isOn: true },
  {
    name: "PostgreSQL",
    async open() {
      const server = await createTestDatabase();
      onTestFinished(() => server[Symbol.asyncDispose]());
      return await openTwice(server.url);
    },
    isOn: hasPostgres(),
  },
] as const;

const ROUNDS = 12;
const POLL = { timeout: 30_000, interval: 5 };

describe.each(PLACES)("a job of $name", { timeout: 60_000 }, (place) => {
  it.skipIf(!place.isOn)("is either removed or done where both come at once", async () => {
    const [mine, other] = await place.open();
    const outcomes: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await mine.memory.jobs.add({ ...JOB, spec: {} });
      let started = 0;
      const store: WorkStore = {
        ...STORE,
        open: async () => ({ ...other, [Symbol.asyncDispose]: async () => undefined }),
        startCommand() {
          started += 1;
          const ended = setImmediate({ exit: 0, document: undefined, errors: "" });
          return {
            pid: undefined,
            ended,
            onProgress: () => undefined,
            stop: () => undefined,
            kill: () => undefined,
          };
        },
      };
      const stop = new AbortController();
      const worker = runWork(other, [store], {
        command: "catalog worker",
        clock: systemClock,
        kinds: new Set(["apply"]),
        lang: "tr",
        stop: stop.signal,
        stopsCommands: true,
        maxCommands: 1,
      });
      for (let turn = 0; turn < round; turn += 1) await setImmediate();

      const removal = await mine.memory.jobs.remove(JOB);

      // A job that was left is done; the worker looks again after 2 seconds at the latest.
      if (removal === "taken") await expect.poll(() => started, POLL).toBe(1);
      stop.abort();
      await worker;
      outcomes.push(`${removal} ${started}`);
    }

    expect(outcomes.filter((one) => !["removed 0", "taken 1", "none 1"].includes(one))).toEqual([]);
  });
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.UTC(2026, 10, 23, 0, 7);
/** As many restarts as a week of nights has. */
const RESTARTS = 7;
const RESTART_EVERY_MS = 6 * HOUR_MS;
const END_MS = START_MS + RESTARTS * RESTART_EVERY_MS;
const STORES = 2;

const SCHEDULES = [
  { id: "stock", cron: "*/15 * * * *" },
  { id: "prices", cron: "5 * * * *" },
] as const;

/** Random numbers that are the same each time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** The server is restarted again and again at a time of schedules, and once another one takes over. */
function planOutages(): readonly ServerAway[] {
  const nights = Array.from({ length: RESTARTS }, (_, at) => {
    const fromMs = START_MS + at * RESTART_EVERY_MS + 3 * HOUR_MS - 7 * MINUTE_MS + 1_500;
    return { fromMs, untilMs: fromMs + 45_000 };
  });
  const takeOverMs = START_MS + 12 * HOUR_MS - 7 * MINUTE_MS - 2_000;
  return [...nights, { fromMs: takeOverMs, untilMs: takeOverMs + 4 * MINUTE_MS }];
}

it(
  "runs each time once within a minute, while the server is restarted and taken over (#37)",
  { timeout: 120_000 },
  async () => {
    const away = planOutages();
    const world = createServerWorld({
      startMs: START_MS,
      stores: STORES,
      schedules: SCHEDULES,
      away,
      random: createRandom(7),
    });
    const stop = new AbortController();
    const workers = [world.keepWorker(stop.signal), world.keepWorker(stop.signal)];
    const failures: unknown[] = [];
    for (const worker of workers) worker.catch((error: unknown) => failures.push(error));

    await world.clock.advance(END_MS - START_MS);
    stop.abort();
    await world.clock.advance(2 * MINUTE_MS);

    const missing: string[] = [];
    const late: string[] = [];
    for (let store = 1; store <= STORES; store += 1) {
      for (const { id, cron } of SCHEDULES) {
        const timetable = createTimetable(cron, "Europe/Istanbul");
        for (let due = timetable.next(START_MS); due !== undefined && due < END_MS - HOUR_MS;) {
          const name = `${store} ${id} ${new Date(due).toISOString()}`;
          const dueMs = due;
          const isThis = (one: { schedule: string; dueMs: number }): boolean =>
            one.schedule === `${store} ${id}` && one.dueMs === dueMs;
          const first = world.started.find(isThis);
          const outage = away.find(
            ({ fromMs, untilMs }) => fromMs - MINUTE_MS <= dueMs && dueMs < untilMs,
          );
          const fromMs = outage?.untilMs ?? dueMs;
          if (world.done.filter(isThis).length !== 1) missing.push(name);
          if ((first?.atMs ?? Infinity) - fromMs > MINUTE_MS) late.push(name);
          due = timetable.next(due);
        }
      }
    }
    // A worker that was cut off cannot tell that its sync is over, so another one may start it again.
    const twice = world.started.length - world.done.length;
    expect({ missing, late, failures }).toEqual({ missing: [], late: [], failures: [] });
    expect(world.deaths()).toBeGreaterThan(20);
    expect(twice).toBeLessThanOrEqual(world.deaths() + away.length * STORES);
  },
);
