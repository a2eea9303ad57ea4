import { describe, expect, it } from "vitest";

import { toEffectiveRow } from "../../src/drafts/draft-source.ts";

describe("toEffectiveRow", () => {
  it("drops traits and formats of edited cells, and keeps those of others", () => {
    const row = toEffectiveRow(
      {
        row: 4,
        cells: ["A", 12.5, 7],
        traits: { 1: "formula" },
        formats: { 1: "0.00", 2: "0%" },
        edits: { 1: "13" },
      },
      undefined,
    );

    expect(row).toEqual({ row: 4, cells: ["A", "13", 7], formats: { 2: "0%" } });
  });

  it("gives an edited row the width of the header where only empty cells are beyond it", () => {
    const short = toEffectiveRow({ row: 2, cells: ["A"], edits: { 0: "B" } }, 3);
    const long = toEffectiveRow({ row: 3, cells: ["A", "b", "c", "d"], edits: { 3: "" } }, 3);
    const slipped = toEffectiveRow({ row: 4, cells: ["A", "b", "c", "d"], edits: { 0: "B" } }, 3);

    expect([short, long, slipped].map(({ cells }) => cells)).toEqual([
      ["B", null, null],
      ["A", "b", "c"],
      ["B", "b", "c", "d"],
    ]);
  });

  it("leaves a row without edits as it is", () => {
    const cells = ["A", "b", "c", "d"];

    expect(toEffectiveRow({ row: 2, cells, edits: {} }, 3)).toEqual({ row: 2, cells });
  });
});
