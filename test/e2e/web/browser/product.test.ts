import { readFileSync } from "node:fs";

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";

import { goodRows, writeCsv, writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, createLook } from "../../../helpers/web/look.ts";
import {
  PAGE_POLL,
  type SharedStore,
  shareStore,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

const PICTURE = readFileSync(
  new URL("../../../../apps/web/test/fixtures/picture.jpg", import.meta.url),
);

/** Opens the screen of the product with the code, once the store is read. */
async function openProduct(page: Page, code: string): Promise<void> {
  await page.route("**/image?*", (route) => route.fulfill({ body: PICTURE }));
  const number = await page.evaluate(async (text) => {
    const headers = { "x-catalog": localStorage.getItem("catalog-write-key") ?? "" };
    await fetch("/api/products/read", { method: "POST", headers });
    for (;;) {
      const view: unknown = await (await fetch("/api/products")).json();
      if (typeof view === "object" && view !== null && "reading" in view && view.reading === null)
        break;
    }
    const found = await fetch(`/api/products/order?text=${text}`);
    return new DataView(await found.arrayBuffer()).getUint32(0, true);
  }, code);
  await page.goto(new URL(`/products/${number}`, page.url()).href);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator(".product-history").waitFor();
}

describe.skipIf(!hasBrowser)("the screen of one product", () => {
  const shared = shareStore();
  beforeAll(async () => {
    const shop: SharedStore = shared();
    await shop.json("import", writeCsv(shop.folder, "urunler.csv", goodRows(2)), "--yes");
    for (const [name, price] of [
      ["a.csv", "26,00"],
      ["b.csv", "29,00"],
    ] as const) {
      const text = `Ürün Kodu;Fiyat;Stok\nTST-00002;${price};8\n`;
      await shop.json("import", writeText(shop.folder, name, text), "--yes");
    }
  });

  it("says at once who changed the price, and takes the change back by one button", async () => {
    const { page } = await visitPage(shared());
    await openProduct(page, "TST-00002");

    await page.getByRole("button", { name: /^Fiyat/u }).click();
    const rows = page.locator(".product-history tbody tr");
    const first = await rows.first().textContent();
    await page.getByRole("button", { name: "Geri al (Fiyat)" }).click();
    await page.waitForURL("**/r/*/preview");

    expect(first).toMatch(/26,00.*29,00.*Komut satırı.*b\.csv/u);
    await expect
      .poll(() => page.locator("main").textContent(), PAGE_POLL)
      .toMatch(/29,00.*26,00/su);
  });

  it("says between which two readings somebody else has changed a value", async () => {
    const { page } = await visitPage(shared());
    await page.route(/\/api\/products\/\d+$/u, async (route) => {
      const response = await route.fetch();
      const { changes, ...product } = await response.json();
      const times = { since: "2026-11-27T12:06:00Z", at: "2026-11-28T12:10:00Z" };
      const seen = { ...changes[0], ...times, by: "others", person: null, run: null };
      await route.fulfill({ response, json: { ...product, changes: [seen] } });
    });
    await openProduct(page, "TST-00002");

    const row = page.locator(".product-history tbody tr").first();

    expect(await row.textContent()).toMatch(/27 Kas.*06 – 28 Kas.*10.*Buradan değil/u);
  });

  it("opens all that can be edited of it, its texts too", async () => {
    const { page } = await visitPage(shared());
    await openProduct(page, "TST-00002");

    await page.getByRole("button", { name: "Bu ürünü düzenle" }).click();
    await page.waitForURL("**/d/*/fix");

    for (const name of ["Başlık *", "Alt Başlık *", "Fiyat *", "Stok *", "Açıklama *"]) {
      await page.getByRole("columnheader", { name, exact: true }).waitFor({ timeout: 10_000 });
    }
    await page.getByRole("gridcell", { name: "TST-00002" }).click();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("F2");
    await page.keyboard.type(" uzun bir başlık".repeat(4));
    const hidden = await page
      .locator("textarea.cell-input")
      .evaluate((cell) => cell.scrollHeight - cell.clientHeight);
    expect(hidden).toBe(0);
  });

  it("fits a narrow window, and breaks no rule of accessibility", async () => {
    const { page } = await visitPage(shared());
    await addAxe(page);
    await openProduct(page, "TST-00002");
    const look = createLook(page);

    // Both languages; it waits until nothing is being read.
    await look.screen("product");
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const overflow = await page
        .locator("html")
        .evaluate((root) => root.scrollWidth - root.clientWidth);
      expect([width, overflow]).toEqual([width, 0]);
    }

    expect(look.found).toEqual([]);
  });
});
