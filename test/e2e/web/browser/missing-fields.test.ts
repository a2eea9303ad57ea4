import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  goToRows,
  press,
  uploadFile,
  visitPage,
  waitForStatus,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

describe.skipIf(!hasBrowser)("fields that new products lack", { timeout: 120_000 }, () => {
  it("are open until the store is read, and the preview leads to what they need", async () => {
    const store = await openTestStore({ products: 5 });
    const text = "Ürün Kodu;Fiyat;Stok\nYENI-1;14,50;4\nYENI-2;15,50;5\nYENI-3;16,50;bes\n";
    const file = writeText(store.folder, "liste.csv", text);
    const { page } = await visitPage(store);
    await uploadFile(page, file);
    await goToRows(page);
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
