import { expect, it } from "vitest";

import { fromSyncOptions, toSyncOptions } from "../../src/server/feeds/feed-list.ts";

const OPTIONS = {
  sheet: "",
  encoding: "",
  columns: {},
  decimal: "",
  priceUnit: "",
  maxAgeHours: 24,
  adds: "never",
  absent: "keep",
  record: "",
  allowHost: "",
  isShadow: false,
} as const;

it.each([
  ["", undefined, ""],
  ["Stok", "Stok", "Stok"],
  [" Stok /Fiyat, liste/ ", ["Stok", "Fiyat, liste"], "Stok / Fiyat, liste"],
])("stores the sheets “%s” as the command does, and shows them again", (text, sheet, shown) => {
  const stored = toSyncOptions({ ...OPTIONS, sheet: text }, "tr");

  expect(stored.sheet).toEqual(sheet);
  expect(fromSyncOptions(stored).sheet).toBe(shown);
});

it("stores the encoding and the answers about columns as the command does", () => {
  const columns = { Kalan: "stock", "Fiyat = KDV": "price", Not: "-" };

  const stored = toSyncOptions({ ...OPTIONS, encoding: "windows-1254", columns }, "tr");

  expect(stored).toMatchObject({
    encoding: "windows-1254",
    map: ["Kalan=stock", "Fiyat = KDV=price", "Not=-"],
  });
  expect(fromSyncOptions(stored)).toMatchObject({ encoding: "windows-1254", columns });
  expect(toSyncOptions(OPTIONS, "tr")).not.toHaveProperty("map");
});
