import { ApiError, PermissionError, ShapeError } from "@catalog/client/errors";
import { createTestConnection } from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { createNameIndexes } from "@catalog/mapping";
import { createFakeNames } from "@catalog/mapping/testing";
import { toSeenProduct } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { toSearchWords } from "../../src/names/market-search.ts";
import type { FoundName } from "../../src/names/open-names.ts";
import { createNameSuggester } from "../../src/names/suggestions.ts";
import { addRules } from "../../src/names/value-rules.ts";

const category = (id: string, name: string, category_path: string) => ({
  id: idSchemas.category.parse(id),
  name,
  category_path,
});
const brand = (id: string, name: string) => ({ id: idSchemas.brand.parse(id), name });

const NAMES = {
  categories: [
    category("c-pan", "Tava", "Ev > Mutfak > Tava"),
    category("c-pot", "Tencere", "Ev > Mutfak > Tencere"),
    category("c-duvet", "Nevresim", "Ev > Tekstil > Nevresim"),
    category("c-set-1", "Takım", "Ev > Tekstil > Takım"),
    category("c-set-2", "Takım", "Ev > Mutfak > Takım"),
    category("c-tablet", "Tablet", "Elektronik > Tablet"),
  ],
  brands: {
    "c-pan": [brand("b-k", "Karaca"), brand("b-t", "Tefal"), brand("b-x", "Xandra")],
    "c-pot": [brand("b-t", "Tefal")],
  },
};

const open = (value: string, rest: Partial<FoundName> = {}): FoundName => ({
  field: "category",
  column: "Kategori",
  value,
  choices: [],
  rows: 1,
  titles: [],
  within: [],
  ...rest,
});

const PAN = { category: idSchemas.category.parse("c-pan") };
const inPans = (value: string, rest: Partial<FoundName> = {}): FoundName =>
  open(value, { field: "brand", column: "Marka", within: [{ ...PAN, rows: 1 }], ...rest });

interface FixtureOptions {
  readonly platform?: string;
  /** Answers of the search by its words; a function throws or returns results. */
  readonly search?: (words: string) => readonly object[];
  readonly callsPerHour?: number;
}

async function createFixture({ platform, search = () => [], callsPerHour }: FixtureOptions = {}) {
  const { connection, clock } = await createTestConnection();
  const calls: string[] = [];
  const product = {
    ...connection.client.product,
    search: async ({ search_key: words }: { search_key: string }) => {
      calls.push(words);
      return { total: 1, result: search(words) };
    },
  };
  const pacing = { ...connection.meters.pacing, callsPerHour: async () => callsPerHour };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the page's results are read
  const client = { ...connection.client, product } as unknown as typeof connection.client;
  const changed = { ...connection, client, meters: { ...connection.meters, pacing } };
  const lists = createNameIndexes(createFakeNames(NAMES));
  const createSuggester = () => createNameSuggester({ connection: changed, lists, platform });
  const suggester = createSuggester();
  return {
    connection,
    clock,
    calls,
    suggester,
    createSuggester,
    suggest: async (...names: readonly FoundName[]) => {
      await suggester.search(names, { max: 100 });
      return (await suggester.suggest(names)).map(({ suggestions }) => suggestions);
    },
  };
}

const seen = (id: string, title: string, category_name: string) =>
  toSeenProduct(id, { title, category_name });

const panOf = (brand_id: string) => ({ title: "Zarif Lacivert", category_id: "c-pan", brand_id });

describe("suggestions", () => {
  it("begin with what most rows can have, and say how many of the categories have it", async () => {
    const { suggest } = await createFixture();
    const pots = idSchemas.category.parse("c-pot");
    const within = [
      { ...PAN, rows: 1 },
      { category: pots, rows: 3 },
    ];
    const name = { within, choices: ["Karaca", "Tefal"] };

    const [whole, part] = await suggest(
      inPans("Karaca Tefal", { ...name, rows: 4 }),
      // Some rows were not looked at.
      inPans("Karaca Tefal", { ...name, rows: 5 }),
    );

    expect(whole?.map(({ target, coverage }) => [target, coverage])).toEqual([
      ["Tefal", undefined],
      ["Karaca", { lists: 1, of: 2 }],
    ]);
    expect(part?.map(({ target, coverage }) => [target, coverage])).toEqual([
      ["Karaca", undefined],
      ["Tefal", undefined],
    ]);
  });

  it("of many names let other work go on meanwhile", async () => {
    const { suggester } = await createFixture();
    await suggester.suggest([open("Tava")]);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await suggester.suggest(Array.from({ length: 8_000 }, (_, at) => open(`Tava ${at}`)));
    clearInterval(timer);

    expect(turns).toBeGreaterThan(1);
  });

  it("begin with the answer for the same text of another platform, which they name", async () => {
    const { suggest, connection } = await createFixture({ platform: "shopify" });
    await addRules(connection.memory, [
      { field: "category@woocommerce", value: "K-01", target: "Ev > Mutfak > Tencere" },
      { field: "category@shopify", value: "K-02", target: "Ev > Mutfak > Tava" },
    ]);

    const [pans, pots] = await suggest(open("k-01"), open("K-02"));

    expect(pans).toEqual([
      {
        target: "Ev > Mutfak > Tencere",
        targetId: "c-pot",
        why: { kind: "answer", source: "woocommerce" },
      },
    ]);
    expect(pots).toEqual([]);
  });

  it("take the answer for the same last name below the same parent", async () => {
    const { suggest, connection } = await createFixture();
    const target = "Ev > Mutfak > Tencere";
    await addRules(connection.memory, [
      { field: "category", value: "Home > Kitchen > Deep", target },
      { field: "category", value: "Home > Pools > Wide", target: "Yok" },
    ]);

    const found = await suggest(
      open("Shop / Kitchen / Deep"),
      open("Sea > Deep"),
      open("A > Wide"),
    );

    const why = { kind: "answer", source: null };
    expect(found).toEqual([[{ target, targetId: "c-pot", why }], [], []]);
  });

  it("count the nearest products of the listing, whose categories it only names", async () => {
    const { suggest, connection } = await createFixture();
    await connection.journal.saveSeen([
      seen("p-1", "Zarif Lacivert 24 cm", "Tava"),
      seen("p-2", "Zarif Lacivert Kapaklı 28 cm", "Tava"),
      // Two leaves have this name, so that it says nothing.
      seen("p-3", "Zarif Lacivert Seti", "Takım"),
      seen("p-4", "Pamuklu Nevresim", "Nevresim"),
    ]);

    const [found] = await suggest(open("K-07", { titles: ["Zarif Lacivert 26 cm"] }));

    expect(found).toEqual([
      {
        target: "Ev > Mutfak > Tava",
        targetId: "c-pan",
        why: { kind: "store", similar: 2, of: 2 },
      },
    ]);
  });

  it("count the brands of similar products on the marketplace, as far as a category has them", async () => {
    const titles = ["Krca Zarif Lacivert 26 cm"];
    const { suggest, calls } = await createFixture({
      search: () => [panOf("b-x"), panOf("b-x"), panOf("b-other")],
    });

    const [cookware, krca] = await suggest(
      open("K-07", { titles }),
      inPans("Karca", { titles, choices: ["Karaca"] }),
    );

    expect(cookware?.[0]).toMatchObject({
      targetId: "c-pan",
      why: { kind: "market", similar: 2, of: 2 },
    });
    expect(krca).toMatchObject([
      { target: "Karaca", targetId: "b-k", why: { kind: "words" } },
      { target: "Xandra", targetId: "b-x", why: { kind: "market", similar: 1, of: 2 } },
    ]);
    // One call serves both.
    expect(calls).toEqual(["Krca Zarif Lacivert"]);
  });

  it("put their targets before the other choices", async () => {
    const titles = ["Zarif Lacivert"];
    const { suggester } = await createFixture({
      search: () => [{ title: "Zarif Lacivert", category_id: "c-pan", brand_id: "b-x" }],
    });
    const name = inPans("KRC", { titles, choices: ["Karaca", "Tefal"] });

    await suggester.search([name], { max: 1 });

    expect(await suggester.suggest([name])).toMatchObject([
      { choices: ["Xandra", "Karaca", "Tefal"], titles, rows: 1, value: "KRC" },
    ]);
  });
});

const titled = (count: number): readonly FoundName[] =>
  Array.from({ length: count }, (_, at) =>
    open(`N${at}`, { titles: [`Ürün ${"abcdefghij"[at]}${"klmnopqrst"[at]}x`], rows: at }),
  );

describe("searches of the marketplace", () => {
  it("begin with the names of most rows, and are at most so many; the rest is said", async () => {
    const { suggester, calls } = await createFixture();
    const names = titled(5);

    const before = await suggester.countSearches(names);
    await suggester.search(names, { max: 2 });

    expect([before, calls]).toEqual([5, ["Ürün eox", "Ürün dnx"]]);
    expect(await suggester.countSearches(names)).toBe(3);
    expect(suggester.notes()[0]?.en).toMatch(/searched 2 times .*; 3 more/u);
  });

  it("are remembered, so that the next plan makes none, with the same suggestions", async () => {
    const { suggest, createSuggester, calls } = await createFixture({
      search: () => [{ title: "Zarif Lacivert", category_id: "c-pan" }],
    });
    const name = open("K-07", { titles: ["Zarif Lacivert 26 cm"] });

    const [first] = await suggest(name);
    const next = createSuggester();
    await next.search([name], { max: 100 });

    expect(first).toHaveLength(1);
    expect((await next.suggest([name]))[0]?.suggestions).toEqual(first);
    expect([calls.length, next.notes()]).toEqual([1, []]);
  });

  it("forget what was found more than a week ago, which nobody reads any more", async () => {
    const { connection, clock, suggester, createSuggester } = await createFixture();
    const { names } = connection.memory;
    const [old, newer] = [titled(1), titled(2).slice(1)];
    await suggester.search(old, { max: 1 });
    const week = 7 * 24 * 60 * 60 * 1000;
    await names.write(`${connection.baseUrl} models c-1 b-1`, []);
    await clock.advance(week);

    const next = createSuggester();
    await next.search(newer, { max: 1 });

    await clock.advance(-week);
    expect(await createSuggester().countSearches([...old, ...newer])).toBe(1);
    expect(await names.read(`${connection.baseUrl} models c-1 b-1`, week)).toEqual([]);
  });

  it("take a tenth of the calls of an hour at most", async () => {
    const { suggester, calls } = await createFixture({ callsPerHour: 40 });

    await suggester.search(titled(9), { max: 100 });

    expect(calls).toHaveLength(4);
  });

  const facts = { endpoint: "product.search", phase: "body" } as const;
  const FAILURES = [
    ["refuses", 1, () => new PermissionError("no", { ...facts, status: 403 })],
    ["does not have them", 1, () => new ApiError("no", { ...facts, status: 404 })],
    ["limits them", 1, () => new ApiError("no", { ...facts, status: 429 })],
    ["fails", 3, () => new ApiError("no", { ...facts, status: 503 })],
    [
      "answers another shape",
      3,
      () => new ShapeError("no", { ...facts, status: 200, reason: "mismatch" }),
    ],
  ] as const;
  it.each(FAILURES)(
    "end where the marketplace %s, after %i, and say so once",
    async (_, made, fail) => {
      const { suggester, calls } = await createFixture({
        search: () => {
          throw fail();
        },
      });
      const names = titled(9);

      await suggester.search(names, { max: 100 });
      await suggester.search(names, { max: 100 });

      // Those under way at the same time end too.
      expect(calls.length).toBeLessThan(made + 4);
      expect(suggester.notes()).toHaveLength(1);
      expect(await suggester.suggest(names)).toHaveLength(9);
    },
  );

  it("throw what is no failure of the marketplace", async () => {
    const { suggester } = await createFixture({
      search: () => {
        throw new TypeError("a bug");
      },
    });

    await expect(suggester.search(titled(1), { max: 1 })).rejects.toThrow("a bug");
  });

  it.each([
    [["Karaca Emily Granit Derin Tencere 24 cm"], "Granit Derin Tencere"],
    [["Single Duvet Cover, Cotton, White"], "Single Duvet Cover"],
    [["Samsung Galaxy A55 8/256 GB Akıllı Telefon"], "Galaxy Akıllı Telefon"],
    [["Granit Tava 26 cm", "Döküm Tava 28 cm"], "Tava"],
    [["Mavi Kupa", "Tabak"], "Mavi Kupa"],
    [["12 34", "!?"], ""],
    [[], ""],
    [["x".repeat(9_000)], "x".repeat(160)],
  ])("ask for the words of %j that say what it is", (titles, words) => {
    expect(toSearchWords(titles)).toBe(words);
  });
});
