import { describe, expect, it } from "vitest";

import { createSameRequest, toSameCode } from "../../../src/plan/decide-rows.ts";
import type { CandidateRow } from "../../../src/row/row-record.ts";
import { addBody, candidate } from "../../../src/testing/rows.ts";

describe("toSameCode", () => {
  it("returns all but the first of identical rows, and all of different ones", () => {
    const sameCode = toSameCode([
      { rows: [2, 5], identical: true },
      { rows: [3, 4], identical: false },
    ]);

    expect([...sameCode]).toEqual([
      [5, [2, 5]],
      [3, [3, 4]],
      [4, [3, 4]],
    ]);
  });
});

const titled = (row: number, title: string): CandidateRow =>
  candidate(row, "A1", { completeAdd: () => ({ ok: true, body: addBody("A1", { title }) }) });

describe("createSameRequest", () => {
  it("compares every row with the first one", () => {
    const isSame = createSameRequest();

    const same = ["Cup", "Cup", "Mug"].map((title, n) => isSame(titled(n + 2, title)));

    expect(same).toEqual([true, true, false]);
  });

  it("calls a row with an error different", () => {
    const isSame = createSameRequest();
    const { codeLocation } = candidate(2, "A1");
    const issues = [{ code: "E_NUMBER", ...codeLocation, message: { tr: "tr", en: "en" } }];

    expect(isSame(candidate(2, "A1", { issues }))).toBe(false);
  });
});
