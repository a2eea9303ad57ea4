import type { MemoryJournal } from "@catalog/database/testing";
import { type CodeRegistry, holdAppeared, type Marketplace, type TakenCode } from "@catalog/runs";
import {
  codeKey,
  createFakeMarketplace,
  type FakeProduct,
  listed,
  readStates,
  RUN,
  SHEET,
  type CodePair,
  type CodeNormalization,
  type LookAlikeOptions,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { listedProducts, openPlanFixture, readAll } from "./helpers/plan-fixture.ts";

it("holds the adds whose code the store shows now, and leaves the others", async () => {
  const { journal, planAll } = await openPlanFixture(["B0", "B7"]);
  await planAll();
  const marketplace = createFakeMarketplace({ products: listedProducts(1) });

  const held = await holdAppeared({ runId: RUN, journal, marketplace, codeKey, sheet: SHEET });

  const rows = await readAll(journal);
  expect(held).toBe(1);
  expect(rows.map(({ state }) => state)).toEqual(["held", "ready"]);
  expect(rows[0]?.issues).toMatchObject([{ code: "E_APPEARED" }]);
});

it("makes no call when no add is ready", async () => {
  const { journal, marketplace, planAll } = await openPlanFixture(["B0"], listedProducts(1), {
    2: { action: "skip" },
  });
  await planAll();
  const before = marketplace.log.length;

  await holdAppeared({ runId: RUN, journal, marketplace, codeKey, sheet: SHEET });

  expect(marketplace.log.length).toBe(before);
});

it("checks a row that a dead process started and never sent", async () => {
  const { journal, planAll } = await openPlanFixture(["B0"]);
  await planAll();
  await journal.claim([{ runId: RUN, row: 2 }]);
  const marketplace = createFakeMarketplace({ products: listedProducts(1) });

  const held = await holdAppeared({ runId: RUN, journal, marketplace, codeKey, sheet: SHEET });

  expect(held).toBe(1);
  expect((await readAll(journal)).map(({ state }) => state)).toEqual(["held"]);
});

const exactKey = (code: string): string => code;
const suspectKey = (code: string): string => code.toLowerCase().replaceAll(/[ ']/gu, "");

interface Known {
  readonly pairs?: readonly CodePair[];
  readonly normalization?: CodeNormalization;
  readonly taken?: readonly TakenCode[];
  readonly isAllowed?: boolean;
  readonly areApart?: LookAlikeOptions["areApart"];
}

/** Creates a code registry over the journal's listing cache and the given codes. */
function createAlike(journal: () => MemoryJournal, known: Known = {}): LookAlikeOptions {
  let normalization = known.normalization;
  const registry: CodeRegistry = {
    async readLookAlikes(_runId, keys) {
      const codes = ["AB-1", "A 2", ...Array.from({ length: 200 }, (_, n) => `B${n}`)];
      const seen = await journal().readSeenByCode(codes);
      const taken = seen.map(({ codeKey: code, product: { id } }): TakenCode => {
        return { code, suspectKey: suspectKey(code), where: "store", id };
      });
      return [...taken, ...(known.taken ?? [])].filter((one) => keys.includes(one.suspectKey));
    },
    readPairs: async () => known.pairs ?? [],
    readNormalization: async () => normalization,
    saveNormalization: async (learned) => {
      normalization = learned;
    },
  };
  return { registry, suspectKey, isAllowed: known.isAllowed, areApart: known.areApart };
}

async function planWith(
  codes: readonly string[],
  products: readonly FakeProduct[],
  known: Known = {},
) {
  const fixture = await openPlanFixture(codes, products);
  const lookAlikes = createAlike(() => fixture.journal, known);
  const marketplace: Marketplace = {
    ...fixture.marketplace,
    async *listProducts(query) {
      for await (const product of fixture.marketplace.listProducts(query)) {
        if (query.code === undefined || product.product_code === query.code) yield product;
      }
    },
  };
  const facts = await fixture.planAll({ codeKey: exactKey, lookAlikes, marketplace });
  return { ...fixture, ...facts, lookAlikes };
}

describe("planning a row whose code looks like one in use", () => {
  it("holds the row as an add, with both codes in the issue", async () => {
    const { journal } = await planWith(["ab-1", "A2"], [listed("p1", "AB-1"), listed("p2", "A 2")]);

    const [first, second] = await readAll(journal);
    expect([first?.state, second?.state]).toEqual(["held", "held"]);
    expect(first).toMatchObject({ action: "add", payload: { product_code: "ab-1" } });
    expect(first?.issues).toMatchObject([{ code: "E_CODE_SUSPECT" }]);
    expect(first?.issues[0]?.message.tr).toContain("çok benziyor: mağazada “AB-1” var (p1). ");
    expect(second?.issues[0]?.message.en).toContain("in use: the store has “A 2” (p2). ");
  });

  it.each(["sent", "waiting"] as const)(
    "holds a row whose look-alike code is in another run: %s",
    async (where) => {
      const taken = [{ code: "AB-1", suspectKey: "ab-1", where, id: "run-9" }];
      const { journal } = await planWith(["ab-1"], [], { taken });

      const [row] = await readAll(journal);
      expect(row?.state).toBe("held");
      expect(row?.issues[0]?.message.en).toContain("run-9");
    },
  );

  it("names the store's product once where a run has sent its code", async () => {
    const taken = [{ code: "AB-1", suspectKey: "ab-1", where: "sent", id: "run-9" }] as const;
    const { journal } = await planWith(["ab-1"], [listed("p1", "AB-1")], { taken });

    const [row] = await readAll(journal);
    expect(row?.issues[0]?.message.tr).toContain("benziyor: mağazada “AB-1” var (p1). ");
    expect(row?.issues[0]?.message.tr).not.toContain("run-9");
  });

  it("adds the product where a person has allowed look-alike codes", async () => {
    const { journal } = await planWith(["ab-1"], [listed("p1", "AB-1")], { isAllowed: true });

    expect(await readStates(journal)).toEqual(["2: ready"]);
  });

  it("compares the row with the product of its own code where both codes are listed", async () => {
    const { journal } = await planWith(["ab-1"], [listed("p1", "AB-1"), listed("p2", "ab-1")]);

    expect((await readAll(journal))[0]).toMatchObject({ state: "unchanged", productId: "p2" });
  });

  it("does not hold a row whose own code waits in another run", async () => {
    const taken = [{ code: "ab-1", suspectKey: "ab-1", where: "waiting", id: "run-9" }] as const;
    const { journal } = await planWith(["ab-1"], [], { taken });

    expect(await readStates(journal)).toEqual(["2: ready"]);
  });

  it("says which code in use has the row's title, and that zeros may be lost", async () => {
    const taken = [
      { code: "0102", suspectKey: "102", where: "store", id: "p1", title: " cup  102" },
      { code: "00102", suspectKey: "102", where: "sent", id: "run-9", title: "Jug" },
    ] as const;
    const { journal } = await planWith(["102"], [], { taken });

    const [row] = await readAll(journal);
    expect(row?.payload?.title).toBe("Cup 102");
    expect(row?.issues[0]?.message.tr).toContain(
      "benziyor: mağazada “0102” var (p1) (başlık da aynı), “00102” daha önce gönderildi (run-9); Excel baştaki sıfırları silmiş olabilir. Aynı ürün",
    );
  });

  it("adds a product whose code is known to be another one", async () => {
    const taken = [{ code: "AB-1", suspectKey: "ab-1", where: "store", id: "p1" }] as const;
    const { journal } = await planWith(["ab-1"], [], { taken, areApart: () => true });

    expect(await readStates(journal)).toEqual(["2: ready"]);
  });

  it("searches a number with leading zeros where rows are looked up", async () => {
    const others = listedProducts(1_400).slice(200);
    const { readBy, marketplace } = await planWith(["42"], others);

    expect(readBy).toBe("lookups");
    expect(marketplace.log.filter((request) => request.endsWith(" 000042"))).toHaveLength(3);
  });

  it("looks up the variants of the code where rows are looked up", async () => {
    const others = listedProducts(1_400).slice(200);
    const { journal, readBy } = await planWith(["b3"], [listed("p1", "B3"), ...others]);

    expect(readBy).toBe("lookups");
    expect(await readStates(journal)).toEqual(["2: held"]);
  });

  it("counts the calls for variants when it chooses how to read the store", async () => {
    const plain = await planWith(["77"], listedProducts(160));
    const other = await planWith(["a7"], listedProducts(160));

    expect([plain.readBy, other.readBy]).toEqual(["lookups", "listing"]);
  });
});

describe("planning for a store that rewrites codes", () => {
  const pairs = [{ sent: "xy-9", shown: "XY-9" }];

  it("finds the product under the rewritten code", async () => {
    const { journal, lookAlikes } = await planWith(["ab-1"], [listed("p1", "AB-1")], { pairs });

    expect((await readAll(journal))[0]).toMatchObject({ state: "unchanged", productId: "p1" });
    expect(await lookAlikes.registry.readNormalization()).toEqual(["trim", "upper"]);
  });

  it("uses the remembered rewriting where the listing shows no code of ours", async () => {
    const { journal } = await planWith(["ab-1"], [listed("p1", "AB-1")], {
      normalization: ["upper"],
    });

    expect((await readAll(journal))[0]).toMatchObject({ state: "unchanged", productId: "p1" });
  });

  it("forgets the rewriting once the listing shows a code as it was sent", async () => {
    const known = { normalization: ["upper"], pairs: [{ sent: "xy-9", shown: "xy-9" }] } as const;
    const { journal, lookAlikes } = await planWith(["ab-1"], [listed("p1", "AB-1")], known);

    expect(await readStates(journal)).toEqual(["2: held"]);
    expect(await lookAlikes.registry.readNormalization()).toBeUndefined();
  });

  it("ignores a product whose code was replaced by another one", async () => {
    const renamed = [...pairs, { sent: "q-1", shown: "Z-99" }];
    const { lookAlikes } = await planWith(["ab-1"], [], { pairs: renamed });

    expect(await lookAlikes.registry.readNormalization()).toEqual(["trim", "upper"]);
  });
});
