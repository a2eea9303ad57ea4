import { expect, it } from "vitest";

import { losesLetters } from "../../src/plan/lost-letters.ts";

it.each([
  ["Gazlı Mangal", "Gazl? Mangal", true],
  ["Şarj Cihazı", "Şarj Cihaz?", true],
  ["Şarj Cihazı", "?arj Cihaz?, yeni", true],
  ["Sefiller", "Sefiller?", false],
  ["Neden bu ürün", "Neden bu ürün?", false],
  ["Ne? Kupa", "Ne? Bardak", false],
  ["Ne? Işık", "Ne? I??k", true],
  ["Çanta", "Canta", false],
])("compares %s with %s", (old, text, isLost) => {
  expect(losesLetters(old, text)).toBe(isLost);
});
