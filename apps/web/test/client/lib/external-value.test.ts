import { expect, it } from "vitest";

import { createUnsaved } from "../../../client/lib/external-value.ts";

it("counts each cell once, until all of its changes are saved", () => {
  const { count, hold } = createUnsaved();
  const counts: number[] = [];
  count.subscribe(() => counts.push(count.get()));

  const first = hold(["2:3", "2:4"]);
  const second = hold(["2:4", "5:1"]);
  const third = hold(["5:1"]);
  first();
  third();
  second();

  expect(counts).toEqual([2, 3, 2, 0]);
});
