import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";

describe("one store under many spellings of its address", { timeout: 120_000 }, () => {
  it("gets the products of a file once, before it shows them", async () => {
    const shop = await openTestStore({ personality: { "new-product": "after-approval" } });
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(10));
    const { port } = new URL(shop.sandbox.baseUrl);
    const id = shop.sandbox.storeId;
    const spellings = [
      [shop.sandbox.baseUrl, id],
      [`HTTP://127.1:${port}//`, id],
      [`http://LocalHost:${port}/./`, id],
      [` ${shop.sandbox.baseUrl} `, ` ${id}`],
    ] as const;
    const counts: unknown[] = [];

    for (const [CATALOG_BASE_URL, CATALOG_STORE_ID] of spellings) {
      const env = { ...shop.env, CATALOG_BASE_URL, CATALOG_STORE_ID };
      const { out } = await callCatalog(["import", file, "--yes", "--json", "--no-verify"], {
        cwd: shop.folder,
        env,
      });
      counts.push(JSON.parse(out).counts.added);
    }

    expect(counts).toEqual([10, 0, 0, 0]);
    expect(shop.sandbox.stats().products).toBe(10);
    expect(shop.sandbox.stats().tokens).toBe(1);
  });
});
