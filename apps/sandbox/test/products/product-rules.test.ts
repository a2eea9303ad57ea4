import type { ProductChanges } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createSandboxCatalog } from "../../src/index.ts";
import { assertProductFits } from "../../src/products/product-state.ts";
import { createSampleProduct } from "../helpers/test-client.ts";

const catalog = createSandboxCatalog();
const sample = createSampleProduct();
const spoon = catalog.category(sample.category_id);
const models = catalog.models(sample.category_id, sample.brand_id);
const property = catalog.properties(sample.category_id)[0];
const option = property?.property_options[0];

/** The problems of the sample with these fields, as if only these had been given. */
function check(changes: Readonly<Record<string, unknown>>): string {
  const product: typeof sample = Object.assign({ ...sample }, changes);
  const given: ProductChanges = changes;
  try {
    assertProductFits(catalog, product, given);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("assertProductFits", () => {
  it.each([
    { title: "Yeni" },
    { brand_model: "free text" },
    { brand_model: models[0]?.id },
    { properties: [{ property_id: property?.id, option_id: option?.id }] },
    { has_discount: true, discount_type: 1, discount_value: 129_989 },
    { has_discount: true, discount_type: 2, discount_value: 99, price: 50 },
    { discount_value: 500_000 },
  ])("accepts %o", (changes) => {
    expect(check(changes)).toBe("");
  });

  it.each([
    [{ category_id: spoon?.parent?.id }, "category_id: "],
    [{ category_id: "c" }, "category_id: "],
    [{ brand_id: "b" }, "brand_id: "],
    [{ brand_model: "0123456789abcdef01234567" }, "brand_model: "],
    [{ shipping_template_id: "t" }, "shipping_template_id: "],
    [{ has_discount: true, discount_type: 3, discount_value: 129_990 }, "discount_value: "],
    [{ properties: [{ property_id: property?.id, option_id: "o" }] }, "properties: "],
    [{ properties: [{ property_id: "p", option_id: option?.id }] }, "properties: "],
  ])("refuses %o", (changes, field) => {
    expect(check(changes)).toContain(field);
  });

  it("checks the brand again when the category changes", () => {
    const tyre = catalog.categories.find(({ name }) => name === "Kış Lastiği");
    const isuzu = catalog.brands(tyre?.id ?? "").find(({ name }) => name === "Isuzu");

    expect(check({ category_id: tyre?.id, brand_id: isuzu?.id })).toBe("");
    expect(check({ category_id: spoon?.id, brand_id: isuzu?.id })).toContain("brand_id: ");
  });

  it("names every wrong field at once", () => {
    expect(check({ category_id: "c", brand_id: "b", shipping_template_id: "t" })).toMatch(
      /category_id: .*; brand_id: .*; shipping_template_id: /u,
    );
  });

  it("does not check fields that were not given", () => {
    const product: typeof sample = Object.assign({ ...sample }, { shipping_template_id: "gone" });

    expect(() => assertProductFits(catalog, product, { title: "Yeni" })).not.toThrow();
  });
});
