import { describe, expect, it } from "vitest";

import { openTestStore, writeConfig } from "../../../helpers/markets/test-store.ts";
import { writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  goToPreview,
  goToRows,
  press,
  typeRowCount,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

describe.skipIf(!hasBrowser)("the numbers of a run", { timeout: 120_000 }, () => {
  it("are those of the store in every step, whatever was ticked and unticked", async () => {
    const store = await openTestStore({ products: 4 });
    await writeConfig(store, { priceUnit: "minor" });
    const lines = store.sandbox.products().map(({ product_code: code, price }, index) => {
      const lira = (index === 0 ? price / 1000 : (price * 11) / 1000).toFixed(2);
      return `${code};${lira.replace(".", ",")}`;
    });
    const file = writeText(store.folder, "fiyat.csv", `Ürün Kodu;Fiyat\n${lines.join("\n")}\n`);
    const { page } = await visitPage(store);
    await uploadFile(page, file);
    await goToRows(page);
    await goToPreview(page);

    await page.getByRole("checkbox", { name: "4. satırı gönder" }).uncheck();
    await page.getByRole("checkbox", { name: "5. satırı gönder" }).uncheck();
    await page.getByRole("checkbox", { name: "Bu gruptaki 1 satırı" }).click();
    await page.getByText("2 satır gönderilecek").waitFor();
    const preview = await page.locator(".go").innerText();
    await press(page, "Göndermeye geç");
    const step = await page.locator("main .confirm-lines").innerText();
    await press(page, "Göndermeyi onayla…");
    const dialog = await page.getByRole("dialog").locator(".confirm-lines").innerText();
    await typeRowCount(page);
    await press(page, "Şimdi gönder");
    await page.getByText("Gönderim tamamlandı").waitFor();
    const progress = await page.locator("main").innerText();
    await press(page, "Raporu aç");
    await page.getByRole("heading", { name: "Gönderimin raporu" }).waitFor();
    const report = await page.locator(".totals").innerText();

    expect(preview).toContain("2 satır gönderilecek");
    expect(step.split("\n")).toEqual([
      "1 ürün güncellenecek",
      "1 bekletilen satır sizin onayınızla gidecek",
      "İşaretini kaldırdığınız 2 satır gönderilmeyecek",
    ]);
    expect(dialog).toBe(step);
    expect(progress).toContain("2 / 2 satır");
    expect(report.replaceAll("\n", " ")).toMatch(/Güncellendi 2 .*Vazgeçildi 2/u);
    expect(store.sandbox.stats().updates).toBe(2);
  });
});
