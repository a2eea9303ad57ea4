import type { CallRecord } from "@catalog/client";
import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createCallCounter, createOmittedFields } from "../src/calls.ts";

const CALL: CallRecord = {
  endpoint: "product.list",
  kind: "read",
  attempt: 1,
  phase: "body",
  status: 200,
  durationMs: 30,
  retryAfterMs: undefined,
};

describe("the minutes of the call meter", () => {
  it("have no hourly limit where it cannot be read", async () => {
    const meter = createCallCounter(createFakeClock(), async () => {
      throw new Error("the database is gone");
    });

    meter.note(CALL);

    expect(await meter.latestMinutes(1)).toEqual([{ minute: 0, calls: 1, perHour: null }]);
  });

  it("go back from the latest call, each with the hourly limit that held when it began", async () => {
    const clock = createFakeClock(Date.UTC(2026, 10, 21, 9, 30));
    const first = clock.now() / 60_000;
    let allowed: number | undefined;
    const meter = createCallCounter(clock, async () => allowed);
    for (const calls of [3, 0, 2, 4]) {
      for (let n = 0; n < calls; n += 1) meter.note(CALL);
      await clock.advance(60_000);
      allowed = 600;
    }

    expect(await meter.latestMinutes(0)).toEqual([]);
    expect(await meter.latestMinutes(5)).toEqual([
      { minute: first + 3, calls: 4, perHour: 600 },
      { minute: first + 2, calls: 1, perHour: 600 },
    ]);
    expect((await meter.latestMinutes(9)).at(-1)).toEqual({
      minute: first,
      calls: 3,
      perHour: null,
    });
  });

  it("count no call that never left the machine", async () => {
    const meter = createCallCounter(createFakeClock(), async () => undefined);

    meter.note({ ...CALL, phase: "none" });

    expect(await meter.latestMinutes(1)).toEqual([]);
    expect(meter.counts()).toEqual({ token: 0, read: 0, write: 0 });
  });
});

it("parts of answers that were left out are reported once for each field, and a left-out total as such", () => {
  const notes = createOmittedFields();
  const lists = ["total", "title", "total", "title"].map((field) => ({
    endpoint: "product.list",
    field,
  }));
  for (const left of lists) notes.note(left);

  const warnings = notes.warnings();

  expect(warnings.map(({ code }) => code)).toEqual(["W_ANSWER_LEFT_OUT", "W_ANSWER_LEFT_OUT"]);
  expect(warnings[0]?.message.tr).toContain("sayfalar onsuz, sonuna kadar okundu");
  expect(warnings[1]?.message.en).toContain("“title” values");
});
