import { createTestConnection } from "@catalog/connection/testing";
import { priceMinor, type ProductId, idSchemas } from "@catalog/contract";
import { createFakeMarketplace, failing, type FakeMarketplaceOptions } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { releaseRow } from "../../src/apply/release-rows.ts";
import { syncFeed, type SyncFeedOptions, type SyncResult } from "../../src/feed/sync-feed.ts";

const CUP = idSchemas.product.parse("p-1");
const DAY_MS = 24 * 3_600_000;

interface Shop {
  /** Syncs one row for the cup, at this price in lira. */
  readonly sync: (price: string, given?: Partial<SyncFeedOptions>) => Promise<SyncResult>;
  readonly syncRows: (rows: string, given?: Partial<SyncFeedOptions>) => Promise<SyncResult>;
  /** Releases the rows that the run holds. */
  readonly release: (synced: SyncResult) => Promise<void>;
  /** Changes the price in the store, as another program would. */
  readonly setPrice: (priceMinor: number) => Promise<void>;
  readonly priceMinor: () => unknown;
  readonly stock: () => unknown;
  readonly stateIn: (synced: SyncResult) => Promise<string | undefined>;
  readonly causeIn: (synced: SyncResult) => Promise<string | undefined>;
  readonly later: (ms: number) => Promise<void>;
  /** Archives and prunes all that is due. */
  readonly prune: () => Promise<void>;
}

/**
 * A store with a cup for 100 lira and a plate, and the journal of syncs whose guards hold large
 * falls.
 */
async function openShop(script: FakeMarketplaceOptions["script"] = {}): Promise<Shop> {
  const test = await createTestConnection({ priceUnit: "minor" });
  const marketplace = createFakeMarketplace({
    script,
    products: [shelve(CUP, "KOD-1"), shelve(idSchemas.product.parse("p-2"), "KOD-2")],
  });
  const connection = { ...test.connection, marketplace };
  const cup = (): Readonly<Record<string, unknown>> => ({
    ...marketplace.products.find(({ product }) => product.id === CUP)?.product,
  });
  const syncRows: Shop["syncRows"] = async (rows, given = {}) =>
    await syncFeed(connection, {
      feed: test.write("stok.csv", `Ürün Kodu;Stok;Fiyat\r\n${rows}\r\n`),
      lang: "tr",
      reading: {},
      allowed: [],
      reconcileMs: 0,
      reportDir: test.folder,
      ...given,
    });
  const firstRow = { row: 2 };
  return {
    syncRows,
    sync: async (price, given) => await syncRows(`KOD-1;5;${price}`, given),
    async release({ run }) {
      const [record] = await connection.journal.readRows(run?.id ?? "", {
        states: ["held"],
        limit: 1,
      });
      if (run === undefined || record === undefined) throw new Error("nothing is held");
      const release = { kind: "resend" } as const;
      expect(await releaseRow(connection, { run, record, release, by: "ayşe" })).toEqual({
        to: "ready",
      });
    },
    async setPrice(price) {
      await marketplace.updateProduct(
        { product_id: CUP, price: priceMinor.parse(price) },
        { beforeSend: () => undefined },
      );
    },
    priceMinor: () => cup()["price"],
    stock: () => cup()["stock"],
    stateIn: async ({ run }) =>
      (await connection.journal.readRows(run?.id ?? "", { limit: 1 }))[0]?.state,
    causeIn: async ({ run }) =>
      (await connection.journal.readEvents({ runId: run?.id ?? "", ...firstRow })).at(-1)?.cause,
    later: async (ms) => await test.clock.advance(ms),
    prune: async () => void (await connection.storage.prune({ keepMs: 90 * DAY_MS })),
  };
}

const shelve = (
  id: ProductId,
  code: string,
): NonNullable<FakeMarketplaceOptions["products"]>[number] => ({
  placement: "approved",
  product: { id, product_code: code, title: code, price: 10_000, currency: "TL", stock: 5 },
});

describe("syncFeed, with released rows", () => {
  it("sends a released change once", async () => {
    const shop = await openShop();
    const held = await shop.sync("25,00");
    await shop.release(held);

    const sent = await shop.sync("25,00");
    const price = shop.priceMinor();
    await shop.setPrice(10_000);
    const again = await shop.sync("25,00");

    expect(held.counts).toMatchObject({ held: 1, updated: 0 });
    expect(sent).toMatchObject({ released: 1, counts: { held: 0, updated: 1 } });
    expect(price).toBe(2500);
    expect([await shop.stateIn(held), await shop.causeIn(held)]).toEqual([
      "cancelled",
      "sent-by-sync",
    ]);
    expect(again).toMatchObject({ released: 0, counts: { held: 1, updated: 0 } });
  });

  it("keeps what the newest of several syncs holds, and sends it once it is released", async () => {
    const shop = await openShop();
    const older = await shop.sync("25,00");
    await shop.later(60_000);
    const newest = await shop.sync("25,00");
    await shop.later(2 * DAY_MS);
    await shop.prune();

    await shop.release(newest);
    const sent = await shop.sync("25,00");

    expect([await shop.stateIn(older), await shop.causeIn(older)]).toEqual([
      "cancelled",
      "superseded-hold",
    ]);
    expect(sent).toMatchObject({ released: 1, counts: { held: 0, updated: 1 } });
    expect(shop.priceMinor()).toBe(2500);
  });

  it("keeps a released row whose run has a newer sync", async () => {
    const shop = await openShop();
    const held = await shop.sync("25,00");
    await shop.later(60_000);
    await shop.sync("24,00");
    await shop.release(held);
    await shop.later(2 * DAY_MS);
    await shop.prune();

    const sent = await shop.sync("25,00");

    expect(sent).toMatchObject({ released: 1, counts: { held: 0, updated: 1 } });
  });

  it("sends a released price together with the feed's present stock", async () => {
    const shop = await openShop();
    await shop.release(await shop.sync("25,00"));

    await shop.syncRows("KOD-1;3;25,00");

    expect([shop.priceMinor(), shop.stock()]).toEqual([2500, 3]);
  });

  it("lets the guard decide again when the feed's price has changed since", async () => {
    const shop = await openShop();
    const held = await shop.sync("25,00");
    await shop.release(held);

    const other = await shop.sync("20,00");
    const back = await shop.sync("25,00");

    expect([other.counts.held, back.counts.held]).toEqual([1, 1]);
    expect([await shop.stateIn(held), await shop.causeIn(held)]).toEqual([
      "cancelled",
      "superseded",
    ]);
    expect(shop.priceMinor()).toBe(10_000);
  });

  it("lets the guard decide again when the store's price has changed since", async () => {
    const shop = await openShop();
    await shop.release(await shop.sync("25,00"));
    await shop.setPrice(9000);

    const { counts } = await shop.sync("25,00");

    expect(counts).toMatchObject({ held: 1, updated: 0 });
    expect(shop.priceMinor()).toBe(9000);
  });

  it("keeps the release while feeds have no price for the product", async () => {
    const shop = await openShop();
    await shop.release(await shop.sync("25,00"));

    await shop.syncRows("KOD-2;4;100,00\r\nKOD-1;4;");
    const { released } = await shop.syncRows("KOD-2;4;100,00\r\nKOD-1;4;25,00");

    expect([released, shop.priceMinor()]).toEqual([1, 2500]);
  });

  it("keeps the release of a row when the sync is stopped before sending it", async () => {
    const shop = await openShop();
    await shop.release(await shop.sync("25,00"));
    const stop = new AbortController();

    const stopped = await shop.sync("25,00", {
      stop: stop.signal,
      onEvent: ({ event }) => (event === "planned" ? stop.abort() : undefined),
    });
    const { released } = await shop.sync("25,00");

    expect(stopped.counts).toMatchObject({ pending: 1, updated: 0 });
    expect([released, shop.priceMinor()]).toEqual([1, 2500]);
  });

  it("keeps the release of a row when its sync dies while sending", async () => {
    const died = new Error("died");
    const shop = await openShop({ "UPDATE p-1": [failing(died)] });
    await shop.release(await shop.sync("25,00"));

    await expect(shop.sync("25,00")).rejects.toThrow("died");
    const { released } = await shop.sync("25,00");

    expect([released, shop.priceMinor()]).toEqual([1, 2500]);
  });

  it("keeps the release in a stopped run whose other rows are cancelled", async () => {
    const shop = await openShop();
    const stop = new AbortController();
    const stopped = await shop.syncRows("KOD-1;5;25,00\r\nKOD-2;4;100,00", {
      stop: stop.signal,
      onEvent: ({ event }) => (event === "planned" ? stop.abort() : undefined),
    });
    await shop.release(stopped);

    const { released, counts } = await shop.syncRows("KOD-1;5;25,00\r\nKOD-2;5;100,00");

    expect(stopped.counts).toMatchObject({ held: 1, pending: 1 });
    expect([released, counts.updated, shop.priceMinor()]).toEqual([1, 1, 2500]);
  });

  it("drops a release after a week", async () => {
    const shop = await openShop();
    const held = await shop.sync("25,00");
    await shop.release(held);
    await shop.later(7 * DAY_MS + 1);

    const { released, counts } = await shop.sync("25,00");

    expect([released, counts.held, await shop.stateIn(held)]).toEqual([0, 1, "cancelled"]);
  });
});
