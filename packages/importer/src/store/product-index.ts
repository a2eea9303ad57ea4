/** What a listed product is found, filtered and sorted by. */

import type { Connection } from "@catalog/connection";
import { readPriceTag, toPaidPrice } from "@catalog/runs";

import { createTextFold } from "../drafts/draft-rows.ts";
import { createSortKey } from "./sort-key.ts";

type StoreProducts = Connection["memory"]["storeProducts"];

/** A product as it was read just now, with what it is found by. */
export type ReadProduct = Parameters<StoreProducts["save"]>[0][number];

type Listed = Pick<ReadProduct, "product" | "status" | "atMs">;

/** Creates the function that derives it; it remembers the signs of texts. */
export function createProductIndex(): (listed: Listed) => ReadProduct {
  const fold = createTextFold();
  const toKey = createSortKey();
  return (listed) => {
    const { product } = listed;
    const { id, product_code: code, title, brand_name: brand, category_name: category } = product;
    const texts = [code, title, brand, id].map((text) => fold(text ?? ""));
    const [minor, major] = [readAmounts(product, "minor"), readAmounts(product, "major")];
    return {
      ...listed,
      index: {
        brand: brand ?? null,
        category: category ?? null,
        folded: texts.join("\n"),
        sort: {
          code: toKey(code ?? ""),
          title: toKey(title ?? ""),
          brand: toKey(brand ?? ""),
          category: toKey(category ?? ""),
        },
        amounts: { minor, major },
        discount: toDiscount(major),
        images: product.images?.length ?? 0,
      },
    };
  };
}

interface Amounts {
  readonly price: number | null;
  readonly paid: number | null;
}

/** The price of a listed product and what its buyer pays, in minor units. */
export function readAmounts(product: Listed["product"], priceUnit: "minor" | "major"): Amounts {
  const tag = readPriceTag({ seen: product, priceUnit });
  return { price: toWhole(tag.price), paid: toWhole(toPaidPrice(tag)) };
}

/** A listing may show anything; an amount that is no whole number of minor units is none. */
const toWhole = (amount: number | undefined): number | null =>
  amount !== undefined && Number.isSafeInteger(amount) ? amount : null;

/** In percent of the price; `null` where the buyer pays the price, or what is paid is not known. */
export function toDiscount({ price, paid }: Amounts): number | null {
  if (price === null || paid === null || price <= 0 || paid >= price) return null;
  return ((price - paid) / price) * 100;
}
