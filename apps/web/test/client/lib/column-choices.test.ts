import { expect, it } from "vitest";

import { needsDecision, toChosenFields } from "../../../client/steps/columns/column-choices.ts";
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

it("sends what a person chose, and no guess", () => {
  const columns = [
    column("A", { field: "price", isChosen: true }),
    column("B", { field: "-", isChosen: true }),
    column("C", { field: "title", confidence: "likely" }),
    column("D", {}),
  ];

  expect(toChosenFields(columns)).toEqual({ A: "price", B: "-" });
});
