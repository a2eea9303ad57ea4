import { join } from "node:path";

import { systemClock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";
import { createTestConnection } from "@catalog/connection/testing";
import type { JobRecord } from "@catalog/database";
import { expect, it } from "vitest";

import { type JobEvent, type JobTools, runStoreJobs } from "../src/run-store-jobs.ts";
import { createStartCommand } from "../src/start-command.ts";
import { askToStop, readStopRequest } from "../src/stop-request.ts";
import { createWorkSlots } from "../src/work-slots.ts";
import { createFolder } from "./helpers/temporary-folder.ts";

const JOB = { kind: "apply", key: "r-1" } as const;

interface Done {
  readonly events: readonly JobEvent[];
  readonly job: JobRecord | undefined;
}

/** Does one job by a program with this source, until its process has ended. */
async function doOne(
  source: string,
  {
    locks,
    behindMs = 0,
    given,
    onStarted,
  }: {
    locks?: Partial<JobTools["locks"]>;
    behindMs?: number;
    given?: Connection;
    onStarted?: () => Promise<void>;
  } = {},
): Promise<Done> {
  const connection = given ?? (await createTestConnection()).connection;
  const { jobs, notes } = connection.memory;
  await jobs.add({ ...JOB, spec: { lang: "en" } });
  const cwd = createFolder({ "program.mjs": source });
  const stop = new AbortController();
  const events: JobEvent[] = [];
  const tools: JobTools = {
    memory: { jobs, notes },
    locks: { ...connection.locks, ...locks },
    clock: {
      now: () => connection.clock.now() - behindMs,
      // The first wait of the loop, after the process has ended, ends the worker.
      sleep: async (ms, signal) => {
        if (signal === stop.signal) stop.abort();
        await systemClock.sleep(ms, signal);
      },
    },
  };
  await runStoreJobs(tools, {
    startCommand: createStartCommand({
      program: [process.execPath, join(cwd, "program.mjs")],
      cwd,
      env: () => ({}),
      folder: () => cwd,
    }),
    lang: "tr",
    stop: stop.signal,
    slots: createWorkSlots(1),
    onEvent(event) {
      events.push(event);
      if (event.event === "started") void onStarted?.();
    },
  });
  return { events, job: await jobs.read(JOB) };
}

const failing = (exit: number, code: string): string =>
  `console.log(JSON.stringify({ error: { code: "${code}", message: "words" } }));
   process.exitCode = ${exit};`;

it("ends a job with the outcome of its command", async () => {
  const { events, job } = await doOne(
    `if (process.argv.slice(2).join(" ") !== "resume --json --no-files --lang=en -- r-1") process.exitCode = 1;`,
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

it("waits longer after each failure, up to five minutes, and never ends a job by their number", async () => {
  const { connection } = await createTestConnection();
  const pauses: number[] = [];
  for (let failures = 0; failures < 12; failures += 1) {
    const { job } = await doOne(failing(1, "E_UNEXPECTED"), { given: connection });
    const nowMs = connection.clock.now();
    pauses.push((job?.notBeforeMs ?? 0) - nowMs);
    expect(job).toMatchObject({ failures: failures + 1, result: undefined });
    const { failure } = job ?? { failure: undefined };
    await connection.memory.jobs.postpone(JOB, { notBeforeMs: 0, failures: failures + 1, failure });
  }

  expect(pauses.map((ms) => ms / 1000)).toEqual([
    5, 10, 20, 40, 80, 160, 300, 300, 300, 300, 300, 300,
  ]);
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
  const done = await doOne(failing(6, "E_BREAKER"), {
    locks: {
      job: async () => ({ isHeld: () => false, [Symbol.asyncDispose]: async () => undefined }),
    },
  });

  expect(done.events.map(({ event }) => event)).toEqual(["started"]);
  expect(done.job).toMatchObject({ result: undefined, failures: 0 });
});

it("starts nothing while another process works on the store", async () => {
  const holder = { command: "catalog import", pid: 1, sinceMs: 0 };
  const { events, job } = await doOne("", { locks: { storeHolder: async () => holder } });

  expect([events, job?.result]).toEqual([[], undefined]);
});
