import { createFakeClock } from "@catalog/clock/testing";
import {
  createJobRepository,
  createScheduleRepository,
  type Database,
  openDatabase,
} from "@catalog/database";
import { expect, it, onTestFinished } from "vitest";

import { type SharedReads, shareReads } from "../src/share-reads.ts";

const MARKET = "https://shop.example";
const SCHEDULE = {
  feed: "/feeds/stok.csv",
  options: {},
  cron: "0 * * * *",
  timeZone: "Europe/Istanbul",
  madeBy: "page",
  isSpread: false,
} as const;

interface Opened {
  readonly stores: readonly { readonly memory: SharedReads }[];
  readonly clock: ReturnType<typeof createFakeClock>;
  /** Number of statements so far. */
  readonly statements: () => number;
}

async function openStores(count: number): Promise<Opened> {
  const opened = await openDatabase(":memory:");
  onTestFinished(() => opened.close());
  let statements = 0;
  const database: Database = {
    ...opened,
    execute(steps) {
      statements += 1;
      return opened.execute(steps);
    },
  };
  const clock = createFakeClock(1_000);
  const stores = Array.from({ length: count }, (_, at) => {
    const options = { database, clock, store: { baseUrl: MARKET, storeId: `s-${at}` } };
    const jobs = createJobRepository(options);
    return { memory: { jobs, schedules: createScheduleRepository(options) } };
  });
  return { stores, clock, statements: () => statements };
}

it("reads the jobs and schedules of all stores with one statement each, and each gets its own", async () => {
  const { stores, clock, statements } = await openStores(50);
  for (const [at, { memory }] of stores.entries()) {
    await memory.jobs.add({ kind: "apply", key: `r-${at}`, spec: {} });
    await memory.schedules.save({ ...SCHEDULE, id: `sync-${at}` });
  }
  const shared = shareReads(stores, { clock, stop: new AbortController().signal });
  const before = statements();

  const reads = Promise.all(
    stores.map(async (store) => {
      const own = shared.get(store);
      const [jobs, schedules] = await Promise.all([own?.jobs.listOpen(), own?.schedules.list()]);
      return [jobs?.map(({ key }) => key), schedules?.map(({ id }) => id)];
    }),
  );
  await clock.advance(1_000);

  expect(await reads).toEqual(stores.map((_, at) => [[`r-${at}`], [`sync-${at}`]]));
  expect(statements() - before).toBe(2);
});

it("gives nobody what was read before the call", async () => {
  const { stores, clock } = await openStores(2);
  const [first] = stores;
  const own = first && shareReads(stores, { clock, stop: new AbortController().signal }).get(first);

  const early = own?.jobs.listOpen();
  await clock.advance(1_000);
  const empty = await early;
  await own?.jobs.add({ kind: "apply", key: "r-1", spec: {} });
  const late = own?.jobs.listOpen();
  await clock.advance(1_000);

  expect([empty, (await late)?.length]).toEqual([[], 1]);
});

it("ends the wait where the worker is stopped", async () => {
  const { stores, clock } = await openStores(2);
  const [first] = stores;
  const stop = new AbortController();
  const read =
    first && shareReads(stores, { clock, stop: stop.signal }).get(first)?.jobs.listOpen();

  stop.abort();

  expect(await read).toEqual([]);
});
