import { idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createCategoryIndex } from "../../src/names/categories.ts";
import { CATEGORIES, id } from "../helpers/catalog.ts";

const index = createCategoryIndex(CATEGORIES);

const brief = (text: string): string => {
  const resolution = index.resolve(text);
  if (resolution.kind === "found") return resolution.item.path;
  if (resolution.kind === "not-leaf") {
    return `above ${resolution.node.children.map(({ category }) => category.name).join()}`;
  }
  const nodes = resolution.kind === "unknown" ? resolution.suggestions : resolution.candidates;
  return `${resolution.kind} ${nodes.map(({ path }) => path).join()}`;
};

describe("createCategoryIndex", () => {
  it.each<readonly [string, string]>([
    ["Ev > Mutfak > Kaşık", "Ev > Mutfak > Kaşık"],
    ["EV>mutfak >KASIK", "Ev > Mutfak > Kaşık"],
    ["Ev / Mutfak / Kaşık", "Ev > Mutfak > Kaşık"],
    ["Ev/Mutfak/Kaşık", "Ev > Mutfak > Kaşık"],
    ["Ev » Mutfak » Kaşık", "Ev > Mutfak > Kaşık"],
    ["kaşık", "Ev > Mutfak > Kaşık"],
    ["4711", "Ev > Mutfak > Kaşık"],
    [id(3), "Ev > Mutfak > Kaşık"],
    ["Aksesuar", "ambiguous Ev > Mutfak > Aksesuar,Oto > Aksesuar"],
    ["Oto > Aksesuar", "Oto > Aksesuar"],
    ["Mutfak", "above Kaşık,Aksesuar"],
    ["Ev > Mutfak", "above Kaşık,Aksesuar"],
    [id(2), "above Kaşık,Aksesuar"],
    ["Kaşk", "unknown Ev > Mutfak > Kaşık"],
    ["Yanlış > Kaşık", "unknown Ev > Mutfak > Kaşık"],
    ["9999", "unknown "],
    [id(99), "unknown "],
  ])("resolves the category %s to %s", (text, expected) => expect(brief(text)).toBe(expected));
});

const listed = (n: number, path: string) => ({
  id: idSchemas.category.parse(id(n)),
  name: path.split(" > ").at(-1) ?? "",
  category_path: path,
});

describe("categories that differ in signs", () => {
  const signs = createCategoryIndex([
    listed(1, "Kitap > C"),
    listed(2, "Kitap > C++"),
    listed(3, "Kitap > Anne & Bebek"),
    listed(4, "Oyun > 18+ Oyun"),
    listed(5, "Oyun > 1/18 Ölçek"),
    listed(6, "Oyun > Levi's 501"),
  ]);
  const nameOf = (text: string): string => {
    const resolution = signs.resolve(text);
    return resolution.kind === "found" ? resolution.item.category.name : resolution.kind;
  };

  it.each<readonly [string, string]>([
    ["Kitap > C++", "C++"],
    ["KİTAP/C++", "C++"],
    ["Kitap > C", "C"],
    ["Kitap > C#", "unknown"],
    ["c#", "unknown"],
    ["Oyun > 18 Oyun", "unknown"],
    ["18 oyun", "unknown"],
    ["Kitap -> C ++", "C++"],
  ])("resolves %s to %s", (text, expected) => expect(nameOf(text)).toBe(expected));

  const ways = [
    "Kitap > Anne & Bebek",
    "Kitap > Anne + Bebek",
    "Kitap > Anne+Bebek",
    "Kitap > Anne Bebek",
    "Kitap->Anne & Bebek",
    "Kitap => Anne & Bebek",
    "Kitap >> Anne & Bebek >",
    "> Kitap > Anne & Bebek",
    '"Kitap > Anne & Bebek"',
    "Kitap / Anne & Bebek",
    "Kitap/Anne & Bebek",
    "kitap/anne-bebek-",
    "Anne + Bebek >",
    "anne-bebek",
  ];
  it.each(ways)("resolves %s to its category", (text) => expect(nameOf(text)).toBe("Anne & Bebek"));

  it("accepts slashes, quotes and apostrophes within names", () => {
    const texts = ["Oyun/1/18 Ölçek", "Oyun > 1:18 Ölçek", '"Oyun > Levi’s 501"', "Levi s 501"];

    expect(texts.map((text) => nameOf(text))).toEqual([
      "1/18 Ölçek",
      "1/18 Ölçek",
      "Levi's 501",
      "Levi's 501",
    ]);
  });
});

const found = (text: string, limit = 10): readonly string[] =>
  index.search(text, limit).map(({ item, match }) => `${match} ${item.path}`);

describe("search of CategoryIndex", () => {
  it("returns both categories of one name as exact", () => {
    expect(found("aksesuar").slice(0, 2)).toEqual([
      "exact Ev > Mutfak > Aksesuar",
      "exact Oto > Aksesuar",
    ]);
  });

  it("finds a category with children", () => {
    expect(found("Mutfak")[0]).toBe("exact Ev > Mutfak");
  });

  it("finds words of the path in any order", () => {
    expect(found("aksesuar oto")).toContain("similar Oto > Aksesuar");
  });

  it("puts a category with the word before one that is only spelled alike", () => {
    const tree = createCategoryIndex([
      listed(1, "Ev > Testere"),
      listed(2, "Ev > Düdüklü Tencere"),
    ]);

    const names = tree.search("tencere", 5).map(({ item }) => item.category.name);

    expect(names).toEqual(["Düdüklü Tencere", "Testere"]);
  });

  it("returns at most limit categories", () => {
    expect(found("aksesuar", 1)).toEqual(["exact Ev > Mutfak > Aksesuar"]);
  });
});
