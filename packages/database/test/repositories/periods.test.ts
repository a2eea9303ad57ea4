import { systemClock } from "@catalog/clock";
import type { RunPeriod } from "@catalog/runs";
import { describe, expect, it, onTestFinished } from "vitest";

import { openPostgres } from "../../src/postgres/open-postgres.ts";
import { createPeriodRepository } from "../../src/repositories/periods.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import type { Database } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { createTestDatabase, hasPostgres } from "../../src/testing/index.ts";
import { newRun } from "../helpers/runs-and-rows.ts";

const STORE = { baseUrl: "https://shop.example", storeId: "store-1" };
const clock = systemClock;

const PLACES: readonly {
  readonly name: string;
  readonly isOn: boolean;
  readonly open: () => Promise<Database>;
}[] = [
  {
    name: "a file",
    isOn: true,
    async open() {
      const database = await openDatabase(":memory:");
      onTestFinished(() => database.close());
      return database;
    },
  },
  {
    name: "PostgreSQL",
    isOn: hasPostgres(),
    async open() {
      const server = await createTestDatabase();
      onTestFinished(() => server[Symbol.asyncDispose]());
      const database = await openPostgres({ url: server.url, clock, store: STORE });
      onTestFinished(() => database.close());
      return database;
    },
  },
];

const PERIOD: RunPeriod = {
  timeZone: "Europe/Istanbul",
  startAtMs: 10,
  endAtMs: 20,
  fields: ["price"],
  approvedAtMs: 5,
};

describe.each(PLACES)("createPeriodRepository on $name", ({ isOn, open }) => {
  const openBoth = async () => {
    const database = await open();
    await createRunRepository({ database, clock, store: STORE }).create(newRun("r-1"));
    return createPeriodRepository({ database, clock, store: STORE });
  };

  it.skipIf(!isOn)("writes over the version that was read, and over no other", async () => {
    const periods = await openBoth();

    const saved = [
      await periods.save("r-1", PERIOD, { version: undefined }),
      await periods.save("r-1", { ...PERIOD, endAtMs: 30 }, { version: undefined }),
      await periods.save("r-1", { ...PERIOD, endAtMs: 40 }, { version: 1 }),
      await periods.save("r-1", { ...PERIOD, endAtMs: 50 }, { version: 1 }),
      await periods.remove("r-1", 1),
    ];

    expect(saved).toEqual([true, false, true, false, false]);
    expect(await periods.read("r-1")).toEqual({ period: { ...PERIOD, endAtMs: 40 }, version: 2 });
    expect(await periods.remove("r-1", 2)).toBe(true);
    expect(await periods.read("r-1")).toBeUndefined();
  });

  it.skipIf(!isOn)("lists what is due in the given stores until its end is written", async () => {
    const periods = await openBoth();
    await periods.save("r-1", PERIOD, { version: undefined });
    const [store] = (await periods.listDue(10, [1, 2, 3])).map((due) => due.store);
    const stores = [store ?? 0];

    const before = await periods.listDue(9, stores);
    const other = await periods.listDue(10, [(store ?? 0) + 1]);
    const [due] = await periods.listDue(10, stores);
    await periods.save("r-1", { ...PERIOD, isQueued: true }, { version: 1, store });
    const queued = [await periods.listDue(19, stores), await periods.listDue(20, stores)];
    const end = { atMs: 21, run: "r-2", kept: 1 };
    await periods.of(store ?? 0).save("r-1", { ...PERIOD, end }, { version: 2 });

    expect([before, other]).toEqual([[], []]);
    expect(due).toEqual({ store, run: "r-1", period: PERIOD, version: 1 });
    expect(queued.map(({ length }) => length)).toEqual([0, 1]);
    expect(await periods.listDue(99, stores)).toEqual([]);
    expect(await periods.list()).toEqual(new Map([["r-1", { ...PERIOD, end }]]));
    expect((await periods.readMany(["r-1", "r-9"])).size).toBe(1);
  });
});
