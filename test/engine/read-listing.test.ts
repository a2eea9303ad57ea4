import { LISTING_STATUSES } from "@catalog/contract";
import type { Marketplace } from "@catalog/runs";
import { codeKey } from "@catalog/runs/testing";
import { expect, it } from "vitest";

import { listedProducts, openPlanFixture } from "./helpers/plan-fixture.ts";

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
