import { expect, it } from "vitest";

import type { StoreProduct } from "../../src/ports/product.ts";
import { matchProduct } from "../../src/reconcile/match-product.ts";
import type { RowRecord } from "../../src/row/row-record.ts";
import { codeKey, toProductId, price, toAdd } from "../../src/testing/rows.ts";
import { createRowStub } from "../helpers/row-stub.ts";

const KEYS = { codeKey, looseCodeKey: (code: string) => codeKey(code).replaceAll("0", "o") };

const readAdd = (code: string): RowRecord => createRowStub([toAdd(2, code)]).row(2);

const shown = (
  product: string,
  code: string | null,
  more: Partial<StoreProduct> = {},
): StoreProduct => ({
  id: toProductId(product),
  product_code: code,
  title: "Cup A0",
  price: 1990,
  ...more,
});

const CASES: readonly (readonly [string, readonly StoreProduct[], string])[] = [
  ["nothing", [], "absent"],
  ["a product with another code", [shown("p1", "A1")], "absent"],
  ["a product whose code only contains the row's", [shown("p1", "A01")], "absent"],
  ["a product without a code", [shown("p1", null)], "absent"],
  ["the product", [shown("p1", "A0")], "strong p1"],
  ["the product twice in the listings", [shown("p1", "A0"), shown("p1", "A0")], "strong p1"],
  ["a product whose code differs in case and blanks", [shown("p1", " a0")], "strong p1"],
  [
    "a product whose title differs in case and blanks",
    [shown("p1", "A0", { title: " Cup  a0 " })],
    "strong p1",
  ],
  ["a product whose price is in whole currency", [shown("p1", "A0", { price: 19.9 })], "strong p1"],
  [
    "a product without title and price",
    [shown("p1", "A0", { title: null, price: null })],
    "strong p1",
  ],
  ["a product with another title", [shown("p1", "A0", { title: "Mug" })], "different p1"],
  ["a product with another price", [shown("p1", "A0", { price: 1991 })], "different p1"],
  [
    "a product with a price a hundred times as high",
    [shown("p1", "A0", { price: 199_000 })],
    "different p1",
  ],
  ["two products with the code", [shown("p1", "A0"), shown("p2", "a0")], "several p1,p2"],
  [
    "two products with the code, one of them with another title",
    [shown("p1", "A0"), shown("p2", "A0", { title: "Mug" })],
    "several p1,p2",
  ],
  ["a product with a similar code", [shown("p1", "AO")], "similar p1"],
  [
    "the product beside one with a similar code",
    [shown("p1", "AO"), shown("p2", "A0")],
    "strong p2",
  ],
];
for (const [name, products, expected] of CASES) {
  it(`calls ${name} ${expected}`, async () => {
    const { strength, ids } = matchProduct(readAdd("A0"), products, KEYS);

    expect([strength, ids.join(",")].filter(Boolean).join(" ")).toBe(expected);
  });
}

it("finds no similar product without a key for similar codes", async () => {
  const match = matchProduct(readAdd("A0"), [shown("p1", "AO")], { codeKey });

  expect(match).toEqual({ strength: "absent", ids: [] });
  expect(price(1990)).toBe(1990);
});
