import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createRateLimitPause, type RateLimitPause } from "../../src/send/send-gate.ts";

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
