/** What must and must not compile. Only the type checker reads this file. */

import type { Comment, Page, ProductId, StoreProduct, DataOf } from "@catalog/contract";

import type { Client } from "../src/index.ts";
import { CUP } from "./helpers/product.ts";

declare const client: Client;
declare const product_id: ProductId;

/** Accepted. */
export const pages: AsyncIterable<Page<StoreProduct>> = client.product.list.pages({});
export const items: AsyncIterable<StoreProduct> = client.product.list.items({ status: "veto" });
export const page: Promise<Page<StoreProduct>> = client.product.list({ limit: 50 });
export const added: Promise<{ readonly status: boolean }> = client.product.add(CUP);
export const answer: Promise<unknown> = client.product.add(CUP, {
  signal: AbortSignal.timeout(1),
});
export const orders: Promise<DataOf<"order.list">> = client.order.list({ days: 7 });
export const onePage: Promise<DataOf<"comment.productComments">> = client.comment.productComments({
  product_id,
});
export const onPages: AsyncIterable<DataOf<"comment.productComments">> =
  client.comment.productComments.pages({
    product_id,
  });
export const comments: AsyncIterable<Comment> = client.comment.productComments.items({
  product_id,
});
export const cities: Promise<readonly unknown[]> = client.city.list({});

// @ts-expect-error -- the order listing has no pages
void client.order.list.pages({ days: 7 });
// @ts-expect-error -- a switch has one value
void client.question.list({ answered: 0 });
// @ts-expect-error -- the call takes no input
void client.city.list({ name: "Ankara" });
// @ts-expect-error -- required fields are missing
void client.product.add({});
// @ts-expect-error -- a price is not text
void client.product.add({ ...CUP, price: "12" });
// @ts-expect-error -- text is not the id of a category until it was parsed
void client.category.properties({ categoryId: "c-1" });
// @ts-expect-error -- the contract does not know this field
void client.product.list({ colour: "blue" });
// @ts-expect-error -- no status of that name
void client.product.list({ status: "gone" });
// @ts-expect-error -- the call that adds a product is no listing
void client.product.add.pages({});
// @ts-expect-error -- tokens are private to the client
void client.token;
// @ts-expect-error -- no such resource
void client.parcel;
