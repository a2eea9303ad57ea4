import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createCompactTextMap } from "../../src/plan/compact-text-map.ts";

/** Compares with a `Map` in which the first row of a text stays. */
function compare(texts: readonly string[]): void {
  const rows = createCompactTextMap();
  const map = new Map<string, number>();
  for (const [row, text] of texts.entries()) {
    rows.set(text, row);
    if (!map.has(text)) map.set(text, row);
  }
  expect(texts.map((text) => rows.get(text))).toEqual(texts.map((text) => map.get(text)));
  expect(rows.get(`${texts[0] ?? ""}?`)).toBe(map.get(`${texts[0] ?? ""}?`));
}

describe("the compact text map", () => {
  it("returns the same rows as a map for random texts", () => {
    const text = fc.string({ unit: "binary", maxLength: 6 });
    fc.assert(fc.property(fc.array(text, { maxLength: 3_000 }), compare), { numRuns: 30 });
  });

  it("keeps 40,000 similar texts apart over several pieces", () => {
    compare(Array.from({ length: 40_000 }, (_, at) => at.toString(16).padStart(24, "0")));
  });

  it.each([10, 26, 58])("keeps texts of %i bytes that fill a piece to its last byte", (length) => {
    const perPiece = (256 * 1024) / (length + 6);

    compare(
      Array.from({ length: perPiece * 2 + 2 }, (_, at) => at.toString(16).padStart(length, "0")),
    );
  });

  it("keeps long texts and texts with lone surrogates apart", () => {
    const long = "ş".repeat(5_000);

    compare([long, `${long}a`, "\ud800", "\ud801", "\ufffd", "", long, "\ud801"]);
  });
});
