import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createNameIndex } from "../../src/names/name-index.ts";
import { createSuggester, findNearestName, rankLiteral } from "../../src/names/suggester.ts";

const WORDS = ["kahve", "makinesi", "makineleri", "kasik", "kasiklik", "tava", "kahvemakinesi"];

function similarTo(word: string): readonly string[] {
  const find = createSuggester(WORDS.map((name) => ({ name })));
  return find([word]).map((at) => WORDS[at] ?? "");
}

describe("words similar to a typed one", () => {
  it.each([
    ["an equal one", "tava", ["tava"]],
    ["one with a letter lost", "kahv", ["kahve"]],
    ["one with two letters in the wrong order", "kavhe", ["kahve"]],
    ["one with another ending", "makinesine", ["makinesi"]],
    ["one that begins with it", "kas", ["kasik"]],
    ["none", "xyzzy", []],
  ])("are found: %s", (_, word, found) => {
    expect(similarTo(word).slice(0, found.length)).toEqual(found);
    if (found.length === 0) expect(similarTo(word)).toEqual([]);
  });

  it("hold every word with one typing error, however it is typed", () => {
    const letters = fc.string({
      unit: fc.constantFrom("a", "b", "c", "d", "k"),
      minLength: 3,
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 20 }),
        fc.nat(),
        fc.nat(),
        (words, which, at) => {
          const word = words[which % words.length] ?? "";
          const typed = word.slice(0, at % word.length) + "z" + word.slice(at % word.length);
          const find = createSuggester(words.map((name) => ({ name })));

          expect(find([typed], words.length).map((found) => words[found])).toContain(word);
        },
      ),
    );
  });
});

const BRAND_NAMES = ["Kütahya Porselen", "Bosch", "LC Waikiki", "Vestel", "Beko", "Boss", "Bosca"];
const suggest = createSuggester(BRAND_NAMES.map((name) => ({ name })));
const named = (text: string): readonly (string | undefined)[] =>
  suggest([text]).map((position) => BRAND_NAMES[position]);

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
  expect(suggest(["bos"], 10).map((position) => BRAND_NAMES[position])).toEqual(
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

const brand = (text: string, ...names: readonly string[]) =>
  findNearestName(text, names, { isPath: false });
const category = (text: string, ...names: readonly string[]) =>
  findNearestName(text, names, { isPath: true });

describe("the name nearest to a text", () => {
  it.each([
    ["KARACA HOM", "Karaca Home"],
    ["Bsoch", "Bosch"],
    ["porselen kutahya", "Kütahya Porselen"],
    ["Kütahyaporselen", "Kütahya Porselen"],
    ["Philipss", "Philips"],
  ])("differs by a slip, the order or the blanks: %s", (text, name) => {
    expect(brand(text, name, "Vestel")).toBe(name);
  });

  it.each([
    ["Karaca", "Kayaka"],
    ["Karaca", "Karaca Home"],
    ["Kazak", "Kazan"],
    ["Model S10", "Model S11"],
    ["Bosch", "Bosch [a1f3]"],
  ])("is none where %s stands beside %s", (text, name) => {
    expect(brand(text, name)).toBeUndefined();
  });

  it("lacks a letter of the only name, where a short word has no room for another slip", () => {
    expect(brand("Bosh", "Bosch")).toBe("Bosch");
    expect(brand("Bosh", "Bosch", "Vestel")).toBeUndefined();
    expect(brand("Bot", "Boot")).toBeUndefined();
    expect(brand("S100", "S10")).toBeUndefined();
  });

  it("is none where several are equally near, and the nearer one otherwise", () => {
    expect(brand("Philipx", "Philips", "Philipp")).toBeUndefined();
    expect(brand("Kütahya Porselenn", "Kutahya Porselan", "Kütahya Porselen")).toBe(
      "Kütahya Porselen",
    );
  });

  it("is a category with another ending, or of a path with fewer names", () => {
    const name = "Ev > Ev Tekstili > Nevresim Takımı";

    expect(category("Nevresim Takımları", name)).toBe(name);
    expect(category("Havlular", "Banyo > Havlu", "Temizlik > Kağıt Havlu")).toBe("Banyo > Havlu");
    expect(category("Tekstil > Nevresim Takimi", name)).toBe(name);
  });

  it.each([
    [
      "Home & Garden > Linens & Bedding > Bedding > Duvet Covers",
      "Yapı Market & Bahçe > Hırdavat > Bağlantı Elemanları > Dübel",
    ],
    ["Cookware & Bakeware > Cookware Sets", "Oto > Aksesuar > Direksiyon Seti"],
    ["Bebek > Bot", "Giyim > Erkek > Bot"],
  ])("is no category that only resembles one: %s", (text, name) => {
    expect(category(text, name)).toBeUndefined();
  });

  it("is no category where the text does not tell which of several", () => {
    const names = ["Giyim > Kadın > Bot", "Giyim > Erkek > Bot", "Giyim > Çocuk > Bot"];

    expect(category("Bot", ...names)).toBeUndefined();
    expect(category("Erkek > Botlar", ...names)).toBe("Giyim > Erkek > Bot");
  });
});

const ordered = (text: string, names: readonly string[], similar: readonly number[] = []) =>
  rankLiteral(
    text,
    names.map((name) => ({ name })),
    similar,
  ).map((position) => names[position]);

describe("rankLiteral", () => {
  it("puts a word before a beginning, a part of a word and a similar name", () => {
    const names = ["Testere", "Minitencere", "Tencereler", "Düdüklü Tencere", "Tabak"];

    expect(ordered("tencere", names, [0, 2])).toEqual([
      "Düdüklü Tencere",
      "Tencereler",
      "Minitencere",
      "Testere",
    ]);
  });

  it("keeps the order of names that have the text alike", () => {
    expect(ordered("kahve", ["Türk Kahve", "Filtre Kahve"], [1, 0])).toEqual([
      "Filtre Kahve",
      "Türk Kahve",
    ]);
  });

  it("asks for every word of the text", () => {
    expect(ordered("bebek şampuanı", ["Bebek Bezi", "Bebek Şampuanı"])).toEqual(["Bebek Şampuanı"]);
  });

  it("finds no more than the similar names for a text without a word", () => {
    expect(ordered(" ", ["Tencere", "Fincan"], [1])).toEqual(["Fincan"]);
  });

  it("counts two letters within a word as nothing", () => {
    expect(ordered("an", ["Tencere Kapağı Askısı", "Fincan"])).toEqual([]);
  });

  it("puts a name below one with the text before a similar name", () => {
    const names = [{ name: "Testere" }, { name: "Kapak", above: ["Mutfak", "Tencere"] }];

    expect(rankLiteral("tencere", names, [0, 1])).toEqual([1, 0]);
  });
});

it("searches a list for literal names first", () => {
  const index = createNameIndex({
    items: ["Testere", "Düdüklü Tencere", "Tencere", "Tencereler"],
    id: (name) => name.length.toString(),
    name: (name) => name,
    idPattern: /^\d+$/u,
  });

  expect(index.search("tencere", 10).map(({ item }) => item)).toEqual([
    "Tencere",
    "Düdüklü Tencere",
    "Tencereler",
    "Testere",
  ]);
});
