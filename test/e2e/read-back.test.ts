import { describe, expect, it } from "vitest";

import { goodRows, type ProductRow, writeText, writeWorkbook } from "../helpers/product-sheet.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

interface Summary {
  readonly exit: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly planned: Readonly<Record<string, number>>;
  readonly verification: Readonly<Record<string, number>>;
  readonly requests: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly issues: readonly { readonly code: string }[];
  readonly run: string;
}

async function importJson(shop: Shop, ...args: readonly string[]): Promise<Summary> {
  const { out, err } = await shop.run("import", ...args, "--yes", "--json");
  expect(out, err).not.toBe("");
  return JSON.parse(out);
}

const importRows = async (
  shop: Shop,
  rows: readonly ProductRow[],
  ...args: readonly string[]
): Promise<Summary> =>
  await importJson(shop, await writeWorkbook(shop.folder, "urunler.xlsx", rows), ...args);

const stockSheet = (shop: Shop, name: string, ...rows: readonly string[]): string =>
  writeText(shop.folder, name, `Ürün Kodu;Stok\n${rows.join("\n")}\n`);

describe("reading back", () => {
  it("sees what was added", async () => {
    const shop = await openShop();

    const { verification, exit } = await importRows(shop, goodRows(3));

    expect(exit).toBe(0);
    expect(verification).toEqual({ accepted: 0, visible: 3, mismatch: 0, not_visible: 0 });
  });

  it("makes no call where it is told not to", async () => {
    const shop = await openShop();

    const { verification, planned } = await importRows(shop, goodRows(2), "--no-verify");

    expect(verification).toEqual({ accepted: 2, visible: 0, mismatch: 0, not_visible: 0 });
    expect(planned).toMatchObject({ add: 2, requests: 2 });
  });

  it("says in the first run that the store ignores the stock, and sends it no more", async () => {
    const shop = await openShop({ personality: { "update-stock": "ignored" } });
    await importRows(shop, goodRows(2));

    const first = await importJson(
      shop,
      stockSheet(shop, "ilk.csv", "TST-00001;77", "TST-00002;78"),
    );
    const second = await importJson(shop, stockSheet(shop, "iki.csv", "TST-00001;79"));
    const tried = await importJson(
      shop,
      stockSheet(shop, "uc.csv", "TST-00001;80"),
      "--try-refused",
    );

    expect(first.verification).toMatchObject({ mismatch: 2, visible: 0 });
    expect(first.warnings.join("\n")).toContain("stock_count");
    expect(second.counts).toMatchObject({ unchanged: 1, updated: 0 });
    expect(second.issues.map(({ code }) => code)).toContain("W_FIELD_REFUSED");
    expect(tried.counts).toMatchObject({ updated: 1 });
  }, 90_000);
});
