import { type CountClass, toCounts } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { RESULT_TEXTS } from "../src/result-texts.ts";

const CLASSES = [...Object.keys(toCounts([])).filter((name) => name !== "rows"), "unsendable"];

describe("RESULT_TEXTS", () => {
  it.each(["tr", "en"] as const)("has a distinct text for every outcome of a row in %s", (lang) => {
    const { words } = RESULT_TEXTS[lang];

    expect(Object.keys(words).toSorted()).toEqual(CLASSES.toSorted());
    expect(new Set(Object.values(words)).size).toBe(CLASSES.length);
  });

  it("has no header twice", () => {
    for (const { columns } of Object.values(RESULT_TEXTS)) {
      const headers = Object.values(columns);

      expect(new Set(headers).size).toBe(headers.length);
    }
  });

  it("calls a lost answer uncertain, not failed", () => {
    const uncertain: CountClass = "unknown";

    expect([RESULT_TEXTS.tr.words[uncertain], RESULT_TEXTS.en.words[uncertain]]).toEqual([
      "Belirsiz",
      "Unknown",
    ]);
  });
});
