import { describe, expect, it } from "vitest";

import { createVariantTitles } from "../../src/variants/row-joiner.ts";

describe("the title of a variant that lacks an option", () => {
  it.each([
    ["{title} {options}", "Kazak // Unisex -- yeni", ["Mavi", ""], "Kazak // Unisex -- yeni Mavi"],
    ["{title} {options}", "Kazak () | | A,, B", ["", "L -"], "Kazak () | | A,, B L -"],
    ["{title} - {option1}", "Kazak -", ["", "L"], "Kazak -"],
  ])("keeps the signs of its values: %s of %s with %s", (pattern, title, options, expected) => {
    expect(createVariantTitles(pattern)(title, options)).toBe(expected);
  });

  it.each([
    ["{title} ({option1}) - {option2}", ["", "L"], "Kazak - L"],
    ["{title} - {option1} / {option2}", ["Mavi", ""], "Kazak - Mavi"],
    ["{title} - {option1} / {option2}", ["", "L"], "Kazak - L"],
    ["{title}, {option1}, {option2}", ["Mavi", ""], "Kazak, Mavi"],
  ])(
    "loses the signs of the pattern that divide nothing: %s with %s",
    (pattern, options, title) => {
      expect(createVariantTitles(pattern)("Kazak", options)).toBe(title);
    },
  );
});
