import { LISTING_STATUSES, type ListingStatus } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import type { ListingCache } from "../../src/ports/journal.ts";
import type { ListQuery } from "../../src/ports/marketplace.ts";
import { findProducts, readProducts } from "../../src/reconcile/find-products.ts";
import { createFakeMarketplace } from "../../src/testing.ts";
import { id, listed } from "../../src/testing/rows.ts";

const IDS = [id("p1"), id("p2"), id("p9")];

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

    const found = await readProducts([id("p2")], { marketplace });

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

    const found = await readProducts([id("p1"), id("p2")], { marketplace, journal });

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
    ]);
  });
});
