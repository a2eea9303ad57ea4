import { describe, expect, it } from "vitest";

import { wrapLine } from "../src/wrap.ts";

describe("wrapLine", () => {
  it("breaks between words and sets in what follows", () => {
    expect(wrapLine("  satır 3  KOD  uzun bir açıklama", 18, 4)).toBe(
      "  satır 3  KOD\n    uzun bir\n    açıklama",
    );
  });

  it("leaves a line alone that fits, and a word that does not", () => {
    expect(wrapLine("kısa", 80)).toBe("kısa");
    expect(wrapLine("uzunbirkelime", 5)).toBe("uzunbirkelime");
  });
});
