import { createFakeClock } from "@catalog/clock/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ApplyResult, SentRow } from "../../src/send/outcome.ts";
import {
  createCircuitBreaker,
  createRateLimitPause,
  createRateLimitScope,
  createSendGate,
  type RateLimitPause,
  SendDeferred,
  type SendGate,
} from "../../src/send/send-gate.ts";

interface Fixture {
  readonly gate: SendGate;
  readonly stop: AbortController;
  readonly breaker: { end: ApplyResult | undefined };
  readonly pause: { isOn: boolean; over(): Promise<void> };
  readonly endPause: () => void;
  readonly nowMs: { value: number };
}

function openFixture(): Fixture {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = new AbortController();
  const breaker: Fixture["breaker"] = { end: undefined };
  const pause = { isOn: false, over: async () => (pause.isOn ? await promise : undefined) };
  const endPause = (): void => {
    pause.isOn = false;
    resolve();
  };
  const clock = { now: () => nowMs.value };
  const nowMs = { value: 0 };
  const gate = createSendGate({ breaker, pause, stop: stop.signal, clock, untilMs: 1_000 });
  return { gate, nowMs, stop, breaker, pause, endPause };
}

const CLOSERS: readonly (readonly [what: string, close: (fixture: Fixture) => void])[] = [
  ["a stop", ({ stop }) => stop.abort()],
  ["an open breaker", ({ breaker }) => void (breaker.end = { end: "breaker" })],
  ["a failed row", ({ gate }) => gate.close()],
  ["the end of a period", ({ nowMs }) => void (nowMs.value = 1_000)],
];

describe("createSendGate", () => {
  it("lets requests leave in a running pass", async () => {
    const { gate } = openFixture();

    expect(gate.isOpen).toBe(true);
    expect(() => gate.assertOpen()).not.toThrow();
    expect(await gate.ready()).toBe(true);
  });

  it.each(CLOSERS)("lets no request leave after %s", async (_what, close) => {
    const fixture = openFixture();

    close(fixture);

    expect(fixture.gate.isOpen).toBe(false);
    expect(() => fixture.gate.assertOpen()).toThrow(SendDeferred);
    expect(await fixture.gate.ready()).toBe(false);
  });

  it("lets no request leave during a pause, and is ready after it", async () => {
    const { gate, pause, endPause } = openFixture();
    pause.isOn = true;
    const ready = gate.ready();

    expect(gate.isOpen).toBe(false);
    expect(() => gate.assertOpen()).toThrow(SendDeferred);

    endPause();
    expect(await ready).toBe(true);
    expect(gate.isOpen).toBe(true);
  });

  it("reports that it is not ready after a pause during which it was stopped", async () => {
    const { gate, pause, stop, endPause } = openFixture();
    pause.isOn = true;
    const ready = gate.ready();

    stop.abort();
    endPause();

    expect(await ready).toBe(false);
  });
});

const KINDS = {
  done: { state: "done", next: "go-on" },
  ambiguous: { state: "ambiguous", next: "go-on" },
  unsent: { state: "ready", next: "go-on" },
  limited: { state: "ready", next: "wait" },
  refused: { state: "ready", next: "renew-login" },
  forbidden: { state: "ready", next: "stop-permission" },
  rejected: { state: "rejected", next: "go-on" },
  held: { state: "held", next: "go-on" },
} as const satisfies Record<string, Pick<SentRow, "state" | "next">>;

type Kind = keyof typeof KINDS;

const sent = (kind: Kind): SentRow => ({
  row: 2,
  code: "A1",
  action: "add",
  note: `it was ${kind}`,
  ...KINDS[kind],
});

/** The same text in both languages. */
const say = (words: string) => ({ tr: words, en: words });

const times = (count: number, kind: Kind): readonly Kind[] =>
  Array.from({ length: count }, () => kind);

const CASES: readonly (readonly [name: string, rows: readonly Kind[], end: string | undefined])[] =
  [
    ["stays closed before any row", [], undefined],
    ["stays closed after two lost answers", times(2, "ambiguous"), undefined],
    ["opens at the third lost answer in a row", times(3, "ambiguous"), "breaker"],
    [
      "resets the count of lost answers when one arrives",
      [...times(2, "ambiguous"), "done", ...times(2, "ambiguous")],
      undefined,
    ],
    ["stays closed after four requests that never left", times(4, "unsent"), undefined],
    ["opens at the fifth request that never left", times(5, "unsent"), "breaker"],
    [
      "resets the count of unsent requests when one leaves",
      [...times(4, "unsent"), "rejected", ...times(4, "unsent")],
      undefined,
    ],
    ["stays closed for rows refused with 429", times(50, "limited"), undefined],
    ["stays closed after seven refused tokens", times(7, "refused"), undefined],
    ["stops at the login after the eighth refused token in a row", times(8, "refused"), "login"],
    [
      "resets the count of refused tokens when one is accepted",
      [...times(7, "refused"), "done", "refused"],
      undefined,
    ],
    ["stops at the first missing permission", ["forbidden"], "permission"],
    ["stays closed for held rows", times(50, "held"), undefined],
    ["stays closed for rejected rows without a limit", times(500, "rejected"), undefined],
  ];

describe("createCircuitBreaker", () => {
  it.each(CASES)("%s", (_name, rows, end) => {
    const breaker = createCircuitBreaker({ clock: { now: () => 0 } });

    for (const kind of rows) breaker.note(sent(kind));

    expect(breaker.end?.end).toBe(end);
  });

  it("expects a token that ends to be refused to every request under way, and the next once more", () => {
    const breaker = createCircuitBreaker({ clock: { now: () => 0 }, concurrency: 16 });

    for (const kind of times(31, "refused")) breaker.note(sent(kind));
    expect(breaker.end).toBeUndefined();

    breaker.note(sent("refused"));
    expect(breaker.end?.end).toBe("login");
  });

  it("stays closed for the allowed number of rejected rows, and opens after that", () => {
    const breaker = createCircuitBreaker({ clock: { now: () => 0 }, maxRejected: 2 });

    for (const kind of ["rejected", "done", "rejected"] as const) breaker.note(sent(kind));
    expect(breaker.end).toBeUndefined();

    breaker.note(sent("rejected"));
    expect(breaker.end).toEqual({ end: "too-many-rejected", reason: say("it was rejected") });
  });

  it("opens at the first rejected row when none is allowed", () => {
    const breaker = createCircuitBreaker({ clock: { now: () => 0 }, maxRejected: 0 });

    breaker.note(sent("rejected"));

    expect(breaker.end?.end).toBe("too-many-rejected");
  });

  it("keeps its first reason once it is open", () => {
    const breaker = createCircuitBreaker({ clock: { now: () => 0 } });

    for (const kind of [...times(3, "ambiguous"), "forbidden", "done"] as const) {
      breaker.note(sent(kind));
    }

    expect(breaker.end).toEqual({ end: "breaker", reason: say("it was ambiguous") });
  });

  it("opens once more than 5 % of at least 20 rows of the last five minutes are lost", () => {
    const step = fc.record({
      // The clock may be put back as well.
      waitMs: fc.oneof(
        { weight: 30, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: -60_000, max: 250_000 }) },
      ),
      isLost: fc.integer({ min: 0, max: 24 }).map((one) => one === 0),
    });

    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 150, size: "max" }), (steps) => {
        let now = 1_000_000;
        const breaker = createCircuitBreaker({ clock: { now: () => now } });
        const rows: { readonly at: number; readonly isLost: boolean }[] = [];
        for (const { waitMs, isLost } of steps) {
          now += waitMs;
          rows.push({ at: now, isLost });
          breaker.note(sent(isLost ? "ambiguous" : "done"));
          expect(breaker.end !== undefined).toBe(isOpenAfter(rows));
          if (breaker.end !== undefined) break;
        }
      }),
    );
  });

  it("starts counting again after it was closed", () => {
    let now = 0;
    const breaker = createCircuitBreaker({ clock: { now: () => now } });
    const note = (kinds: readonly Kind[]): void => {
      for (const kind of kinds) {
        now += 1_000;
        breaker.note(sent(kind));
      }
    };
    note([...times(18, "done"), "ambiguous", "done", "ambiguous"]);
    expect(breaker.end?.end).toBe("breaker");

    breaker.close();
    // At least 40 rows count now, and two lost ones of 40 are not too many.
    note([...times(30, "done"), "ambiguous", "done", "ambiguous", ...times(7, "done")]);

    expect(breaker.end).toBeUndefined();
    note(["ambiguous"]);
    expect(breaker.end?.end).toBe("breaker");
  });
});

/**
 * The rule in its simplest form: a row that once fell out of the time stays out, with all before
 * it.
 */
function isOpenAfter(rows: readonly { readonly at: number; readonly isLost: boolean }[]): boolean {
  if (rows.length >= 3 && rows.slice(-3).every(({ isLost }) => isLost)) return true;
  const recent: { readonly at: number; readonly isLost: boolean }[] = [];
  for (const row of rows) {
    recent.push(row);
    recent.splice(
      0,
      recent.findIndex(({ at }) => at > row.at - 300_000),
    );
  }
  const lost = recent.filter(({ isLost }) => isLost).length;
  return recent.length >= 20 && lost > recent.length * 0.05;
}

function open(stop?: AbortSignal, fails?: Error) {
  const clock = createFakeClock();
  const probes: number[] = [];
  const penalties: number[] = [];
  const probe = (): Promise<void> => {
    probes.push(clock.now());
    return fails === undefined ? Promise.resolve() : Promise.reject(fails);
  };
  const penalty = { pause: (ms: number) => void penalties.push(ms) };
  const pause: RateLimitPause = createRateLimitPause({ clock, probe, penalty, stop });
  return { clock, probes, penalties, pause };
}

describe("createRateLimitPause", () => {
  it("starts without a pause and without a probe", async () => {
    const { pause, probes } = open();

    await pause.over();

    expect(probes).toEqual([]);
  });

  it("makes all callers wait, and probes once before they continue", async () => {
    const { clock, pause, probes, penalties } = open();
    const gone: number[] = [];
    pause.begin(5_000);
    const waits = [1, 2, 3].map((n) => pause.over().then(() => gone.push(n)));

    await clock.advance(4_999);
    expect(gone).toEqual([]);
    await clock.advance(1);
    await Promise.all(waits);

    expect(probes).toEqual([5_000]);
    expect(penalties).toEqual([5_000]);
  });

  it("pauses for the longest wait that was asked for", async () => {
    const { clock, pause, probes } = open();
    pause.begin(5_000);
    pause.begin(9_000);
    pause.begin(1_000);
    let isOver = false;
    const waiting = pause.over().then(() => (isOver = true));

    await clock.advance(8_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    await waiting;

    expect(probes).toEqual([9_000]);
  });

  it("ends the pause at a stop, without a probe", async () => {
    const controller = new AbortController();
    const { pause, probes, clock } = open(controller.signal);
    pause.begin(3_600_000);

    controller.abort();
    await pause.over();

    expect(clock.now()).toBe(0);
    expect(probes).toEqual([]);
  });

  it("rejects for every waiting caller when the probe fails", async () => {
    const { clock, pause } = open(undefined, new Error("still refused"));
    pause.begin(10);
    const waiting = expect(pause.over()).rejects.toThrow("still refused");

    await clock.advance(10);

    await waiting;
  });
});

const WORDS = { tr: "çok", en: "many" };
const refusal = (row: number, askedMs?: number, isPaused = false) => ({
  row,
  askedMs,
  isPaused,
  words: WORDS,
});

describe("a refusal for too many calls", () => {
  it("waits shortly after a refusal, and long when the next write is refused too", () => {
    const limit = createRateLimitScope();

    expect([2, 3, 4].map((row) => limit.refused(refusal(row)))).toEqual([5_000, 60_000, 60_000]);
  });

  it("waits shortly again after a write was accepted", () => {
    const limit = createRateLimitScope();
    limit.refused(refusal(2));
    limit.passed();

    expect(limit.refused(refusal(3))).toBe(5_000);
  });

  it("waits as long as the marketplace asks, and at most an hour", () => {
    const limit = createRateLimitScope();

    expect(limit.refused(refusal(2, 1_500))).toBe(1_500);
    expect(limit.refused(refusal(2, 86_400_000))).toBe(3_600_000);
  });

  it("counts refusals of calls that were under way together once", () => {
    const limit = createRateLimitScope();
    limit.refused(refusal(2));
    limit.refused(refusal(3, undefined, true));

    expect(limit.refused(refusal(4, undefined, true))).toBe(5_000);
  });

  it("gives a row up after three tries between which other writes were accepted", () => {
    const limit = createRateLimitScope();
    const tries = [1, 2, 3].map(() => {
      limit.refused(refusal(2));
      limit.passed();
      return limit.givenUp(2);
    });

    expect(tries).toEqual([undefined, undefined, WORDS]);
  });

  it("gives no row up while no write is accepted", () => {
    const limit = createRateLimitScope();
    for (let n = 0; n < 9; n += 1) limit.refused(refusal(2));

    expect(limit.givenUp(2)).toBeUndefined();
  });
});
