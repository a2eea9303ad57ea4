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

describe.skipIf(!hasBrowser)("what a person chooses from", { timeout: 120_000 }, () => {
  it("is a table of columns only while there is one to choose for", async () => {
    const store = await openTestStore({ products: 1 });
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

  it("is every value of a list while nothing is typed, and what matches after that", async () => {
    const store = await openTestStore({ products: 1 });
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
