import { describe, expect, it } from "vitest";

import { findLostAdds, findByCode } from "../../src/reconcile/find-products.ts";
import { createFakeMarketplace } from "../../src/testing.ts";
import { listed } from "../../src/testing/rows.ts";

const wanted = (count: number, startedMs: number | null = 1_000_000) =>
  Array.from({ length: count }, (_, n) => ({ code: `A${n}`, startedMs }));

describe("findLostAdds", () => {
  it("looks up a few adds code by code", async () => {
    const marketplace = createFakeMarketplace({ products: [listed("p3", "A3")] });

    const shownFor = await findLostAdds(marketplace, wanted(10), undefined);

    expect(marketplace.log).toHaveLength(50);
    expect(shownFor?.("A3").map(({ id }) => id)).toEqual(["p3", "p3"]);
    expect(shownFor?.("A4")).toEqual([]);
  });

  it("lists what was added since the first of many adds started, in every status, twice where needed", async () => {
    const marketplace = createFakeMarketplace({ products: [listed("p3", "A3")] });

    const shownFor = await findLostAdds(marketplace, wanted(11), undefined);

    const since = "since 400000";
    expect(marketplace.log).toEqual(
      ["approved", "passive", "veto", "approved", "passive"].map(
        (status) => `LIST ${status} ${since}`,
      ),
    );
    expect(shownFor?.("A3").some(({ id }) => id === "p3")).toBe(true);
  });

  it("makes no listing by date where the start of one add is unknown", async () => {
    const marketplace = createFakeMarketplace();

    await findLostAdds(marketplace, [...wanted(11), { code: "B", startedMs: null }], undefined);

    expect(marketplace.log).toHaveLength(60);
  });

  it("gives up a listing that takes more calls than looking up each code", async () => {
    const products = Array.from({ length: 3_000 }, (_, n) => listed(`p${n}`, `B${n}`));
    const marketplace = createFakeMarketplace({ products });

    await findLostAdds(marketplace, wanted(11), undefined);

    expect(marketplace.log.slice(0, 2)).toEqual(["LIST approved since 400000", "LIST approved A0"]);
    expect(marketplace.log).toHaveLength(56);
  });

  it("rejects when one of its calls fails", async () => {
    const marketplace = createFakeMarketplace({
      onRequest: (request) =>
        request === "LIST veto A0" ? Promise.reject(new Error("503")) : undefined,
    });

    await expect(findLostAdds(marketplace, wanted(1), undefined)).rejects.toThrow("503");
  });
});

describe("findLostAdds without a proven filter by code", () => {
  const shelf = [listed("p3", "A3"), listed("p4", "B4", { placement: "passive" })];

  it("lists the whole store once for all adds", async () => {
    const fake = createFakeMarketplace({ products: shelf, useless: ["product_code"] });
    const marketplace = { ...fake, trustsFilter: async () => false };

    const shownFor = await findLostAdds(marketplace, wanted(3), undefined);

    expect(new Set(shownFor?.("A3").map(({ id }) => id))).toEqual(new Set(["p3", "p4"]));
    expect(fake.log).toHaveLength(5);
  });

  it("lists by date even for one add where the filter by date is proven", async () => {
    const fake = createFakeMarketplace({ products: shelf, useless: ["product_code"] });
    const marketplace = {
      ...fake,
      trustsFilter: async (filter: string) => filter === "start_date",
    };

    await findLostAdds(marketplace, wanted(1), undefined);

    expect(fake.log[0]).toBe("LIST approved since 400000");
    expect(fake.log).toHaveLength(5);
  });

  it("does not list by date where the filter by date is not proven", async () => {
    const fake = createFakeMarketplace({ products: shelf });
    const marketplace = {
      ...fake,
      trustsFilter: async (filter: string) => filter === "product_code",
    };

    await findLostAdds(marketplace, wanted(11), undefined);

    expect(fake.log[0]).toBe("LIST approved A0");
  });

  it("returns nothing where the listing is too long to read", async () => {
    const products = Array.from({ length: 5_001 }, (_, n) => listed(`p${n}`, `B${n}`));
    const marketplace = { ...createFakeMarketplace({ products }), trustsFilter: async () => false };

    expect(await findLostAdds(marketplace, wanted(1, null), undefined)).toBeUndefined();
  });
});

describe("sweep", () => {
  it("asks for a code in every status, and again in those that a product moves between", async () => {
    const marketplace = createFakeMarketplace();

    await findByCode(marketplace, "A1");

    expect(marketplace.log).toEqual([
      "LIST approved A1",
      "LIST passive A1",
      "LIST veto A1",
      "LIST approved A1",
      "LIST passive A1",
    ]);
  });
});
