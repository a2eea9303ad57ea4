/** Converts the store's products for the listings. */

import type {
  FoundProduct,
  ProductFacts,
  ProductProperty,
  StoreProduct,
  WarrantyType,
} from "@catalog/contract";

import { foldName } from "../catalog/name-search.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import type { SandboxProduct } from "./product-state.ts";

const SHIPPING_PRICE_MINOR = 7990;

const WARRANTY_NAMES: Readonly<Record<WarrantyType, string>> = {
  1: "Garantisiz",
  2: "İthalatçı Garantili",
  3: "Tedarikçi Garantili",
  4: "Teknik Servis Garantili",
};

/** Makes an element of the product listing, which has neither the category's id nor the model. */
export function toStoreProduct(catalog: SandboxCatalog, product: SandboxProduct): StoreProduct {
  const { has_discount, discount_type, discount_value = 0 } = product;
  const isReduced = has_discount && discount_type !== undefined;
  return {
    ...toFacts(catalog, product),
    discount_type: isReduced ? discount_type : null,
    discount_value: isReduced ? discount_value : false,
    shipping_price: String(shippingPrice(catalog, product)),
    shipping_template_id: product.shipping_template_id,
  };
}

/** Makes an element of the product search; the caller adds the name of the store. */
export function toFoundProduct(catalog: SandboxCatalog, product: SandboxProduct): FoundProduct {
  return {
    ...toFacts(catalog, product),
    category_id: product.category_id,
    discount_amount: product.price - paidAmount(product),
    shipping_price: shippingPrice(catalog, product),
  };
}

/** The buyer's price of shipping, in minor units. */
export function shippingPrice(
  catalog: SandboxCatalog,
  { shipping_template_id: templateId }: SandboxProduct,
): number {
  const template = catalog.shippingTemplates.find(({ id }) => id === templateId);
  return template?.free_shipping === true ? 0 : SHIPPING_PRICE_MINOR;
}

function toFacts(catalog: SandboxCatalog, product: SandboxProduct): ProductFacts {
  const { category_id: category, brand_id: brand } = product;
  return {
    id: product.id,
    title: product.title,
    subtitle: product.sub_title,
    product_code: product.product_code,
    category_name: catalog.category(category)?.name,
    brand_id: brand,
    brand_name: brandName(catalog, product),
    warranty: WARRANTY_NAMES[product.warranty_type],
    warranty_time: `${product.warranty_period} Ay`,
    warranty_type: product.warranty_type,
    warranty_period: product.warranty_period,
    stock: product.stock_count,
    sid: product.sid,
    description: product.description,
    item_type: "product",
    properties: nameProperties(catalog, product),
    variants: [],
    currency: product.currency ?? "TL",
    url: `https://sandbox.example/${toSlug(product.title)}-${product.sid}`,
    price: product.price,
    has_discount: product.has_discount && product.discount_type !== undefined,
    paid_price: paidAmount(product),
    images: product.images,
  };
}

export function brandName(
  catalog: SandboxCatalog,
  { category_id, brand_id }: SandboxProduct,
): string | undefined {
  return catalog.brand(category_id, brand_id)?.name;
}

/** The buyer's price of one piece, in minor units. */
export function paidAmount(product: SandboxProduct): number {
  const { price, has_discount, discount_type, discount_value = 0 } = product;
  if (!has_discount || discount_type === undefined) return price;
  const paid = {
    1: price - discount_value,
    2: Math.round((price * (100 - discount_value)) / 100),
    3: discount_value,
  };
  return paid[discount_type];
}

function nameProperties(
  catalog: SandboxCatalog,
  { category_id, properties = [] }: SandboxProduct,
): readonly ProductProperty[] {
  const known = catalog.properties(category_id);
  return properties.map((choice) => {
    const property = known.find(({ id }) => id === choice.property_id);
    const option = property?.property_options.find(({ id }) => id === choice.option_id);
    return { ...choice, property: property?.name, option: option?.display_name };
  });
}

const toSlug = (title: string): string =>
  foldName(title)
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-|-$/gu, "");
