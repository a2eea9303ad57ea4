import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  cellAt,
  goToPreview,
  PAGE_POLL,
  press,
  uploadFile,
  visitPage,
  waitForStatus,
  expectText,
  visitRows,
  shareStore,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;
const openStore = shareStore({ products: 5 });

describe.skipIf(!hasBrowser)("what a person chooses from", () => {
  it("shows the table of columns only while one is undecided", async () => {
    const store = openStore();
    const file = writeText(store.folder, "a.csv", "Ürün Kodu;Stok;Zrtb\nKOD-1;4;x\n");
    const { page } = await visitPage(store);
    await uploadFile(page, file);
    await press(page, "Sütunlara geç");
    const table = page.locator(".columns-table");
    await table.waitFor();

    await page.getByRole("combobox", { name: /^Zrtb/u }).click();
    await page.getByRole("option", { name: "Bu sütunu kullanma" }).click();
    await page.getByText("Bütün sütunlar belli.").waitFor();

    await expect.poll(() => table.count(), PAGE_POLL).toBe(0);
    await press(page, "Bütün 3 sütunu göster");
    expect(await table.locator("tbody tr").count()).toBe(3);
  });

  it("lists every value before typing, and only the matching ones after", async () => {
    const store = openStore();
    const text = "Ürün Kodu;Stok;Garanti Tipi\nKOD-1;4;Garantisiz\n";
    const { page } = await visitPage(store);
    await uploadFile(page, writeText(store.folder, "a.csv", text));
    await press(page, "Sütunlara geç");
    await press(page, "Düzeltmeye geç");
    const cell = cellAt(page, 2, 4);
    await cell.click();
    await page.keyboard.press("F2");
    const options = page.getByRole("listbox").getByRole("option");

    await expect.poll(() => options.count(), PAGE_POLL).toBeGreaterThan(2);
    expect(await options.allInnerTexts()).toContain("Garantisiz");
    await page.locator(".cell-input").fill("garantisi");

    await expect.poll(() => options.allInnerTexts(), PAGE_POLL).toEqual(["Garantisiz"]);
  });
});

/** Position of the added column in the grid; the first one holds the numbers of the rows. */
const TITLE = 3;

describe.skipIf(!hasBrowser)("errors of a draft", () => {
  it("are at their cells where the step was opened before the columns were decided", async () => {
    const store = openStore();
    const file = join(store.folder, "kucuk.csv");
    writeFileSync(file, "Ürün Kodu;Mevcut Adet;Satış Fiyat TL\nSBX-000001;bir;3.999\n");
    const { page } = await visitPage(store);
    await uploadFile(page, file);
    await press(page, "Sütunlara geç");
    await page.getByRole("button", { name: "“Stok” olsun" }).waitFor();
    await page.goto(page.url().replace(/\/columns$/u, "/fix"));
    await page.getByRole("link", { name: "Sütunlar adımına dön" }).click();
    await press(page, "“Stok” olsun");
    await press(page, "Düzeltmeye geç");

    await page.locator("[role=gridcell][aria-invalid=true]").first().waitFor();
  });
});

describe.skipIf(!hasBrowser)("a column that the file lacks", () => {
  it("can be added and filled on the page, survives a reload, and can be undone", async () => {
    const store = openStore();
    const file = join(store.folder, "liste.csv");
    writeFileSync(file, "Ürün Kodu;Stok\nYENI-1;4\nYENI-2;5\n");
    const { page } = await visitPage(store);
    await uploadFile(page, file);
    await press(page, "Sütunlara geç");
    await press(page, "Düzeltmeye geç");
    await cellAt(page, 2, 1).waitFor();

    await press(page, "Eksik alanları tamamla");
    await press(page, "Başlık için sütun ekle");
    const header = page.getByRole("columnheader", { name: "Başlık" });
    await header.waitFor();
    await page.getByRole("button", { name: "Başlık: sütun eklendi" }).waitFor();
    await page.keyboard.press("Escape");
    await cellAt(page, 2, TITLE).click();
    await page.keyboard.type("Mavi Çanta");
    await page.keyboard.press("Enter");
    const cell = cellAt(page, 2, TITLE);
    await expectText(cell, "Mavi Çanta");
    await expect
      .poll(() => page.getByRole("button", { name: "Geri al" }).isEnabled(), PAGE_POLL)
      .toBe(true);
    await page.reload();
    await expectText(cell, "Mavi Çanta");

    await press(page, "Geri al");
    await expectText(cell, "");
    await press(page, "Geri al");
    await expect.poll(() => header.count(), PAGE_POLL).toBe(0);
    await press(page, "Yinele");
    await expect.poll(() => header.count(), PAGE_POLL).toBe(1);
  });
});

describe.skipIf(!hasBrowser)("fields that new products lack", () => {
  it("stay undecided until the store is read; the preview links to what is missing", async () => {
    const store = openStore();
    const text = "Ürün Kodu;Fiyat;Stok\nYENI-1;14,50;4\nYENI-2;15,50;5\nYENI-3;16,50;bes\n";
    const file = writeText(store.folder, "liste.csv", text);
    const { page } = await visitRows(store, file);
    await waitForStatus(page, "hangi satırların yeni ürün olduğuna önizleme bakar");
    const before = await page.locator(".go").innerText();
    const mode = page.locator(".go select");
    await mode.selectOption("add");
    const inAdd = await page.locator(".go").innerText();
    await mode.selectOption("update");
    const inUpdate = await page.locator(".go").innerText();
    await mode.selectOption("upsert");
    await press(page, "Önizlemeye geç");
    await page.waitForURL("**/r/*/preview");

    const lacked = page.getByRole("alert").filter({ hasText: "3 yeni ürün eklenemiyor" });
    await lacked.getByRole("button", { name: "Eksik alanları tamamla" }).click();
    const dialog = page.getByRole("dialog", { name: "Yeni ürünlerin eksik alanları" });
    await dialog.getByRole("button", { name: "Alt Başlık için sütun ekle" }).waitFor();
    await page.keyboard.press("Escape");
    await page.reload();
    await waitForStatus(page, "3 satırda hata var");

    expect(before).not.toContain("ötekiler gider");
    expect(before).toContain("Mağazada olan ürünler güncellenir; olmayanlar eklenemez");
    expect(inAdd).not.toContain("güncellenir");
    expect(inAdd).toContain("Ürün eklenemez, çünkü şu alanların değeri yok");
    expect(inUpdate).not.toContain("eklenemez");
    expect(await dialog.count()).toBe(0);
  });
});

/** A file without the columns of the warranty and the shipping template. */
const TEXT =
  "Ürün Kodu;Başlık;Alt Başlık;Açıklama;Kategori;Marka;Model;Fiyat;Stok;Görsel 1\nYENI-1;Çanta;Mavi;Deri çanta;;;;14,50;4;https://example.com/1.jpg\n";

async function openColumns(
  isRefused = false,
): Promise<{ readonly page: Page; readonly options: Locator }> {
  const store = openStore();
  const { page } = await visitPage(store, { isRefused });
  await uploadFile(page, writeText(store.folder, "a.csv", TEXT));
  await press(page, "Sütunlara geç");
  return { page, options: page.getByRole("listbox").getByRole("option") };
}

describe.skipIf(!hasBrowser)("a value for a field without a column", () => {
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

  it("keeps an invalid value and its error across the steps", async () => {
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

describe.skipIf(!hasBrowser)("a stock that can be read in two ways", () => {
  it("is asked about once per column, without affecting the prices", async () => {
    const store = await openTestStore({ products: 3 });
    const lines = store.sandbox
      .products()
      .map(({ product_code: code }, at) => `${code};1.299,90;${36 + at},000`);
    const text = `Ürün Kodu;Fiyat;Stok\n${lines.join("\n")}\n`;
    const { page } = await visitRows(store, writeText(store.folder, "erp.csv", text));
    await waitForStatus(page, "3 satırda hata var");
    await page.getByText("“36,000” gibi 3 hücre iki türlü okunabiliyor.").waitFor();

    await press(page, "“36,000”: 36000 olarak oku");
    await waitForStatus(page, "3 satırın hücrelerinde hata yok");
    await page.getByRole("link", { name: "Sütunlar" }).first().click();
    await page.getByText("“36,000” 36000 okunuyor; 3 hücrenin hepsi böyle.").waitFor();
    await press(page, "“36,000”: 36 olarak oku");
    await page.getByText("“36,000” 36 okunuyor; 3 hücrenin hepsi böyle.").waitFor();
    await press(page, "Düzeltmeye geç");
    await waitForStatus(page, "hata yok");
    await expectText(cellAt(page, 2, 4), "36,000");
    await goToPreview(page);

    await expect.poll(() => page.locator(".run-list").innerText(), PAGE_POLL).toContain("38");
  });
});
