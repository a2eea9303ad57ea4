import { createSandboxCatalog } from "@catalog/sandbox";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, type ProductRow, writeWorkbook } from "../../helpers/product-sheet.ts";

const catalog = createSandboxCatalog();
const NAMES = 12;
const leaves = catalog.categories.filter(({ id }) => catalog.isLeaf(id)).slice(0, NAMES);

/** A word of its own for each kind of product, which no category has. */
const kindOf = (at: number): string => `Xqo${"abcdefghijkl"[at % NAMES]}zu`;

/** Products of other stores, whose categories the file names in its own way. */
const OFFERS = leaves.flatMap(({ id }, at) =>
  ["Lacivert", "Turuncu", "Haki"].map((colour) => ({
    title: `${colour} ${kindOf(at)} Wvb`,
    categoryId: id,
  })),
);

/** The file's own name of a kind of product, which is like no name of the store. */
const nameOf = (at: number): string => `Zq${"abcdefghijkl"[at % NAMES]}xw`;

const titleOf = (at: number): string =>
  `${["Bordo", "Beyaz", "Bej"][Math.floor(at / NAMES)]} ${kindOf(at)} Wvb`;

const rows: readonly ProductRow[] = Array.from({ length: 3 * NAMES }, (_, at) =>
  goodRow(at + 1, {
    "Kategori *": nameOf(at),
    "Başlık *": titleOf(at),
    "Marka *": "Xqy",
  }),
);

type Search = "every-word" | "any-word" | "nonsense" | "403" | "404" | "429";

async function openShop(search: Search): Promise<TestStore & { readonly file: string }> {
  const personality = { "product-search": search };
  const shop = await openTestStore({ personality, offers: OFFERS });
  return { ...shop, file: await writeWorkbook(shop.folder, "urunler.xlsx", rows) };
}

const searchesOf = ({ sandbox }: TestStore): number =>
  sandbox.stats().byEndpoint["product.search"] ?? 0;

/** A plan without its suggestions, and without what differs between any two plans. */
function withoutSuggestions(plan: Awaited<ReturnType<TestStore["json"]>>) {
  const { run: _run, files: _files, notes: _notes, requests: _requests, ...rest } = plan;
  return JSON.parse(
    JSON.stringify(rest, (key, value: unknown) =>
      key === "suggestions" || key === "choices" ? undefined : value,
    ),
  );
}

const NO_MARKET = expect.not.stringContaining('"market"');

describe("the names of a file that the store does not have", () => {
  it("are suggested by products of other stores, with one search each at most, once", async () => {
    const shop = await openShop("any-word");

    const first = await shop.json("plan", shop.file);
    const searches = searchesOf(shop);
    const second = await shop.json("plan", shop.file);

    expect(searches).toBe(NAMES);
    expect(first).toMatchObject({
      open_names: leaves.map(({ id, category_path: target }, at) => ({
        value: nameOf(at),
        rows: 3,
        titles: [titleOf(at), titleOf(at + NAMES)],
        choices: expect.arrayContaining([target]),
        suggestions: [
          {
            target,
            target_id: id,
            why: { kind: "market", similar: 3, of: 3 },
            text: "Pazaryerindeki 3 benzer üründen 3 tanesi burada",
          },
        ],
      })),
      notes: expect.arrayContaining([
        `Anlaşılamayan adlar için pazaryerinde ${NAMES} arama yapıldı.`,
      ]),
    });
    expect(searchesOf(shop)).toBe(searches);
    expect(second["open_names"]).toEqual(first["open_names"]);
  });

  it("are searched by nothing where a flag forbids it", async () => {
    const shop = await openShop("any-word");

    const plan = await shop.json("plan", shop.file, "--no-market-search");

    expect(searchesOf(shop)).toBe(0);
    expect(JSON.stringify(plan)).toEqual(NO_MARKET);
  });

  it("are searched for in a list of them, with at most as many calls as it says", async () => {
    const shop = await openShop("every-word");

    const { err } = await shop.run("map", shop.file);

    expect(err).toContain(`pazaryerinde en çok ${NAMES} arama yapılacak`);
    expect(searchesOf(shop)).toBeLessThanOrEqual(NAMES);
  });

  it.each([
    ["nonsense", /12 arama yapıldı|kullanılamadı/u],
    ["403", /kullanılamadı/u],
    ["404", /kullanılamadı/u],
    ["429", /kullanılamadı/u],
  ] as const)(
    "lose their suggestions, and nothing else, to a search that is %s",
    async (search, note) => {
      const shop = await openShop(search);

      const searched = await shop.json("plan", shop.file);
      const made = searchesOf(shop);
      const plain = await shop.json("plan", shop.file, "--no-market-search");

      expect([made > 0, made <= NAMES]).toEqual([true, true]);
      expect(withoutSuggestions(searched)).toEqual(withoutSuggestions(plain));
      expect(JSON.stringify(searched)).toEqual(NO_MARKET);
      expect(searched).toMatchObject({
        notes: expect.arrayContaining([expect.stringMatching(note)]),
      });
    },
  );
});
