import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { createFakeClock, elapse } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import {
  type AutoConcurrency,
  createConcurrencyControl,
  createGate,
  MAX_CONCURRENCY,
  untilAborted,
} from "../src/concurrency.ts";
import { createRateLimit, toRate, waitForSlotsMs } from "../src/rate.ts";
import { failureOf } from "./helpers/marketplace.ts";
import { play, type PlayedCall, type PlayOptions } from "./helpers/played-server.ts";

it("createConcurrencyControl with a number lets reads and writes share the limit, whatever the answers are", async () => {
  const control = createConcurrencyControl(3);

  await play(control, 30, { status: () => 429 });

  expect(control.limits()).toEqual({ reads: 3, writes: 3 });
});

describe("createConcurrencyControl that finds the limits out", () => {
  it("begins with 4 and grows to its limits while answers are as fast as before", async () => {
    const control = createConcurrencyControl({});

    expect(control.limits()).toEqual({ reads: 4, writes: 4 });
    await play(control, 60);
    await play(control, 60, { kind: "writes" });

    expect(control.limits()).toEqual(MAX_CONCURRENCY);
  });

  it("begins with the limits that were learned, and never above its own", () => {
    const learned = { reads: 12, writes: 99 };

    expect(createConcurrencyControl({ learned }).limits()).toEqual({ reads: 12, writes: 16 });
  });

  it("does not grow while fewer calls are made than are allowed", async () => {
    const control = createConcurrencyControl({});

    const clock = { nowMs: 0 };
    for (let call = 0; call < 40; call += 1) await play(control, 1, { clock });

    expect(control.limits().reads).toBe(4);
  });

  it.each([429, 500, 503])("halves once for a burst of answers with %i", async (status) => {
    const control = createConcurrencyControl({ learned: { reads: 16, writes: 8 } });

    await play(control, 16, { status: () => status });

    expect(control.limits().reads).toBe(8);
  });

  it("halves where answers take twice as long, and grows by one afterwards", async () => {
    const control = createConcurrencyControl({});
    const clock = { nowMs: 0 };
    await play(control, 60, { clock });

    await play(control, 16, { latencyMs: 250, clock });
    const halved = control.limits().reads;
    await play(control, 24, { clock });

    expect(halved).toBe(8);
    expect(control.limits().reads).toBeGreaterThan(8);
    expect(control.limits().reads).toBeLessThan(16);
  });

  it("takes a slow answer of less than 40 ms for noise of this machine", async () => {
    const control = createConcurrencyControl({ learned: { reads: 16, writes: 8 } });

    const clock = { nowMs: 0 };
    await play(control, 32, { latencyMs: 4, clock });
    await play(control, 32, { latencyMs: 39, clock });

    expect(control.limits().reads).toBe(16);
  });

  it("halves where an answer is lost soon after another one", async () => {
    const control = createConcurrencyControl({ learned: { reads: 16, writes: 8 } });

    await play(control, 16, { status: (at) => (at === 3 || at === 9 ? undefined : 200) });

    expect(control.limits().reads).toBe(8);
  });

  it("takes single lost answers for chance", async () => {
    const control = createConcurrencyControl({ learned: { reads: 16, writes: 8 } });

    await play(control, 100, { status: (at) => (at % 40 === 3 ? undefined : 200) });

    expect(control.limits().reads).toBe(16);
  });
});

interface World extends Pick<PlayOptions, "capacity" | "kind"> {
  readonly calls: readonly PlayedCall[];
}

/** Time of a search, divided by the time of the best fixed number up to the maximum. */
async function compare(
  { calls, ...world }: World,
  how: AutoConcurrency = {},
): Promise<{ ratio: number; limit: number }> {
  const { kind = "reads" } = world;
  const fixed: number[] = [];
  for (let limit = 1; limit <= MAX_CONCURRENCY[kind]; limit += 1) {
    fixed.push(await play(createConcurrencyControl(limit), calls, world));
  }
  const control = createConcurrencyControl(how);
  const autoMs = await play(control, calls, world);
  return { ratio: autoMs / Math.min(...fixed), limit: control.limits()[kind] };
}

const PAGE = "product.list limit=50";
const CODE = "product.list limit=50 product_code";

/** Calls with a key of their own each, and their service times in milliseconds. */
const calls = (
  count: number,
  toCall: (at: number) => number | readonly [key: string, ms: number],
): readonly PlayedCall[] =>
  Array.from({ length: count }, (_, at) => {
    const call = toCall(at);
    const [key, ms] = typeof call === "number" ? [PAGE, call] : call;
    return { key, ms: () => ms };
  });

/** Pseudo-random numbers from 0 to 1 that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function mixedAtRandom(seed: number, share: number): readonly PlayedCall[] {
  const random = createRandom(seed);
  return calls(400, () => (random() < share ? 40 : 120));
}

const slowFrom = (fromMs: number, toMs: number): readonly PlayedCall[] =>
  Array.from({ length: 400 }, () => ({
    key: PAGE,
    ms: (nowMs: number) => (nowMs > fromMs && nowMs < toMs ? 300 : 100),
  }));

describe("a search compared with the best fixed number", () => {
  for (const capacity of [1, 2, 3, 6, 8, 12, 32]) {
    it(`takes at most 1.1 times as long on a server of ${capacity}, for reads`, async () => {
      const { ratio, limit } = await compare({ calls: calls(400, () => 100), capacity });

      expect(ratio).toBeLessThanOrEqual(1.1);
      expect(limit).toBeGreaterThanOrEqual(4);
    });

    it(`takes at most 1.1 times as long on a server of ${capacity}, for writes`, async () => {
      const world = { calls: calls(400, () => 100), capacity, kind: "writes" } as const;

      const { ratio } = await compare(world);

      expect(ratio).toBeLessThanOrEqual(1.1);
    });
  }

  const worlds: readonly (readonly [name: string, ratio: number, World])[] = [
    ["all calls take the same time", 1.1, { calls: calls(400, () => 100) }],
    ["pages take longer the later they come", 1.1, { calls: calls(400, (at) => 100 + 0.5 * at) }],
    [
      "pages take much longer the later they come",
      1.1,
      { calls: calls(400, (at) => 100 + 2 * at) },
    ],
    [
      "lookups come between pages",
      1.15,
      { calls: calls(400, (at) => (at % 3 === 0 ? [CODE, 40] : [PAGE, 120])) },
    ],
    [
      "lookups come after pages, and pages again",
      1.15,
      { calls: calls(300, (at) => (at >= 100 && at < 200 ? [CODE, 40] : [PAGE, 120])) },
    ],
    [
      "cheap and dear calls of one kind follow each other",
      1.15,
      { calls: calls(300, (at) => (at >= 100 && at < 200 ? 40 : 120)) },
    ],
    ["the marketplace becomes slow for good", 1.15, { calls: slowFrom(1000, Infinity) }],
    ["the marketplace becomes slow for two seconds", 1.1, { calls: slowFrom(1000, 3000) }],
  ];
  for (const [name, max, world] of worlds) {
    it(`takes at most ${max} times as long where ${name}`, async () => {
      const { ratio, limit } = await compare(world);

      expect(ratio).toBeLessThanOrEqual(max);
      expect(limit).toBe(16);
    });
  }

  it.each([1, 2, 3, 4, 5, 6])(
    "takes at most 1.25 times as long where cheap and dear calls of one kind mix at random (%i)",
    async (seed) => {
      const half = await compare({ calls: mixedAtRandom(seed, 0.5) });
      const few = await compare({ calls: mixedAtRandom(seed, 0.2) });

      expect(half.ratio).toBeLessThanOrEqual(1.25);
      expect(few.ratio).toBeLessThanOrEqual(1.25);
      expect(Math.min(half.limit, few.limit)).toBeGreaterThanOrEqual(4);
    },
  );

  it("takes at most 1.3 times as long after a limit of 1 was remembered", async () => {
    const learned = { reads: 1, writes: 1 };

    const { ratio, limit } = await compare({ calls: calls(400, () => 100) }, { learned });

    expect(ratio).toBeLessThanOrEqual(1.3);
    expect(limit).toBe(16);
  });

  it("never falls below 4 because of slow answers alone", async () => {
    const control = createConcurrencyControl({});
    const clock = { nowMs: 0 };

    for (const ms of [100, 400, 1600, 6400, 25_600]) {
      await play(
        control,
        calls(40, () => ms),
        { clock },
      );

      expect(control.limits().reads).toBeGreaterThanOrEqual(4);
    }
  });
});

describe("createGate", () => {
  it("runs no more tasks at a time than its limit", async () => {
    const { run: gate } = createGate(2);
    let running = 0;
    let max = 0;
    const task = async (): Promise<void> => {
      running += 1;
      max = Math.max(max, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };

    await Promise.all(Array.from({ length: 7 }, () => gate(task)));

    expect(max).toBe(2);
  });

  it("frees the place of a task that fails", async () => {
    const { run: gate } = createGate(1);

    await expect(gate(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");

    await expect(gate(async () => "next")).resolves.toBe("next");
  });

  it("rejects a waiting task at once when it is aborted, and never runs it", async () => {
    const { run: gate } = createGate(1);
    const first = Promise.withResolvers<string>();
    const controller = new AbortController();
    const ran: string[] = [];
    const running = gate(() => first.promise);
    const waiting = gate(async () => ran.push("waiting"), controller.signal);

    controller.abort(new Error("not needed any more"));

    await expect(waiting).rejects.toThrow("not needed any more");
    first.resolve("done");
    await expect(running).resolves.toBe("done");
    await gate(async () => ran.push("later"));
    expect(ran).toEqual(["later"]);
  });

  it("lets a running task handle an abort itself", async () => {
    const { run: gate } = createGate(1);
    const controller = new AbortController();
    const begun = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<string>();
    const running = gate(() => {
      begun.resolve();
      return answer.promise;
    }, controller.signal);
    await begun.promise;

    controller.abort(new Error("stop"));
    answer.resolve("added");

    await expect(running).resolves.toBe("added");
  });
});

/** Collects young garbage alone, as happens all the time; what old garbage refers to stays. */
function collectYoung(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc({ type: 'minor' })");
}

describe("the memory of a gate", () => {
  it("does not grow with the results that have passed it while others were waiting", async () => {
    const { run: gate } = createGate(1);
    const resultBytes = 256 * 1024;
    const start = (): Promise<ArrayBuffer> => gate(async () => new ArrayBuffer(resultBytes));
    const waiting = [start(), start(), start()];
    // Those that wait now become old, and are garbage soon.
    collectYoung();
    collectYoung();
    const before = process.memoryUsage().arrayBuffers;

    for (let passed = 0; passed < 100; passed += 1) {
      waiting.push(start());
      await waiting.shift();
    }
    collectYoung();
    collectYoung();

    const kept = (process.memoryUsage().arrayBuffers - before) / resultBytes;
    expect(kept).toBeLessThan(50);
  });
});

describe("untilAborted", () => {
  it("rejects with the reason of a signal that was aborted before", async () => {
    const reason = { code: 1 };

    const failure = failureOf(
      untilAborted(new Promise(() => undefined), AbortSignal.abort(reason)),
    );

    expect(await failure).toBe(reason);
  });

  it("settles as the promise does when nothing aborts", async () => {
    const { signal } = new AbortController();

    await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(untilAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  });
});

const HOUR_MS = 3_600_000;

describe("toRate", () => {
  it("allows at most the given calls in an hour, and wastes less than a twentieth of them", () => {
    const limits = [...Array.from({ length: 2_000 }, (_, index) => index + 1), 10_000, 123_457];
    const wrong = limits.filter((limit) => {
      const { stepMs, toleranceMs } = toRate(limit);
      const atOnce = Math.round(toleranceMs / stepMs) + 1;
      const mostInAnHour = atOnce + Math.ceil(HOUR_MS / stepMs - 1e-6) - 1;
      return mostInAnHour > limit || (limit >= 40 && HOUR_MS / stepMs < limit * 0.95);
    });

    expect(wrong).toEqual([]);
  });

  it("allows any number of calls without a limit", () => {
    expect(toRate(undefined).stepMs).toBe(0);
  });
});

describe("waitForSlotsMs", () => {
  const rate = { stepMs: 1_000, toleranceMs: 4_000 };

  it.each([
    ["returns 0 for no call", 0, 0, 0],
    ["returns 0 for the calls of a burst", 5, 0, 0],
    ["returns one interval for the first call after the burst", 6, 0, 1_000],
    ["waits for the slots that are reserved", 1, 9_000, 5_000],
    ["adds up the intervals of many calls", 105, 0, 100_000],
  ] as const)("%s", (...[, count, tatMs, expected]) => {
    expect(waitForSlotsMs(count, { rate, nowMs: 0, tatMs })).toBe(expected);
  });
});

describe("createRateLimit", () => {
  it("makes a burst at once and no more calls in any hour than allowed", async () => {
    const clock = createFakeClock(1_700_000_000_000);
    const pace = createRateLimit({ requestsPerHour: 100, clock });
    const startedMs: number[] = [];

    const burst = Array.from({ length: 250 }, async () => {
      await pace();
      startedMs.push(clock.now());
    });
    await elapse(clock, Promise.all(burst));

    const inHour = startedMs.map(
      (from) => startedMs.filter((at) => at >= from && at < from + HOUR_MS).length,
    );
    expect(startedMs.filter((at) => at === startedMs[0])).toHaveLength(3);
    expect(Math.max(...inHour)).toBeLessThanOrEqual(100);
    expect(Math.max(...inHour)).toBeGreaterThan(95);
  });

  it("ends the wait of an aborted call with the signal's reason", async () => {
    const clock = createFakeClock(0);
    const pace = createRateLimit({ requestsPerHour: 1, clock });
    const ended = new AbortController();
    await pace();

    const waiting = pace(ended.signal);
    ended.abort(new Error("closing"));

    await expect(waiting).rejects.toThrow("closing");
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses %d calls an hour", (requestsPerHour) => {
    expect(() => createRateLimit({ requestsPerHour })).toThrow(RangeError);
  });
});
