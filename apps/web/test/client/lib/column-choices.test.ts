import { expect, it } from "vitest";

import {
  canTake,
  needsDecision,
  toChosenFields,
  toDecimals,
  toGuesses,
  toLeftOut,
} from "../../../client/steps/columns/column-choices.ts";
import type { ColumnView } from "../../../src/api/index.ts";

const column = (header: string, change: Partial<ColumnView>): ColumnView => ({
  index: 0,
  letter: "A",
  header,
  field: null,
  label: "",
  reason: "",
  confidence: "open",
  isChosen: false,
  samples: [],
  problem: null,
  guess: null,
  unclear: null,
  ...change,
});

it("asks a person about unknown columns and columns with a problem", () => {
  expect(needsDecision(column("?", {}))).toBe(true);
  expect(needsDecision(column("Out", { field: "-" }))).toBe(false);
  expect(needsDecision(column("Price", { field: "price", confidence: "likely" }))).toBe(false);
  const problem = { code: "E", message: "Two columns are the price." };
  expect(needsDecision(column("Price", { field: "price", confidence: "sure", problem }))).toBe(
    true,
  );
});

it("keeps the answers about numbers of other columns", () => {
  const ask = { cells: 2, example: "36,000", readings: { comma: "36", point: "36000" } };
  const columns = [
    column("Price", { unclear: { ...ask, answer: "point" } }),
    column("Stock", { unclear: { ...ask, answer: null } }),
    column("Code", {}),
  ];

  expect(toDecimals(columns, { header: "Stock" }, "comma")).toEqual({
    Price: "point",
    Stock: "comma",
  });
});

it("sends what a person chose, and no guess", () => {
  const columns = [
    column("A", { field: "price", isChosen: true }),
    column("B", { field: "-", isChosen: true }),
    column("C", { field: "title", confidence: "likely" }),
    column("D", {}),
  ];

  expect(toChosenFields(columns)).toEqual({ A: "price", B: "-" });
});

it("accepts the fields that unknown headers may be", () => {
  const columns = [
    column("A", { guess: "price" }),
    column("B", {}),
    column("C", { field: "stock", guess: "price" }),
  ];

  expect(toGuesses(columns)).toEqual({ A: "price" });
});

it("leaves out the columns with the header of the one that is taken, and keeps other decisions", () => {
  const first = column("Fiyat", { index: 1, field: "price" });
  const second = column("Fiyat", { index: 2, field: null });
  const out = { field: "-", isChosen: true } as const;
  const others = [column("Stok", { index: 3, ...out }), column("Stok", { index: 4 })];

  expect(toLeftOut(second, [first, second, ...others])).toEqual([1, 3]);
  const taken = column("Fiyat", { index: 1, ...out });
  expect(toLeftOut(taken, [taken, second])).toEqual([2]);
  expect(toChosenFields([taken, second])).toEqual({});
});

it("offers a column with a header of several until a person has taken it", () => {
  const stock = { header: "Stok", field: "stock_count" };
  const left = { field: "-", isChosen: true };
  const [one, other] = [column("Stok", stock), column("Stok", { ...stock, index: 1 })];
  const taken = [one, column("Stok", { ...left, index: 1 })];

  expect([one, other].map((each) => canTake(each, [one, other]))).toEqual([true, true]);
  expect(taken.map((each) => canTake(each, taken))).toEqual([false, true]);
  expect(canTake(one, [one])).toBe(false);
});
