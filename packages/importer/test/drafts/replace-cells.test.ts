import { describe, expect, it } from "vitest";

import { createTextReplacement } from "../../src/drafts/replace-cells.ts";

describe("createTextReplacement", () => {
  const cases: readonly (readonly [text: string, find: string, replace: string, result: string])[] =
    [
      ["IŞIKLI tabak, ışıklı kase", "ışıklı", "mat", "mat tabak, mat kase"],
      ["İNCE ince Ince ınce", "ince", "x", "x x x x"],
      ["1.234,50", ".", "", "1234,50"],
      ["çift  boşluk", "  ", " ", "çift boşluk"],
      ["e\u0301mail émail", "email", "posta", "posta posta"],
      ["aaa", "aa", "b", "ba"],
      ["yok", "var", "x", "yok"],
      ["bir\n\niki  üç\r\n dört", "  ", " ", "bir\n\niki üç\r\n dört"],
      ["bir\niki\u00a0üç\tdört", " ", "_", "bir\niki_üç_dört"],
      ["👍 iyi", "👍", "tamam", "tamam iyi"],
    ];
  for (const [text, find, replace, result] of cases) {
    it(`replaces “${find}” in “${text}”`, () => {
      expect(createTextReplacement({ find, replace })(text)).toBe(result);
    });
  }

  it("replaces whole cells only where that is asked for", () => {
    const replace = createTextReplacement({ find: "kase", replace: "Tabak", isWholeCell: true });

    expect(["KASE", "mat kase"].map(replace)).toEqual(["Tabak", "mat kase"]);
  });
});
