import { join } from "node:path";

import { systemClock } from "@catalog/clock";
import { createTestConnection } from "@catalog/connection/testing";
import type { JobRecord } from "@catalog/database";
import { expect, it } from "vitest";

import { type JobEvent, type JobTools, runStoreJobs } from "../src/run-store-jobs.ts";
import { createStartCommand } from "../src/start-command.ts";
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
  { locks, behindMs = 0 }: { locks?: Partial<JobTools["locks"]>; behindMs?: number } = {},
): Promise<Done> {
  const { connection } = await createTestConnection();
  const { jobs } = connection.memory;
  await jobs.add({ ...JOB, spec: { lang: "en" } });
  const cwd = createFolder({ "program.mjs": source });
  const stop = new AbortController();
  const events: JobEvent[] = [];
  const tools: JobTools = {
    memory: { jobs },
    locks: { ...connection.locks, ...locks },
    clock: {
      now: () => connection.clock.now() - behindMs,
      // The first wait after the process has ended ends the worker.
      sleep: async (ms, signal) => {
        stop.abort();
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
    onEvent: (event) => events.push(event),
  });
  return { events, job: await jobs.read(JOB) };
}

const failing = (exit: number, code: string): string =>
  `console.log(JSON.stringify({ error: { code: "${code}", message: "words" } }));
   process.exitCode = ${exit};`;

it("ends a job with the outcome of its command", async () => {
  const { events, job } = await doOne(
    `if (process.argv.slice(2).join(" ") !== "resume r-1 --no-files --lang=en --json") process.exitCode = 1;`,
  );

  const result = { exit: 0, code: null, message: null };
  expect(events.map(({ event }) => event)).toEqual(["started", "ended"]);
  expect(job).toMatchObject({ result });
});

it("starts a job at once that a machine with another clock has written", async () => {
  const { job } = await doOne("", { behindMs: 10 * 60_000 });

  expect(job?.result).toMatchObject({ exit: 0 });
});

it("ends a job whose run needs a person", async () => {
  const { job } = await doOne(failing(6, "E_BREAKER"));

  expect(job?.result).toEqual({ exit: 6, code: "E_BREAKER", message: "words" });
});

it.each([
  ["the store was busy", failing(75, "E_STORE_BUSY"), 0],
  ["the database was away", failing(2, "E_DATABASE_SERVER"), 0],
  ["the store was taken over", failing(2, "E_LEASE_LOST"), 0],
  ["the process was killed", `process.kill(process.pid, "SIGKILL");`, 1],
])("tries a job again where %s", async (_why, source, deaths) => {
  const { events, job } = await doOne(source);

  expect(events.at(-1)).toMatchObject({ event: "ended", isRetried: true });
  expect(job).toMatchObject({ result: undefined, deaths });
  expect(job?.notBeforeMs).toBeGreaterThan(job?.askedAtMs ?? Infinity);
});

it("tells no end of a job that another worker may have taken meanwhile", async () => {
  const done = await doOne(failing(6, "E_BREAKER"), {
    locks: {
      job: async () => ({ isHeld: () => false, [Symbol.asyncDispose]: async () => undefined }),
    },
  });

  expect(done.events.map(({ event }) => event)).toEqual(["started"]);
  expect(done.job).toMatchObject({ result: undefined, deaths: 0 });
});

it("starts nothing while another process works on the store", async () => {
  const holder = { command: "catalog import", pid: 1, sinceMs: 0 };
  const { events, job } = await doOne("", { locks: { storeHolder: async () => holder } });

  expect([events, job?.result]).toEqual([[], undefined]);
});
