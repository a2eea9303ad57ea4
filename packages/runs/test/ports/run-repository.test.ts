import { expect, test } from "vitest";

import { createRunId } from "../../src/ports/run-repository.ts";

test.each([
  ["2026-11-21T06:30:59Z", /^r-261121-0930-[0-9a-f]{4}$/u],
  ["2026-12-31T21:05:00Z", /^r-270101-0005-[0-9a-f]{4}$/u],
])("an id of %s begins with the Turkish day and minute", (time, expected) => {
  expect(createRunId(Date.parse(time))).toMatch(expected);
});
