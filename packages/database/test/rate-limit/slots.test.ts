import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createRateLimiter, type RateLimiter } from "../../src/rate-limit/rate-limiter.ts";
import { allowedCalls, learnLimit } from "../../src/rate-limit/slots.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";

const HOUR_MS = 3_600_000;

it.each([
  ["learns the counted calls where no limit was known", undefined, 480, 480],
  ["learns at least one call a minute", undefined, 3, 60],
  ["learns the counted calls where they are near the limit", 600, 590, 590],
  ["halves the limit where another program must have used it up", 600, 100, 300],
  ["never learns more than the limit before", 600, 800, 600],
  ["never raises a small limit", 40, 1, 40],
] as const)("learnLimit %s", (...[, allowed, counted, expected]) => {
  expect(learnLimit({ allowed, counted })).toBe(expected);
});

describe("allowedCalls", () => {
  const learned = { callsPerHour: 100, atMs: 0 };

  it.each([
    ["allows the given limit where none was learnt", 600, undefined, 0, 600],
    ["allows the learnt limit in the first hour", 600, learned, HOUR_MS - 1, 100],
    ["allows a tenth more after an hour without a refusal", 600, learned, HOUR_MS, 110],
    ["never allows more than the given limit", 105, learned, 100 * HOUR_MS, 105],
    ["allows no less where the clock was put back", 600, learned, -HOUR_MS, 100],
    [
      "allows more after quiet hours where no limit was given",
      undefined,
      learned,
      2 * HOUR_MS,
      121,
    ],
  ] as const)("%s", (...[, given, lesson, nowMs, expected]) => {
    expect(allowedCalls(given, lesson, nowMs)).toBe(expected);
  });
});

const MINUTE_MS = 60_000;
const HOUR = 60 * MINUTE_MS;

interface Fixture {
  readonly clock: FakeClock;
  readonly one: RateLimiter;
  /** A rate limiter of the same key in another process. */
  readonly other: RateLimiter;
}

async function openFixture(requestsPerHour?: number): Promise<Fixture> {
  const clock = createFakeClock(1_764_000_000_000);
  const first = await openTestJournal({ clock });
  const second = await openTestJournal({ path: first.path, clock, runs: [] });
  const create = ({ database }: typeof first): RateLimiter =>
    createRateLimiter({ database, clock, key: "key", requestsPerHour });
  return { clock, one: create(first), other: create(second) };
}

/** Returns the wait for a slot, in milliseconds. */
async function timeOf(clock: FakeClock, taken: Promise<void>): Promise<number> {
  const start = clock.now();
  const moments: number[] = [];
  void taken.then(() => moments.push(clock.now()));
  await clock.advance(0);
  while (moments.length === 0) await clock.advanceToNext();
  return clock.now() - start;
}

const REFUSED = { status: 429 };
const ACCEPTED = { status: 200 };

describe("a refusal for too many calls", () => {
  it("pauses every process for as long as the marketplace asks", async () => {
    const { clock, one, other } = await openFixture();

    one.note({ ...REFUSED, retryAfterMs: 7_000 });
    await one.pause();

    expect(await timeOf(clock, other.take())).toBe(7_000);
  });

  it("pauses shortly where no time is given, then for a minute, and then twice as long each time", async () => {
    const { clock, one } = await openFixture();
    const waits: number[] = [];

    for (let round = 0; round < 8; round += 1) {
      one.note(REFUSED);
      waits.push((await timeOf(clock, one.take())) / MINUTE_MS);
    }

    expect(waits).toEqual([1 / 12, 1, 2, 4, 8, 16, 32, 60]);
  });

  it("counts refusals of calls that were under way together as one", async () => {
    const { clock, one, other } = await openFixture();

    for (const limiter of [one, other, one, other]) limiter.note(REFUSED);

    expect(await timeOf(clock, one.take())).toBe(5_000);
  });

  it("lets one caller probe, and the others only once the probe was accepted", async () => {
    const { clock, one, other } = await openFixture();
    one.note({ ...REFUSED, retryAfterMs: 5_000 });
    await timeOf(clock, one.take());
    let others = 0;
    const waiting = [other.take(), other.take()].map((slots) => slots.then(() => (others += 1)));

    await clock.advance(30_000);
    expect(others).toBe(0);
    one.note(ACCEPTED);
    await clock.advance(1_000);

    await Promise.all(waiting);
    expect(others).toBe(2);
  });

  it("lets another caller probe when the first one has died", async () => {
    const { clock, one, other } = await openFixture();
    one.note({ ...REFUSED, retryAfterMs: 5_000 });
    await timeOf(clock, one.take());

    expect(await timeOf(clock, other.take())).toBe(2 * MINUTE_MS);
  });

  it("keeps the pause when a call that was under way is accepted", async () => {
    const { clock, one, other } = await openFixture();
    one.note({ ...REFUSED, retryAfterMs: 9_000 });

    other.note(ACCEPTED);

    expect(await timeOf(clock, one.take())).toBe(9_000);
  });

  it("ends a wait when the signal aborts", async () => {
    const { one } = await openFixture();
    one.note(REFUSED);
    const stop = new AbortController();
    const waiting = one.take(stop.signal);

    stop.abort(new Error("stop"));

    await expect(waiting).rejects.toThrow("stop");
  });
});

describe("learning a limit from refusals", () => {
  it("learns nothing from refusals that pass soon", async () => {
    const { clock, one } = await openFixture(600);
    for (let call = 0; call < 5; call += 1) one.note(ACCEPTED);

    one.note({ ...REFUSED, retryAfterMs: 2_000 });
    await timeOf(clock, one.take());
    one.note(REFUSED);

    expect(await one.callsPerHour()).toBe(600);
  });

  it("learns the hour's calls of all processes where the marketplace asks for a long pause", async () => {
    const { clock, one, other } = await openFixture();
    for (let call = 0; call < 50; call += 1) one.note(ACCEPTED);
    for (let call = 0; call < 70; call += 1) other.note(ACCEPTED);
    await clock.advance(2 * MINUTE_MS);
    other.note(ACCEPTED);
    await other.pause();

    one.note({ ...REFUSED, retryAfterMs: 20 * MINUTE_MS });
    await one.pause();

    expect(await other.callsPerHour()).toBe(120);
  });

  it("learns the hour's calls too where no time is given and the refusals last", async () => {
    const { clock, one } = await openFixture();
    for (let call = 0; call < 99; call += 1) one.note(ACCEPTED);

    for (let round = 0; round < 5; round += 1) {
      one.note(REFUSED);
      await timeOf(clock, one.take());
    }

    expect(await one.callsPerHour()).toBe(99);
  });

  it("forgets calls that are older than an hour", async () => {
    const { clock, one } = await openFixture();
    for (let call = 0; call < 500; call += 1) one.note(ACCEPTED);
    await clock.advance(61 * MINUTE_MS);
    for (let call = 0; call < 80; call += 1) one.note(ACCEPTED);

    one.note({ ...REFUSED, retryAfterMs: 10 * MINUTE_MS });

    expect(await one.callsPerHour()).toBe(80);
  });

  it("limits the calls that follow", async () => {
    const { clock, one } = await openFixture();
    for (let call = 0; call < 60; call += 1) one.note(ACCEPTED);
    one.note({ ...REFUSED, retryAfterMs: 10 * MINUTE_MS });
    await timeOf(clock, one.take());
    one.note(ACCEPTED);

    expect(await timeOf(clock, one.take())).toBe(Math.ceil(HOUR / 59));
    expect(await one.waitMs(60)).toBeGreaterThan(50 * MINUTE_MS);
  });
});

/** Returns the order in which slots are given to callers that ask repeatedly. */
async function race(rounds: number, asking: readonly ("urgent" | "bulk")[]): Promise<string[]> {
  const { clock, one, other } = await openFixture(60);
  const order: string[] = [];
  const stop = new AbortController();
  // Uses up the burst after a quiet time.
  await one.take();
  other.usePriority();
  for (const by of asking) {
    const limiter = by === "bulk" ? one : other;
    const work = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await limiter.take(stop.signal);
        order.push(by);
      }
    };
    work().catch(() => undefined);
  }
  await clock.advance(0);
  while (order.length < rounds) await clock.advanceToNext();
  stop.abort();
  return order;
}

describe("two priorities", () => {
  it("lets urgent calls go before bulk calls that wait", async () => {
    const order = await race(50, ["bulk", "bulk", "bulk", "bulk", "urgent"]);

    const urgent = order.filter((by) => by === "urgent").length;
    expect(urgent).toBeGreaterThanOrEqual(38);
  });

  it("gives one slot in five to bulk calls, however many urgent ones wait", async () => {
    const order = await race(50, ["urgent", "bulk", "urgent", "urgent"]);

    const bulk = order.filter((by) => by === "bulk").length;
    expect(bulk).toBeGreaterThanOrEqual(8);
    expect(bulk).toBeLessThanOrEqual(13);
  });

  it("gives bulk calls every slot that no urgent call needs", async () => {
    expect(await race(10, ["bulk"])).toHaveLength(10);
  });
});
