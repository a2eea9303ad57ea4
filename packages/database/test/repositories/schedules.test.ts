import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { createRunRepository } from "../../src/repositories/runs.ts";
import {
  createScheduleRepository,
  type ScheduleSettings,
} from "../../src/repositories/schedules.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { newRun } from "../helpers/runs-and-rows.ts";

const STORE = { baseUrl: "https://shop.example", storeId: "store-1" };

const NIGHTLY: ScheduleSettings = {
  id: "nightly",
  feed: "https://erp.example.com/stock.csv?key=secret",
  options: { lang: "tr", "allow-host": ["erp.local"] },
  cron: "0 3 * * *",
  timeZone: "Europe/Istanbul",
  madeBy: "page",
  isSpread: true,
  owner: { person: 7, name: "Ayşe" },
};

async function open() {
  const database = await openDatabase(":memory:");
  onTestFinished(() => database.close());
  const clock = createFakeClock(1_000);
  const other = { ...STORE, storeId: "store-2" };
  return {
    clock,
    schedules: createScheduleRepository({ database, clock, store: STORE }),
    other: createScheduleRepository({ database, clock, store: other }),
  };
}

describe("createScheduleRepository", () => {
  it("keeps a schedule as it was saved, and hides it from other stores", async () => {
    const { schedules, other } = await open();

    await schedules.save(NIGHTLY);

    expect(await schedules.list()).toEqual([
      {
        ...NIGHTLY,
        state: "active",
        progress: undefined,
        result: undefined,
        succeededAtMs: undefined,
        createdAtMs: 1_000,
        updatedAtMs: 1_000,
      },
    ]);
    expect(await other.list()).toEqual([]);
    expect(await other.update("nightly", { state: "paused" })).toBe(false);
    expect(await other.remove("nightly")).toBe(false);
  });

  it("keeps pause, progress and result when settings are saved again", async () => {
    const { schedules, clock } = await open();
    const result = { dueMs: 5, endedAtMs: 9, exit: 5, run: "r-1", code: null, message: null };
    await schedules.save(NIGHTLY);
    await schedules.update("nightly", { progress: { dueMs: 5, state: "begun" } });
    await schedules.update("nightly", { result, succeededAtMs: 9 });
    await schedules.update("nightly", { state: "paused" });
    await clock.advance(10);

    await schedules.save({ ...NIGHTLY, cron: "0 4 * * *", madeBy: "command", isSpread: false });

    expect(await schedules.read("nightly")).toMatchObject({
      cron: "0 4 * * *",
      madeBy: "command",
      isSpread: false,
      state: "paused",
      progress: { dueMs: 5, state: "begun" },
      result,
      succeededAtMs: 9,
      createdAtMs: 1_000,
      updatedAtMs: 1_010,
    });
  });

  it("removes a schedule once", async () => {
    const { schedules } = await open();
    await schedules.save(NIGHTLY);

    const removed = [await schedules.remove("nightly"), await schedules.remove("nightly")];

    expect([removed, await schedules.read("nightly")]).toEqual([[true, false], undefined]);
  });
});

it("the maker of a run is stored where it is known, and left out where it is not", async () => {
  const database = await openDatabase(":memory:");
  onTestFinished(() => database.close());
  const options = { database, clock: createFakeClock(1), store: STORE };
  const maker = { origin: "schedule", user: "ayse" } as const;

  await createRunRepository({ ...options, maker }).create(newRun("run-1"));
  await createRunRepository(options).create(newRun("run-2"));

  const runs = createRunRepository(options);
  expect((await runs.read("run-1"))?.maker).toEqual(maker);
  expect(await runs.read("run-2")).not.toHaveProperty("maker");
});
