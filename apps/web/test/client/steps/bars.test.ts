import { expect, it } from "vitest";

import { toShownKinds } from "../../../client/steps/fix/bars.tsx";

const kinds = Array.from({ length: 15 }, (_, index) => ({ code: `E_${index}` }));

const countShown = (isWhole: boolean, chosen?: string): number =>
  toShownKinds(kinds, { isWhole, chosen }).length;

it("shows some kinds of issues at first, and every one that is asked for", () => {
  expect(countShown(false)).toBe(12);
  expect(countShown(false, "E_3")).toBe(12);
  expect(countShown(true)).toBe(15);
});

it("shows the chosen kind, wherever it stands", () => {
  expect(toShownKinds(kinds, { isWhole: false, chosen: "E_14" })).toEqual(kinds);
});
