import { expect, it } from "vitest";

import { fromSyncOptions, toSyncOptions } from "../../src/server/feeds/feed-options.ts";

const OPTIONS = { sheet: "", decimal: "", priceUnit: "", maxAgeHours: 24, allowHost: "" } as const;

it.each([
  ["", undefined, ""],
  ["Stok", "Stok", "Stok"],
  [" Stok /Fiyat, liste/ ", ["Stok", "Fiyat, liste"], "Stok / Fiyat, liste"],
])("stores the sheets “%s” as the command does, and shows them again", (text, sheet, shown) => {
  const stored = toSyncOptions({ ...OPTIONS, sheet: text }, "tr");

  expect(stored.sheet).toEqual(sheet);
  expect(fromSyncOptions(stored).sheet).toBe(shown);
});
