/** What the page says when its tab was closed, its server has ended, or what it showed is gone. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Me } from "@catalog/web";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { startCatalog } from "../../../helpers/processes/catalog-process.ts";
import { goodRows, writeText, writeWorkbook } from "../../../helpers/product-sheet.ts";
import { openBrowserPage } from "../../../helpers/web/browser.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { openWeb } from "../../../helpers/web/open-web.ts";
import {
  goToPreview,
  goToRows,
  PAGE_POLL,
  press,
  uploadFile,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** Shows the store as the local one of a demo. */
const showAsLocal = (page: Page): Promise<unknown> =>
  page.route("**/api/me", async (route) => {
    const answer = await route.fetch();
    const me: Me = JSON.parse(await answer.text());
    const store = me.store === null ? null : { ...me.store, isSandbox: true };
    await route.fulfill({ response: answer, json: { ...me, store } });
  });

describe.skipIf(!hasBrowser)("the life of the page", { timeout: 180_000 }, () => {
  it("goes on at its plain address after its last tab, and tells a stranger the command", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "catalog-life-"));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    const env = { CATALOG_HOME: join(cwd, "home") };
    const start = (...args: readonly string[]) => startCatalog(args, { cwd, env });
    const web = await openWeb({ start }, "--demo");
    const { page, browser } = await openBrowserPage();
    await page.goto(web.url);
    await page.getByText("ornek-katalog.xlsx").first().waitFor();
    const mine = await page.context().newPage();
    await page.close();
    await mine.goto(web.origin);
    await mine.getByText("ornek-katalog.xlsx").first().waitFor();
    // The tab may change things, too.
    await uploadFile(mine, writeText(cwd, "fiyat.csv", "Ürün Kodu;Fiyat\nA-1;12,50\n"));

    const otherContext = await browser.newContext({ locale: "tr-TR" });
    onTestFinished(async () => otherContext.close());
    const other = await otherContext.newPage();
    await other.goto(web.origin);
    await other.getByRole("heading", { name: "Sayfa bu tarayıcıda açık değil" }).waitFor();
    await other.locator("code", { hasText: / web --demo$/u }).waitFor();
    const again = await openWeb({ start }, "--demo");
    await other.goto(again.url);
    await other.reload();
    await other.getByText("ornek-katalog.xlsx").first().waitFor();
    await other.goto(`${web.origin}/d/d-261124-0356-000000000000/fix`);
    const main = other.locator("main");
    await main.getByText("Bulunamadı").waitFor();
    const text = await main.innerText();
    await main.getByRole("link", { name: "Geçmişi aç" }).waitFor();
    await main.getByRole("link", { name: "Başa dön" }).click();
    await other.getByText("ornek-katalog.xlsx").first().waitFor();

    expect(text).not.toMatch(/catalog |Yeniden dene|d-261124/u);
    expect(web.process.child.exitCode).toBeNull();
    await web.close();
    expect((await web.process.finished).err).not.toContain("bizim hatamız");
  });

  it("claims no sending once the server has ended", async () => {
    const faults = [{ kind: "latency", endpoint: "product.add", ms: 400 }] as const;
    const store = await openTestStore({ faults });
    const file = await writeWorkbook(store.folder, "a.xlsx", goodRows(80));
    const web = await openWeb(store);
    const { page } = await openBrowserPage();
    await showAsLocal(page);
    await page.goto(web.url);
    await uploadFile(page, file);
    await goToRows(page);
    await goToPreview(page);
    await press(page, "Göndermeye geç");
    await press(page, "Göndermeyi onayla…");
    // A local store asks for no number of rows.
    await press(page, "Şimdi gönder");
    const main = page.locator("main");
    await main.getByText("terminali açık bırakın").waitFor(PAGE_POLL);
    await main.getByRole("heading", { name: "Gönderiliyor" }).waitFor();

    await web.close();
    await main.getByText("Bilinen son durum bu.").waitFor(PAGE_POLL);

    expect(await main.innerText()).not.toMatch(/Gönderiliyor|gönderim sürer|Duraklat/u);
    expect(await page.locator("main .spinner").count()).toBe(0);
  });
});
