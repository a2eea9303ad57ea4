import { idSchemas } from "@catalog/contract";
import { type MemoryJournal, openMemoryJournal } from "@catalog/database/testing";
import {
  type FilterProof,
  type FilterProofs,
  type ListingFilter,
  type Marketplace,
  createProvenFilters,
  type ProvenMarketplace,
} from "@catalog/runs";
import {
  createFakeMarketplace,
  type FakeMarketplace,
  type FakeMarketplaceOptions,
  toProductId,
  listed,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

/** How long a filter is trusted that has found a known product, and how long one is not that missed it. */
const [PROOF_LIFE_MS, FAILURE_LIFE_MS] = [6 * 3_600_000, 3_600_000];

interface Fixture {
  readonly fake: FakeMarketplace;
  readonly journal: MemoryJournal;
  readonly proofs: Map<ListingFilter, FilterProof>;
  readonly clock: { nowMs: number };
  /** Opens the marketplace in a new process with the saved proofs. */
  readonly open: () => ProvenMarketplace;
}

const LISTED_PRODUCTS = [
  listed("p1", "A1"),
  listed("p2", "A2"),
  listed("p3", "A3", { placement: "passive" }),
];

async function openFixture(options: FakeMarketplaceOptions = {}): Promise<Fixture> {
  const fake = createFakeMarketplace({ products: LISTED_PRODUCTS, ...options });
  const journal = await openMemoryJournal();
  const proofs = new Map<ListingFilter, FilterProof>();
  const clock = { nowMs: 0 };
  const store: FilterProofs = {
    readProof: async (filter) => proofs.get(filter),
    saveProof: async (filter, proof) => void proofs.set(filter, proof),
  };
  const open = (): ProvenMarketplace =>
    createProvenFilters({
      marketplace: fake,
      proofs: store,
      journal,
      clock: { now: () => clock.nowMs },
    });
  return { fake, journal, proofs, clock, open };
}

const idsOf = async (
  marketplace: Marketplace,
  query: Parameters<Marketplace["listProducts"]>[0],
): Promise<readonly string[]> =>
  await Array.fromAsync(marketplace.listProducts(query), (product) => product.id);

describe("a listing by code", () => {
  it("finds a product although the filter finds nothing", async () => {
    const { open } = await openFixture({ useless: ["product_code"] });

    expect(await idsOf(open(), { status: "approved", code: "A2" })).toContain("p2");
  });

  it("makes no further call for a missing product once the filter has found one", async () => {
    const { open, fake } = await openFixture();
    const marketplace = open();

    expect(await idsOf(marketplace, { status: "approved", code: "A1" })).toEqual(["p1"]);
    expect(await idsOf(marketplace, { status: "approved", code: "new" })).toEqual([]);

    expect(fake.log).toEqual(["LIST approved A1", "LIST approved new"]);
  });

  it("probes the filter with a known product before it reports a product as missing", async () => {
    const { open, fake } = await openFixture();

    expect(await idsOf(open(), { status: "approved", code: "new" })).toEqual([]);

    expect(fake.log).toEqual(["LIST approved new", "LIST approved", "LIST approved A1"]);
  });

  it("yields no product twice where an unproven filter finds some", async () => {
    const { open, proofs } = await openFixture({
      products: [listed("p1", "xA1"), listed("p2", "B")],
    });
    proofs.set("product_code", { works: false, atMs: 0 });

    expect(await idsOf(open(), { status: "approved", code: "A1" })).toEqual(["p1", "p2"]);
  });
});

describe("a listing by ids", () => {
  const both = [toProductId("p1"), toProductId("p3")];

  it("finds a product although the filter finds nothing", async () => {
    const { open } = await openFixture({ useless: ["ids"] });

    expect(await idsOf(open(), { status: "passive", ids: both })).toEqual(["p3"]);
  });

  it("trusts a filter that has found all of several ids, without a further call", async () => {
    const { open, fake } = await openFixture();
    const marketplace = open();

    await idsOf(marketplace, { status: "approved", ids: [toProductId("p1"), toProductId("p2")] });
    expect(await idsOf(marketplace, { status: "veto", ids: both })).toEqual([]);

    expect(fake.log).toHaveLength(2);
  });

  it("does not trust a filter that finds one id and no list of ids", async () => {
    const { fake, journal, proofs } = await openFixture();
    const single: Marketplace = {
      ...fake,
      listProducts: (query) =>
        fake.listProducts({ ...query, ids: query.ids?.length === 1 ? query.ids : query.ids && [] }),
    };
    const store: FilterProofs = {
      readProof: async () => undefined,
      saveProof: async (filter, proof) => void proofs.set(filter, proof),
    };
    const clock = { now: () => 0 };
    const marketplace = createProvenFilters({ marketplace: single, proofs: store, journal, clock });

    await idsOf(marketplace, { status: "approved", ids: [toProductId("p1")] });

    expect(await marketplace.trustsFilter("ids")).toBe(false);
    expect(await idsOf(marketplace, { status: "approved", ids: both })).toEqual(["p1"]);
  });
});

describe("trustsFilter", () => {
  it("probes codes of every shape among the newest products", async () => {
    const products = ["A1", "A2", "a 3", "b4", "Ç5"].map((code, n) => listed(`p${n}`, code));
    const { open, fake } = await openFixture({ products });

    expect(await open().trustsFilter("product_code")).toBe(true);

    expect(fake.log).toEqual(["LIST approved", "LIST approved A1", "LIST approved a 3"]);
  });

  it("does not trust a filter that misses codes of one shape", async () => {
    const products = [listed("p1", "A1"), listed("p2", "Ç2")];
    const { fake, journal, proofs } = await openFixture({ products });
    const plainOnly: Marketplace = {
      ...fake,
      listProducts: (query) =>
        fake.listProducts({ ...query, code: query.code?.replaceAll(/[^ -~]/gu, "?") }),
    };
    const store: FilterProofs = {
      readProof: async (filter) => proofs.get(filter),
      saveProof: async (filter, proof) => void proofs.set(filter, proof),
    };
    const marketplace = createProvenFilters({
      marketplace: plainOnly,
      proofs: store,
      journal,
      clock: { now: () => 0 },
    });

    expect(await marketplace.trustsFilter("product_code")).toBe(false);
  });

  it.each([
    [[], PROOF_LIFE_MS, true],
    [["product_code" as const], FAILURE_LIFE_MS, false],
  ])(
    "remembers the result of a probe over processes until it expires (useless: %j)",
    async (...given) => {
      const [useless, lastsMs, expected] = given;
      const { open, fake, clock } = await openFixture({ useless });
      expect(await open().trustsFilter("product_code")).toBe(expected);
      const calls = fake.log.length;

      clock.nowMs = lastsMs - 1;
      expect(await open().trustsFilter("product_code")).toBe(expected);
      expect(fake.log).toHaveLength(calls);

      clock.nowMs = lastsMs;
      expect(await open().trustsFilter("product_code")).toBe(expected);
      expect(fake.log.length).toBeGreaterThan(calls);
    },
  );

  it("probes again after the clock was put back", async () => {
    const { open, fake, clock } = await openFixture();
    await open().trustsFilter("product_code");
    const calls = fake.log.length;

    clock.nowMs = -1;
    await open().trustsFilter("product_code");

    expect(fake.log.length).toBeGreaterThan(calls);
  });

  it("learns nothing in a store without products, and probes again a moment later", async () => {
    const { open, fake, proofs } = await openFixture({
      products: [listed("p1", "A1", { placement: "hidden" })],
    });
    const marketplace = open();

    expect(await marketplace.trustsFilter("product_code")).toBe(false);
    expect(proofs.size).toBe(0);

    fake.put(toProductId("p1"), "veto");
    expect(await marketplace.trustsFilter("product_code")).toBe(true);
  });

  it("trusts the filter by date once it has found a product of ours", async () => {
    const { open, journal, fake } = await openFixture();
    const marketplace = open();

    expect(await marketplace.trustsFilter("start_date")).toBe(false);

    await journal.startLagSample(idSchemas.product.parse("p3"), 900_000);
    await journal.recordLagSample(idSchemas.product.parse("p3"), {
      shown: true,
      serverMs: 900_100,
    });
    expect(await marketplace.trustsFilter("start_date")).toBe(true);
    expect(fake.log).toEqual(["LIST approved since 300000", "LIST passive since 300000"]);
  });

  it("does not trust a filter by date that misses a product of ours", async () => {
    const { open, journal } = await openFixture({ useless: ["start_date"] });
    await journal.startLagSample(idSchemas.product.parse("p1"), 900_000);
    await journal.recordLagSample(idSchemas.product.parse("p1"), {
      shown: true,
      serverMs: 900_100,
    });

    expect(await open().trustsFilter("start_date")).toBe(false);
  });
});
