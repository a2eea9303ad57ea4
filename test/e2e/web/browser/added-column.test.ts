import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  cellAt,
  PAGE_POLL,
  press,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** Position of the added column in the grid; the first one holds the numbers of the rows. */
const TITLE = 3;

describe.skipIf(!hasBrowser)("errors of a draft", { timeout: 120_000 }, () => {
  it("are at their cells where the step was opened before the columns were decided", async () => {
    const store = await openTestStore({ products: 5 });
    const file = join(store.folder, "kucuk.csv");
    writeFileSync(file, "Ürün Kodu;Mevcut Adet;Satış Fiyat TL\nSBX-000001;bir;3.999\n");
    const { page } = await visitPage(store);
    await uploadFile(page, file);
    await press(page, "Sütunlara geç");
    await page.getByRole("button", { name: "Tahmini kabul et" }).waitFor();
    await page.goto(page.url().replace(/\/columns$/u, "/fix"));
    await page.getByRole("link", { name: "Sütunlar adımına dön" }).click();
    await press(page, "Tahmini kabul et");
    await press(page, "Düzeltmeye geç");

    await page.locator("[role=gridcell][aria-invalid=true]").first().waitFor();
  });
});

describe.skipIf(!hasBrowser)("a column that the file lacks", { timeout: 120_000 }, () => {
  it("is added on the page, filled, kept through a reload, and taken back by undo", async () => {
    const store = await openTestStore();
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
    await expect.poll(() => cell.textContent(), PAGE_POLL).toBe("Mavi Çanta");
    await expect
      .poll(() => page.getByRole("button", { name: "Geri al" }).isEnabled(), PAGE_POLL)
      .toBe(true);
    await page.reload();
    await expect.poll(() => cell.textContent(), PAGE_POLL).toBe("Mavi Çanta");

    await press(page, "Geri al");
    await expect.poll(() => cell.textContent(), PAGE_POLL).toBe("");
    await press(page, "Geri al");
    await expect.poll(() => header.count(), PAGE_POLL).toBe(0);
    await press(page, "Yinele");
    await expect.poll(() => header.count(), PAGE_POLL).toBe(1);
  });
});
