/** Whether a product that a look-up shows is the one that a lost add was to make. */

import { type ProductId, type StoreProduct } from "@catalog/contract";

import { type CodeWay, writeCode } from "../plan/codes/code-normalization.ts";
import { findUnits } from "../plan/price-unit.ts";
import { type RowRecord } from "../row/row-record.ts";

/** Product codes with the same key are the same product. */
export interface CodeKeys {
  readonly codeKey: (code: string) => string;
  /** Codes that only a careless eye takes for the same; found alone, they settle nothing. */
  readonly looseCodeKey?: ((code: string) => string) | undefined;
  /** How the store writes codes. @default as they are sent */
  readonly way?: CodeWay | undefined;
}

/**
 * - `absent`: nothing that could be it.
 * - `strong`: one product with exactly this code, and with what was sent.
 * - `different`: one product with exactly this code, and something else in it.
 * - `several`: more than one product with exactly this code.
 * - `similar`: only products whose code is nearly the same.
 */
export interface Match {
  readonly strength: "absent" | "strong" | "different" | "several" | "similar";
  readonly ids: readonly ProductId[];
}

/** Judges the products that a look-up for the row has shown. */
export function judgeMatch(
  record: RowRecord,
  shown: readonly StoreProduct[],
  { codeKey, looseCodeKey = codeKey, way = [] }: CodeKeys,
): Match {
  const code = record.code ?? "";
  const own = new Set([codeKey(code), codeKey(writeCode(way, code))]);
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

/** Compares what every listing shows; what it does not show tells nothing. */
function isSame({ payload }: RowRecord, { title, price }: StoreProduct): boolean {
  const wanted = payload?.title;
  const isTitle = title == null || wanted === undefined || fold(title) === fold(wanted);
  const minor = payload?.price;
  // The unit of listed prices is not stated, so both readings count.
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
