import { expect, it } from "vitest";

import { mergeSettings } from "../../src/apply/merge-settings.ts";

it("keeps the stored settings of a run, except those that are given now", () => {
  const stored = { strict: true, maxErrors: "5%", concurrency: 2 };

  const merged = mergeSettings(stored, { maxErrors: "10", canary: 3, concurrency: undefined });

  expect(merged).toEqual({ strict: true, maxErrors: "10", concurrency: 2, canary: 3 });
});
