/** The products of a store at the start: the same ones for the same count. */

import { type ListingStatus, priceMinor, type ProductAdd } from "@catalog/contract";

import { pickFrom, pickNumber } from "../catalog/hashed-id.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import type { InitialProduct } from "./product-state.ts";

export interface SeedProductsOptions {
  readonly catalog: SandboxCatalog;
  readonly count: number;
  /** Time of the start; the newest product was added one step before. */
  readonly nowMs: number;
  /** Number of products to create, from the oldest on. @default all of them */
  readonly first?: number;
  /** Prefix of the codes; all values of a product follow from its code. @default "SBX" */
  readonly prefix?: string;
}

const STEP_MS = 37 * 60 * 1000;
const MAX_STOCK = 250;
const MAX_DISCOUNT_PERCENT = 40;

/**
 * Creates products "SBX-000001" and up, oldest first, with 80 % approved, 15 % passive and 5 %
 * veto.
 */
export function createSeedProducts(options: SeedProductsOptions): readonly InitialProduct[] {
  const { catalog, count, nowMs, first = count, prefix = "SBX" } = options;
  const leaves = catalog.categories.filter(({ id }) => catalog.isLeaf(id));
  return Array.from({ length: Math.min(first, count) }, (_, index) => {
    const code = `${prefix}-${String(index + 1).padStart(6, "0")}`;
    return {
      product: createProduct(catalog, pickFrom(leaves, "category", code).id, code),
      status: pickStatus(index),
      addedAtMs: nowMs - (count - index) * STEP_MS,
    };
  });
}

function createProduct(
  catalog: SandboxCatalog,
  categoryId: ProductAdd["category_id"],
  code: string,
): ProductAdd {
  const brand = pickFrom(catalog.brands(categoryId), "brand", code);
  const model = catalog.pickModel(categoryId, brand.id, "model", code);
  const template = pickFrom(catalog.shippingTemplates, "template", code);
  const name = catalog.category(categoryId)?.name ?? "";
  return {
    title: `${brand.name} ${model.name} ${name}`,
    sub_title: `${brand.name} ${name}`,
    brand_id: brand.id,
    brand_model: model.id,
    description: `<p>${brand.name} ${model.name} ${name}, orijinal ambalajında gönderilir.</p>`,
    currency: "TL",
    price: pickPrice(catalog.priceRangeMinor(categoryId), code),
    product_code: code,
    ...pickWarranty(code),
    ...pickDiscount(code),
    category_id: categoryId,
    shipping_template_id: template.id,
    stock_count: pickNumber(MAX_STOCK, "stock", code),
    images: [1, 2].map((number) => `https://sandbox.example/images/${code}-${number}.jpg`),
  };
}

/** Of every twenty products, sixteen are approved, three passive and one veto. */
function pickStatus(index: number): ListingStatus {
  const position = index % 20;
  if (position < 16) return "approved";
  return position < 19 ? "passive" : "veto";
}

/** Picks a price that ends in ",90". */
function pickPrice(
  [lowest, highest]: readonly [number, number],
  code: string,
): ProductAdd["price"] {
  const wholeTl = Math.floor((lowest + pickNumber(highest - lowest, "price", code)) / 100);
  return priceMinor.parse(wholeTl * 100 + 90);
}

function pickWarranty(code: string): Pick<ProductAdd, "warranty_type" | "warranty_period"> {
  return pickFrom(
    [
      { warranty_type: 1, warranty_period: 0 },
      { warranty_type: 2, warranty_period: 24 },
      { warranty_type: 3, warranty_period: 24 },
      { warranty_type: 4, warranty_period: 36 },
    ] as const,
    "warranty",
    code,
  );
}

/** Gives one product in five a percentage discount. */
function pickDiscount(
  code: string,
): Pick<ProductAdd, "has_discount" | "discount_type" | "discount_value"> {
  if (pickNumber(5, "discount", code) > 0) return { has_discount: false };
  const value = 5 + pickNumber(MAX_DISCOUNT_PERCENT - 4, "discount value", code);
  return { has_discount: true, discount_type: 2, discount_value: value };
}
