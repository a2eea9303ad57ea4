import { describe, expect, it } from "vitest";

import { createCategoryFinder } from "../../src/names/category-finder.ts";

const TREE = [
  { name: "Masa", above: ["Ev", "Mobilya"] },
  { name: "Sandalye", above: ["Ev", "Mobilya"] },
  { name: "Tablet", above: ["Elektronik"] },
  { name: "Tablo", above: ["Ev", "Dekorasyon"] },
  { name: "Lens", above: ["Sağlık"] },
  { name: "Erkek Ayakkabı", above: ["Giyim"] },
  { name: "Nevresim Takımı", above: ["Ev", "Ev Tekstili"] },
  { name: "Yüzük", above: ["Takı"] },
  { name: "Masa Örtüsü", above: ["Ev", "Ev Tekstili"] },
  { name: "Yemek Masası", above: ["Ev", "Yemek Odası"] },
  { name: "O-Ring", above: ["Endüstri"] },
  { name: "Sele", above: ["Spor"] },
  { name: "Spot Lamba", above: ["Ev", "Aydınlatma"] },
  { name: "Meyve", above: ["Gıda"] },
  { name: "Sebze", above: ["Gıda"] },
];
const finder = createCategoryFinder(TREE);
const named = (...parts: readonly string[]): readonly (string | undefined)[] =>
  finder.find({ parts }).map(({ at }) => TREE[at]?.name);

describe("a category of a file in English", () => {
  it.each([
    ["Tables", ["Masa", "Yemek Masası", "Masa Örtüsü"]],
    ["TABLES", ["Masa", "Yemek Masası", "Masa Örtüsü"]],
    ["Chairs", ["Sandalye"]],
    ["Rings", ["Yüzük", "O-Ring"]],
    ["mens-shoes", ["Erkek Ayakkabı"]],
    ["Duvet Covers", ["Nevresim Takımı"]],
    ["Tablets", ["Tablet"]],
    ["Strawberries", ["Meyve"]],
    ["Lemons", ["Meyve"]],
    ["Tomatoes", ["Sebze"]],
    ["Sports", []],
    ["New in", []],
    ["Sale", []],
    ["Novels", []],
  ])("is found by what it means, not by its letters: %s", (text, found) => {
    expect(named(text)).toEqual(found);
  });

  it("is found in titles too", () => {
    const found = finder.find({ parts: ["New in"], titles: ["Oak Dining Table, 140 cm"] });

    expect(found.map(({ at }) => TREE[at]?.name)).toEqual(["Yemek Masası"]);
  });
});

const LETTERS = [
  { name: "Diş Macunu", above: ["Bakım"] },
  { name: "Dış Cephe Boyası", above: ["Boya"] },
  { name: "Saç Maşası", above: ["Bakım"] },
  { name: "Ütü Masası", above: ["Ev"] },
  { name: "Yılbaşı Ağacı", above: ["Ev"] },
  { name: "Aksesuar", above: ["Telefon"] },
  { name: "Güneş Gözlüğü", above: ["Giyim"] },
  { name: "Bardak", above: ["Ev"] },
];
const lettersFinder = createCategoryFinder(LETTERS);

it.each([
  ["Outdoor", "Dış Cephe Boyası", "Diş Macunu"],
  ["Tables", "Ütü Masası", "Saç Maşası"],
  ["Dış", "Dış Cephe Boyası", "Diş Macunu"],
  ["Masa Üstü", "Ütü Masası", "Saç Maşası"],
  ["Ağaç", "Yılbaşı Ağacı", "Bardak"],
  ["dis macunu", "Diş Macunu", "Ütü Masası"],
  ["mobile-assesories", "Aksesuar", "Bardak"],
  ["sun glasses", "Güneş Gözlüğü", "Bardak"],
])("the letters of %s lead to %s, not to %s", (text, found, other) => {
  const names = lettersFinder.find({ parts: [text] }).map(({ at }) => LETTERS[at]?.name);

  expect(names[0]).toBe(found);
  expect(names).not.toContain(other);
});

const PEOPLE = ["Kadın", "Erkek", "Çocuk", "Erkek Çocuk", "Ev"].map((above) => ({
  name: "Gömlek",
  above: ["Giyim", above],
}));
const peopleFinder = createCategoryFinder(PEOPLE);

it.each([
  ["Men > Shirts", ["Erkek"]],
  ["Women > Shirts", ["Kadın"]],
  ["womens-shirts", ["Kadın"]],
  ["Kids > Shirts", ["Çocuk", "Erkek Çocuk"]],
  ["Erkek Çocuk > Gömlekler", ["Çocuk", "Erkek Çocuk"]],
])("a category for other people comes last: %s", (text, people) => {
  const found = peopleFinder.find({ parts: text.split(" > "), limit: 5 });
  const first = found.slice(0, people.length).map(({ at }) => PEOPLE[at]?.above[1]);

  expect(new Set(first)).toEqual(new Set(people));
});

describe("a category of a file in the language of the tree", () => {
  it.each([
    ["Tablett", "Tablet"],
    ["Ayakabı", "Erkek Ayakkabı"],
    ["Masalar", "Masa"],
    ["Mobilya > Sandalyeler", "Sandalye"],
    ["nevresimtakimi", "Nevresim Takımı"],
  ])("may have a slip or another ending: %s", (text, name) => {
    expect(named(...text.split(" > "))[0]).toBe(name);
  });
});

it.each([
  ["English", ["Tables", "Chairs", "Sofas", "Tablets"], "foreign"],
  ["English with words of both", ["Tablets", "Tablet Lens", "Tables"], "foreign"],
  ["Turkish", ["Masalar", "Sandalyeler", "Tabletler", "Top"], "own"],
  ["Turkish with slips", ["Masalr", "Sandalye", "Ayakabı"], "own"],
  ["one with other words only", ["Zırhlı Gergedan"], undefined],
  [
    "German",
    [
      "Tische",
      "Stühle",
      "Sessel",
      "Betten",
      "Lampen",
      "Regale",
      "Uhren",
      "Ringe",
      "Hemden",
      "Hosen",
    ],
    "foreign",
  ],
  ["none", [], undefined],
])("the language of a file is judged by all its names: %s", (_, texts, language) => {
  expect(finder.judge(texts)).toBe(language);
});
