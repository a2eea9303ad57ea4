import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  activeCellName,
  cellAt,
  PAGE_POLL,
  press,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** Column of the currency in the grid; the first one holds the numbers of the rows. */
const CURRENCY = 4;
const STOCK = 5;
const MAX_STOPS = 20;

/** Presses Tab until a cell of the grid has the focus. */
async function countStops(page: Page): Promise<number> {
  await page.locator("a[aria-current=step]").focus();
  for (let stops = 1; stops <= MAX_STOPS; stops += 1) {
    await page.keyboard.press("Tab");
    const isCell = (await page.locator("[role=gridcell]:focus").count()) > 0;
    if (isCell) return stops;
  }
  return Infinity;
}

describe.skipIf(!hasBrowser)("corrections on the page", { timeout: 120_000 }, () => {
  it("takes one of two columns, corrects a cell by its button, and undo goes back to it", async () => {
    const store = await openTestStore();
    const file = join(store.folder, "liste.csv");
    writeFileSync(
      file,
      "Ürün Kodu;Fiyat;Para Birimi;Fiyat;Stok;Görsel 1\nA-1;12,50;TRYY;13,50;-3;resim1.jpg\n",
    );
    const { page } = await visitPage(store);
    await uploadFile(page, file);
    await press(page, "Sütunlara geç");

    await press(page, "B sütununu kullan");
    await press(page, "Düzeltmeye geç");
    await cellAt(page, 2, 2).waitFor();
    const stops = await countStops(page);
    await page.keyboard.press("F8");
    await page.getByRole("button", { name: "“TRYY” yerine: TL" }).click();
    const currency = cellAt(page, 2, CURRENCY);
    await expect.poll(() => currency.textContent(), PAGE_POLL).toBe("TL");
    await page.getByRole("button", { name: "Geri al" }).click();

    await expect.poll(() => currency.textContent(), PAGE_POLL).toBe("TRYY");
    await expect.poll(() => activeCellName(page), PAGE_POLL).toContain("Para Birimi");

    await page.keyboard.press("F8");
    const none = page.getByRole("button", { name: "“-3” yerine: 0" });
    await none.waitFor();
    const stock = cellAt(page, 2, STOCK);
    const before = await stock.textContent();
    await none.click();
    await expect.poll(() => stock.textContent(), PAGE_POLL).toBe("0");
    await page.keyboard.press("F8");
    await expect.poll(() => activeCellName(page), PAGE_POLL).toContain("Görsel 1");
    const advice = await page.locator("#cell-panel").innerText();

    expect(before).toBe("-3");
    expect(advice).toContain("https ile başlayan adresini yazın");
    expect(advice).toContain("zip dosyalarını komut satırında verin.");
    expect(stops).toBeLessThan(12);
  });
});
