import { describe, expect, it } from "vitest";

import { type ToolkitOptions } from "../../src/open-toolkit.ts";
import { syncFeed, type SyncFeedOptions, type Synced } from "../../src/sync/sync-feed.ts";
import { startMarket } from "../helpers/market.ts";
import { createWorkplace } from "../helpers/workplace.ts";

/** Plans a feed that empties one of the store's two products, and is stopped before it sends. */
async function planOnce(
  set: Pick<ToolkitOptions, "guardLimits" | "priceUnit">,
  given: Partial<SyncFeedOptions> = {},
): Promise<Synced> {
  const { baseUrl } = await startMarket();
  const { toolkit, folder, write } = await createWorkplace({ baseUrl, ...set });
  const stop = new AbortController();
  return await syncFeed(toolkit, {
    feed: write("stok.csv", "Ürün Kodu;Stok\r\nKOD-1;0\r\nKOD-2;9\r\n"),
    lang: "tr",
    reading: {},
    allowed: [],
    reconcileMs: 0,
    reportDir: folder,
    stop: stop.signal,
    onEvent: ({ event }) => (event === "planned" ? stop.abort() : undefined),
    ...given,
  });
}

describe("syncFeed, with limits that were set", () => {
  const guardLimits = { zeroStockRows: 2 };

  it("refuses what they stop", async () => {
    await expect(planOnce({ guardLimits })).rejects.toMatchObject({
      code: "E_FEED_ZERO_STOCK",
    });
  });

  it("lets pass what is allowed this time", async () => {
    const { counts } = await planOnce({ guardLimits }, { allowed: ["zero-stock"] });

    expect(counts).toMatchObject({ rows: 2, pending: 1, unchanged: 1 });
  });

  it("lets pass what the defaults do where none was set", async () => {
    const { counts, run } = await planOnce({});

    expect(counts).toMatchObject({ rows: 2, pending: 1, unchanged: 1 });
    expect(run?.facts?.priceUnit).toBe("unknown");
  });

  it("knows the unit of prices that was set", async () => {
    const { run } = await planOnce({ priceUnit: "major" });

    expect(run?.facts?.priceUnit).toBe("major");
  });
});
