import { idSchemas } from "@catalog/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createNameIndex } from "../../src/names/name-index.ts";
import { createNameIndexes } from "../../src/names/name-indexes.ts";
import { nameKey, pathNameKey, propertyNameKey } from "../../src/names/name-key.ts";
import { createFakeNames } from "../../src/testing.ts";
import { createCatalog } from "../helpers/catalog.ts";

/** Groups of names that must all stay different. */
const DIFFERENT: readonly (readonly string[])[] = [
  ["Redmi Note 12 Pro", "Redmi Note 12 Pro+", "Redmi Note 12 Pro++"],
  ["Galaxy S10", "Galaxy S10+", "+Galaxy S10"],
  ["C", "C+", "C++", "C#", "C-"],
  ["XL", "XL+", "XL-", "~XL"],
  ["40", "40+", "+40", "-40", "%40", "40°", '40"', "40'", "<40", ">40", "±40", "~40", "=40", "#40"],
  ["20°C", "-20°C", "20 C", "±20°C", "≤20°C", "≥20°C"],
  ["1", "¹", "½", "1!?", "1*", "$1", "1€", "1 ₺", "1‰"],
  ["1.5", "15", "1 5", "1/5", "-1.5", ".5", "5"],
  ["1.500", "1,500", "1500"],
  ["1/2", "1-2", "1.2", "1×2", "1+2"],
  ["1½", "11/2", "1/2"],
  ["M/L", "M+L"],
  ["Rh", "Rh+", "Rh-"],
  ["m²", "m³", "m"],
  ["x2", "x²"],
  ["Sarı", "Sar�", "Sar?"],
  ["Gri", "Gri?"],
  ["%50 Pamuk", "50 Pamuk", "-%50 Pamuk"],
  ["Acme", "Acme+", "@Acme", "#Acme"],
  ["Kalp ❤", "Kalp"],
];

/** Spellings of one name. */
const EQUAL: readonly (readonly string[])[] = [
  ["IŞIK", "ışık", "Işık\u00a0", "isik", "ISIK", "Ｉşık", "i\u0307sik"],
  ["Redmi Note 12 Pro+", "REDMI  NOTE 12 PRO +", "Redmi Note 12 Pro＋"],
  ["T-Shirt", "T Shirt", "T‑Shirt", "T – Shirt", "t_shirt"],
  ["Ev Mutfak Kaşık", "ev-mutfak-kasik"],
  ["Bosch", '"Bosch"', "“Bosch”", "'Bosch'", "‘Bosch’", "«Bosch»", "Bosch.", "Bosch,", "(Bosch)"],
  ["Bosch", "Bosch®", "Bosch™", "© Bosch", "Bosch *", "Bosch -", "- Bosch", "Bosch:", "Bosch!"],
  ["Bosch'un", "Bosch’un", "Bosch un"],
  ["Levi's", "Levi’s", "Levi`s", "LEVİ´S"],
  ["C&A", "C & A", "C A"],
  ["Dolce & Gabbana", "Dolce Gabbana", "DOLCE&GABBANA"],
  ["Siyah/Beyaz", "Siyah / Beyaz", "Siyah-Beyaz", "Siyah, Beyaz", "Siyah|Beyaz"],
  ["K.A. Home", "k a home", "K.A Home"],
  ["Pro (2021)", "Pro 2021", "Pro [2021]"],
  ["%50", "50%", "% 50", "50 %", "％50"],
  ["%50 Pamuk", "50% Pamuk"],
  ["Pamuk %50", "Pamuk 50%"],
  ["-20°C", "−20°C", "-20 °C", "-20℃", "- 20 °C"],
  ['5"', "5″", "5”", "5''", '5 "', '"5""'],
  ["5'", "5′", "5’"],
  ["6'2\"", "6′2″"],
  ["5'lik Set", "5’lik set", "5 lik set"],
  ["1.5 L", "1,5 L", "1.5 l"],
  ["0,125", "0.125"],
  ["1/2", "½", "1 / 2", "1⁄2"],
  ["1 1/2", "1½"],
  ["1:18", "1/18"],
  ["36-38", "36 - 38", "36–38", "36 38"],
  ["30*40", "30×40", "30 x 40".replace("x", "×")],
  ["10 m²", "10 m2", "10 M²"],
  ["200 g/m²", "200 g/m2"],
  ["H₂O", "H2O"],
  ["2. El", "2.El", "2 el"],
  ["WH-1000XM4", "WH 1000XM4"],
  ["+18", "+ 18", "(+18)"],
  ["\u200bBosch\u2060", "Bo\u00adsch", "Bosch\u202c"],
  ["5", "'5", '"5"'],
];

const anySign = fc.constantFrom(
  ...Array.from(" \t\u00a0aİ1٣²½™®ͺ¯\u00ad\u200b+-−.,/:*'\"“%&()#?_\ufffd❤"),
);

describe("nameKey", () => {
  for (const names of DIFFERENT) {
    it(`distinguishes ${names.join(" · ")}`, () => {
      expect(new Set(names.map((name) => nameKey(name))).size).toBe(names.length);
    });
  }

  for (const names of EQUAL) {
    it(`is equal for ${names.join(" · ")}`, () => {
      expect(new Set(names.map((name) => nameKey(name)))).toEqual(
        new Set([nameKey(names[0] ?? "")]),
      );
    });
  }

  it("keeps a name of signs only as it is", () => {
    const signs = ["%", "₺", "-", "&", "®", "...", '"'];

    expect(signs.map((text) => nameKey(text))).toEqual(signs);
  });

  it("is empty for blanks only", () => {
    fc.assert(
      fc.property(fc.string({ unit: anySign, maxLength: 6 }), (text) => {
        expect(nameKey(text) === "").toBe(text.trim() === "");
      }),
    );
  });
});

const WORDS = [
  "Redmi",
  "Note",
  "Pro",
  "Galaxy",
  "XL",
  "Acme",
  "Çelik",
  "İnci",
  "12",
  "5",
  "40",
  "1.5",
];

/** Each function turns a name into a different name. The last word of the name may be a number. */
const CHANGES: readonly ((name: string) => string)[] = [
  ...Array.from("+%#<>°±~=@?$€£₺^≤≥×²³¹", (sign) => (name: string) => `${name}${sign}`),
  ...Array.from("+%#<>±~=@?$€£₺≤≥", (sign) => (name: string) => `${sign}${name}`),
  (name) => `${name} +`,
  (name) => `${name}-`,
  (name) => name.replace(" ", "+"),
  (name) => name.replace(" ", " > "),
  (name) => name.replace(/(?<![\p{L}\d.]) ?(?=\d)/u, " -"),
  (name) => name.replace(/(?<=\d)(?![\d.])/u, '"'),
  (name) => name.replace(/(?<=\d)(?![\d.])/u, "'"),
  (name) => name.replace("1.5", "15"),
];

const anyName = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 });
const anyChange = fc.constantFrom(...CHANGES);

describe("names that differ only in signs", () => {
  it("have different keys in 20,000 pairs", { timeout: 60_000 }, () => {
    let pairs = 0;
    const taken: (readonly [string, string])[] = [];
    fc.assert(
      fc.property(anyName, anyChange, (words, change) => {
        const name = words.join(" ");
        const other = change(name);
        if (other === name) return;
        pairs += 1;
        const key = nameKey(name);
        if (nameKey(other) === key || nameKey(other.toUpperCase()) === key) {
          taken.push([name, other]);
        }
      }),
      { numRuns: 25_000 },
    );

    expect(pairs).toBeGreaterThan(20_000);
    expect(taken).toEqual([]);
  });

  it("are suggested, and never resolved", () => {
    fc.assert(
      fc.property(anyName, anyChange, (words, change) => {
        const name = words.join(" ");
        const items = [{ id: "a", name }];
        const index = createNameIndex({
          items,
          id: (item) => item.id,
          name: (item) => item.name,
          idPattern: /^[0-9a-f]{24}$/u,
        });

        const resolution = index.resolve(change(name));

        expect(resolution.kind).toBe(change(name) === name ? "found" : "unknown");
      }),
      { numRuns: 500 },
    );
  });
});

describe("pathNameKey", () => {
  it("treats a plus between words as 'and'", () => {
    const names = ["Kitap & Dergi", "Kitap + Dergi", "Kitap+Dergi", "Kitap Dergi"];

    expect(new Set(names.map((name) => pathNameKey(name)))).toEqual(new Set(["kitap dergi"]));
  });

  it("keeps a plus that belongs to a word", () => {
    const names = [
      "S10 Kılıf",
      "S10+ Kılıf",
      "C Kitapları",
      "C++ Kitapları",
      "18 Oyun",
      "18+ Oyun",
    ];

    expect(new Set(names.map((name) => pathNameKey(name))).size).toBe(names.length);
  });
});

it("ignores a unit in brackets in propertyNameKey, but no other sign", () => {
  const names = ["Pamuk Oranı (%)", "Pamuk Oranı", "PAMUK ORANI *", "Pamuk oranı:"];

  expect(new Set(names.map((name) => propertyNameKey(name)))).toEqual(new Set(["pamuk orani"]));
  expect(propertyNameKey("Pamuk Oranı +")).not.toBe("pamuk orani");
});

const SPOON = "000000000000000000000003";

const category = async (text: string) => {
  const index = await createNameIndexes(createCatalog()).categories();
  const found = index.resolve(text);
  return found.kind === "found" ? found.item.parts.join(" > ") : found.kind;
};

describe("a category as another platform writes it", () => {
  it.each([
    "Ev | Mutfak | Kaşık",
    "Ev→Mutfak→Kaşık",
    "Ev › Mutfak › Kaşık",
    "Ev\\Mutfak\\Kaşık",
    "Ev::Mutfak::Kaşık",
    "Ev\nMutfak\nKaşık",
    "Ev &gt; Mutfak &gt; Kaşık",
    "Ev - Mutfak - Kaşık",
  ])("is read: %j", async (text) => {
    expect(await category(text)).toBe("Ev > Mutfak > Kaşık");
  });

  it.each(["Mutfak | Kaşık", "Ev - Kaşık", "Ev, Mutfak > Kaşık | Çatal", "Aksesuar"])(
    "is asked where it is no whole path, or names two: %j",
    async (text) => {
      expect(await category(text)).toMatch(/^(?:unknown|ambiguous)$/u);
    },
  );

  it("shows each of several paths among its suggestions", async () => {
    const index = await createNameIndexes(createCatalog()).categories();
    const found = index.resolve("Oto > Aksesuar, Ev > Mutfak > Kaşık");

    expect(
      found.kind === "unknown" && found.suggestions.map(({ parts }) => parts.join(" > ")),
    ).toEqual(expect.arrayContaining(["Oto > Aksesuar", "Ev > Mutfak > Kaşık"]));
  });
});

describe("a brand as another platform writes it", () => {
  const names = ["Dolce & Gabbana", "Tom ve Jerry", "Black", "Anne Bebek", "Anne & Bebek"];
  const brands = names.map((name, n) => ({
    id: idSchemas.brand.parse(`${n + 1}`.padStart(24, "0")),
    name,
  }));
  const resolve = async (text: string) => {
    const indexes = createNameIndexes(createFakeNames({ brands: { [SPOON]: brands } }));
    const index = await indexes.brands(idSchemas.category.parse(SPOON));
    const found = index.resolve(text);
    return found.kind === "found" ? found.item.name : found.kind;
  };

  it.each([
    ["Dolce &amp; Gabbana", "Dolce & Gabbana"],
    ["DOLCE AND GABBANA", "Dolce & Gabbana"],
    ["Dolce ve Gabbana", "Dolce & Gabbana"],
    ["Tom &amp; Jerry", "Tom ve Jerry"],
    ["Black and", "unknown"],
    ["Anne ve Bebek", "ambiguous"],
  ])("is read once: %s", async (text, name) => {
    expect(await resolve(text)).toBe(name);
  });
});
