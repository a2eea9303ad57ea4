import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { createAmountReader, type WrittenAmount } from "../../src/rows/row-amounts.ts";
import type { CellValue, SourceRow } from "../../src/source-row.ts";
import { createNotationObserver } from "../../src/values/notation.ts";

const HEADER = ["SKU", "Fiyat", "İndirim Oranı (%)", "Stok"];

interface WriteCase {
  readonly value: CellValue;
  readonly format?: string;
  /** Cells of the column above, which tell its decimal sign. */
  readonly above?: readonly string[];
  readonly amount: WrittenAmount;
}

const money = (value: number): WrittenAmount => ({ kind: "money", value });
const rate = (value: number): WrittenAmount => ({ kind: "rate", value });
const count = (value: number): WrittenAmount => ({ kind: "count", value });

const COLUMNS = { money: 1, rate: 2, count: 3 } as const;

function write({ value, format, above = [], amount }: WriteCase): string | number | undefined {
  const mapping = mapColumns({ sheet: "Ürünler", headerRow: 1, header: HEADER });
  const column = COLUMNS[amount.kind];
  const toRow = (cell: CellValue, row: number): SourceRow => ({
    row,
    cells: HEADER.map((_, index) => (index === column ? cell : null)),
  });
  const observer = createNotationObserver(mapping);
  for (const [at, cell] of [...above, value].entries()) observer.observe(toRow(cell, at + 2));
  const reader = createAmountReader({ mapping, notations: observer.decide() });
  const row = {
    ...toRow(value, 9),
    ...(format !== undefined && { formats: { [column]: format } }),
  };
  return reader.write(row, column, amount, "comma");
}

describe("an amount is written", () => {
  it.each<readonly [string, WriteCase, string | number | undefined]>([
    ["as a number", { value: 12.5, amount: money(1399) }, 13.99],
    [
      "as a number of dollars",
      { value: 12.5, format: "[$$-409]#,##0.00", amount: money(1399) },
      13.99,
    ],
    [
      "not where its format would round it",
      { value: 12, format: "[$$-409]0", amount: money(1350) },
      undefined,
    ],
    ["as a rate of a number", { value: 0.15, format: "0%", amount: rate(20) }, 0.2],
    ["as a rate of a text", { value: "% 15", amount: rate(20) }, "% 20"],
    ["with its currency before it", { value: "₺12,50", amount: money(1399) }, "₺13,99"],
    ["with its currency behind it", { value: "12.50 EUR", amount: money(1399) }, "13.99 EUR"],
    ["grouped as before", { value: "1.299,90", amount: money(234_500) }, "2.345,00"],
    ["without decimals as before", { value: "1299", amount: money(140_000) }, "1400"],
    ["like its column", { value: null, above: ["12.50"], amount: money(1399) }, "13.99"],
    ["as a number where no column shows a sign", { value: null, amount: money(1399) }, 13.99],
    [
      "as a number where the column has both signs",
      { value: null, above: ["12.50", "12,50"], amount: money(1399) },
      13.99,
    ],
    [
      "not where a number would lose its currency",
      { value: "12 USD", above: ["12.50", "12,50"], amount: money(1399) },
      undefined,
    ],
    ["as pieces", { value: "12 adet", amount: count(7) }, "7"],
  ])("%s", (_, cell, written) => {
    expect(write(cell)).toBe(written);
  });
});
