import { expect, it } from "vitest";

import { readKeyRow } from "../../src/columns/header-matcher.ts";

it("reads keys, properties and read-only keys of a key row, and ignores empty cells", () => {
  const keys = readKeyRow(["product_code", null, "property:Renk", "paid_price"]);

  expect([...(keys ?? [])].map(([index, { target }]) => [index, target])).toEqual([
    [0, { kind: "field", field: "product_code" }],
    [2, { kind: "property", name: "Renk" }],
    [3, { kind: "never-sent" }],
  ]);
});

it("takes a row with any cell that is no key for data", () => {
  expect(readKeyRow(["product_code", "Kaşık"])).toBeUndefined();
  expect(readKeyRow(["Product_Code"])).toBeUndefined();
  expect(readKeyRow([null, ""])).toBeUndefined();
  expect(readKeyRow(["status"])).toBeUndefined();
  expect(readKeyRow(undefined)).toBeUndefined();
});
