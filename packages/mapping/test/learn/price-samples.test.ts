import { priceMinor } from "@catalog/contract";
import { expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { createPriceSamples } from "../../src/rows/pricing.ts";
import type { NumberNotations } from "../../src/values/notation.ts";

const NOTATIONS: NumberNotations = {
  decimal: undefined,
  columns: new Map([[1, { decimal: "comma", isMixed: false }]]),
};

const sample = (header: readonly string[], cells: readonly (readonly (string | number)[])[]) => {
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header });
  const prices = createPriceSamples(mapping, NOTATIONS);
  for (const [index, row] of cells.entries()) {
    prices.note(
      { row: index + 2, cells: row },
      { changes: { price: priceMinor.parse(1), currency: "USD" } },
    );
  }
  return prices.samples;
};

it("shows the first three distinct prices, in the currency of the cell or the row", () => {
  const prices = ["1.299,90 TL", "x", "2.500", "2.500", 19.5, "7"].map((text) => ["K", text]);

  expect(sample(["SKU", "Fiyat"], prices)).toEqual([
    { text: "1.299,90 TL", isNumberCell: false, minor: 129_990, currency: "TL" },
    { text: "2.500", isNumberCell: false, minor: 250_000, currency: "USD" },
    { text: "19.5", isNumberCell: true, minor: 1950, currency: "USD" },
  ]);
});

it("shows no sample for a file without prices", () => {
  expect(sample(["SKU", "Stok"], [["K", 5]])).toEqual([]);
});

it.each([
  ["Fiyat", "5,00", undefined, true],
  ["Fiyat (TL)", "5,00", undefined, undefined],
  ["Fiyat", "5,00 TL", undefined, undefined],
  ["Fiyat", "5,00", "USD", undefined],
] as const)("knows whether TL is assumed: %s, %s, %s", (header, text, currency, isAssumed) => {
  const prices = createPriceSamples(
    mapColumns({ sheet: "S", headerRow: 1, header: ["SKU", header] }),
    NOTATIONS,
  );

  prices.note(
    { row: 2, cells: ["K", text] },
    { changes: { price: priceMinor.parse(1), currency } },
  );

  expect(prices.samples[0]?.isAssumed).toBe(isAssumed);
});
