import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  cellAt,
  goToRows,
  PAGE_POLL,
  press,
  typeInCell,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

const TEXT = "Ürün Kodu;Fiyat;Stok\nC-1;1.299,90;4\nÇ-1;99,50;5\nZ-1;150,00;bes\nA-1;1.000,50;7\n";

/** The cells of a column from top to bottom; column 1 holds the rows' numbers. */
const shown = (page: Page, column: number): Promise<readonly string[]> =>
  page.locator(`[role=gridcell][aria-colindex="${column}"]`).allInnerTexts();

describe.skipIf(!hasBrowser)("the table", { timeout: 120_000 }, () => {
  it("is sorted by a column, and what is typed goes to the row that is shown", async () => {
    const store = await openTestStore({ products: 1 });
    const { page } = await visitPage(store);
    await uploadFile(page, writeText(store.folder, "a.csv", TEXT));
    await goToRows(page);
    const price = page.getByRole("columnheader", { name: "Fiyat" });
    const sorted = (): Promise<readonly string[]> => shown(page, 3);

    await price.click();
    await expect.poll(sorted, PAGE_POLL).toEqual(["99,50", "150,00", "1.000,50", "1.299,90"]);
    const rows = await shown(page, 1);
    expect(rows.map((text) => text.trim().split(/\s/u).at(-1))).toEqual(["3", "4", "5", "2"]);
    expect(await price.getAttribute("aria-sort")).toBe("ascending");
    await typeInCell(page, cellAt(page, 2, 4), "50");
    await expect.poll(() => cellAt(page, 2, 4).textContent(), PAGE_POLL).toBe("50");
    await page.keyboard.press("F8");
    await page.getByText("4. satır · Stok").waitFor();
    await price.click();
    await expect.poll(sorted, PAGE_POLL).toEqual(["1.299,90", "1.000,50", "150,00", "99,50"]);
    await page.getByLabel("Tabloda ara").fill("-1");
    await press(page, "Süzgeci kaldır");
    await expect.poll(sorted, PAGE_POLL).toEqual(["1.299,90", "1.000,50", "150,00", "99,50"]);
    await price.click();
    await expect.poll(sorted, PAGE_POLL).toEqual(["1.299,90", "99,50", "150,00", "1.000,50"]);
    expect(await shown(page, 4)).toEqual(["4", "50", "bes", "7"]);

    await cellAt(page, 2, 2).click();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    const codes = (): Promise<readonly string[]> => shown(page, 2);
    await expect.poll(codes, PAGE_POLL).toEqual(["A-1", "C-1", "Ç-1", "Z-1"]);
    await page.keyboard.press("Enter");
    await expect.poll(codes, PAGE_POLL).toEqual(["Z-1", "Ç-1", "C-1", "A-1"]);
  });

  it("is sorted by the first click in it, at a column far to the right", async () => {
    const store = await openTestStore({ products: 1 });
    const { page } = await visitPage(store);
    const images = Array.from({ length: 8 }, (_, at) => `Görsel ${at + 1}`).join(";");
    const text = `Ürün Kodu;Başlık;Açıklama;${images};Stok\nA-1;${";".repeat(10)}9\nB-1;${";".repeat(10)}5\n`;
    await uploadFile(page, writeText(store.folder, "genis.csv", text));
    await goToRows(page);
    await cellAt(page, 2, 2).hover();
    await page.mouse.wheel(5_000, 0);
    const stock = page.getByRole("columnheader", { name: "Stok" });
    await stock.waitFor();
    const { x = 0, y = 0 } = (await stock.boundingBox()) ?? {};

    await page.mouse.click(x + 20, y + 20);

    await expect.poll(() => stock.getAttribute("aria-sort"), PAGE_POLL).toBe("ascending");
    await expect.poll(() => shown(page, 13), PAGE_POLL).toEqual(["5", "9"]);
  });
});
