import { createFakeClock } from "@catalog/clock/testing";
import { endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createSandboxCatalog } from "../../src/index.ts";
import { toStoreProduct } from "../../src/products/product-search.ts";
import { createProductState, type InitialProduct } from "../../src/products/product-state.ts";
import { createSampleProduct } from "../helpers/test-client.ts";

const catalog = createSandboxCatalog();
const sample = createSampleProduct();

function fillStore(...products: readonly Partial<InitialProduct>[]) {
  const fill = (): readonly InitialProduct[] =>
    products.map(({ product = sample, status = "approved", addedAtMs = 0 }) => ({
      product,
      status,
      addedAtMs,
    }));
  return createProductState({ catalog, clock: createFakeClock(), fill }).products();
}

describe("toStoreProduct", () => {
  it("shows names, but neither the category's id nor the model", () => {
    const property = catalog.properties(sample.category_id)[0];
    const option = property?.property_options[0];
    const properties = [{ property_id: property?.id, option_id: option?.id }];
    const { properties: choices } = endpoints.product.update.input.parse({
      product_id: "p",
      properties,
    });
    const [product] = fillStore({ product: { ...sample, properties: choices } });
    if (product === undefined) throw new Error("the store is empty");

    expect(toStoreProduct(catalog, product)).toEqual({
      id: product.id,
      title: "Işık Çelik Yemek Kaşığı",
      subtitle: "6'lı set",
      product_code: "KSK-001",
      category_name: "Kaşık",
      brand_id: sample.brand_id,
      brand_name: "Işık",
      warranty: "İthalatçı Garantili",
      warranty_time: "24 Ay",
      warranty_type: 2,
      warranty_period: 24,
      stock: 12,
      sid: 1_000_001,
      description: "<p>Paslanmaz çelik.</p>",
      item_type: "product",
      properties: [{ ...properties[0], property: "Renk", option: "Siyah" }],
      variants: [],
      currency: "TL",
      url: "https://sandbox.example/isik-celik-yemek-kasigi-1000001",
      price: 129_990,
      has_discount: false,
      discount_type: null,
      discount_value: false,
      paid_price: 129_990,
      shipping_price: "7990",
      shipping_template_id: sample.shipping_template_id,
      images: ["https://ornek.example/kasik.jpg"],
    });
  });

  it.each([
    [{ discount_type: 1, discount_value: 29_990 }, 100_000],
    [{ discount_type: 2, discount_value: 15 }, 110_492],
    [{ discount_type: 3, discount_value: 99_990 }, 99_990],
  ] as const)("subtracts the discount %o from the price", (discount, paid) => {
    const [product] = fillStore({ product: { ...sample, has_discount: true, ...discount } });

    expect(product && toStoreProduct(catalog, product)).toMatchObject({
      price: 129_990,
      paid_price: paid,
      ...discount,
    });
  });

  it("has no shipping price for a free template", () => {
    const template = catalog.shippingTemplates.find(({ free_shipping }) => free_shipping === true);
    const shipping_template_id = template?.id ?? sample.shipping_template_id;
    const [product] = fillStore({ product: { ...sample, shipping_template_id } });

    expect(product && toStoreProduct(catalog, product).shipping_price).toBe("0");
  });
});
