import { describe, expect, it } from "vitest";

import { openTestStore, writeConfig } from "../../../helpers/markets/test-store.ts";
import { goodRow, HEADERS, writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  goToPreview,
  goToRows,
  PAGE_POLL,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

describe.skipIf(!hasBrowser)("the preview", { timeout: 120_000 }, () => {
  it("unticks all rows with one box, so that one of many can be sent alone", async () => {
    const store = await openTestStore({ products: 6 });
    const lines = store.sandbox
      .products()
      .map(({ product_code: code, stock_count: stock }) => `${code};${stock + 1}`);
    const file = writeText(store.folder, "stok.csv", `Ürün Kodu;Stok\n${lines.join("\n")}\n`);
    const { page } = await visitPage(store);
    await uploadFile(page, file);
    await goToRows(page);
    await goToPreview(page);
    const all = page.getByRole("checkbox", { name: "Güncellenecek 6 satırın hepsini gönder" });
    const going = page.locator(".go p");

    await all.click();
    await expect.poll(() => going.innerText(), PAGE_POLL).toContain("Gönderilecek satır yok.");
    await page.getByRole("checkbox", { name: "3. satırı gönder" }).check();

    await expect.poll(() => going.innerText(), PAGE_POLL).toContain("1 satır gönderilecek");
    expect(await all.evaluate((box) => Reflect.get(box, "indeterminate"))).toBe(true);
    await all.click();
    await expect.poll(() => going.innerText(), PAGE_POLL).toBe("6 satır gönderilecek");
    const ticks = page.locator(".run-rows .col-tick input");
    await ticks.nth(1).click();
    await ticks.nth(4).click({ modifiers: ["Shift"] });
    await expect.poll(() => going.innerText(), PAGE_POLL).toContain("2 satır gönderilecek");
    await ticks.nth(2).click({ modifiers: ["Shift"] });
    await expect.poll(() => going.innerText(), PAGE_POLL).toContain("5 satır gönderilecek");
  });

  it("folds a new product but for its price and stock, in the order of the file", async () => {
    const store = await openTestStore();
    const html = "<p>Deri <b>çanta</b> &amp; kayış</p><ul><li>Bir</li><li>İki</li></ul>";
    const sale = {
      "İndirim Tipi": "İndirimli Fiyat",
      "İndirim Değeri": "1,00",
      "Para Birimi": "USD",
    };
    const rows = [3, 1, 2].map((at) =>
      goodRow(at, { "Açıklama *": html, ...(at === 1 ? sale : {}) }),
    );
    const headers = [...HEADERS, "İndirim Tipi", "İndirim Değeri", "Para Birimi"];
    const lines = [headers, ...rows.map((row) => headers.map((header) => row[header] ?? ""))];
    const csv = lines.map((cells) => cells.map((cell) => `"${cell}"`).join(";")).join("\n");
    const { page } = await visitPage(store);
    await uploadFile(page, writeText(store.folder, "yeni.csv", csv));
    await goToRows(page);
    await goToPreview(page);
    const changes = page.locator(".run-rows .col-changes");
    const folded = await changes.nth(1).innerText();
    const codes = await page.locator(".run-rows .product-code").allInnerTexts();
    await changes.nth(1).getByText("alan daha").click();

    expect(codes).toEqual(["TST-00003", "TST-00001", "TST-00002"]);
    expect(folded.split("\n").map((line) => line.trim())).toEqual([
      expect.stringMatching(/^Fiyat\s*[\d.,]+$/u),
      expect.stringMatching(/^Stok\s*\d+$/u),
      expect.stringMatching(/^\d+ alan daha$/u),
    ]);
    expect((await changes.nth(2).innerText()).split("\n").map((line) => line.trim())).toEqual([
      expect.stringMatching(/^Alıcının ödediği\s*1,00$/u),
      expect.stringMatching(/^İndirimsiz fiyat\s*[\d.,]+$/u),
      expect.stringMatching(/^Para Birimi\s*USD$/u),
      expect.stringMatching(/^Stok\s*\d+$/u),
      expect.stringMatching(/^\d+ alan daha$/u),
    ]);
    expect(await changes.nth(1).innerText()).toContain("Deri çanta & kayış Bir İki");
  });

  it("shows no fall of 100 % of a price that is not gone, on the page or in the terminal", async () => {
    const store = await openTestStore({ products: 2 });
    await writeConfig(store, { priceUnit: "minor" });
    const [product] = store.sandbox.products();
    const text = `Ürün Kodu;Fiyat;İndirim Var\n${product?.product_code};1,00;Hayır\n`;
    const file = writeText(store.folder, "fiyat.csv", text);
    const { page } = await visitPage(store);
    await uploadFile(page, file);
    await goToRows(page);
    await goToPreview(page);
    const { out } = await store.run("plan", file, "--lang", "tr");

    await page.getByRole("button", { name: "Satırları göster" }).click();
    const percent = page.locator(".held .percent").first();
    await percent.waitFor();

    expect(await percent.innerText()).toMatch(/^−%99,\d+$/u);
    expect(out).toMatch(/−%99,\d+/u);
    expect(out).not.toContain("−%100");
  });
});
