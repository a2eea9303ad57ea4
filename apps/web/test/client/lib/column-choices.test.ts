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

it("keeps every field that is known when one is chosen", () => {
  const columns = [column("A", { field: "price" }), column("B", { field: "-" }), column("C", {})];

  expect(toChosenFields(columns)).toEqual({ A: "price", B: "-" });
});
