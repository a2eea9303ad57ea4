import { describe, expect, it } from "vitest";

import { createTextFold } from "../../src/drafts/fold-text.ts";

describe("createTextFold", () => {
  const foldText = createTextFold();
  const cases: readonly (readonly [text: string, folded: string])[] = [
    ["IŞIK ışık İşik", "isik isik isik"],
    ["KOD-12/A", "kod 12 a"],
    ["  iki   boşluk ", "iki bosluk"],
    ["e\u0301 é", "e e"],
    ["%", ""],
  ];
  for (const [text, folded] of cases) {
    it(`folds “${text}” to “${folded}”`, () => {
      expect(foldText(text)).toBe(folded);
    });
  }
});
