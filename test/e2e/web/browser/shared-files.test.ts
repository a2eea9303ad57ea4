/** One sheet for several stores in a real browser: uploaded once, compared, approved store by store. */

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { formatFeed, readStore } from "../../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../../helpers/markets/test-store.ts";
import { writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { accept, hasOpenSsl, openPerson, openTeam } from "../../../helpers/web/open-team.ts";
import { PAGE_POLL, press } from "../../../helpers/web/page-steps.ts";

const canRun = (await findBrowser()) !== undefined && hasOpenSsl;

const PASSWORD = "mavi fincan dolu raf";

/** Writes a file with another stock of each product of the store. */
const writeStocks = ({ sandbox, folder }: TestStore, stock: number): string =>
  writeText(folder, "stok.csv", [
    formatFeed(
      readStore(sandbox).map(({ code, priceMinor }) => ({ code, priceMinor, stock })),
    ).trimEnd(),
  ]);

/** The line of a store in the table of stores. */
const lineOf = (page: Page, store: string) =>
  page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: store, exact: true }) });

const stocks = (shop: TestStore) => readStore(shop.sandbox).map(({ stock }) => stock);

const of = (role: string, store: string): readonly string[] => ["--role", role, "--store", store];

describe.skipIf(!canRun)("one sheet for several stores", () => {
  it("is uploaded once, compared, and approved where the person may approve", async () => {
    const mutfak = await openTestStore({ products: 4 });
    const bahce = await openTestStore({ products: 3 });
    const salon = await openTestStore({ products: 4 });
    const team = await openTeam(mutfak, "mutfak");
    await team.addStore("bahce", bahce);
    await team.addStore("salon", salon);
    const link = await team.invite("ayse", "Ayşe Yılmaz", ...of("approver", "mutfak"));
    await team.json("users", "role", "ayse", "approver", "--store", "bahce");
    await team.json("users", "role", "ayse", "editor", "--store", "salon");
    const { page } = await openPerson();
    await accept(page, link, PASSWORD);

    await page.getByRole("link", { name: "Yükle" }).click();
    const here = new URL(page.url()).pathname.split("/")[2] ?? "";
    for (const store of ["bahce", "mutfak", "salon"].filter((name) => name !== here)) {
      await page.getByRole("checkbox", { name: store }).check();
    }
    await page.getByText("Dosya 3 mağaza için yüklenecek.").waitFor();
    await page.locator("input[type=file]").setInputFiles(writeStocks(mutfak, 55));
    await page.waitForURL("**/shared/1");
    await press(page, "3 mağazanın önizlemesini hazırla");
    for (const store of ["bahce", "mutfak", "salon"]) {
      await lineOf(page, store).getByText("Onaya hazır").waitFor();
    }
    const differs = page.getByRole("button", { name: /^Yalnız farklı olanlar/u });
    await differs.waitFor();
    const isChosen = await differs.getAttribute("aria-pressed");
    await page.getByRole("gridcell", { name: "Gönderilemez" }).waitFor();
    await press(page, "Göndermeyi onayla…");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Bu mağazada onaylama yetkiniz yok.").waitFor();
    await dialog.getByLabel(/^Onaylamak için/u).fill("7");
    await press(page, "Şimdi gönder");

    expect(isChosen).toBe("true");
    await page.getByText("Onayın sonucu").waitFor();
    for (const store of ["bahce", "mutfak"]) {
      await lineOf(page, store).getByText("Gönderildi").waitFor();
    }
    await lineOf(page, "salon").getByText("Onaya hazır").waitFor();
    await expect
      .poll(() => [...stocks(mutfak), ...stocks(bahce)], PAGE_POLL)
      .toEqual(Array.from({ length: 7 }, () => 55));
    expect(stocks(salon)).not.toContain(55);
    await page.getByRole("link", { name: "Rapor: bahce" }).click();
    await page.waitForURL("**/s/bahce/r/*/report");
    await page.getByRole("link", { name: "Bütün mağazalar" }).waitFor();
    await page.getByRole("heading", { name: "3 ürünün yalnız stoğu güncellendi" }).waitFor();
  });
});
