import { describe, expect, it } from "vitest";

import type { ListingCache } from "../../src/ports/journal.ts";
import type { ListQuery } from "../../src/ports/marketplace.ts";
import { LISTING_STATUSES, type ListingStatus } from "../../src/ports/product.ts";
import {
  findByCode,
  findLostAdds,
  findProducts,
  readProducts,
} from "../../src/reconcile/find-products.ts";
import { createFakeMarketplace } from "../../src/testing.ts";
import { toProductId, listed } from "../../src/testing/rows.ts";

const IDS = [toProductId("p1"), toProductId("p2"), toProductId("p9")];

const shelf = () =>
  createFakeMarketplace({
    products: [listed("p1", "A1"), { ...listed("p2", "A2"), placement: "passive" }],
  });

/** The same with a cache of the listing, which shows p2 in this status. */
function openListed(status: ListingStatus = "passive") {
  const rows = [listed("p1", "A1"), listed("p2", "A2")].map(({ product }, at) => ({
    codeKey: product.product_code ?? "",
    status: at === 0 ? "approved" : status,
    product,
  }));
  const readSeenById: ListingCache["readSeenById"] = async (ids) =>
    rows.filter(({ product }) => ids.includes(product.id));
  return { marketplace: shelf(), journal: { readSeenById } };
}

describe("findProducts", () => {
  it("yields what every status lists for a code, in the order of the sweep", async () => {
    const marketplace = shelf();

    const found = await Array.fromAsync(findProducts(marketplace, { code: "A2" }));

    expect(found.map(({ status, product }) => `${status} ${product.id}`)).toEqual([
      "passive p2",
      "passive p2",
    ]);
    expect(marketplace.log).toEqual([
      "LIST approved A2",
      "LIST passive A2",
      "LIST veto A2",
      "LIST approved A2",
      "LIST passive A2",
    ]);
  });

  it("yields each product of an id once, and asks later statuses only for the missing ids", async () => {
    const marketplace = shelf();

    const found = await Array.fromAsync(findProducts(marketplace, { ids: IDS }));

    expect(found.map(({ status, product }) => `${status} ${product.id}`)).toEqual([
      "approved p1",
      "passive p2",
    ]);
    expect(marketplace.log).toEqual([
      "LIST approved p1,p2,p9",
      "LIST passive p2,p9",
      "LIST veto p9",
      "LIST approved p9",
      "LIST passive p9",
    ]);
  });

  it("asks only the given statuses", async () => {
    const marketplace = shelf();

    await Array.fromAsync(findProducts(marketplace, { statuses: LISTING_STATUSES }));

    expect(marketplace.log).toEqual(["LIST approved", "LIST passive", "LIST veto"]);
  });

  it("makes no call for an empty list of ids", async () => {
    const marketplace = shelf();

    await Array.fromAsync(findProducts(marketplace, { ids: [] }));

    expect(marketplace.log).toEqual([]);
  });

  it("yields only the products asked for where the filter by id is ignored", async () => {
    const all = shelf();
    const marketplace = {
      listProducts: ({ status }: ListQuery) => all.listProducts({ status }),
    };

    const found = await readProducts([toProductId("p2")], { marketplace });

    expect([...found.keys()]).toEqual(["p2"]);
  });

  it("rejects where a status cannot be read", async () => {
    const marketplace = createFakeMarketplace({
      onRequest: (request) =>
        request === "LIST veto A1" ? Promise.reject(new Error("503")) : undefined,
    });

    const found = Array.fromAsync(findProducts(marketplace, { code: "A1" }));

    await expect(found).rejects.toThrow("503");
  });
});

describe("readProducts", () => {
  it("returns the status and the time at which a product was found", async () => {
    const found = await readProducts(IDS, { marketplace: shelf(), clock: { now: () => 7 } });

    expect(Array.from(found.values(), ({ status, atMs }) => [status, atMs])).toEqual([
      ["approved", 7],
      ["passive", 7],
    ]);
  });

  it("asks for a product in the status that has listed it last, all statuses side by side", async () => {
    const { marketplace, journal } = openListed();

    const found = await readProducts([toProductId("p1"), toProductId("p2")], {
      marketplace,
      journal,
    });

    expect(Array.from(found.values(), ({ status }) => status)).toEqual(["approved", "passive"]);
    expect(marketplace.log).toEqual(["LIST approved p1", "LIST passive p2"]);
  });

  it("looks for a product that has left its status in every status", async () => {
    const { marketplace, journal } = openListed("veto");

    const found = await readProducts(IDS, { marketplace, journal });

    expect(Array.from(found.keys()).toSorted()).toEqual(["p1", "p2"]);
    expect(marketplace.log).toEqual([
      "LIST approved p1",
      "LIST veto p2",
      "LIST approved p2,p9",
      "LIST passive p2,p9",
      "LIST veto p9",
      "LIST approved p9",
      "LIST passive p9",
      "LIST veto p9",
    ]);
  });

  it("finds a product that slipped past the pages of its own status", async () => {
    const { product } = listed("p2", "A2");
    let lists = 0;
    const marketplace = {
      async *listProducts({ status }: ListQuery) {
        if (status === "veto" && ++lists > 1) yield product;
      },
    };

    const found = await readProducts([toProductId("p2")], { marketplace });

    expect([...found.keys()]).toEqual(["p2"]);
  });
});

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
  const stored = [listed("p3", "A3"), listed("p4", "B4", { placement: "passive" })];

  it("lists the whole store once for all adds", async () => {
    const fake = createFakeMarketplace({ products: stored, useless: ["product_code"] });
    const marketplace = { ...fake, trustsFilter: async () => false };

    const shownFor = await findLostAdds(marketplace, wanted(3), undefined);

    expect(new Set(shownFor?.("A3").map(({ id }) => id))).toEqual(new Set(["p3", "p4"]));
    expect(fake.log).toHaveLength(5);
  });

  it("lists by date even for one add where the filter by date is proven", async () => {
    const fake = createFakeMarketplace({ products: stored, useless: ["product_code"] });
    const marketplace = {
      ...fake,
      trustsFilter: async (filter: string) => filter === "start_date",
    };

    await findLostAdds(marketplace, wanted(1), undefined);

    expect(fake.log[0]).toBe("LIST approved since 400000");
    expect(fake.log).toHaveLength(5);
  });

  it("does not list by date where the filter by date is not proven", async () => {
    const fake = createFakeMarketplace({ products: stored });
    const marketplace = {
      ...fake,
      trustsFilter: async (filter: string) => filter === "product_code",
    };

    await findLostAdds(marketplace, wanted(11), undefined);

    expect(fake.log[0]).toBe("LIST approved A0");
  });

  it("returns nothing where the listing is too long to read", async () => {
    const many = Array.from({ length: 5_001 }, (_, n) => listed(`p${n}`, `B${n}`));
    const marketplace = {
      ...createFakeMarketplace({ products: many }),
      trustsFilter: async () => false,
    };

    expect(await findLostAdds(marketplace, wanted(1, null), undefined)).toBeUndefined();
  });
});

it("sweep asks for a code in every status, and again in those that a product moves between", async () => {
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
