import { describe, expect, it } from "vitest";

import {
  type AutoConcurrency,
  createConcurrencyControl,
  MAX_CONCURRENCY,
} from "../src/concurrency.ts";
import { play, type PlayedCall, type PlayOptions } from "./helpers/played-server.ts";

describe("createConcurrencyControl with a number", () => {
  it("lets reads and writes share the limit, whatever the answers are", async () => {
    const control = createConcurrencyControl(3);

    await play(control, 30, { status: () => 429 });

    expect(control.limits()).toEqual({ reads: 3, writes: 3 });
  });
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
