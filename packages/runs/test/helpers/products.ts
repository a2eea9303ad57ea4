import {
  type BrandId,
  brandId,
  type CategoryId,
  categoryId,
  type PriceMinor,
  priceMinor,
  type ProductAdd,
  type ProductChanges,
  type ProductId,
  productId,
  type ProductUpdate,
  type PropertyChoice,
  propertyId,
  propertyOptionId,
  type ShippingTemplateId,
  shippingTemplateId,
} from "@catalog/contract";

import type { FakeProduct, Placement } from "../../src/testing.ts";

export const RUN = "r-1";
export const SHEET = "Ürünler";

/** Codes that differ only in case or outer blanks are the same product. */
export const codeKey = (code: string): string => code.trim().toLowerCase();

export const id = (text: string): ProductId => productId.parse(text);
export const price = (minor: number): PriceMinor => priceMinor.parse(minor);

export const CATEGORY: CategoryId = categoryId.parse("category-1");
export const BRAND: BrandId = brandId.parse("brand-1");
export const TEMPLATE: ShippingTemplateId = shippingTemplateId.parse("template-1");
export const CHOICE: PropertyChoice = {
  property_id: propertyId.parse("property-1"),
  option_id: propertyOptionId.parse("option-1"),
};

/** Returns a whole body of an add. */
export function addBody(code: string, fields: Partial<ProductAdd> = {}): ProductAdd {
  return {
    product_code: code,
    title: `Cup ${code}`,
    sub_title: "A cup",
    category_id: CATEGORY,
    brand_id: BRAND,
    brand_model: "C1",
    description: "It holds tea.",
    price: price(1990),
    has_discount: false,
    stock_count: 5,
    warranty_type: 1,
    warranty_period: 0,
    shipping_template_id: TEMPLATE,
    images: ["https://images.example/cup.jpg"],
    ...fields,
  };
}

export function updateBody(product: string, fields: ProductChanges): ProductUpdate {
  return { ...fields, product_id: id(product) };
}

/** Returns a product that is in the store already. */
export function listed(
  product: string,
  code: string,
  more: Partial<FakeProduct["product"]> & { readonly placement?: Placement } = {},
): FakeProduct {
  const { placement = "approved", ...fields } = more;
  return {
    placement,
    product: { id: id(product), product_code: code, title: `Cup ${code}`, ...fields },
  };
}
