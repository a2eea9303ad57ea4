import { createTestConnection } from "@catalog/connection/testing";
import { productId } from "@catalog/contract";
import { createFakeMarketplace } from "@catalog/runs/testing";
import { expect, it } from "vitest";

import { syncFeed, type SyncResult } from "../src/sync-feed.ts";

const DAY_MS = 24 * 3_600_000;
const CUP = productId.parse("p-1");

interface Shop {
  /** Syncs a feed that never changes, in a store whose listing is read once a day. */
  readonly sync: () => Promise<SyncResult>;
  /** Changes the stock in the store's panel. */
  readonly setStock: (stock: number) => Promise<void>;
  readonly later: (ms: number) => Promise<void>;
  readonly stock: () => unknown;
  readonly lists: () => number;
}

async function openShop(): Promise<Shop> {
  const { connection, write, folder, clock } = await createTestConnection();
  const product = { id: CUP, product_code: "KOD-1", title: "Fincan", stock: 5 };
  const marketplace = createFakeMarketplace({ products: [{ placement: "approved", product }] });
  return {
    sync: async () =>
      await syncFeed(
        { ...connection, marketplace },
        {
          feed: write("stok.csv", "Ürün Kodu;Stok\r\nKOD-1;5\r\n"),
          lang: "tr",
          reading: {},
          allowed: [],
          reconcileMs: DAY_MS,
          reportDir: folder,
        },
      ),
    async setStock(stock) {
      const changes = { product_id: CUP, stock_count: stock };
      await marketplace.updateProduct(changes, { beforeSend: () => undefined });
    },
    later: async (ms) => await clock.advance(ms),
    stock: () => marketplace.products[0]?.product.stock,
    lists: () => marketplace.log.filter((request) => request.startsWith("LIST")).length,
  };
}

it("finds a change made in the panel when the whole listing is read, and not before", async () => {
  const shop = await openShop();
  await shop.sync();
  await shop.setStock(1);
  const readOnce = shop.lists();
  await shop.later(DAY_MS - 1);

  const early = await shop.sync();
  const readTwice = shop.lists();
  const stockBefore = shop.stock();
  await shop.later(1);
  const due = await shop.sync();

  expect(readTwice).toBe(readOnce);
  expect([early.reconciled, early.counts.updated, stockBefore]).toEqual([undefined, 0, 1]);
  expect([due.reconciled, due.counts.updated, shop.stock()]).toEqual([1, 1, 5]);
});

it("reads the whole listing again when the clock was put back", async () => {
  const shop = await openShop();
  await shop.later(DAY_MS);
  await shop.sync();
  await shop.setStock(1);
  const { reconciled } = await shop.sync();
  await shop.later(-1);

  expect(reconciled).toBeUndefined();
  expect((await shop.sync()).reconciled).toBe(1);
});
