import { describe, expect, it } from "vitest";

import type { AlertCause } from "../../src/alerts/alert-names.ts";
import {
  advanceAlerts,
  type AlertState,
  listMessages,
  parseAlertState,
  settleMessage,
  takeMessage,
  type Trouble,
  type TroubleCause,
} from "../../src/alerts/alert-state.ts";

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 10, 28, 23, 15);
const RULES = {
  causes: ["failed", "recovered", "stale", "held", "clock"],
  repeatMs: 60 * MINUTE_MS,
  findQuietEnd: (atMs: number) => atMs,
} as const;

const BASE = {
  baseUrl: "https://shop.example",
  storeId: "s-1",
  schedule: "feed",
  sinceMs: START_MS,
};

const trouble = (cause: TroubleCause, more: Partial<Trouble> = {}): Trouble => ({
  ...BASE,
  cause,
  needsPerson: true,
  ...more,
});

const since = (minute: number): number => START_MS + minute * MINUTE_MS;

type Told = readonly [minute: number, cause: AlertCause];

/** What is found in a minute: a trouble, several, or that all is well. */
type Found = TroubleCause | readonly Trouble[] | "well";

interface WorldOptions {
  readonly rules?: Partial<Parameters<typeof advanceAlerts>[2]>;
  /** Whether the receiver takes what is sent in this minute. @default always */
  readonly takes?: (minute: number) => boolean;
}

/** Looks once a minute, as if each look were another process; returns what arrived. */
function play(
  minutes: number,
  findAt: (minute: number) => Found,
  { rules, takes = () => true }: WorldOptions = {},
): { readonly told: readonly Told[]; readonly attempts: readonly number[] } {
  const told: Told[] = [];
  const attempts: number[] = [];
  let stored: unknown = {};
  for (let minute = 0; minute < minutes; minute += 1) {
    const nowMs = START_MS + minute * MINUTE_MS;
    const found = findAt(minute);
    const troubles = found === "well" ? [] : typeof found === "string" ? [trouble(found)] : found;
    const recovery = { ...BASE, cause: "recovered" } as const;
    const finding = { subject: "schedule feed", troubles, ...(found === "well" && { recovery }) };
    let state = advanceAlerts(parseAlertState(stored), finding, { ...RULES, ...rules, nowMs });
    for (let taken = takeMessage(state, nowMs); taken; taken = takeMessage(state, nowMs)) {
      attempts.push(minute);
      const hasArrived = takes(minute);
      if (hasArrived) told.push([minute, taken.cause]);
      state = settleMessage(taken.state, taken, { nowMs, hasArrived });
    }
    stored = JSON.parse(JSON.stringify(state));
  }
  return { told, attempts };
}

const failsUntil =
  (end: number) =>
  (minute: number): Found =>
    minute < end ? "failed" : "well";

describe("a feed that fails", () => {
  it("is told of once an hour, and once when it works again", () => {
    expect(play(300, failsUntil(150)).told).toEqual([
      [0, "failed"],
      [60, "failed"],
      [120, "failed"],
      [150, "recovered"],
    ]);
  });

  it("again after a recovery that was told is told of at once", () => {
    const { told } = play(120, (minute) =>
      (minute >= 10 && minute < 15) || minute >= 30 ? "failed" : "well",
    );

    expect(told).toEqual([
      [10, "failed"],
      [15, "recovered"],
      [30, "failed"],
      [90, "failed"],
    ]);
  });

  it.each([2, 7, 20, 45])(
    "and works in turns of %s minutes is told of at most five times an hour, and never wrongly for longer",
    (period) => {
      const findAt = (minute: number): Found => (minute % period < period / 2 ? "failed" : "well");
      const { told } = play(24 * 60, findAt);

      let wrong = { told: 0, well: 0 };
      let longest = wrong;
      for (let minute = 0; minute < 24 * 60; minute += 1) {
        const within = told.filter(([at]) => at > minute - 60 && at <= minute);
        expect(within.length).toBeLessThanOrEqual(5);
        const last = told.findLast(([at]) => at <= minute)?.[1];
        const isWell = findAt(minute) === "well";
        wrong = {
          told: last === "failed" && isWell ? wrong.told + 1 : 0,
          well: last !== "failed" && !isWell ? wrong.well + 1 : 0,
        };
        longest = {
          told: Math.max(longest.told, wrong.told),
          well: Math.max(longest.well, wrong.well),
        };
      }
      expect(longest.well).toBe(0);
      expect(longest.told).toBeLessThanOrEqual(60);
    },
  );

  it("keeps its beginning until its end is told, also where it is another cause by then", () => {
    const look = (state: AlertState, one: Trouble, minute: number): AlertState =>
      advanceAlerts(state, { subject: "s", troubles: [one] }, { ...RULES, nowMs: since(minute) });
    const told = look({ causes: {} }, trouble("stale", { sinceMs: since(-9) }), 0);
    const taken = takeMessage(told, since(0));
    if (taken === undefined) throw new Error("nothing to send");
    const settled = settleMessage(taken.state, taken, { nowMs: since(0), hasArrived: true });
    const next = look(settled, trouble("failed", { sinceMs: since(1) }), 2);

    expect(listMessages(next).map(({ message }) => message.facts.sinceMs)).toEqual([since(-9)]);
  });

  it("for too short a time to be told of brings no recovery", () => {
    const { told } = play(60, (minute) =>
      minute < 10 ? [trouble("failed", { needsPerson: false })] : "well",
    );

    expect(told).toEqual([]);
  });

  it("since its first failure is told of with that time", () => {
    const later = START_MS + 15 * MINUTE_MS;
    const first = advanceAlerts(
      { causes: {} },
      { subject: "s", troubles: [trouble("failed", { needsPerson: false })] },
      { ...RULES, nowMs: START_MS },
    );
    const second = advanceAlerts(
      first,
      { subject: "s", troubles: [trouble("failed", { sinceMs: later })] },
      { ...RULES, nowMs: later },
    );

    expect(takeMessage(second, later)?.message.facts.sinceMs).toBe(START_MS);
  });

  it("is told once of where a person wants no repetition, and less often on request", () => {
    const once = play(600, failsUntil(500), { rules: { repeatMs: 0 } });
    const rarely = play(600, failsUntil(500), { rules: { repeatMs: 360 * MINUTE_MS } });

    expect(once.told).toEqual([
      [0, "failed"],
      [500, "recovered"],
    ]);
    expect(rarely.told.map(([minute]) => minute)).toEqual([0, 360, 500]);
  });

  it("in the quiet hours is told of when they end, and not at all if it is over by then", () => {
    const end = START_MS + 120 * MINUTE_MS;
    const rules = { findQuietEnd: (atMs: number) => Math.max(atMs, end) };

    expect(play(200, failsUntil(150), { rules }).told).toEqual([
      [120, "failed"],
      [150, "recovered"],
    ]);
    expect(play(200, failsUntil(100), { rules }).told).toEqual([]);
  });

  it("is not told of where the channel does not want it, nor is its recovery", () => {
    expect(play(200, failsUntil(90), { rules: { causes: ["held", "recovered"] } }).told).toEqual(
      [],
    );
    expect(play(200, failsUntil(50), { rules: { causes: ["failed"] } }).told).toEqual([
      [0, "failed"],
    ]);
  });

  it("as late as it is told of, is told with its latest reason", () => {
    const states = ["first", "second"].reduce<AlertState>(
      (state, reason) =>
        advanceAlerts(
          state,
          { subject: "s", troubles: [trouble("failed", { reason })] },
          { ...RULES, nowMs: START_MS },
        ),
      { causes: {} },
    );

    expect(listMessages(states).map(({ message }) => message.facts.reason)).toEqual(["second"]);
  });
});

describe("a message that does not arrive", () => {
  it("is tried again for about two hours, and is made anew while the trouble lasts", () => {
    const { told, attempts } = play(400, () => "failed", { takes: () => false });

    expect(told).toEqual([]);
    expect(attempts.slice(0, 8)).toEqual([0, 1, 3, 8, 18, 38, 68, 128]);
    expect(attempts[8]).toBe(128 + 60);
  });

  it("arrives when the receiver is back, and its recovery follows", () => {
    const { told } = play(200, failsUntil(100), { takes: (minute) => minute >= 5 });

    expect(told).toEqual([
      [8, "failed"],
      [68, "failed"],
      [100, "recovered"],
    ]);
  });

  it("brings no recovery where its trouble was never told", () => {
    expect(play(300, failsUntil(30), { takes: (minute) => minute > 35 }).told).toEqual([]);
  });

  it("of a recovery is tried again, and given up where the feed fails again", () => {
    const { told } = play(
      200,
      (minute) => (minute < 10 || (minute >= 40 && minute < 45) ? "failed" : "well"),
      { takes: (minute) => minute < 10 || minute > 60 },
    );

    // The recovery that was not told at 10 is told once the receiver is back.
    expect(told).toEqual([
      [0, "failed"],
      [63, "recovered"],
    ]);
  });

  it("waits as long as its receiver asks, but no longer than an hour", () => {
    const state = advanceAlerts(
      { causes: {} },
      { subject: "s", troubles: [trouble("failed")] },
      { ...RULES, nowMs: START_MS },
    );
    const taken = takeMessage(state, START_MS);
    if (taken === undefined) throw new Error("nothing to send");
    const nextAfter = (retryAfterMs: number): number | undefined =>
      listMessages(
        settleMessage(taken.state, taken, { nowMs: START_MS, hasArrived: false, retryAfterMs }),
      )[0]?.message.nextMs;

    expect(nextAfter(0)).toBe(START_MS + MINUTE_MS);
    expect(nextAfter(600_000)).toBe(START_MS + 600_000);
    expect(nextAfter(86_400_000)).toBe(START_MS + 3_600_000);
  });

  it("is not sent by another process while one sends it", () => {
    const state = advanceAlerts(
      { causes: {} },
      { subject: "s", troubles: [trouble("failed")] },
      { ...RULES, nowMs: START_MS },
    );
    const taken = takeMessage(state, START_MS);
    if (taken === undefined) throw new Error("nothing to send");

    expect(takeMessage(taken.state, START_MS + 60_000)).toBeUndefined();
    expect(takeMessage(taken.state, START_MS + 120_000)?.message.id).toBe(taken.message.id);
  });
});

describe("trouble of other kinds", () => {
  it("is told of beside a failure, each cause by itself", () => {
    const { told } = play(10, () => [trouble("failed"), trouble("held", { rows: 3 })]);

    expect(told).toEqual([
      [0, "failed"],
      [0, "held"],
    ]);
  });

  it.each([
    ["the same rows wait", () => 3, 2],
    ["more rows come to wait", (minute: number) => 3 + Math.floor(minute / 300), 5],
  ] as const)("is told of again after a day, or when it grows: %s", (_, rowsAt, expected) => {
    const { told } = play(1_450, (minute) => [trouble("held", { rows: rowsAt(minute) })]);

    expect(told).toHaveLength(expected);
  });

  it("that turns from silence into a failure is followed by one recovery", () => {
    const { told } = play(300, (minute) =>
      minute < 100 ? "stale" : minute < 110 ? [trouble("failed", { needsPerson: false })] : "well",
    );

    expect(told).toEqual([
      [0, "stale"],
      [60, "stale"],
      [110, "recovered"],
    ]);
  });

  it("is not silenced by a clock that was put back", () => {
    const told = advanceAlerts(
      { causes: {} },
      { subject: "s", troubles: [trouble("failed")] },
      { ...RULES, nowMs: START_MS + 500 * 86_400_000 },
    );
    const taken = takeMessage(told, START_MS + 500 * 86_400_000);
    if (taken === undefined) throw new Error("nothing to send");
    const nowMs = START_MS + 500 * 86_400_000;
    const settled = settleMessage(taken.state, taken, { nowMs, hasArrived: true });
    const back = advanceAlerts(
      settled,
      { subject: "s", troubles: [trouble("failed")] },
      { ...RULES, nowMs: START_MS },
    );

    expect(listMessages(back)).toHaveLength(1);
  });
});
