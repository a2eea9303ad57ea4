/** An element of the product search, which describes a product as buyers see it. */

import * as z from "zod";

import type { PageQuery } from "../endpoint.ts";
import { type CategoryId, categoryId } from "../ids.ts";
import type { StoreType } from "../limits.ts";
import { answeredPrice } from "../money.ts";
import { type ProductFacts, productFacts } from "./product-facts.ts";

/** Element of the product search (section Resources, Product). The unit of prices is not stated. */
export interface FoundProduct extends ProductFacts {
  readonly store_name?: string | null | undefined;
  readonly category_id?: CategoryId | null | undefined;
  readonly discount_amount?: number | null | undefined;
  readonly shipping_price?: number | null | undefined;
}

/** What the product search asks for. */
export interface ProductSearchQuery extends PageQuery {
  /** Stores of companies, or sellers among consumers. */
  readonly type: StoreType;
  readonly search_key: string;
}

/** Schema of an element of the product search. */
export const foundProduct: z.ZodType<FoundProduct> = z.looseObject({
  ...productFacts,
  store_name: z.string().nullish(),
  category_id: categoryId.nullish(),
  discount_amount: answeredPrice.nullish(),
  shipping_price: answeredPrice.nullish(),
});
