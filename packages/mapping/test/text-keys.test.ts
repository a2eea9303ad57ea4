import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  codeKey,
  compactFold,
  fold,
  looseCodeKey,
  lowerTurkish,
  trimText,
} from "../src/text-keys.ts";

const anyText = fc.string({ unit: "binary", maxLength: 20 });
const plainText = fc.string({ unit: "grapheme-ascii", maxLength: 8 });

describe("fold", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["IŞIK", "isik"],
    ["ışık", "isik"],
    ["Işık\u00a0", "isik"],
    ["ISIK", "isik"],
    ["İstanbul", "istanbul"],
    ["i\u0307stanbul", "istanbul"],
    ["Fiyat *", "fiyat"],
    ["Ｆｉｙａｔ", "fiyat"],
    ["C&A  Moda", "c a moda"],
    ["%", "%"],
    ["₺", "₺"],
    ["", ""],
  ];
  for (const [text, expected] of cases) {
    it(`folds ${JSON.stringify(text)}`, () => expect(fold(text)).toBe(expected));
  }

  it("is idempotent", () => {
    fc.assert(fc.property(anyText, (text) => fold(fold(text)) === fold(text)));
  });

  it("removes the blanks of headers in compactFold", () => {
    expect(compactFold("Garanti (Ay)")).toBe("garantiay");
  });
});

it("lowerTurkish keeps the dotted and the dotless i different", () => {
  expect(["ISUZU", "Isuzu", "İsuzu", "isuzu"].map((text) => lowerTurkish(text))).toEqual([
    "ısuzu",
    "ısuzu",
    "isuzu",
    "isuzu",
  ]);
});

it("trimText removes no-break and zero-width blanks and the byte order mark", () => {
  expect(trimText("\ufeff\u00a0 A 1\u200b\u2060 ")).toBe("A 1");
});

it("trims the ends of a text for every character", () => {
  const letters = Array.from({ length: 0x3001 }, (_, code) => String.fromCharCode(code));
  const blank = /^[\s\u00ad\u200b-\u200f\u2060]$/u;

  for (const letter of letters) expect(trimText(letter) === "").toBe(blank.test(letter));
});

describe("codeKey", () => {
  it("keeps case and inner marks, and makes inner blanks single", () => {
    expect(["A1", "a1", " A1 ", "A\u00a0 1"].map((text) => codeKey(text))).toEqual([
      "A1",
      "a1",
      "A1",
      "A 1",
    ]);
  });

  it("is idempotent", () => {
    fc.assert(fc.property(anyText, (text) => codeKey(codeKey(text)) === codeKey(text)));
  });

  it("gives a plain code the same key with and without a blank behind it", () => {
    fc.assert(fc.property(plainText, (text) => codeKey(text) === codeKey(`${text}\u00a0`)));
  });
});

describe("looseCodeKey", () => {
  it("gives look-alike codes one key", () => {
    const alike = ["KI1", "kı1", "Kİ1", "ki1", "ＫI1", "K\u200bI1", "К\u04061"];
    expect(new Set(alike.map((text) => looseCodeKey(text)))).toEqual(new Set(["ki1"]));
  });

  it("gives different codes different keys", () => {
    expect(looseCodeKey("A-1")).not.toBe(looseCodeKey("A1"));
    expect(looseCodeKey("ş1")).not.toBe(looseCodeKey("s1"));
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(anyText, (text) => looseCodeKey(looseCodeKey(text)) === looseCodeKey(text)),
    );
  });

  it("gives a plain code the same key with and without an invisible mark behind it", () => {
    fc.assert(
      fc.property(plainText, (text) => looseCodeKey(text) === looseCodeKey(`${text}\u200b`)),
    );
  });
});
