import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  cellAt,
  PAGE_POLL,
  press,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** A file without the columns of the warranty and the shipping template. */
const TEXT =
  "Ürün Kodu;Başlık;Alt Başlık;Açıklama;Kategori;Marka;Model;Fiyat;Stok;Görsel 1\nYENI-1;Çanta;Mavi;Deri çanta;;;;14,50;4;https://example.com/1.jpg\n";

async function openColumns(
  isRefused = false,
): Promise<{ readonly page: Page; readonly options: Locator }> {
  const store = await openTestStore({ products: 1 });
  const { page } = await visitPage(store, { isRefused });
  await uploadFile(page, writeText(store.folder, "a.csv", TEXT));
  await press(page, "Sütunlara geç");
  return { page, options: page.getByRole("listbox").getByRole("option") };
}

describe.skipIf(!hasBrowser)("a value for a field without a column", { timeout: 120_000 }, () => {
  it("is chosen from the values of its field", async () => {
    const { page, options } = await openColumns();
    const warranty = page.getByLabel("Garanti Tipi", { exact: true });

    await warranty.click();
    await expect.poll(() => options.allInnerTexts(), PAGE_POLL).toContain("Garantisiz");
    await warranty.fill("garantisi");
    await expect.poll(() => options.allInnerTexts(), PAGE_POLL).toEqual(["Garantisiz"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await warranty.inputValue()).toBe("Garantisiz");
    await page.getByLabel("Teslimat Şablonu", { exact: true }).click();

    await expect.poll(() => options.count(), PAGE_POLL).toBeGreaterThan(0);
    expect(await options.allInnerTexts()).not.toContain("Garantisiz");
  });

  it("stays where it was typed, with what is wrong with it, whatever step is shown", async () => {
    const { page } = await openColumns(true);
    const warranty = page.getByLabel("Garanti Tipi", { exact: true });
    await warranty.fill("Garan");
    await press(page, "Düzeltmeye geç");
    const wrong = page.getByRole("alert").filter({ hasText: "Garan" });
    await wrong.waitFor();
    await page.locator("[name=warranty_type]:focus").waitFor();

    await page.getByRole("link", { name: "Düzelt" }).first().click();
    await cellAt(page, 2, 2).waitFor();
    await page.getByRole("link", { name: "Sütunlar" }).first().click();
    await wrong.waitFor();
    const kept = await warranty.inputValue();
    await warranty.fill("Garantisiz");
    await press(page, "Düzeltmeye geç");
    await cellAt(page, 2, 2).waitFor();

    expect(kept).toBe("Garan");
  });
});
