/** A product as a listing shows it, built from the bodies that were sent. */

import type {
  ProductAdd,
  ProductChanges,
  ProductId,
  ProductUpdate,
  StoreProduct,
} from "@catalog/contract";

/** Unit in which a listing gives its prices; the API specification does not state it. */
export type PriceNotation = "minor" | "major";

export function listAdded(id: ProductId, body: ProductAdd, notation: PriceNotation): StoreProduct {
  return show({ id, product_code: body.product_code }, body, notation);
}

export function listUpdated(
  product: StoreProduct,
  body: ProductUpdate,
  notation: PriceNotation,
): StoreProduct {
  return show(product, body, notation);
}

/** Fields that the listing shows under the name of the add call. */
const SAME_NAME = [
  "title",
  "brand_id",
  "description",
  "currency",
  "warranty_type",
  "warranty_period",
  "shipping_template_id",
  "images",
  "properties",
] as const;

/** Category, model, condition and the personalisation flag are not shown (section Product). */
function show(product: StoreProduct, body: ProductChanges, notation: PriceNotation): StoreProduct {
  const same = SAME_NAME.filter((field) => body[field] !== undefined).map((field) => [
    field,
    body[field],
  ]);
  const price = body.price === undefined ? product.price : write(body.price, notation);
  return {
    ...product,
    ...Object.fromEntries(same),
    subtitle: body.sub_title ?? product.subtitle,
    stock: body.stock_count ?? product.stock,
    price,
    ...showDiscount(body, notation),
  };
}

function showDiscount(
  body: ProductChanges,
  notation: PriceNotation,
): Pick<StoreProduct, "has_discount" | "discount_type" | "discount_value"> {
  const { has_discount, discount_type, discount_value } = body;
  if (has_discount === undefined) return {};
  if (!has_discount) return { has_discount, discount_type: null, discount_value: false };
  const amount = discount_value ?? 0;
  return {
    has_discount,
    discount_type,
    discount_value: discount_type === 2 ? amount : write(amount, notation),
  };
}

function write(priceMinor: number, notation: PriceNotation): number {
  return notation === "minor" ? priceMinor : priceMinor / 100;
}
