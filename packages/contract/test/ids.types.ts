/** What must and must not compile. Only the type checker reads this file. */

import {
  endpoints,
  type Id,
  idSchemas,
  type PriceMinor,
  priceMinor,
  type ProductAdd,
  type ProductId,
  type ProductUpdate,
} from "../src/index.ts";

declare const body: ProductAdd;
declare const brand: Id<"brand">;

/** Accepted. */
export const product: ProductId = idSchemas.product.parse("p-1");
export const category: Id<"category"> = idSchemas.category.parse("c-1");
export const text: string = product;
export const price: PriceMinor = priceMinor.parse(12_990);
export const amount: number = price;
export const change: ProductUpdate = { product_id: product, price };

// @ts-expect-error -- text is no id until it was parsed
export const unparsed: ProductId = "p-1";
// @ts-expect-error -- a product is no category
export const crossed: Id<"category"> = product;
// @ts-expect-error -- a category is no product
export const crossedBack: ProductId = category;
// @ts-expect-error -- a brand is no model
export const model: Id<"brandModel"> = brand;
// @ts-expect-error -- a product is no store
export const store: Id<"store"> = product;
// @ts-expect-error -- a plain number may be in major units
export const plain: PriceMinor = 12_990;
// @ts-expect-error -- what is computed from a price is a plain number again
export const doubled: PriceMinor = price * 2;
// @ts-expect-error -- a price in an update is in minor units too
export const unpriced: ProductUpdate = { product_id: product, price: 129.9 };
// @ts-expect-error -- an update names its product
export const nameless: ProductUpdate = { title: "Fincan" };
// @ts-expect-error -- a warranty lasts 0, 12, 24 or 36 months
export const lasting: ProductAdd = { ...body, warranty_period: 18 };
// @ts-expect-error -- the add call knows no such field
export const coloured: ProductAdd = { ...body, colour: "mavi" };
// @ts-expect-error -- the table has no such call
export const missing: unknown = endpoints.product.remove;
