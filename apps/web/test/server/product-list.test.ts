import { expect, it } from "vitest";

import { toProductsView } from "../../src/server/products/product-list.ts";

const READ_AT_MS = Date.UTC(2026, 10, 29);

it.each([
  ["nothing where no reading was", null, READ_AT_MS, undefined],
  ["that nothing was read", 0, null, "hiçbir ürün okunmadı"],
  ["that nothing was read again", 0, READ_AT_MS, "hiçbir ürün okunmadı"],
  ["that the list lacks some after the first one", 200, null, "liste eksik"],
  ["what is older after a later one", 200, READ_AT_MS, "önceki okumadan"],
] as const)("a reading that was cut off says %s", (_name, cutOffAt, readAtMs, words) => {
  const known = { total: 450, version: 1, reading: null, error: undefined, calls: 9 };
  const unit = { priceUnit: "minor", unitExample: undefined } as const;
  const state = { ...known, ...unit, readAtMs, cutOffAt };
  const facets = { brand: [], category: [], status: [] };

  const { problem } = toProductsView({ state, facets, problem: null }, "tr");

  expect(problem ?? undefined).toEqual(words && expect.stringContaining(words));
});
