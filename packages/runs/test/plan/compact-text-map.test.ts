import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createTextRows } from "../../src/plan/compact-text-map.ts";

/** The same as a map in which the first row of a text stays. */
function compare(texts: readonly string[]): void {
  const rows = createTextRows();
  const map = new Map<string, number>();
  for (const [row, text] of texts.entries()) {
    rows.set(text, row);
    if (!map.has(text)) map.set(text, row);
  }
  expect(texts.map((text) => rows.get(text))).toEqual(texts.map((text) => map.get(text)));
  expect(rows.get(`${texts[0] ?? ""}?`)).toBe(map.get(`${texts[0] ?? ""}?`));
}

describe("rows by text", () => {
  it("are those of a map, whatever the texts", () => {
    const text = fc.string({ unit: "binary", maxLength: 6 });
    fc.assert(fc.property(fc.array(text, { maxLength: 3_000 }), compare), { numRuns: 30 });
  });

  it("are told apart where texts only count up, over many pieces", () => {
    compare(Array.from({ length: 40_000 }, (_, at) => at.toString(16).padStart(24, "0")));
  });

  it.each([10, 26, 58])(
    "are kept where pieces fill to the last byte, %i bytes a text",
    (length) => {
      const perPiece = (256 * 1024) / (length + 6);

      compare(
        Array.from({ length: perPiece * 2 + 2 }, (_, at) => at.toString(16).padStart(length, "0")),
      );
    },
  );

  it("are told apart where texts are long or have half a letter", () => {
    const long = "ş".repeat(5_000);

    compare([long, `${long}a`, "\ud800", "\ud801", "\ufffd", "", long, "\ud801"]);
  });
});
