import { describe, expect, it } from "vitest";

import {
  countRows,
  formatDecisions,
  holdRows,
  NO_DECISIONS,
  parseDecisions,
  releaseRows,
  tickOfGoing,
} from "../../../client/lib/runs.ts";

const add = (row: number) => ({ row, action: "add" }) as const;
const update = (row: number) => ({ row, action: "update" }) as const;

describe("decisions", () => {
  it("count the rows that go by what sending does: released ones more, those left out fewer", () => {
    const released = releaseRows(NO_DECISIONS, [7, 8, 9], true);
    const left = holdRows(released, [add(1), update(2), update(3), update(4)], true);
    const decisions = holdRows(releaseRows(left, [9], false), [update(4)], false);

    expect(countRows({ adds: 10, updates: 5, held: 6, stock: 5 }, decisions)).toEqual({
      rows: 18,
      adds: 9,
      updates: 3,
      released: 2,
      stock: 4,
      heldBack: 3,
    });
  });

  it("outlast a reload", () => {
    const decisions = holdRows(releaseRows(NO_DECISIONS, [7], true), [add(1), update(2)], true);

    expect(parseDecisions(formatDecisions(decisions))).toEqual(decisions);
  });

  it("untick a box for several rows where none goes, and tick it in part where some go", () => {
    const left = holdRows(NO_DECISIONS, [update(1), update(2), update(3)], true);
    const decisions = parseDecisions(formatDecisions(left));

    expect(tickOfGoing(decisions, [1, 2])).toEqual({ isTicked: false, isMixed: false });
    expect(tickOfGoing(decisions, [3, 4])).toEqual({ isTicked: false, isMixed: true });
    expect(tickOfGoing(decisions, [4])).toEqual({ isTicked: true, isMixed: false });
    expect(tickOfGoing(NO_DECISIONS, [])).toEqual({ isTicked: true, isMixed: false });
  });

  for (const text of [
    null,
    "null",
    "{}",
    '{"release":["1"],"hold":[]}',
    '{"release":[],"hold":[1]}',
  ]) {
    it(`are none in ${text}`, () => {
      expect(parseDecisions(text)).toEqual(NO_DECISIONS);
    });
  }
});
