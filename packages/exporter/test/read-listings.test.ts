import type { StagedItem } from "@catalog/database";
import { describe, expect, it } from "vitest";

import { readListings } from "../src/read-listings.ts";
import {
  createChangingShop,
  createRandom,
  type ChangingShop,
  openJob,
  sidsOf,
  STATUSES,
} from "./helpers/changing-shop.ts";

const upTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 1);

/** Adds and moves products at random, about once in `every` calls. */
const restless =
  (random: () => number, every: number) =>
  (store: ChangingShop): void => {
    if (random() < 1 / every) store.add();
    if (random() >= 1 / every) return;
    const index = Math.floor(random() * store.products().length);
    store.move(index, STATUSES[Math.floor(random() * STATUSES.length)] ?? "veto");
  };

describe("readListings", () => {
  for (const count of [0, 1, 10, 99, 100, 101, 1000]) {
    it(`reads ${count} products with a call for each page and at most three more`, async () => {
      const store = createChangingShop({ count, pageSize: 10 });
      const job = await openJob();

      const end = await readListings({ listings: store.listings, job });

      const pages = STATUSES.map((status) =>
        Math.ceil(store.products().filter((each) => each.status === status).length / 10),
      ).reduce((sum, each) => sum + each, 0);
      expect(sidsOf(job)).toEqual(upTo(count));
      expect(end).toEqual({ isStopped: false, missing: 0, isChecked: true, isConsistent: true });
      expect(store.calls()).toBeLessThanOrEqual(pages + 3);
    });
  }

  it.each([
    ["right", (listed: number) => listed],
    ["the page's own", (_: number, shown: number) => shown],
    ["zero", () => 0],
    ["half", (listed: number) => Math.floor(listed / 2)],
  ])("misses none where 4 products appear at a time and the total is %s", async (...given) => {
    const [, toTotal] = given;
    for (const count of [3, 20, 57, 120]) {
      const store = createChangingShop({ count, pageSize: 10, cap: 4, toTotal });
      const job = await openJob();

      const end = await readListings({ listings: store.listings, job });

      expect(sidsOf(job)).toEqual(upTo(count));
      expect(end.missing).toBe(0);
    }
  });

  it("exports each product once when a product leaves pages that were already read", async () => {
    const store = createChangingShop({
      count: 400,
      pageSize: 10,
      onCall: (moving, call) => {
        // As one product leaves, another one appears, so that no total reveals it.
        if (call === 20) {
          moving.move(0, "passive");
          moving.add();
        }
        if (call === 30) moving.move(1, "veto");
      },
    });
    const job = await openJob();

    const end = await readListings({ listings: store.listings, job });

    expect(sidsOf(job)).toEqual(upTo(401));
    expect(end.missing).toBe(0);
    expect(store.calls()).toBeLessThan(60);
  });

  it.each([
    ["dense", 1],
    ["far apart", 7],
    ["all the same", 0],
  ])(
    "exports every product once that was listed before the last call, with sort keys %s",
    async (_, sortKeyStep) => {
      for (let seed = 1; seed <= 30; seed += 1) {
        const random = createRandom(seed);
        const store = createChangingShop({
          count: 300,
          pageSize: 10,
          sortKeyStep,
          onCall: restless(random, 12),
        });
        const job = await openJob();

        const end = await readListings({ listings: store.listings, job });

        const sids = sidsOf(job);
        const inTime = store.products().filter(({ bornAt }) => bornAt < store.lastCallForNew());
        const lost = inTime.filter(({ sid }) => !sids.includes(sid));
        expect(new Set(sids).size, `seed ${seed}`).toBe(sids.length);
        // Products that were not found while everything moved must be reported as missing.
        if (end.isConsistent) expect(lost, `seed ${seed}`).toHaveLength(end.missing);
      }
    },
  );

  it("makes three further calls, and one for each product that slips", async () => {
    let more = 0;
    let moves = 0;
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = createRandom(seed);
      const store = createChangingShop({
        count: 2000,
        pageSize: 10,
        onCall: (moving, call) => {
          if (call > 120 || random() > 0.1) return;
          moving.add();
          moving.move(Math.floor(random() * 2000), "passive");
          moves += 1;
        },
      });

      await readListings({ listings: store.listings, job: await openJob() });

      const pages = STATUSES.map((status) =>
        Math.ceil(store.products().filter((each) => each.status === status).length / 10),
      ).reduce((sum, each) => sum + each, 0);
      more += store.calls() - pages - 3;
    }

    expect(moves).toBeGreaterThan(200);
    // A product that has slipped costs one call to find, and each move makes at most one slip.
    expect(more / moves).toBeLessThan(0.3);
  });

  it("resumes after a crash at any call, without missing or repeating a product", async () => {
    for (let dies = 1; dies <= 20; dies += 1) {
      const random = createRandom(dies);
      const move = restless(random, 16);
      const store = createChangingShop({
        count: 200,
        pageSize: 10,
        onCall: (moving, call) => {
          move(moving);
          if (call === dies) throw new Error("killed");
        },
      });
      const job = await openJob();
      const first = readListings({ listings: store.listings, job }).catch(() => "killed");
      await first;

      const end = await readListings({ listings: store.listings, job });

      const sids = sidsOf(job);
      expect(end.missing).toBe(0);
      expect(sids.slice(0, 200), `killed at ${dies}`).toEqual(upTo(200));
    }
  });

  it("stops after the page under way and keeps what was read", async () => {
    const stop = new AbortController();
    const store = createChangingShop({
      count: 100,
      pageSize: 10,
      onCall: (_, call) => call === 5 && stop.abort(),
    });
    const job = await openJob();

    const end = await readListings({ listings: store.listings, job, stop: stop.signal });

    expect(end.isStopped).toBe(true);
    expect([store.calls(), job.count()]).toEqual([5, 50]);
    await readListings({ listings: store.listings, job });
    expect(sidsOf(job)).toEqual(upTo(100));
  });

  it("reports products that totals promise and no page shows, after searching twice", async () => {
    const store = createChangingShop({ count: 50, pageSize: 10 });
    const [listing] = store.listings;
    const hiding = {
      ...listing,
      name: "approved",
      pageSize: 10,
      takesNew: true,
      async fetch(page: number, size: number) {
        const answer = (await listing?.fetch(page, size)) ?? { total: 0, items: [] };
        return { ...answer, items: answer.items.map(withSameId) };
      },
    };

    const end = await readListings({ listings: [hiding], job: await openJob() });

    expect(end).toMatchObject({ missing: 1, isChecked: true });
    expect(store.calls()).toBeLessThanOrEqual(5 + 3 + 5);
  });

  it.each([
    ["its own page only", (total: number, length: number) => Math.min(total, length)],
    ["more than there are", (total: number) => total + 7],
    ["nothing", () => 0],
  ])(
    "reads all where a total counts %s, and reports that the reading could not be checked",
    async (_, lie) => {
      const store = createChangingShop({ count: 120, pageSize: 10 });
      const listings = store.listings.map((listing) => ({
        name: listing.name,
        pageSize: listing.pageSize,
        takesNew: listing.takesNew,
        async fetch(page: number, size: number) {
          const answer = await listing.fetch(page, size);
          return { ...answer, total: lie(answer.total, answer.items.length) };
        },
      }));
      const job = await openJob();

      const end = await readListings({ listings, job });

      expect(sidsOf(job)).toEqual(upTo(120));
      expect(end).toMatchObject({ missing: 0, isChecked: false });
    },
  );
});

/** Gives two products the same id. */
const withSameId = (item: StagedItem): StagedItem =>
  item.id === "p-2" ? { ...item, id: "p-1" } : item;
