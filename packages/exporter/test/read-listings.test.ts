import { readFileSync } from "node:fs";
import { join } from "node:path";

import { createTestConnection, startMarketplaceServer } from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import {
  type Listing,
  type PagesFrom,
  readListings,
  type StagedItem,
} from "../src/read-listings.ts";
import { runExport } from "../src/run-export.ts";
import {
  type ChangingShop,
  createChangingShop,
  createRandom,
  idsFrom,
  idsOf,
  noSuchPage,
  openJob,
  sidsOf,
  STATUSES,
  toListing,
  toPage,
} from "./helpers/changing-shop.ts";

const upTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 1);

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

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
    it(`reads ${count} products with a call for each page, twice in a small store, and at most eight more`, async () => {
      const store = createChangingShop({ count, pageSize: 10 });
      const job = await openJob();

      const end = await readListings({ listings: store.listings, job });

      const pages = STATUSES.map((status) =>
        Math.ceil(store.products().filter((each) => each.status === status).length / 10),
      );
      const repeated = sum(pages) > 16 ? [] : pages;
      expect(await sidsOf(job)).toEqual(upTo(count));
      expect(end).toEqual({ isStopped: false, missing: 0, isChecked: true, isConsistent: true });
      expect(store.calls()).toBeLessThanOrEqual(sum([...pages, ...repeated]) + 8);
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

      expect(await sidsOf(job)).toEqual(upTo(count));
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

    expect(await sidsOf(job)).toEqual(upTo(401));
    expect(end.missing).toBe(0);
    // Two passes over 42 pages, each with at most six further calls.
    expect(store.calls()).toBeLessThanOrEqual(2 * (42 + 6));
  });

  it.each([1, 4, 16])(
    "exports every product once that was listed before the last call, with %i pages at a time",
    async (width) => {
      let consistent = 0;
      for (let seed = 1; seed <= 60; seed += 1) {
        const random = createRandom(seed);
        const store = createChangingShop({
          count: 300,
          pageSize: 10,
          width,
          onCall: restless(random, seed % 2 === 0 ? 12 : 60),
        });
        const job = await openJob();

        const end = await readListings({ listings: store.listings, job });

        const sids = await sidsOf(job);
        const lost = upTo(300).filter((sid) => !sids.includes(sid));
        expect(new Set(sids).size, `seed ${seed}`).toBe(sids.length);
        // Products that were not found while everything moved must be reported.
        if (end.isConsistent) expect(lost, `seed ${seed}`).toHaveLength(end.missing);
        if (end.isConsistent) consistent += 1;
      }
      expect(consistent).toBeGreaterThan(10);
    },
  );

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

      const sids = await sidsOf(job);
      expect(end.missing).toBe(0);
      if (end.isConsistent) expect(sids.slice(0, 200), `killed at ${dies}`).toEqual(upTo(200));
    }
  });

  it("reads a listing whose totals are too high and that refuses the page after its end", async () => {
    const store = createChangingShop({ count: 310, pageSize: 10 });
    const listings = store.listings.map((listing) =>
      toListing(listing, async (page, size) => {
        const answer = await listing.fetch(page, size);
        if (page > 1 && answer.items.length === 0) throw noSuchPage();
        return { ...answer, total: answer.total + 30 };
      }),
    );
    const job = await openJob();

    const end = await readListings({ listings, job });

    expect(await sidsOf(job)).toEqual(upTo(310));
    expect(end).toMatchObject({ isChecked: false, isStopped: false });
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
    // Two pages of approved and of passive products, and one page of the others.
    expect([store.calls(), await job.count()]).toEqual([5, 50]);
    await readListings({ listings: store.listings, job });
    expect(await sidsOf(job)).toEqual(upTo(100));
  });

  it("reads all listings at once, and ends the others where one cannot be read", async () => {
    const asked: string[] = [];
    const ended: string[] = [];
    const listings = STATUSES.map((name) => ({
      ...toListing({ name, pageSize: 10 }, () => Promise.reject(new Error("not asked for"))),
      async *pages({ signal }: PagesFrom) {
        asked.push(name);
        if (asked.length === STATUSES.length) throw new Error("refused");
        const { promise, reject } = Promise.withResolvers<never>();
        signal.addEventListener("abort", () => {
          ended.push(name);
          reject(signal.reason);
        });
        yield await promise;
      },
    }));

    await expect(readListings({ listings, job: await openJob() })).rejects.toThrow("refused");

    expect([asked, ended]).toEqual([STATUSES, STATUSES.slice(0, -1)]);
  });

  it("reports products that totals promise and no page shows, after searching twice", async () => {
    const store = createChangingShop({ count: 50, pageSize: 10 });
    const [listing] = store.listings;
    const hiding = toListing({ name: "approved", pageSize: 10 }, async (page, size) => {
      const answer = (await listing?.fetch(page, size)) ?? { total: 0, items: [] };
      return { ...answer, items: answer.items.map(withSameId) };
    });

    const end = await readListings({ listings: [hiding], job: await openJob() });

    expect(end).toMatchObject({ missing: 1, isChecked: true });
    expect(store.calls()).toBeLessThanOrEqual(2 * (5 + 1));
  });

  it.each([
    ["its own page only", (total: number, length: number) => Math.min(total, length)],
    ["more than there are", (total: number) => total + 7],
    ["nothing", () => 0],
  ])(
    "reads all where a total counts %s, and reports that the reading could not be checked",
    async (_, lie) => {
      const store = createChangingShop({ count: 120, pageSize: 10 });
      const listings = store.listings.map((listing) =>
        toListing(listing, async (page, size) => {
          const answer = await listing.fetch(page, size);
          return { ...answer, total: lie(answer.total, answer.items.length) };
        }),
      );
      const job = await openJob();

      const end = await readListings({ listings, job });

      expect(await sidsOf(job)).toEqual(upTo(120));
      expect(end).toMatchObject({ missing: 0, isChecked: false });
    },
  );
});

/** Gives two products the same id. */
const withSameId = (item: StagedItem): StagedItem =>
  item.id === "p-2" ? { ...item, id: "p-1" } : item;

type Lists = Record<(typeof STATUSES)[number], string[]>;

/** Listings of these ids, with a change before each answer. */
const toListings = (lists: Lists, change: (call: number) => void): readonly Listing[] => {
  let calls = 0;
  return STATUSES.map((name) =>
    toListing({ name, pageSize: 10 }, async (page, size) => {
      calls += 1;
      change(calls);
      return toPage(lists[name], page, size);
    }),
  );
};

const removeId = (ids: readonly string[], id: string): string[] =>
  ids.filter((each) => each !== id);

describe("readListings in a store that changes", () => {
  it("misses no product that has moved to a listing which was read before an interruption", async () => {
    const lists = {
      approved: idsFrom("a", 25),
      passive: idsFrom("p", 15),
      veto: ["v0"],
    };
    const died = new Error("killed");
    let callsLeft = 7;
    const listings = STATUSES.map((name) =>
      toListing({ name, pageSize: 10 }, async (page, size) => {
        if (callsLeft === 0) throw died;
        callsLeft -= 1;
        return toPage(lists[name], page, size);
      }),
    );
    const job = await openJob();
    await expect(readListings({ listings, job })).rejects.toBe(died);

    // Meanwhile every total changes twice and is the same again.
    lists.passive = [...lists.passive.filter((id) => id !== "p12"), "p-new"];
    lists.approved = ["p12", ...lists.approved.filter((id) => id !== "a3")];
    callsLeft = Infinity;
    const end = await readListings({ listings, job });

    expect(await idsOf(job)).toContain("p12");
    expect(end).toMatchObject({ isChecked: true, isConsistent: true });
  });

  it.each([1, 4])(
    "reads again where the last page is empty because a product has left, %i pages at a time",
    async (width) => {
      const ids = idsFrom("a", 21);
      const left = new Set<string>();
      const listing = toListing({ name: "approved", pageSize: 10, width }, async (page, size) => {
        if (page === 3) left.add("a2");
        return toPage(
          ids.filter((id) => !left.has(id)),
          page,
          size,
        );
      });
      const job = await openJob();

      const end = await readListings({ listings: [listing], job });

      expect(await idsOf(job)).toContain("a20");
      expect(end).toMatchObject({ isChecked: true });
    },
  );

  it("misses no product that came back as another one left, so that all totals are equal", async () => {
    const lists: Lists = { approved: idsFrom("a", 25), passive: ["p0"], veto: ["v0"] };
    const listings = toListings(lists, (call) => {
      // The first totals of the two short listings are the first calls.
      if (call === 3) {
        lists.approved = removeId(lists.approved, "a7");
        lists.passive.push("a7");
      }
      if (call === 7) {
        lists.passive = ["p0"];
        lists.approved = ["a7", ...removeId(lists.approved, "a2")];
      }
    });
    const job = await openJob();

    const end = await readListings({ listings, job });

    expect(await idsOf(job)).toContain("a7");
    expect(end).toMatchObject({ isChecked: true });
  });

  it("does not blame the totals where promised pages are refused because their products left", async () => {
    let count = 20;
    let passes = 0;
    const listing = toListing({ name: "approved", pageSize: 10 }, async (page, size) => {
      // The last product comes back before each of the first passes, and leaves again.
      if (page === 1) passes += 1;
      if (page === 1 && passes <= 2) count = 21;
      if (page === 3) count = 20;
      const answer = toPage(idsFrom("a", count), page, size);
      if (answer.items.length === 0) throw noSuchPage();
      return answer;
    });
    const job = await openJob();

    const end = await readListings({ listings: [listing], job });

    expect(end).toMatchObject({ isChecked: true });
  });

  it("asks for full pages again where a listing of one product has grown since", async () => {
    const lists: Lists = { approved: ["a0"], passive: [], veto: [] };
    const sizes: number[] = [];
    const listings = toListings(lists, (call) => {
      if (call === 5) lists.approved = idsFrom("a", 30);
    }).map((listing) =>
      toListing(listing, async (page, size) => {
        sizes.push(size);
        return await listing.fetch(page, size);
      }),
    );
    const job = await openJob();

    await readListings({ listings, job });

    expect(await idsOf(job)).toEqual(idsFrom("a", 30));
    expect(sizes.length).toBeLessThan(30);
  });
});

it("reads the shipping templates beside the products, and only where their column is wanted", async () => {
  const { baseUrl, log } = await startMarketplaceServer();
  const { connection, folder } = await createTestConnection({ baseUrl });
  const path = join(folder, "products.csv");
  const exportColumns = (columns: readonly string[] | undefined): Promise<unknown> =>
    runExport(connection, {
      kind: "products",
      path,
      format: "csv",
      lang: "en",
      decimal: "point",
      filters: {},
      columns,
    });

  await exportColumns(["product_code"]);
  const without = [...log];
  await exportColumns(undefined);
  const all = log.slice(without.length);

  expect(without).not.toContain("/shipping-template");
  // The templates are asked for with the first pages of the statuses, which are read once more.
  expect(all.lastIndexOf("/product")).toBe(6);
  expect(all.indexOf("/shipping-template")).toBeLessThan(4);
  expect(readFileSync(path, "utf8")).toContain("KOD-1");
});
