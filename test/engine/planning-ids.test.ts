import { createFakeMarketplace, id, RUN } from "@catalog/runs/testing";
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
        codes.map((_, n) => [n + 2, { productId: id(n % 100 === 0 ? `gone${n}` : `p${n}`) }]),
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
    const rows = { 2: { productId: id("gone") } };
    const { marketplace, planAll } = await openPlanFixture(codes, listedProducts(400), rows);

    await planAll({ marketplace: changing(marketplace) });

    const lookups = LOOKUPS.map((listing) => `${listing} A1`);
    expect(marketplace.log).toEqual(expect.arrayContaining(lookups));
  });

  it("finds a product by its id that changes its status while the store is read", async () => {
    const marketplace = createFakeMarketplace({
      products: listedProducts(400),
      onRequest(request) {
        if (request === "LIST approved") marketplace.put(id("p3"), "veto");
        if (request === "LIST veto") marketplace.put(id("p3"), "approved");
      },
    });
    const codes = Array.from({ length: 400 }, () => null);
    const rows = Object.fromEntries(codes.map((_, n) => [n + 2, { productId: id(`p${n}`) }]));
    const { planAll } = await openPlanFixture(codes, [], rows);

    const { planned } = await planAll({ marketplace });

    expect(planned).toMatchObject({ unchanged: 400, invalid: 0 });
  });
});
