import { expect, it } from "vitest";

import { createSuggester } from "../../src/names/suggester.ts";

const names = ["Kütahya Porselen", "Bosch", "LC Waikiki", "Vestel", "Beko", "Boss", "Bosca"];
const suggest = createSuggester(names);
const named = (text: string): readonly (string | undefined)[] =>
  suggest(text).map((position) => names[position]);

it("finds two letters that changed places", () => {
  expect(named("Bsoch")[0]).toBe("Bosch");
});

it("finds words in another order", () => {
  expect(named("porselen kutahya")[0]).toBe("Kütahya Porselen");
});

it("finds the beginning of a name", () => {
  expect(named("waik")).toContain("LC Waikiki");
});

it("answers with three at most and with nothing far away", () => {
  expect(named("Bosc").length).toBeLessThanOrEqual(3);
  expect(named("Xyzzyx")).toEqual([]);
  expect(named(" ")).toEqual([]);
});
