import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createCallHours } from "../../src/admin/call-hours.ts";

const HALF_HOUR_MS = 30 * 60 * 1000;

describe("createCallHours", () => {
  it("counts the calls of the last hour and of the busiest one", async () => {
    const clock = createFakeClock();
    const hours = createCallHours(clock);

    hours.note();
    hours.note();
    await clock.advance(HALF_HOUR_MS);
    hours.note();
    const full = hours.read();
    await clock.advance(HALF_HOUR_MS);
    const later = hours.read();
    await clock.advance(HALF_HOUR_MS);

    expect(full).toEqual({ lastHour: 3, busiestHour: 3 });
    expect(later).toEqual({ lastHour: 1, busiestHour: 3 });
    expect(hours.read()).toEqual({ lastHour: 0, busiestHour: 3 });
  });

  it("continues from saved counts, and clears them on reset", async () => {
    const clock = createFakeClock();
    const [one, two] = [createCallHours(clock), createCallHours(clock)];
    one.note();

    two.load(one.save());
    two.note();
    expect(two.read()).toEqual({ lastHour: 2, busiestHour: 2 });
    expect(one.read()).toEqual({ lastHour: 1, busiestHour: 1 });

    two.reset();
    expect(two.read()).toEqual({ lastHour: 0, busiestHour: 0 });
  });
});
