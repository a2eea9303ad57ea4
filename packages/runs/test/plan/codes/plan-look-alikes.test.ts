import { describe, expect, it } from "vitest";

import { type CodePair, type CodeWay } from "../../../src/plan/codes/code-normalization.ts";
import { type AlikeOptions } from "../../../src/plan/codes/look-alike-codes.ts";
import { type CodeBook, type TakenCode } from "../../../src/ports/code-registry.ts";
import { type Marketplace } from "../../../src/ports/marketplace.ts";
import { type FakeProduct, type MemoryJournal } from "../../../src/testing.ts";
import { openScene, readAll, shelf } from "../../helpers/plan-fixture.ts";
import { onShelf } from "../../helpers/products.ts";
import { readStates } from "../../helpers/rows.ts";

const exactKey = (code: string): string => code;
const suspectKey = (code: string): string => code.toLowerCase().replaceAll(/[ ']/gu, "");

interface Known {
  readonly pairs?: readonly CodePair[];
  readonly way?: CodeWay;
  readonly taken?: readonly TakenCode[];
  readonly isAllowed?: boolean;
}

/** Creates a code registry over the journal's listing cache and the given codes. */
function createAlike(journal: () => MemoryJournal, known: Known = {}): AlikeOptions {
  let way = known.way;
  const book: CodeBook = {
    async readAlike(_runId, keys) {
      const codes = ["AB-1", "A 2", ...Array.from({ length: 200 }, (_, n) => `B${n}`)];
      const seen = await journal().readSeenByCode(codes);
      const taken = seen.map(({ codeKey: code, product: { id } }): TakenCode => {
        return { code, suspectKey: suspectKey(code), where: "store", id };
      });
      return [...taken, ...(known.taken ?? [])].filter((one) => keys.includes(one.suspectKey));
    },
    readPairs: async () => known.pairs ?? [],
    readWay: async () => way,
    saveWay: async (learnt) => {
      way = learnt;
    },
  };
  return { book, suspectKey, isAllowed: known.isAllowed };
}

async function planWith(
  codes: readonly string[],
  products: readonly FakeProduct[],
  known: Known = {},
) {
  const scene = await openScene(codes, products);
  const alike = createAlike(() => scene.journal, known);
  const marketplace: Marketplace = {
    ...scene.marketplace,
    async *listProducts(query) {
      for await (const product of scene.marketplace.listProducts(query)) {
        if (query.code === undefined || product.product_code === query.code) yield product;
      }
    },
  };
  const facts = await scene.planAll({ codeKey: exactKey, alike, marketplace });
  return { ...scene, ...facts, alike };
}

describe("planning a row whose code looks like one in use", () => {
  it("holds the row as an add, with both codes in the issue", async () => {
    const { journal } = await planWith(
      ["ab-1", "A2"],
      [onShelf("p1", "AB-1"), onShelf("p2", "A 2")],
    );

    const [first, second] = await readAll(journal);
    expect([first?.state, second?.state]).toEqual(["held", "held"]);
    expect(first).toMatchObject({ action: "add", payload: { product_code: "ab-1" } });
    expect(first?.issues).toMatchObject([{ code: "E_CODE_SUSPECT" }]);
    expect(first?.issues[0]?.message.tr).toContain('"ab-1" ~ mağazada "AB-1" (p1)');
    expect(second?.issues[0]?.message.en).toContain('"A2" ~ "A 2" in the store (p2)');
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

  it("adds the product where a person has allowed look-alike codes", async () => {
    const { journal } = await planWith(["ab-1"], [onShelf("p1", "AB-1")], { isAllowed: true });

    expect(await readStates(journal)).toEqual(["2: ready"]);
  });

  it("compares the row with the product of its own code where both codes are listed", async () => {
    const { journal } = await planWith(["ab-1"], [onShelf("p1", "AB-1"), onShelf("p2", "ab-1")]);

    expect((await readAll(journal))[0]).toMatchObject({ state: "unchanged", productId: "p2" });
  });

  it("does not hold a row whose own code waits in another run", async () => {
    const taken = [{ code: "ab-1", suspectKey: "ab-1", where: "waiting", id: "run-9" }] as const;
    const { journal } = await planWith(["ab-1"], [], { taken });

    expect(await readStates(journal)).toEqual(["2: ready"]);
  });

  it("looks up the variants of the code where rows are looked up", async () => {
    const others = shelf(400).slice(200);
    const { journal, readBy } = await planWith(["b3"], [onShelf("p1", "B3"), ...others]);

    expect(readBy).toBe("lookups");
    expect(await readStates(journal)).toEqual(["2: held"]);
  });

  it("counts the calls for variants when it chooses how to read the store", async () => {
    const plain = await planWith(["77"], shelf(110));
    const other = await planWith(["a7"], shelf(110));

    expect([plain.readBy, other.readBy]).toEqual(["lookups", "listing"]);
  });
});

describe("planning for a store that rewrites codes", () => {
  const pairs = [{ sent: "xy-9", shown: "XY-9" }];

  it("finds the product under the rewritten code", async () => {
    const { journal, alike } = await planWith(["ab-1"], [onShelf("p1", "AB-1")], { pairs });

    expect((await readAll(journal))[0]).toMatchObject({ state: "unchanged", productId: "p1" });
    expect(await alike.book.readWay()).toEqual(["trim", "upper"]);
  });

  it("uses the remembered rewriting where the listing shows no code of ours", async () => {
    const { journal } = await planWith(["ab-1"], [onShelf("p1", "AB-1")], { way: ["upper"] });

    expect((await readAll(journal))[0]).toMatchObject({ state: "unchanged", productId: "p1" });
  });

  it("forgets the rewriting once the listing shows a code as it was sent", async () => {
    const known = { way: ["upper"], pairs: [{ sent: "xy-9", shown: "xy-9" }] } as const;
    const { journal, alike } = await planWith(["ab-1"], [onShelf("p1", "AB-1")], known);

    expect(await readStates(journal)).toEqual(["2: held"]);
    expect(await alike.book.readWay()).toBeUndefined();
  });

  it("ignores a product whose code was replaced by another one", async () => {
    const renamed = [...pairs, { sent: "q-1", shown: "Z-99" }];
    const { alike } = await planWith(["ab-1"], [], { pairs: renamed });

    expect(await alike.book.readWay()).toEqual(["trim", "upper"]);
  });
});
