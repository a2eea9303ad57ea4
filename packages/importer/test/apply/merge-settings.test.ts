import { expect, it } from "vitest";

import { mergeSettings } from "../../src/apply/merge-settings.ts";

it("takes over what a run was asked for, except what is asked for now", () => {
  const stored = { strict: true, maxErrors: "5%", concurrency: 2 };

  const merged = mergeSettings(stored, { maxErrors: "10", canary: 3, concurrency: undefined });

  expect(merged).toEqual({ strict: true, maxErrors: "10", concurrency: 2, canary: 3 });
});
