import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { escapeFormula, unescapeFormula } from "../src/formula-safety.ts";

const SPIKES = Array.from("'=+-@ \t\r\n|%＝\u00a0\ufeff\u200bas1");

describe("escapeFormula", () => {
  const cases = [
    ["=1+1", "'=1+1"],
    [" =1", "' =1"],
    ["\u200b@x", "'\u200b@x"],
    ["＝1", "'＝1"],
    ["'=1", "''=1"],
    ["-5", "'-5"],
    ["\tx", "'\tx"],
    ["%x", "'%x"],
    ["'tırnaklı'", "'tırnaklı'"],
    ["a=1", "a=1"],
    ["", ""],
  ] as const;
  for (const [text, escaped] of cases) {
    it(`writes ${JSON.stringify(text)} as ${JSON.stringify(escaped)}`, () => {
      expect(escapeFormula(text)).toBe(escaped);
    });
  }

  const spiky = fc.string({ unit: fc.constantFrom(...SPIKES) });

  it("is undone by unescapeFormula, for every text", () => {
    fc.assert(
      fc.property(fc.oneof(spiky, fc.string({ unit: "grapheme" })), (text) => {
        expect(unescapeFormula(escapeFormula(text))).toBe(text);
      }),
    );
  });

  it("never leaves a text that a spreadsheet acts on", () => {
    fc.assert(
      fc.property(spiky, (text) => {
        expect(escapeFormula(text)).not.toMatch(/^[\s\ufeff\u200b]*[=+\-@＝|%]/u);
      }),
    );
  });
});

describe("unescapeFormula", () => {
  it("leaves a quote that it did not write", () => {
    expect(unescapeFormula("'90'lar")).toBe("'90'lar");
  });
});
