import { describe, expect, it } from "vitest";

import {
  countRows,
  formatDecisions,
  holdRows,
  NO_DECISIONS,
  parseDecisions,
  releaseRows,
} from "../../../client/lib/decisions.ts";

describe("decisions", () => {
  it("count the rows that go: released ones more, those left out fewer", () => {
    const decisions = holdRows(releaseRows(NO_DECISIONS, [7, 8, 9], true), [1, 2], true);

    expect(countRows({ adds: 10, updates: 5 }, releaseRows(decisions, [9], false))).toEqual({
      rows: 15,
      released: 2,
      heldBack: 2,
    });
  });

  it("outlast a reload", () => {
    const decisions = holdRows(releaseRows(NO_DECISIONS, [7], true), [1, 2], true);

    expect(parseDecisions(formatDecisions(decisions))).toEqual(decisions);
  });

  for (const text of [null, "null", "{}", '{"release":["1"],"hold":[]}']) {
    it(`are none in ${text}`, () => {
      expect(parseDecisions(text)).toEqual(NO_DECISIONS);
    });
  }
});
