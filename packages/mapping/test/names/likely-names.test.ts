import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createLikelyNames, type NameMeaning } from "../../src/names/likely-names.ts";
import { createTitleIndex, type KnownProduct } from "../../src/names/title-index.ts";

const CATEGORIES: readonly NameMeaning[] = [
  { id: "pan", name: "Tava", above: ["Ev & Mutfak", "Mutfak"] },
  { id: "pot", name: "Tencere", above: ["Ev & Mutfak", "Mutfak"] },
  { id: "duvet", name: "Nevresim Takımı", above: ["Ev & Mutfak", "Ev Tekstili"] },
  { id: "tablet", name: "Tablet", above: ["Elektronik", "Bilgisayar"] },
  { id: "shoe", name: "Spor Ayakkabı", above: ["Giyim", "Ayakkabı"] },
];

const PRODUCTS: readonly KnownProduct[] = [
  { title: "Karaca Granit Tava 28 cm", category: "pan", brand: "karaca" },
  { title: "Tefal Titanyum Tava 24 cm", category: "pan", brand: "tefal" },
  { title: "Karaca Derin Tencere 24 cm", category: "pot", brand: "karaca" },
  { title: "Taç Çift Kişilik Nevresim Takımı", category: "duvet", brand: "tac" },
  { title: "Cotton Double Duvet Cover Set", category: "duvet", brand: "tac" },
  { title: "Trendline Koşu Ayakkabısı Siyah 42", category: "shoe", brand: "trendline" },
];

describe("votes of known products", () => {
  const index = createTitleIndex(PRODUCTS);

  it.each([
    ["of the same kind", ["Granit Döküm Tava 26 cm"], "pan"],
    ["in another language", ["Single Duvet Cover, Cotton"], "duvet"],
    ["that repeats them in other case", ["KOŞU AYAKKABISI"], "shoe"],
    ["of several rows", ["Derin Tencere", "Çelik tencere 20cm"], "pot"],
  ])("go to the category of a title %s", (_, titles, category) => {
    expect(index.vote(titles, "category")[0]?.meaning).toBe(category);
  });

  it("say how many similar products have the meaning", () => {
    const [vote] = index.vote(["Karaca Tava 28 cm"], "category");

    expect(vote).toMatchObject({ meaning: "pan", similar: 2, of: 3 });
  });

  it.each([[[]], [[""]], [["   "]], [["#!?"]], [["xq zzyv"]], [["日本語"]]])(
    "are none for %j",
    (titles) => {
      expect(index.vote(titles, "category")).toEqual([]);
    },
  );

  it("are none where no product has the meaning that is asked for", () => {
    expect(index.vote(["Granit Tava"], "model")).toEqual([]);
  });

  it("know the thing that many of the store's products are", () => {
    const rings = Array.from({ length: 600 }, (_, n) => ({
      title: `Yüzük ${n}`,
      category: "ring",
    }));
    const pins = Array.from({ length: 600 }, (_, n) => ({ title: `Broş ${n}`, category: "pin" }));

    const [vote] = createTitleIndex([...rings, ...pins]).vote(["YÜZÜK"], "category");

    expect(vote?.meaning).toBe("ring");
  });

  it("keep small categories where there are too many products", () => {
    const many = Array.from({ length: 500 }, (_, n) => ({ title: `Kupa ${n}`, category: "cup" }));

    const small = createTitleIndex([...many, ...PRODUCTS], { maxProducts: 50 });

    expect(small.size).toBeLessThanOrEqual(50);
    expect(small.vote(["Granit Tava"], "category")[0]?.meaning).toBe("pan");
  });

  it("do not depend on the order of the products", () => {
    const title = fc.constantFrom(...PRODUCTS.map((product) => product.title));
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...PRODUCTS], { minLength: PRODUCTS.length }),
        title,
        (shuffled, query) => {
          expect(createTitleIndex(shuffled).vote([query], "brand")).toEqual(
            index.vote([query], "brand"),
          );
        },
      ),
    );
  });
});

const suggestFor = (
  text: string,
  open: { titles?: readonly string[]; answers?: readonly string[]; results?: KnownProduct[] } = {},
  products: readonly KnownProduct[] = [],
) =>
  createLikelyNames({
    field: "category",
    meanings: CATEGORIES,
    texts: [text],
    products: createTitleIndex(products),
  }).suggest({
    text,
    titles: open.titles,
    answers: open.answers,
    market: createTitleIndex(open.results ?? []).vote(open.titles ?? [], "category"),
  });

describe("suggestions for a category", () => {
  it("begin with an earlier answer", () => {
    const found = suggestFor("Tava", { answers: ["pot"], titles: ["Granit Tava"] }, PRODUCTS);

    expect(found.map(({ id }) => id)).toEqual(["pot", "pan"]);
    expect(found[0]?.why).toEqual({ kind: "answer" });
  });

  it("take the category of similar products of the store, and say of how many", () => {
    expect(suggestFor("Linens", { titles: ["Cotton Duvet Cover"] }, PRODUCTS)).toEqual([
      { id: "duvet", why: { kind: "store", similar: 1, of: 1 } },
    ]);
  });

  it("take the category of similar products of the marketplace, and say of how many", () => {
    const results = PRODUCTS.map((product) => ({ ...product }));

    expect(suggestFor("Linens", { titles: ["Cotton Duvet Cover"], results })).toEqual([
      { id: "duvet", why: { kind: "market", similar: 1, of: 1 } },
    ]);
  });

  it("lose nothing to a search that answers nonsense", () => {
    const results = [{ title: "Trendline Koşu Ayakkabısı", category: "shoe" }];

    expect(suggestFor("Konfor", { titles: ["Lale Ranforce 200x220"], results })).toEqual([]);
  });

  it("are found by words, in the text and in a title", () => {
    expect(suggestFor("Mutfak > Tavalar")[0]).toEqual({ id: "pan", why: { kind: "words" } });
    expect(suggestFor("X1", { titles: ["Granit Tava 24 cm"] })[0]?.id).toBe("pan");
  });

  it.each([
    ["one that says what it is", ["Steel Pan With Lid"], ["pan"]],
    ["one with the whole name", ["Tava, Granit Saplı Kapak"], ["pan"]],
    ["one in which it is a colour", ["Cream Shoe Rack"], []],
    ["several", ["Nevresim mavi desenli", "Nevresim kırmızı desenli"], ["duvet"]],
    ["one with a number", ["Dolap 9"], []],
  ])("are found by titles alone only in %s", (_, titles, ids) => {
    const found = suggestFor("X1", { titles });

    expect(found).toEqual(ids.map((id) => ({ id, why: { kind: "titles" } })));
  });

  it("are in the tree, whatever products and answers say", () => {
    const products = [{ title: "Granit Tava", category: "gone" }];
    const found = suggestFor(
      "Granit",
      { titles: ["Granit Tava"], answers: ["gone"], results: products },
      products,
    );

    expect(found.map(({ id }) => id)).not.toContain("gone");
  });

  it("are different ones of the tree, at most three, whatever is known", () => {
    const meaning = fc.constantFrom("pan", "pot", "duvet", "gone", "");
    const title = fc.oneof(
      fc.constantFrom(...PRODUCTS.map((product) => product.title)),
      fc.string(),
    );
    const product = fc.record({ title, category: meaning });
    fc.assert(
      fc.property(
        fc.record({
          text: fc.oneof(title, fc.constantFrom("Tables", "Mutfak > Tavalar", "a > b > > c")),
          titles: fc.array(title, { maxLength: 2 }),
          answers: fc.array(meaning, { maxLength: 3 }),
          results: fc.array(product, { maxLength: 5 }),
        }),
        fc.array(product, { maxLength: 8 }),
        ({ text, ...open }, products) => {
          const found = suggestFor(text, open, products).map(({ id }) => id);

          expect(found.length).toBeLessThanOrEqual(3);
          expect(new Set(found).size).toBe(found.length);
          expect(CATEGORIES.map(({ id }) => id)).toEqual(expect.arrayContaining(found));
        },
      ),
      { numRuns: 50 },
    );
  });

  it("are at most three, in linear time for a hostile title", () => {
    const long = "tava tencere nevresim ayakkabı tablet ".repeat(20_000);

    expect(suggestFor(long, { titles: [long, long] }, PRODUCTS).length).toBeLessThanOrEqual(3);
  });
});

it("suggests brands by slips and by similar products", () => {
  const names = createLikelyNames({
    field: "brand",
    meanings: [
      { id: "karaca", name: "Karaca" },
      { id: "tac", name: "Taç" },
    ],
    texts: ["Karcaa", "TC Home"],
    products: createTitleIndex(PRODUCTS),
  });

  expect(names.suggest({ text: "Karcaa" })).toEqual([{ id: "karaca", why: { kind: "words" } }]);
  expect(names.suggest({ text: "TC Home", titles: ["Cotton Duvet Cover"] })).toEqual([
    { id: "tac", why: { kind: "store", similar: 1, of: 1 } },
  ]);
});
