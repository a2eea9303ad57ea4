import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  cellAt,
  goToPreview,
  goToRows,
  PAGE_POLL,
  press,
  uploadFile,
  visitPage,
  waitForStatus,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

describe.skipIf(!hasBrowser)("a stock that can be read in two ways", { timeout: 120_000 }, () => {
  it("is asked about once for its column, which leaves the prices as they are", async () => {
    const store = await openTestStore({ products: 3 });
    const lines = store.sandbox
      .products()
      .map(({ product_code: code }, at) => `${code};1.299,90;${36 + at},000`);
    const text = `Ürün Kodu;Fiyat;Stok\n${lines.join("\n")}\n`;
    const { page } = await visitPage(store);
    await uploadFile(page, writeText(store.folder, "erp.csv", text));
    await goToRows(page);
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
    await expect.poll(() => cellAt(page, 2, 4).textContent(), PAGE_POLL).toBe("36,000");
    await goToPreview(page);

    await expect.poll(() => page.locator(".run-rows").innerText(), PAGE_POLL).toContain("38");
  });
});
