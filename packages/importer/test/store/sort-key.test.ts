import fc from "fast-check";
import { expect, it } from "vitest";

import { createSortKey } from "../../src/store/sort-key.ts";

const { compare } = new Intl.Collator("tr", { numeric: true, sensitivity: "base" });

const sign = (order: number): number => Math.sign(order);

const compareKeys = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

const WORDS =
  "çanta|Çorap|cam|ıhlamur|İğne|inci|Iğdır|gömlek|göl|ğ|ş|s|Şal|sal|ürün|uzun|âlâ|ala|x|w|v|q|p";

const LETTERS = "abcçdefgğhıijklmnoöpqrsştuüvwxyzABCÇDEFGĞHIİJKLMNOÖPQRSŞTUÜVWXYZ";

it("sorts texts as the Turkish alphabet does", () => {
  const part = fc.oneof(
    fc.constantFrom(...WORDS.split("|")),
    fc.constantFrom(...LETTERS.split("")),
    fc.constantFrom(" ", "-", ".", "/", "&", "(", "1", "2", "10", "007", "40"),
  );
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join("").trim());
  fc.assert(
    fc.property(text, text, (a, b) => {
      const toKey = createSortKey();
      expect(sign(compareKeys(toKey(a), toKey(b)))).toBe(sign(compare(a, b)));
    }),
    { numRuns: 3_000 },
  );
});

it("sorts a list as people expect it", () => {
  const toKey = createSortKey();
  const sorted = [
    "2 beden",
    "10 beden",
    "Çam",
    "cam",
    "Iğdır",
    "İnci",
    "ılık",
    "Şal",
    "sal",
    "łódź",
  ];

  expect(sorted.toSorted((a, b) => compareKeys(toKey(a), toKey(b)))).toEqual([
    "2 beden",
    "10 beden",
    "cam",
    "Çam",
    "Iğdır",
    "ılık",
    "İnci",
    "sal",
    "Şal",
    "łódź",
  ]);
});
