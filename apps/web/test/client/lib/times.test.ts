import { describe, expect, it } from "vitest";

import { toCron, toTimes } from "../../../client/work/feed-dialog.tsx";

describe("the choices of times", () => {
  for (const cron of [
    "*/15 * * * *",
    "*/30 * * * *",
    "0 * * * *",
    "30 9 * * *",
    "0 8 * * 1-5",
    "*/7 * * * *",
  ]) {
    it(`finds the choice of ${cron} and its pattern again`, () => {
      expect(toCron(toTimes(cron))).toBe(cron);
    });
  }

  it("has no pattern for a day without a time, and an own pattern without a word", () => {
    const times = { at: "", own: " " };

    expect([toCron({ ...times, choice: "day" }), toCron({ ...times, choice: "own" })]).toEqual([
      "",
      "",
    ]);
  });
});
