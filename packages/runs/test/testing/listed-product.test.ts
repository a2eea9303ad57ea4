import { describe, expect, it } from "vitest";

import { compareFields } from "../../src/plan/compare.ts";
import { listAdded, listUpdated } from "../../src/testing/fake-marketplace.ts";
import { addBody, CHOICE, id, price, updateBody } from "../../src/testing/rows.ts";

describe("listAdded", () => {
  it("shows what a listing shows, without category and model", () => {
    expect(listAdded(id("p1"), addBody("A1", { properties: [CHOICE] }), "minor")).toEqual({
      id: "p1",
      product_code: "A1",
      title: "Cup A1",
      subtitle: "A cup",
      brand_id: "brand-1",
      description: "It holds tea.",
      price: 1990,
      has_discount: false,
      discount_type: null,
      discount_value: false,
      stock: 5,
      warranty_type: 1,
      warranty_period: 0,
      shipping_template_id: "template-1",
      images: ["https://images.example/cup.jpg"],
      properties: [CHOICE],
    });
  });

  it("gives prices and amounts in its unit, and rates as they are", () => {
    const amount = addBody("A1", { has_discount: true, discount_type: 1, discount_value: 250 });
    const rate = addBody("A1", { has_discount: true, discount_type: 2, discount_value: 25 });

    expect(listAdded(id("p1"), amount, "major")).toMatchObject({
      price: 19.9,
      discount_value: 2.5,
    });
    expect(listAdded(id("p1"), rate, "major")).toMatchObject({ discount_value: 25 });
  });

  for (const unit of ["minor", "major"] as const) {
    it(`shows no difference to the sent values in ${unit} units`, () => {
      const wanted = addBody("A1", { currency: "USD", properties: [CHOICE] });
      const seen = listAdded(id("p1"), wanted, unit);

      expect(compareFields({ wanted, seen, priceUnit: unit })).toEqual({
        changes: [],
        notComparable: ["category_id", "brand_model"],
      });
    });
  }
});

describe("listUpdated", () => {
  it("changes the sent fields and leaves the others", () => {
    const before = listAdded(id("p1"), addBody("A1"), "minor");

    const after = listUpdated(before, updateBody("p1", { title: "Mug", price: price(5) }), "minor");

    expect(after).toEqual({ ...before, title: "Mug", price: 5 });
  });
});
