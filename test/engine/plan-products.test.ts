import { LISTING_STATUSES } from "@catalog/contract";
import type { Marketplace } from "@catalog/runs";
import {
  addBefore,
  codeKey,
  createFakeMarketplace,
  toProductId,
  listed,
  price,
  readStates,
  RUN,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { changing, listedProducts, openPlanFixture } from "./helpers/plan-fixture.ts";

const COUNTS = ["COUNT approved", "COUNT passive", "COUNT veto"];
const STATUSES = ["LIST approved", "LIST passive", "LIST veto"];
const LOOKUPS = [...STATUSES, "LIST approved", "LIST passive"];

describe("planning rows that name their product by id", () => {
  it.each([
    ["a large store, once for all of them", 1_000, [...STATUSES, ...LOOKUPS]],
    ["a small one, by reading it again", 100, [...STATUSES, ...STATUSES, ...COUNTS]],
  ] as const)(
    "looks up unknown product ids in %s that changed meanwhile, and no codes of theirs",
    async (_store, count, expected) => {
      const codes = Array.from({ length: count }, (_, n) => `B${n}`);
      const unknown = codes.flatMap((_, n) => (n % 100 === 0 ? [n] : []));
      const rows = Object.fromEntries(
        codes.map((_, n) => [
          n + 2,
          { productId: toProductId(n % 100 === 0 ? `gone${n}` : `p${n}`) },
        ]),
      );
      const shown = listedProducts(count).filter((_, n) => !unknown.includes(n));
      const { journal, marketplace, planAll } = await openPlanFixture(codes, shown, rows);

      await planAll({ marketplace: changing(marketplace) });

      const asked = marketplace.log.map((request) => request.split(" ").slice(0, 2).join(" "));
      expect(asked).toEqual([...COUNTS, ...expected]);
      expect(await journal.countRows(RUN)).toContainEqual({
        state: "invalid",
        action: null,
        rows: unknown.length,
      });
    },
  );

  it("looks up the code of an unknown id where another row has nothing but the code", async () => {
    const codes = ["A1", "A1", ...Array.from({ length: 400 }, (_, n) => `B${n}`)];
    const rows = { 2: { productId: toProductId("gone") } };
    const { marketplace, planAll } = await openPlanFixture(codes, listedProducts(400), rows);

    await planAll({ marketplace: changing(marketplace) });

    const lookups = LOOKUPS.map((listing) => `${listing} A1`);
    expect(marketplace.log).toEqual(expect.arrayContaining(lookups));
  });

  it("finds a product by its id that changes its status while the store is read", async () => {
    const marketplace = createFakeMarketplace({
      products: listedProducts(400),
      onRequest(request) {
        if (request === "LIST approved") marketplace.put(toProductId("p3"), "veto");
        if (request === "LIST veto") marketplace.put(toProductId("p3"), "approved");
      },
    });
    const codes = Array.from({ length: 400 }, () => null);
    const rows = Object.fromEntries(
      codes.map((_, n) => [n + 2, { productId: toProductId(`p${n}`) }]),
    );
    const { planAll } = await openPlanFixture(codes, [], rows);

    const { planned } = await planAll({ marketplace });

    expect(planned).toMatchObject({ unchanged: 400, invalid: 0 });
  });
});

describe("planning new prices", () => {
  const rows = { 2: { changes: { price: price(500) } } };

  for (const [name, factor] of [
    ["100 times", 100],
    ["10 times", 10],
    ["a hundredth of", 1 / 100],
    ["half", 1 / 2],
    ["exactly", 1],
  ] as const) {
    it(`holds 40 prices that are ${name} the listed prices while the unit is unknown`, async () => {
      const codes = Array.from({ length: 40 }, (_, n) => `B${n}`);
      const shelf = codes.map((code, n) => listed(`p${n}`, code, { price: 10_000 + 100 * n }));
      const overrides = Object.fromEntries(
        codes.map((_, n) => [n + 2, { changes: { price: price((10_000 + 100 * n) * factor) } }]),
      );
      const { journal, planAll } = await openPlanFixture(codes, shelf, overrides);

      const { priceUnit, planned } = await planAll();

      expect(priceUnit).toBe("unknown");
      expect(planned).toMatchObject({ update: 0, unchanged: 0, held: 40 });
      expect(new Set(await readStates(journal))).toEqual(
        new Set(codes.map((_, n) => `${n + 2}: held`)),
      );
    });
  }

  for (const [unit, shown] of [
    ["minor", 1],
    ["major", 0.01],
  ] as const) {
    it(`compares prices in ${unit} units once a price that we sent has shown the unit`, async () => {
      const { journal, planAll } = await openPlanFixture(
        ["B0"],
        [listed("p0", "B0", { price: 500 * shown }), listed("p7", "A7", { price: 1990 * shown })],
        rows,
      );
      await addBefore(journal, "A7", "p7");

      const { priceUnit } = await planAll();

      expect(priceUnit).toBe(unit);
      expect(await readStates(journal)).toEqual(["2: unchanged"]);
    });
  }
});

it("tells each page of the store until all are read, also of statuses without products", async () => {
  const products = listedProducts(120);
  const { planAll } = await openPlanFixture(
    products.map(({ product }) => product.product_code ?? null),
    products,
  );
  const told: unknown[] = [];

  await planAll({ onListing: (progress) => void told.push(progress) });

  // Three pages of approved products, and a page of each of the other statuses.
  expect(told).toEqual([1, 2, 3, 4, 5].map((done) => ({ step: "store", done, total: 5 })));
});

it("reads the store again where a product has changed its status while the others were read", async () => {
  const [moving, hidden] = listedProducts(2);
  if (moving === undefined || hidden === undefined) throw new Error("there are two products");
  const { journal, marketplace, planAll } = await openPlanFixture(["B1"], [moving, hidden]);
  let lists = 0;
  // In the first reading one product shows in two statuses, and the other one in none. All totals
  // are as they were.
  const restless: Marketplace = {
    ...marketplace,
    countProducts: async (status) => (status === "approved" || status === "veto" ? 1 : 0),
    async *listProducts({ status, onEnd }) {
      const reading = Math.floor(lists / 3) + 1;
      lists += 1;
      const veto = reading > 1 ? hidden : moving;
      if (status === "approved") yield moving.product;
      if (status === "veto") yield veto.product;
      onEnd?.({ isStill: true });
    },
  };

  await planAll({ marketplace: restless });

  expect(await journal.readSeenCodes([codeKey("B1")])).toEqual(new Set([codeKey("B1")]));
});

it("reads the store again where a total has changed after its status was read", async () => {
  const [stays, hidden] = listedProducts(2);
  if (stays === undefined || hidden === undefined) throw new Error("there are two products");
  const { journal, marketplace, planAll } = await openPlanFixture(["B1"], [stays, hidden]);
  let lists = 0;
  const restless: Marketplace = {
    ...marketplace,
    countProducts: async (status) => (status === "approved" ? 1 + Number(lists >= 3) : 0),
    async *listProducts({ status, onEnd }) {
      lists += 1;
      if (status === "approved") yield stays.product;
      if (status === "approved" && lists > 3) yield hidden.product;
      onEnd?.({ isStill: true });
    },
  };

  await planAll({ marketplace: restless });

  expect(await journal.readSeenCodes([codeKey("B1")])).toEqual(new Set([codeKey("B1")]));
});

it("asks for all statuses at once, and for one after the other where the first reading did not stand still", async () => {
  const { marketplace, planAll } = await openPlanFixture(["A1"], listedProducts(1));
  const all = Promise.withResolvers<void>();
  const log: string[] = [];
  const restless: Marketplace = {
    ...marketplace,
    async *listProducts({ status, onEnd }) {
      log.push(`ask ${status}`);
      if (log.length === LISTING_STATUSES.length) all.resolve();
      await all.promise;
      log.push(`end ${status}`);
      onEnd?.({ isStill: log.length > 2 * LISTING_STATUSES.length });
      yield* [];
    },
    countProducts: async () => 0,
  };

  await planAll({ marketplace: restless });

  expect(log).toEqual([
    ...LISTING_STATUSES.map((status) => `ask ${status}`),
    ...LISTING_STATUSES.map((status) => `end ${status}`),
    ...LISTING_STATUSES.flatMap((status) => [`ask ${status}`, `end ${status}`]),
  ]);
});

it("ends the other statuses where one cannot be read", async () => {
  const { marketplace, planAll } = await openPlanFixture(["A1"], listedProducts(1));
  const ended: string[] = [];
  const refusing: Marketplace = {
    ...marketplace,
    async *listProducts({ status, signal }) {
      if (status === "passive") throw new Error("refused");
      const { promise, reject } = Promise.withResolvers<never>();
      signal?.addEventListener("abort", () => {
        ended.push(status);
        reject(signal.reason);
      });
      yield await promise;
    },
  };

  await expect(planAll({ marketplace: refusing })).rejects.toThrow("refused");

  expect(ended).toEqual(["approved", "veto"]);
});
