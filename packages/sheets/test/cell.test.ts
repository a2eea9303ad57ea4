import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { escapeFormula, unescapeFormula } from "../src/cell.ts";

/** Characters that a spreadsheet may skip before a sign: invisible or blank ones. */
const SKIPPED = Array.from(
  "\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200e\u202e\u2060\u2066\u206f\u3000\u3164\ufe0f\ufeff\uffa0\ufff9\u{1d173}\u{e0001}\u{e0100}\u0000\u0007\u2028",
);

const SPIKES = [...Array.from("'=+-@ \t\r\n|%＝as10."), ...SKIPPED];

describe("escapeFormula", () => {
  const cases = [
    ["=1+1", "'=1+1"],
    [" =1", "' =1"],
    ["\u200b@x", "'\u200b@x"],
    ["＝1", "'＝1"],
    ["\u00ad=1", "'\u00ad=1"],
    ["\u180e\u00ad＋1", "'\u180e\u00ad＋1"],
    ["\u2212x", "'\u2212x"],
    ["\u00adx", "\u00adx"],
    ["'=1", "''=1"],
    ["-5", "'-5"],
    ["\tx", "'\tx"],
    ["%x", "'%x"],
    ["'tırnaklı'", "'tırnaklı'"],
    ["00123", "00123"],
    ["'00123", "''00123"],
    ["''00123", "'''00123"],
    ["'90'lar", "'90'lar"],
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
    const skipped = new Set([...SKIPPED, " ", "\t", "\r", "\n"]);
    fc.assert(
      fc.property(spiky, (text) => {
        const seen = Array.from(escapeFormula(text)).find((character) => !skipped.has(character));

        expect("=+-@＝|%").not.toContain(seen ?? "x");
      }),
    );
  });
});

describe("unescapeFormula", () => {
  it("keeps a quote that escapeFormula did not write", () => {
    expect(unescapeFormula("'90'lar")).toBe("'90'lar");
    expect(unescapeFormula("'90s style")).toBe("'90s style");
    expect(unescapeFormula("'tırnak")).toBe("'tırnak");
  });

  it.each([
    ["'00123", "00123"],
    ["'8690123456789", "8690123456789"],
    ["'0012-AB", "0012-AB"],
    ["'12,50", "12,50"],
    ["'0 532 123 45 67", "0 532 123 45 67"],
  ])("removes the prefix of a spreadsheet from %s", (text, expected) => {
    expect(unescapeFormula(text)).toBe(expected);
  });
});
