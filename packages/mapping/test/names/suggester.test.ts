import { expect, it } from "vitest";

import { createSuggester } from "../../src/names/suggester.ts";

const names = ["Kütahya Porselen", "Bosch", "LC Waikiki", "Vestel", "Beko", "Boss", "Bosca"];
const suggest = createSuggester(names.map((name) => ({ name })));
const named = (text: string): readonly (string | undefined)[] =>
  suggest([text]).map((position) => names[position]);

it("suggests a name with two letters swapped", () => {
  expect(named("Bsoch")[0]).toBe("Bosch");
});

it("suggests a name with its words in another order", () => {
  expect(named("porselen kutahya")[0]).toBe("Kütahya Porselen");
});

it.each([
  ["Acmee", ["Acme Plus", "Acme"]],
  ["Acmee", ["Acme Plus", "Acme Pro", "Acme Max", "Acme"]],
  ["Acme", ["Acme Plus", "Acmena", "Acmee"]],
])("suggests first the name that differs by the fewest letters from %s: %j", (text, list) => {
  const find = createSuggester(list.map((name) => ({ name })));

  expect(list[find([text])[0] ?? -1]).toBe(list.at(-1));
});

it("suggests a name of a path by the names above it, not by its letters alone", () => {
  const list = [
    { name: "Cekett", above: ["Ev", "Aksesuar"] },
    { name: "Ceketler", above: ["Giyim", "Kadın"] },
  ];

  expect(createSuggester(list)(["Giyim", "Kadın", "Ceket"])[0]).toBe(1);
});

it("suggests a name by its beginning", () => {
  expect(named("waik")).toContain("LC Waikiki");
});

it("suggests at most three names and none that is far away", () => {
  expect(named("Bosc").length).toBeLessThanOrEqual(3);
  expect(named("Xyzzyx")).toEqual([]);
  expect(named(" ")).toEqual([]);
});

it("suggests more than three names only for a higher limit", () => {
  expect(suggest(["Bosc"])).toHaveLength(3);
  expect(suggest(["bos"], 10).map((position) => names[position])).toEqual(
    expect.arrayContaining(["Bosch", "Boss", "Bosca"]),
  );
  expect(suggest(["bos"], 1)).toHaveLength(1);
});

it("suggests nothing for a text of which hardly a word is in a name", () => {
  const find = createSuggester([
    { name: "Dübel", above: ["Yapı Market & Bahçe", "Hırdavat", "Bağlantı Elemanları"] },
    { name: "Direksiyon Seti", above: ["Oto", "Oto Aksesuar"] },
    { name: "Topuklu Ayakkabı", above: ["Giyim", "Kadın"] },
  ]);

  expect(
    find(["Home & Garden", "Linens & Bedding", "Bedding", "Quilts & Comforters", "Duvet Covers"]),
  ).toEqual([]);
  expect(find(["Duvet Covers"])).toEqual([]);
  expect(
    find(["Home & Garden", "Kitchen & Dining", "Cookware & Bakeware", "Cookware Sets"]),
  ).toEqual([]);
  expect(find(["Apparel & Accessories", "Clothing", "Clothing Tops", "T-Shirts"])).toEqual([]);
});
