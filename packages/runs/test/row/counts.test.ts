import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  ROW_STATES,
  type RowState,
  toCountClass,
  toCounts,
  type WriteAction,
} from "../../src/row/row-state.ts";

const CLASSES: readonly (readonly [state: RowState, action: WriteAction | null, name: string])[] = [
  ["parsed", null, "pending"],
  ["ready", "add", "pending"],
  ["sending", "add", "unknown"],
  ["ambiguous", "update", "unknown"],
  ["invalid", null, "invalid"],
  ["duplicate", null, "duplicate"],
  ["skipped", null, "skipped"],
  ["unchanged", null, "unchanged"],
  ["held", "add", "held"],
  ["rejected", "update", "rejected"],
  ["cancelled", null, "cancelled"],
  ["done", "add", "added"],
  ["done", "update", "updated"],
];

const stateCounts = fc.array(
  fc.record({
    state: fc.constantFrom(...ROW_STATES),
    action: fc.constantFrom<WriteAction | null>("add", "update", null),
    rows: fc.nat(100_000),
  }),
);

describe("toCountClass", () => {
  for (const [state, action, name] of CLASSES) {
    it(`reports ${state} (${action ?? "no action"}) as ${name}`, () => {
      expect(toCountClass(state, action)).toBe(name);
    });
  }
});

describe("toCounts", () => {
  it("counts each class separately", () => {
    const counts = toCounts([
      { state: "done", action: "add", rows: 3 },
      { state: "done", action: "update", rows: 2 },
      { state: "ready", action: "add", rows: 4 },
      { state: "parsed", action: null, rows: 1 },
    ]);

    expect(counts).toEqual({
      rows: 10,
      added: 3,
      updated: 2,
      unchanged: 0,
      skipped: 0,
      invalid: 0,
      duplicate: 0,
      rejected: 0,
      held: 0,
      unknown: 0,
      cancelled: 0,
      pending: 5,
    });
  });

  it("returns classes that add up to the number of rows in every state", () => {
    fc.assert(
      fc.property(stateCounts, (states) => {
        const { rows, ...classes } = toCounts(states);

        expect(Object.values(classes).reduce((sum, n) => sum + n, 0)).toBe(rows);
        expect(rows).toBe(states.reduce((sum, state) => sum + state.rows, 0));
      }),
    );
  });

  it("starts from zero at each call", () => {
    toCounts([{ state: "held", action: null, rows: 7 }]);

    expect(toCounts([]).held).toBe(0);
  });
});
