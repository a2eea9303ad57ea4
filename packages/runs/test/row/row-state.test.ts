import { describe, expect, it } from "vitest";

import {
  CODE_TAKING_STATES,
  isLegalMove,
  LEGAL_MOVES,
  NEXT_STATES,
  ROW_STATES,
  type RowState,
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

describe("isLegalMove", () => {
  it("allows the moves listed in this test, and no others", () => {
    const allowed = ROW_STATES.flatMap((from) =>
      ROW_STATES.filter((to) => isLegalMove(from, to)).map((to) => `${from} > ${to}`),
    );

    expect(allowed.toSorted()).toEqual(LEGAL.toSorted());
  });
});

describe("NEXT_STATES", () => {
  it("has no next state exactly for the final states", () => {
    const ends = ROW_STATES.filter((state) => NEXT_STATES[state].length === 0);

    expect(ends).toEqual(TERMINAL);
  });

  it("leads from parsed to every other state", () => {
    const reached = new Set<RowState>(["parsed"]);
    for (const state of reached) for (const next of NEXT_STATES[state]) reached.add(next);

    expect([...reached].toSorted()).toEqual([...ROW_STATES].toSorted());
  });

  it("leads from every state to a final one", () => {
    const ending = new Set<RowState>(TERMINAL);
    for (const _ of ROW_STATES) {
      for (const [from, to] of LEGAL_MOVES) if (ending.has(to)) ending.add(from);
    }

    expect([...ending].toSorted()).toEqual([...ROW_STATES].toSorted());
  });

  it("leads to sending from ready only", () => {
    const before = ROW_STATES.filter((state) => NEXT_STATES[state].includes("sending"));

    expect(before).toEqual(["ready"]);
  });
});

describe("LEGAL_MOVES", () => {
  it("lists every legal pair once", () => {
    expect(LEGAL_MOVES.map(([from, to]) => `${from} > ${to}`).toSorted()).toEqual(LEGAL.toSorted());
  });
});

describe("CODE_TAKING_STATES", () => {
  it("lists every state in which a product may exist", () => {
    expect([...CODE_TAKING_STATES].toSorted()).toEqual(["ambiguous", "done", "held", "sending"]);
  });
});
