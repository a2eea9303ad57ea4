import { describe, expect, it } from "vitest";

import type { ApplyResult } from "../../src/send/outcome.ts";
import { createSendGate, SendDeferred, type SendGate } from "../../src/send/send-gate.ts";

interface Fixture {
  readonly gate: SendGate;
  readonly stop: AbortController;
  readonly breaker: { end: ApplyResult | undefined };
  readonly pause: { isOn: boolean; over(): Promise<void> };
  readonly endPause: () => void;
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
  const gate = createSendGate({ breaker, pause, stop: stop.signal });
  return { gate, stop, breaker, pause, endPause };
}

const CLOSERS: readonly (readonly [what: string, close: (fixture: Fixture) => void])[] = [
  ["a stop", ({ stop }) => stop.abort()],
  ["an open breaker", ({ breaker }) => void (breaker.end = { end: "breaker" })],
  ["a failed row", ({ gate }) => gate.close()],
];

describe("createSendGate", () => {
  it("lets requests leave in a running pass", async () => {
    const { gate } = openFixture();

    expect(gate.isOpen).toBe(true);
    expect(() => gate.assertOpen()).not.toThrow();
    expect(await gate.ready()).toBe(true);
  });

  for (const [what, close] of CLOSERS) {
    it(`lets no request leave after ${what}`, async () => {
      const fixture = openFixture();

      close(fixture);

      expect(fixture.gate.isOpen).toBe(false);
      expect(() => fixture.gate.assertOpen()).toThrow(SendDeferred);
      expect(await fixture.gate.ready()).toBe(false);
    });
  }

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
