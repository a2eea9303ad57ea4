import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createRateLimiter, type RateLimiter } from "../../src/rate-limit/rate-limiter.ts";
import type { Database } from "../../src/sql/database.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { createRandom } from "../helpers/random.ts";
import { openRaw } from "../helpers/raw.ts";

const HOUR_MS = 3_600_000;

interface Fixture {
  readonly clock: FakeClock;
  readonly path: string;
  readonly databases: readonly Database[];
  readonly limiters: readonly RateLimiter[];
  /** Times at which slots were given, in order. */
  readonly slots: readonly number[];
  /** Asks for a slot; `by` is the index of the rate limiter. */
  readonly ask: (by?: number) => void;
  /** Advances the clock until every caller has a slot. */
  readonly settle: () => Promise<void>;
}

/** Opens two rate limiters of one key, as two processes would. */
async function openFixture(requestsPerHour: number): Promise<Fixture> {
  const clock = createFakeClock(1_764_000_000_000);
  const first = await openTestJournal({ clock });
  const second = await openTestJournal({ path: first.path, clock, runs: [] });
  const databases = [first.database, second.database];
  const limiters = databases.map((database) =>
    createRateLimiter({ database, clock, key: "key", requestsPerHour }),
  );
  const slots: number[] = [];
  let asked = 0;
  return {
    clock,
    path: first.path,
    databases,
    limiters,
    slots,
    ask: (by = 0) => {
      asked += 1;
      void limiters[by]?.take().then(() => slots.push(clock.now()));
    },
    settle: async () => {
      // All waiting callers wake at once, and one of them gets the slot.
      for (let wakes = 0; slots.length < asked; wakes += 1) {
        if (wakes > asked * asked + 10) throw new Error(`${asked - slots.length} wait forever`);
        await clock.advanceToNext();
      }
    },
  };
}

/** Returns the highest number of slots in any hour, its end excluded. */
function mostInAnHour(slots: readonly number[]): number {
  const counts = slots.map(
    (start) => slots.filter((slot) => slot >= start && slot < start + HOUR_MS).length,
  );
  return Math.max(...counts);
}

describe("createRateLimiter", () => {
  it.each([1, 2, 3, 7, 10, 19, 20, 30, 45])(
    "never gives more than %i slots in any hour, and every caller a slot",
    async (requestsPerHour) => {
      const random = createRandom(requestsPerHour);
      const { clock, slots, ask, settle } = await openFixture(requestsPerHour);

      for (let round = 0; round < 12; round += 1) {
        const asks = 1 + random.below(Math.min(8, requestsPerHour * 2));
        for (let index = 0; index < asks; index += 1) ask(random.below(2));
        await clock.advance(random.pick([0, 1, 999, 60_000, HOUR_MS / 4, HOUR_MS, 3 * HOUR_MS]));
      }
      await settle();

      expect(slots.length).toBeGreaterThan(11);
      expect(mostInAnHour(slots)).toBeLessThanOrEqual(requestsPerHour);
    },
  );

  it.each([1, 10, 40])(
    "gives nine tenths of %i slots an hour to a steady caller",
    async (limit) => {
      const { clock, slots, ask, settle } = await openFixture(limit);
      const start = clock.now();

      while (clock.now() < start + 3 * HOUR_MS) {
        ask();
        await settle();
      }

      const inThreeHours = slots.filter((slot) => slot < start + 3 * HOUR_MS).length;
      expect(mostInAnHour(slots)).toBeLessThanOrEqual(limit);
      expect(inThreeHours).toBeGreaterThanOrEqual(Math.floor(3 * limit * 0.9));
    },
  );

  it("gives a burst of slots after a quiet time, and then one at a time", async () => {
    const { clock, slots, ask, settle } = await openFixture(100);
    const start = clock.now();

    for (let index = 0; index < 5; index += 1) ask(index % 2);
    await settle();

    const stepMs = HOUR_MS / 97;
    expect(slots.map((slot) => slot - start)).toEqual([
      0,
      0,
      0,
      Math.ceil(stepMs),
      Math.ceil(2 * stepMs),
    ]);
  });

  it("allows no larger burst after a longer quiet time", async () => {
    const { clock, slots, ask, settle } = await openFixture(100);
    ask();
    await clock.advance(100 * HOUR_MS);
    const start = clock.now();

    for (let index = 0; index < 5; index += 1) ask();
    await settle();

    expect(slots.filter((slot) => slot === start)).toHaveLength(3);
  });

  it(
    "gives at most 600 slots in every hour and wastes fewer than 5 % of them, over three processes",
    { timeout: 120_000 },
    async () => {
      const limit = 600;
      const { clock, path, limiters } = await openFixture(limit);
      const third = await openTestJournal({ path, clock, runs: [] });
      const { database } = third;
      const all = [
        ...limiters,
        createRateLimiter({ database, clock, key: "key", requestsPerHour: limit }),
      ];
      const start = clock.now();
      const slots: number[] = [];
      const work = async (limiter: RateLimiter): Promise<void> => {
        while (clock.now() < start + 2 * HOUR_MS) {
          await limiter.take();
          slots.push(clock.now());
        }
      };

      const workers = all.flatMap((limiter) => [work(limiter), work(limiter), work(limiter)]);
      while (clock.now() < start + 2 * HOUR_MS) await clock.advanceToNext();
      await clock.advance(HOUR_MS);
      await Promise.all(workers);

      const inTwoHours = slots.filter((slot) => slot < start + 2 * HOUR_MS).length;
      expect(mostInAnHour(slots)).toBeLessThanOrEqual(limit);
      expect(inTwoHours / (2 * limit)).toBeGreaterThanOrEqual(0.95);
    },
  );

  it("limits keys independently", async () => {
    const { clock, databases, slots, ask, settle } = await openFixture(1);
    const [database] = databases;
    if (database === undefined) throw new Error("no database");
    const other = createRateLimiter({ database, clock, key: "other", requestsPerHour: 1 });
    ask();
    await settle();

    await other.take();

    expect(slots).toEqual([clock.now()]);
  });

  it("rejects an aborted wait with its reason, and reserves no slot for it", async () => {
    const { clock, limiters, slots, ask, settle } = await openFixture(1);
    const start = clock.now();
    ask();
    await settle();
    const controller = new AbortController();
    const waiting = limiters[0]?.take(controller.signal);

    await clock.advance(1_000);
    controller.abort(new Error("stop"));

    await expect(waiting).rejects.toThrow("stop");
    ask();
    await settle();
    expect(slots).toEqual([start, start + HOUR_MS]);
  });

  it("takes no slot for a signal that was aborted before", async () => {
    const { clock, limiters, slots, ask, settle } = await openFixture(1);
    const start = clock.now();

    await expect(limiters[0]?.take(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");

    ask();
    await settle();
    expect(slots).toEqual([start]);
  });

  it("ignores reservations far ahead once the clock was put back", async () => {
    const { databases, clock, ask, settle } = await openFixture(1);
    ask();
    await settle();
    const [database] = databases;
    if (database === undefined) throw new Error("no database");

    const earlier = createFakeClock(clock.now() - 1_000 * HOUR_MS);
    const limiter = createRateLimiter({ database, clock: earlier, key: "key", requestsPerHour: 1 });
    await limiter.take();

    // The slot given last counts from the new time.
    const given = limiter.take().then(() => earlier.now());
    const start = earlier.now();
    await earlier.advance(3 * HOUR_MS);
    expect((await given) - start).toBe(HOUR_MS);
  });

  it("exceeds no limit when the clock is put back a little", async () => {
    const { databases, clock, ask, settle } = await openFixture(1);
    ask();
    await settle();
    const [database] = databases;
    if (database === undefined) throw new Error("no database");
    const earlier = createFakeClock(clock.now() - 60_000);
    const start = earlier.now();
    const limiter = createRateLimiter({ database, clock: earlier, key: "key", requestsPerHour: 1 });

    const slots = limiter.take().then(() => earlier.now());
    await earlier.advance(3 * HOUR_MS);

    expect((await slots) - start).toBe(HOUR_MS + 60_000);
  });

  it("returns the pause after a refusal, at most an hour, and refuses a caller with a shorter patience", async () => {
    const clock = createFakeClock(1_764_000_000_000);
    const { database } = await openTestJournal({ clock });
    const limiter = createRateLimiter({ database, clock, key: "key" });
    const hasty = createRateLimiter({ database, clock, key: "key", patienceMs: 5_000 });
    limiter.note({ status: 429, retryAfterMs: 86_400_000 });

    const pause = { untilMs: clock.now() + HOUR_MS, sinceMs: clock.now(), refusals: 1 };
    expect(await limiter.pause()).toEqual(pause);
    expect(await hasty.pause()).toEqual(pause);
    await expect(hasty.take()).rejects.toMatchObject({ code: "E_CALLS_PAUSED" });
    expect(await limiter.waitMs(1)).toBe(HOUR_MS);
  });

  it("gives slots at once after its pause was cleared, and forgets the learnt limit", async () => {
    const clock = createFakeClock(1_764_000_000_000);
    const { database } = await openTestJournal({ clock });
    const limiter = createRateLimiter({ database, clock, key: "key" });
    limiter.note({ status: 429, retryAfterMs: HOUR_MS });

    await limiter.clear();

    await limiter.take();
    expect([await limiter.pause(), await limiter.callsPerHour()]).toEqual([undefined, undefined]);
  });

  it("ignores a pause that ends later than the longest possible one", async () => {
    const clock = createFakeClock(1_764_000_000_000);
    const { database, path } = await openTestJournal({ clock });
    const limiter = createRateLimiter({ database, clock, key: "key" });
    openRaw(path).run(
      "INSERT INTO budget (key, tat_ms, blocked_until_ms, strikes) VALUES ('key', 0, ?, 1)",
      clock.now() + 1_000 * HOUR_MS,
    );

    await limiter.take();

    expect([await limiter.pause(), await limiter.waitMs(1)]).toEqual([undefined, 0]);
  });

  it("refuses the next call where one could not be counted, once only, and counts those after it", async () => {
    const clock = createFakeClock(1_764_000_000_000);
    const { database, path } = await openTestJournal({ clock });
    const limiter = createRateLimiter({ database, clock, key: "key" });
    const raw = openRaw(path);
    raw.run(`CREATE TRIGGER refuse BEFORE INSERT ON budget BEGIN SELECT raise(ABORT, 'no'); END`);
    limiter.note({ status: 429 });
    limiter.note({ status: 429 });

    expect(await limiter.pause()).toBeUndefined();
    await expect(limiter.take()).rejects.toThrow("no");
    await limiter.take();

    raw.run("DROP TRIGGER refuse");
    limiter.note({ status: 429 });
    expect(await limiter.pause()).toBeDefined();
  });

  it("counts answers in the order they came in", async () => {
    const clock = createFakeClock(1_764_000_000_000);
    const { database, path } = await openTestJournal({ clock });
    const limiter = createRateLimiter({ database, clock, key: "key" });
    const raw = openRaw(path);
    raw.run("INSERT INTO budget (key, tat_ms, strikes) VALUES ('key', 0, 1)");

    limiter.note({ status: 429 });
    limiter.note({ status: 200 });
    await limiter.flush();

    expect(raw.rows("SELECT strikes FROM budget")).toEqual([{ strikes: 2 }]);
  });

  it("throws for a limit that is not a whole number of calls", async () => {
    const { database, clock } = await openTestJournal();

    for (const requestsPerHour of [0, -1, 1.5, Number.NaN]) {
      expect(() => createRateLimiter({ database, clock, key: "key", requestsPerHour })).toThrow(
        `requestsPerHour must be a positive integer, got ${requestsPerHour}`,
      );
    }
  });
});

it("the calls of the last hour include those of another process after some seconds, and no call of an earlier hour", async () => {
  const { limiters, clock } = await openFixture(1_000);
  const [ours, other] = limiters;
  ours?.note({ status: 200 });
  other?.note({ status: 200 });
  await clock.advance(6_000);
  other?.note({ status: 200 });
  other?.note({ status: 200 });
  await other?.callsPerHour();
  const seen = await ours?.callsLastHour();
  await other?.flush();
  const flushed = await ours?.callsLastHour();
  await clock.advance(2 * HOUR_MS);

  expect([seen, flushed, await ours?.callsLastHour()]).toEqual([2, 4, 0]);
});
