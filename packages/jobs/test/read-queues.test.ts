import { createFakeClock } from "@catalog/clock/testing";
import { createFileQueue, createScheduleRepository, openDatabase } from "@catalog/database/testing";
import { expect, it, onTestFinished } from "vitest";

import type { ScheduleSettings, TakenJob } from "../src/queue.ts";
import { readQueues } from "../src/read-queues.ts";

const STORE = { baseUrl: "https://shop.example", storeId: "store-1" };
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 21, 6);

const HOURLY: ScheduleSettings = {
  id: "hourly",
  feed: "/feeds/stok.csv",
  options: {},
  cron: "0 * * * *",
  timeZone: "Europe/Istanbul",
  madeBy: "page",
  isSpread: false,
};

it("tells since when the oldest start of a schedule and the oldest job are due and not begun", async () => {
  const database = await openDatabase(":memory:");
  onTestFinished(() => database.close());
  const clock = createFakeClock(START_MS);
  const schedules = createScheduleRepository({ database, clock, store: STORE });
  const holder = { command: "catalog worker", pid: 1, sinceMs: START_MS };
  const locks = {
    job: async () => ({ [Symbol.asyncDispose]: async () => undefined }),
    jobHolder: async ({ key }: { readonly key: string }) =>
      key === "r-taken" ? holder : undefined,
    storeHolder: async () => undefined,
  };
  const jobs = createFileQueue({ database, clock, store: STORE, locks });
  const take = async (): Promise<TakenJob> => {
    const [taken] = await jobs.take(1, { kinds: new Set(["apply"]), stores: [] });
    if (taken === undefined) throw new Error("there is no job to take");
    return taken;
  };
  const tools = { ...STORE, clock, memory: { schedules, jobs } };
  const read = (): Promise<unknown> => readQueues(tools);
  const done = { progress: { dueMs: START_MS, state: "done" } } as const;
  await schedules.save(HOURLY);
  const neverLed = await read();
  await schedules.update("hourly", done);
  await schedules.save({ ...HOURLY, id: "paused" });
  await schedules.update("paused", { ...done, state: "paused" });
  await schedules.save({ ...HOURLY, id: "command", madeBy: "command" });
  await schedules.update("command", done);
  await schedules.save({ ...HOURLY, id: "no pattern", cron: "never" });
  await schedules.update("no pattern", done);

  await clock.advance(HOUR_MS - 1);
  const early = await read();
  await jobs.add({ kind: "apply", key: "r-ended", spec: {} });
  await using ended = await take();
  await ended.end({ exit: 0, code: null, message: null });
  await ended[Symbol.asyncDispose]();
  await jobs.add({ kind: "apply", key: "r-fails", spec: {} });
  await using failed = await take();
  const failure = { exit: 1, code: "E_UNEXPECTED", message: "words" };
  await failed.postpone({ pauseMs: 3 * HOUR_MS, failures: 1, failure });
  await jobs.add({ kind: "apply", key: "r-taken", spec: {} });
  await clock.advance(2 * HOUR_MS);
  await jobs.add({ kind: "apply", key: "r-waits", spec: {} });
  await clock.advance(1);
  const late = await read();
  await jobs.remove({ kind: "apply", key: "r-fails" });
  await schedules.update("hourly", { progress: { dueMs: clock.now(), state: "begun" } });
  await jobs.remove({ kind: "apply", key: "r-waits" });
  const begun = await read();

  const none = { waiting: 0, ageMs: 0, failing: 0 };
  const empty = [
    { kind: "schedule", ...none },
    { kind: "apply", ...none },
  ];
  expect([neverLed, early, begun]).toEqual([empty, empty, empty]);
  expect(late).toEqual([
    { kind: "schedule", waiting: 1, ageMs: 2 * HOUR_MS, failing: 0 },
    { kind: "apply", waiting: 1, ageMs: 1, failing: 1 },
  ]);
});
