import { describe, expect, it } from "vitest";

import { formatDuration } from "../src/durations.ts";

describe("durations", () => {
  it.each([
    [1, "1 sn", "1 s"],
    [119, "119 sn", "119 s"],
    [121, "3 dk", "3 min"],
    [3_600, "1 sa 0 dk", "1 h 0 min"],
    [3_661, "1 sa 2 dk", "1 h 2 min"],
  ])("%i seconds are %s and %s", (seconds, tr, en) => {
    expect([formatDuration(seconds, "tr"), formatDuration(seconds, "en")]).toEqual([tr, en]);
  });
});
