import { describe, expect, it } from "vitest";

import { createKnownHeaderCount } from "../../src/columns/header-matcher.ts";

describe("createKnownHeaderCount", () => {
  const count = createKnownHeaderCount(["Eder"]);

  for (const [what, cells, known] of [
    ["headers in both languages", ["Ürün Kodu", "Price", "Stok Adedi"], 3],
    ["a header once where a row repeats it", ["Görsel 1", "Görsel 1"], 1],
    ["no group headers", ["Genel bilgiler", null, "Kargo bilgileri", 5], 0],
    ["no products", ["KOD-1", "Fincan beyaz", "12,50", 5, true], 0],
    ["a header that a person has named, however it is written", ["EDER", "x"], 1],
    ["no machine keys below our own headers", ["product_code", "title", "price"], 0],
    ["no headers that only a guess leads to", ["Ürün Kot", "Fiyatlar bizim"], 0],
    ["no long text", [`Fiyat ${"x".repeat(200)}`], 0],
  ] as const) {
    it(`counts ${what}`, () => {
      expect(count(cells)).toBe(known);
    });
  }
});
