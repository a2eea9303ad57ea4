/** Decides whether a product found by a lookup is the product of a lost add. */

import type { ProductId, StoreProduct } from "@catalog/contract";

import { type CodeNormalization, normalizeCode } from "../plan/codes/code-normalization.ts";
import { findUnits } from "../plan/price-unit.ts";
import type { RowRecord } from "../row/row-record.ts";

/** How product codes are compared; codes with the same key are the same product. */
export interface CodeKeys {
  readonly codeKey: (code: string) => string;
  /**
   * Key under which similar codes are equal; a product that only shares this key proves nothing.
   */
  readonly looseCodeKey?: ((code: string) => string) | undefined;
  /** How the store rewrites codes. @default codes are kept as sent */
  readonly normalization?: CodeNormalization | undefined;
}

/**
 * - `absent`: no product that could be it.
 * - `strong`: one product with exactly this code and the values that were sent.
 * - `different`: one product with exactly this code and other values.
 * - `several`: more than one product with exactly this code.
 * - `similar`: only products whose code is similar.
 */
export interface ProductMatch {
  readonly strength: "absent" | "strong" | "different" | "several" | "similar";
  readonly ids: readonly ProductId[];
}

/** Judges the products that a lookup for the row has found. */
export function matchProduct(
  record: RowRecord,
  shown: readonly StoreProduct[],
  { codeKey, looseCodeKey = codeKey, normalization = [] }: CodeKeys,
): ProductMatch {
  const code = record.code ?? "";
  const own = new Set([codeKey(code), codeKey(normalizeCode(normalization, code))]);
  const exact = distinct(shown.filter((one) => own.has(codeKey(one.product_code ?? ""))));
  const [product, ...others] = exact;
  if (product === undefined) {
    const similar = distinct(
      shown.filter((one) => looseCodeKey(one.product_code ?? "") === looseCodeKey(code)),
    );
    return { strength: similar.length === 0 ? "absent" : "similar", ids: toIds(similar) };
  }
  if (others.length > 0) return { strength: "several", ids: toIds(exact) };
  return { strength: isSame(record, product) ? "strong" : "different", ids: [product.id] };
}

/** Compares the fields that every listing shows. */
function isSame({ payload }: RowRecord, { title, price }: StoreProduct): boolean {
  const wanted = payload?.title;
  const isTitle = title == null || wanted === undefined || fold(title) === fold(wanted);
  const minor = payload?.price;
  // The API does not state the unit of listed prices, so either unit counts.
  const isPrice = price == null || minor === undefined || findUnits(minor, price).length > 0;
  return isTitle && isPrice;
}

const fold = (text: string): string =>
  text.normalize("NFKC").replaceAll(/\s+/gu, " ").trim().toLocaleLowerCase("tr");

const distinct = (products: readonly StoreProduct[]): readonly StoreProduct[] => [
  ...new Map(products.map((product) => [product.id, product])).values(),
];

const toIds = (products: readonly StoreProduct[]): readonly ProductId[] =>
  products.map(({ id }) => id);
