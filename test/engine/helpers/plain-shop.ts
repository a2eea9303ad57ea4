/**
 * A second marketplace with manners of its own: short pages with the newest product first, prices in
 * whole currency, an exact filter by code, none by date, no server time, and it refuses a code twice.
 */

import {
  type ListingStatus,
  type ProductChanges,
  type ProductId,
  type StoreProduct,
  idSchemas,
} from "@catalog/contract";
import type { Answer, ListQuery, Marketplace, SendOptions } from "@catalog/runs";

const PAGE_SIZE = 3;

interface Shelved {
  readonly status: ListingStatus;
  readonly product: StoreProduct;
}

/** Opens a shop in which new products wait for approval until the next listing is read. */
export function createPlainShop(): Marketplace {
  const shelves = new Map<ProductId, Shelved>();
  let added = 0;
  const list = ({ status, code, ids }: Omit<ListQuery, "addedAfterMs">): readonly StoreProduct[] =>
    [...shelves.values()]
      .filter((one) => one.status === status)
      .map(({ product }) => product)
      .filter(({ id }) => ids === undefined || ids.includes(id))
      .filter(({ product_code }) => code === undefined || product_code === code)
      .toReversed();
  const approve = (): void => {
    for (const [id, { product }] of shelves) shelves.set(id, { status: "approved", product });
  };
  return {
    async countProducts(status, signal) {
      signal?.throwIfAborted();
      approve();
      return list({ status }).length;
    },
    async *listProducts(query) {
      query.signal?.throwIfAborted();
      approve();
      const found = list(query);
      const pages = Math.ceil(found.length / PAGE_SIZE);
      for (let page = 1; page <= pages; page += 1) {
        query.onPage?.({ page, pages });
        yield* found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
      }
      query.onEnd?.({ isStill: true });
    },
    trustsFilter: async (filter) => filter !== "start_date",
    async addProduct(body, options) {
      await leave(options);
      const taken = [...shelves.values()].some(
        (one) => one.product.product_code === body.product_code,
      );
      if (taken) return refuse(422, `${body.product_code} is on sale already`);
      added += 1;
      const id = idSchemas.product.parse(`sku/${added}`);
      const { product_code } = body;
      shelves.set(id, { status: "veto", product: { id, product_code, ...toShown(body) } });
      return answer({ status: true, product_id: id });
    },
    async updateProduct({ product_id: id, ...changes }, options) {
      await leave(options);
      const shelved = shelves.get(id);
      if (shelved === undefined) return refuse(404, "no such product");
      shelves.set(id, { ...shelved, product: { ...shelved.product, ...toShown(changes) } });
      return answer({ status: true });
    },
  };
}

async function leave({ prepare, beforeSend, signal }: SendOptions): Promise<void> {
  signal?.throwIfAborted();
  await prepare?.();
  beforeSend();
  // The request is on its way.
  await Promise.resolve();
}

const answer = (data: unknown): Answer => ({ kind: "answered", data, phase: "body" });

const refuse = (status: number, message: string): Answer => ({
  kind: "refused",
  status,
  message,
  phase: "body",
  facts: { contentType: "application/json", excerpt: "{}" },
});

function toShown({ title, price, stock_count: stock }: ProductChanges): Partial<StoreProduct> {
  return {
    ...(title !== undefined && { title }),
    ...(price !== undefined && { price: price / 100 }),
    ...(stock !== undefined && { stock }),
  };
}
