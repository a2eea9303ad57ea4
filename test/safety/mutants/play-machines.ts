/**
 * Plays two machines on one database: the first one begins to send and is suspended, the second one
 * takes over, and the first one wakes up. Both then take slots of one hourly limit.
 */

import { createFakeClock } from "@catalog/clock/testing";
import {
  createJournal,
  createLeases,
  createRateLimiter,
  createRunRepository,
  createScheduleRepository,
  type Database,
  openPostgres,
  openServerClock,
  type TestDatabase,
} from "@catalog/database/testing";
import { judgeAttempt } from "@catalog/jobs";
import { planToSend, toProductId } from "@catalog/runs/testing";

import { newRun } from "../../../packages/database/test/helpers/runs-and-rows.ts";

const STORE = { baseUrl: "https://marketplace.test", storeId: "store-1" };
const HOLDER = { command: "catalog import", pid: process.pid, sinceMs: 0 };
const START_MS = Date.UTC(2026, 10, 21);

/** Longest time between the last renewal of a lease and the end of the requests of its owner. */
const MAX_BUSY_MS = 50_000;

/** Returns the rules that were broken, in words. */
export async function playMachines(
  server: Pick<TestDatabase, "url" | "query">,
): Promise<readonly string[]> {
  const clock = createFakeClock(START_MS);
  const database = await openPostgres({ url: server.url, clock, store: STORE });
  try {
    const played = [...(await playTakeOver(server, database)), ...(await playLimit(database))];
    return [...played, ...playJobEnds()];
  } finally {
    await database.close();
  }
}

/** Whether such an end of the command ends the job as well. */
const judge = (exit: number, code: string | null, isStopAsked = false): boolean =>
  judgeAttempt({
    result: { exit, code, message: null },
    isStopAsked,
    lastedMs: 1_000,
    before: { failures: 50, failure: undefined },
  }).isOver;

/** Ends of a command that sends a queued run, none of which is the end of the run. */
const ATTEMPTS = [
  ["a bug", 1, "E_UNEXPECTED"],
  ["a database that was away", 6, "E_DATABASE_AWAY"],
  ["a lost lease", 2, "E_LEASE_LOST"],
  ["a refused login", 4, "AUTH_ERROR"],
  ["rows that are left without a reason", 6, null],
  ["a store on which another process works", 75, "E_STORE_BUSY"],
  ["a signal", 130, "E_INTERRUPTED"],
  ["a death", 137, "E_COMMAND"],
  ["rows that failed, and an error", 5, "E_DATABASE"],
] as const;

/** Nothing ends a job but the end of its run, or a person. */
function playJobEnds(): readonly string[] {
  const early = ATTEMPTS.filter(([, exit, code]) => judge(exit, code));
  const isEnded = judge(5, null) && judge(6, "E_BREAKER") && judge(130, "E_INTERRUPTED", true);
  return [
    ...early.map(([what]) => `a job was ended by ${what}`),
    ...(isEnded ? [] : ["a job whose run is over was tried again"]),
  ];
}

/** A machine; its renewals do not reach the database. */
function openMachine(database: Database): {
  readonly journal: ReturnType<typeof createJournal>;
  readonly leases: ReturnType<typeof createLeases>;
  readonly sleepFor: (ms: number) => void;
} {
  let monotonicMs = 0;
  const clock = createFakeClock(START_MS);
  const leases = createLeases({ database, clock, scope: "s", monotonicMs: () => monotonicMs });
  const journal = createJournal({ database, clock, store: STORE, leases });
  return { journal, leases, sleepFor: (ms) => void (monotonicMs += ms) };
}

async function playTakeOver(
  server: Pick<TestDatabase, "query">,
  database: Database,
): Promise<readonly string[]> {
  const broken: string[] = [];
  const [first, second] = [openMachine(database), openMachine(database)];
  const clock = createFakeClock(START_MS);
  await createRunRepository({ database, clock, store: STORE }).create(newRun("run-1"));
  const lease = await first.leases.take("store", HOLDER);
  await first.leases.take("schedule s-1", HOLDER);
  const rows = [
    await planToSend(first.journal, { runId: "run-1", row: 1 }),
    await planToSend(first.journal, { runId: "run-1", row: 2 }),
    await planToSend(first.journal, { runId: "run-1", row: 3 }),
  ];
  const claims = await first.journal.claim(rows.slice(0, 2));
  const [claim] = claims;
  if (claim === undefined) return ["a row was not claimed"];

  first.sleepFor(MAX_BUSY_MS);
  const age = "UPDATE lease SET until_ms = until_ms - $1, note_json = '{}'";
  await server.query(age, [MAX_BUSY_MS]);
  if (await succeeds(second.leases.take("store", HOLDER))) broken.push("a lease passed early");
  if (await succeeds(async () => first.journal.beginSending(claim))) {
    broken.push("a request started after the lease was not renewed");
  }
  await server.query(age, [MAX_BUSY_MS]);
  await second.leases.take("store", HOLDER);
  await second.leases.take("schedule s-1", HOLDER);
  await second.journal.recover();
  if (await succeeds(first.journal.claim(rows.slice(2)))) {
    broken.push("a row was claimed without the lease");
  }
  broken.push(...(await playStaleWrites(database, first, lease)));
  const [taken] = await second.journal.readRows("run-1", { limit: 1 });
  if (taken?.state !== "ambiguous")
    return [...broken, `a row that may have been sent is ${taken?.state}`];
  return [...broken, ...(await playLateAnswers([first.journal, second.journal], claims))];
}

/** Everything that an owner writes without knowing that its lease has passed on. */
async function playStaleWrites(
  database: Database,
  { journal, leases }: ReturnType<typeof openMachine>,
  lease: AsyncDisposable,
): Promise<readonly string[]> {
  const clock = createFakeClock(START_MS);
  const runs = createRunRepository({ database, clock, store: STORE, leases });
  const schedules = createScheduleRepository({ database, clock, store: STORE, leases });
  const first = { runId: "run-1", row: 1 };
  const writes = {
    "a lookup": () => journal.recordLookup({ ...first, state: "ambiguous" }, { found: [] }),
    "a hold": () =>
      journal.recordOutcome({ ...first, row: 3, from: "ready" }, { to: "held", cause: "unseen" }),
    "stored rows": () =>
      journal.appendRows("run-1", [{ row: 9, cells: [], code: "Z", codeKey: "z" }]),
    "a warning": () =>
      runs.addWarnings("run-1", [{ code: "W_NEW", message: { tr: "y", en: "n" } }]),
    "what became of a schedule": () =>
      schedules.update("s-1", { progress: { dueMs: 1, state: "done" } }),
  };
  const broken: string[] = [];
  for (const [name, write] of Object.entries(writes)) {
    if (await succeeds(write())) broken.push(`a stale owner wrote ${name}`);
  }
  // Its command gives the lease back, and then writes how the run ended.
  await lease[Symbol.asyncDispose]();
  if (await succeeds(runs.update("run-1", { state: "finished" }))) {
    broken.push("a stale owner wrote the end of a run");
  }
  return broken;
}

/** The second row is begun again before its first answer comes. */
async function playLateAnswers(
  [late, next]: readonly [ReturnType<typeof createJournal>, ReturnType<typeof createJournal>],
  claims: Awaited<ReturnType<ReturnType<typeof createJournal>["claim"]>>,
): Promise<readonly string[]> {
  const again = { runId: "run-1", row: 2 };
  const resend = { to: "ready", cause: "not-found-resend" } as const;
  await next.recordOutcome({ ...again, from: "ambiguous" }, resend);
  await next.claim([again]);
  const done = { to: "done", cause: "answer", productId: toProductId("p-1") } as const;
  for (const claim of claims) {
    if (claim !== undefined)
      await succeeds(late.recordOutcome({ ...claim, from: "sending" }, done));
  }
  const [answered, begun] = (await next.readRows("run-1", { limit: 2 })).map(({ state }) => state);
  if (answered !== "done") return [`a late answer left its row ${answered}`];
  return begun === "sending" ? [] : [`a late answer moved a row that was begun again to ${begun}`];
}

/** The second machine's own clock is ahead by most of an hour. */
async function playLimit(database: Database): Promise<readonly string[]> {
  const given: number[] = [];
  for (const aheadMs of [0, 50 * 60_000]) {
    const own = createFakeClock(START_MS + aheadMs);
    const clock = await openServerClock({ database, clock: own, monotonicMs: () => 0 });
    const options = { database, clock, key: "shop", requestsPerHour: 20, patienceMs: 1 };
    const limiter = createRateLimiter(options);
    let count = 0;
    while (await succeeds(limiter.take())) count += 1;
    given.push(count);
  }
  return given[0] !== 0 && given[1] === 0 ? [] : [`slots were given twice: ${given.join(", ")}`];
}

async function succeeds(work: Promise<unknown> | (() => Promise<unknown>)): Promise<boolean> {
  try {
    await (typeof work === "function" ? work() : work);
    return true;
  } catch {
    return false;
  }
}
