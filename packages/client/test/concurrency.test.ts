import { describe, expect, it } from "vitest";

import {
  createConcurrencyControl,
  type ConcurrencyControl,
  MAX_CONCURRENCY,
} from "../src/concurrency.ts";

interface PlayOptions {
  readonly capacity?: number;
  readonly latencyMs?: number;
  readonly kind?: "reads" | "writes";
  readonly status?: (at: number) => number;
  /** Time of the server, for calls that follow others. */
  readonly clock?: { nowMs: number };
}

/** Plays calls against a server that serves `capacity` of them at a time, each in `latencyMs`. */
async function play(
  control: ConcurrencyControl,
  calls: number,
  {
    capacity = Infinity,
    latencyMs = 100,
    kind = "reads",
    status = () => 200,
    clock = { nowMs: 0 },
  }: PlayOptions = {},
): Promise<number> {
  const running: { readonly startedAtMs: number; readonly end: () => void; isServed: boolean }[] =
    [];
  const gate = control.gateOf(kind);
  const all = Array.from({ length: calls }, () =>
    gate(async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.push({ startedAtMs: clock.nowMs, end: resolve, isServed: false });
      await promise;
    }),
  );
  let done = 0;
  while (done < calls) {
    await new Promise((resolve) => void setImmediate(resolve));
    clock.nowMs += latencyMs;
    // The server finishes the oldest calls first; the others wait.
    for (const call of running.splice(0, Math.min(capacity, running.length))) {
      const { startedAtMs } = call;
      control.note({
        kind,
        key: "product.list 50",
        startedAtMs,
        endedAtMs: clock.nowMs,
        status: status(done),
      });
      done += 1;
      call.end();
    }
  }
  await Promise.all(all);
  return clock.nowMs;
}

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

    expect(createConcurrencyControl({ learned }).limits()).toEqual({ reads: 12, writes: 8 });
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

  for (const capacity of [2, 8, 32]) {
    it(`takes at most 1.15 times as long as the best number up to 16 on a server of ${capacity}`, async () => {
      const calls = 400;
      const fixed: number[] = [];
      for (let limit = 1; limit <= 16; limit += 1) {
        fixed.push(await play(createConcurrencyControl(limit), calls, { capacity }));
      }

      const auto = await play(createConcurrencyControl({}), calls, { capacity });

      expect(auto / Math.min(...fixed)).toBeLessThanOrEqual(1.15);
    });
  }
});
