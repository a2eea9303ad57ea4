import { describe, expect, it } from "vitest";

import { goodRow, goodRows, writeWorkbook } from "../helpers/product-sheet.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

/** A store of three products, and a sheet in which one of them costs far more. */
async function openDearShop(): Promise<Shop & { readonly file: string }> {
  const shop = await openShop();
  const before = await writeWorkbook(shop.folder, "once.xlsx", goodRows(3));
  await shop.run("import", before, "--yes", "--json");
  const rows = goodRows(3).with(1, goodRow(2, { "Fiyat *": 500 }));
  return { ...shop, file: await writeWorkbook(shop.folder, "pahali.xlsx", rows) };
}

const priceOf = ({ sandbox }: Shop): number | undefined =>
  sandbox.products().find(({ product_code: code }) => code === "TST-00002")?.price;

describe("a price that rises too far", () => {
  it("is held at its cell, and sent once a person releases the row", async () => {
    const shop = await openDearShop();

    const { out, code } = await shop.run("import", shop.file, "--yes", "--json");
    const held = priceOf(shop);
    const { run, counts, issues } = JSON.parse(out);
    await shop.run("release", run, "--rows", "3", "--resend", "--yes", "--json");

    expect(code).toBe(5);
    expect(counts).toMatchObject({ held: 1, updated: 0, unchanged: 2 });
    expect(issues).toMatchObject([{ code: "E_GUARD_PRICE_RISE", row: 3 }]);
    expect([held, priceOf(shop)]).toEqual([2199, 50_000]);
  });

  it("is sent where its guard is allowed for the run", async () => {
    const shop = await openDearShop();

    const { out } = await shop.run("import", shop.file, "--yes", "--json", "--allow", "price-rise");

    expect(JSON.parse(out)).toMatchObject({ counts: { held: 0, updated: 1 } });
    expect(priceOf(shop)).toBe(50_000);
  });
});
