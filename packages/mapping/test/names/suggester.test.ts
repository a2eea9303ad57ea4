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

it("answers with more than three only to whoever asks for more", () => {
  expect(suggest("Bosc")).toHaveLength(3);
  expect(suggest("bos", 10).map((position) => names[position])).toEqual(
    expect.arrayContaining(["Bosch", "Boss", "Bosca"]),
  );
  expect(suggest("bos", 1)).toHaveLength(1);
});
