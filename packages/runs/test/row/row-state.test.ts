import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  type RowState,
  toCountClass,
  toCounts,
  type StateCount,
  STATE_TABLE,
} from "../../src/row/row-state.ts";

/** Repeated here, so that a mistake in the table of the source is noticed. */
const LEGAL = [
  "parsed > invalid",
  "parsed > duplicate",
  "parsed > skipped",
  "parsed > unchanged",
  "parsed > held",
  "parsed > ready",
  "held > ready",
  "held > done",
  "held > cancelled",
  "held > unchanged",
  "held > held",
  "ready > sending",
  "ready > held",
  "sending > done",
  "sending > rejected",
  "sending > ready",
  "sending > ambiguous",
  "sending > held",
  "ambiguous > done",
  "ambiguous > rejected",
  "ambiguous > ready",
  "ambiguous > held",
];

const TERMINAL: readonly RowState[] = [
  "invalid",
  "duplicate",
  "skipped",
  "unchanged",
  "done",
  "rejected",
  "cancelled",
];

it("STATE_TABLE.isLegal allows the moves listed in this test, and no others", () => {
  const allowed = STATE_TABLE.all.flatMap((from) =>
    STATE_TABLE.all.filter((to) => STATE_TABLE.isLegal(from, to)).map((to) => `${from} > ${to}`),
  );

  expect(allowed.toSorted()).toEqual(LEGAL.toSorted());
});

describe("STATE_TABLE.next", () => {
  it("has no next state exactly for the final states", () => {
    const ends = STATE_TABLE.all.filter((state) => STATE_TABLE.next[state].length === 0);

    expect(ends).toEqual(TERMINAL);
  });

  it("leads from parsed to every other state", () => {
    const reached = new Set<RowState>(["parsed"]);
    for (const state of reached) for (const next of STATE_TABLE.next[state]) reached.add(next);

    expect([...reached].toSorted()).toEqual([...STATE_TABLE.all].toSorted());
  });

  it("leads from every state to a final one", () => {
    const ending = new Set<RowState>(TERMINAL);
    for (const _ of STATE_TABLE.all) {
      for (const [from, to] of STATE_TABLE.moves) if (ending.has(to)) ending.add(from);
    }

    expect([...ending].toSorted()).toEqual([...STATE_TABLE.all].toSorted());
  });

  it("leads to sending from ready only", () => {
    const before = STATE_TABLE.all.filter((state) => STATE_TABLE.next[state].includes("sending"));

    expect(before).toEqual(["ready"]);
  });
});

it("STATE_TABLE.moves lists every legal pair once", () => {
  expect(STATE_TABLE.moves.map(([from, to]) => `${from} > ${to}`).toSorted()).toEqual(
    LEGAL.toSorted(),
  );
});

it("STATE_TABLE.takingCode lists every state in which a product may exist", () => {
  expect([...STATE_TABLE.takingCode].toSorted()).toEqual(["ambiguous", "done", "held", "sending"]);
});

const CLASSES: readonly (readonly [state: RowState, action: StateCount["action"], name: string])[] =
  [
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
    state: fc.constantFrom(...STATE_TABLE.all),
    action: fc.constantFrom<StateCount["action"]>("add", "update", null),
    rows: fc.nat(100_000),
  }),
);

for (const [state, action, name] of CLASSES) {
  it(`toCountClass reports ${state} (${action ?? "no action"}) as ${name}`, () => {
    expect(toCountClass(state, action)).toBe(name);
  });
}

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
