import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { formatFeed, readStore } from "../../../helpers/feed.ts";
import { openTestStore, type TestStore, writeConfig } from "../../../helpers/markets/test-store.ts";
import { startCatalog } from "../../../helpers/processes/catalog-process.ts";
import { goodRow, goodRows, writeText, writeWorkbook } from "../../../helpers/product-sheet.ts";
import { openBrowserPage } from "../../../helpers/web/browser.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, createLook, type Look } from "../../../helpers/web/look.ts";
import { openWeb } from "../../../helpers/web/open-web.ts";
import { cellAt, typeRowCount } from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** Before a file is there: every page, and the dialogs of the first one. */
async function lookAtPages(page: Page, { screen, dialog, press }: Look): Promise<void> {
  await page.locator("input[type=file]").waitFor({ state: "attached" });
  await screen("upload");
  await dialog("link", ["Bağlantıdan al", "Take from a link"]);
  await dialog("paste", ["Hücre yapıştır", "Paste cells"]);
  await dialog("help", ["Yardım", "Help"]);
  for (const name of ["history", "exports", "feeds", "rules", "templates", "settings", "none"]) {
    await page.goto(new URL(`/${name}`, page.url()).href);
    await page.locator("main h1, main p").first().waitFor();
    await screen(name);
  }
  await page.goto(new URL("/settings", page.url()).href);
  await press(["Kurulumu denetle", "Check the installation"]);
  await page.locator("main li").first().waitFor();
  await page.locator("main").getByRole("button", { name: "English" }).waitFor();
  await screen("settings, checked");
}

/** From the upload to the preview. */
async function lookAtDraft(
  page: Page,
  { screen, dialog, press, inBoth }: Look,
  file: string,
): Promise<void> {
  await page.goto(new URL("/", page.url()).href);
  await page.locator("input[type=file]").setInputFiles(file);
  await page.waitForURL("**/d/*/file");
  await screen("file");
  const draft = page.url();
  await page.goto(new URL("/", draft).href);
  await dialog("remove a draft", ["Sil: a.xlsx", "Delete: a.xlsx"]);
  await page.goto(draft);
  await press(["Sütunlara geç", "Go to the columns"]);
  await page.waitForURL("**/columns");
  await screen("columns");
  await press(["Düzeltmeye geç", "Go to correcting"]);
  await inBoth("cell editor", async () => {
    await cellAt(page, 4, 6).dblclick();
    await page.getByRole("listbox").getByRole("option").first().waitFor();
  });
  await dialog("names", ["Tanınmayan 1 ad", "1 unknown name"]);
  await inBoth("find and replace", async () => {
    await press(["Bul ve değiştir", "Find and replace"]);
    await page.getByRole("dialog").getByRole("textbox").first().fill("Kısa");
    await page.getByRole("dialog").getByRole("table").waitFor();
  });
  await press(["Önizlemeye geç", "Go to the preview"]);
  await page.waitForURL("**/r/*/preview");
  await screen("preview");
}

/** From the preview to the history. */
async function lookAtRun(page: Page, { screen, dialog, press }: Look): Promise<void> {
  await press(["Göndermeye geç", "Go to sending"]);
  await page.waitForURL("**/send");
  await screen("send");
  await dialog("confirm", ["Göndermeyi onayla…", "Approve sending…"]);
  await press(["Göndermeyi onayla…", "Approve sending…"]);
  await typeRowCount(page);
  await press(["Şimdi gönder", "Send now"]);
  await page.getByRole("progressbar").waitFor();
  await screen("sending");
  await press(["Raporu aç", "Open the report"]);
  await page.waitForURL("**/report");
  await page.getByRole("table").first().waitFor();
  await screen("report");
  await dialog("undo", ["Geri al", "Undo"]);
  await page.goto(new URL("/history", page.url()).href);
  await page.getByRole("table").waitFor();
  await screen("history, filled");
}

/** A rule, a synced feed and three products, of which one becomes much cheaper. */
async function fillStore(store: TestStore): Promise<string> {
  await writeConfig(store, { priceUnit: "minor" });
  const feed = writeText(store.folder, "stok.csv", formatFeed(readStore(store.sandbox)));
  await store.run("sync", feed, "--yes");
  await store.run("rules", "add", "brand", "Boş", String(goodRow(4)["Marka *"]));
  const [known] = store.sandbox.products();
  const rows = goodRows(20);
  rows[2] = { ...rows[2], "Marka *": "Hiç Duyulmamış", "Fiyat *": "on iki" };
  rows[4] = { "Ürün Kodu *": known?.product_code ?? "", "Fiyat *": (known?.price ?? 0) / 1000 };
  return await writeWorkbook(store.folder, "a.xlsx", rows);
}

describe.skipIf(!hasBrowser)("screens of the page", { timeout: 300_000 }, () => {
  it("break no rule of accessibility, in both languages, light and dark", async () => {
    const store = await openTestStore({
      products: 3,
      faults: [{ kind: "latency", endpoint: "product.add", ms: 2_000 }],
      breaks: { "unknown-path": "the check asks whether the address answers" },
    });
    const file = await fillStore(store);
    const { page, errors } = await openBrowserPage({ width: 1600, height: 1000 });
    await addAxe(page);
    await page.goto((await openWeb(store)).url);
    const look = createLook(page);

    await lookAtPages(page, look);
    await lookAtDraft(page, look, file);
    await lookAtRun(page, look);

    expect(look.found).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("of no known store break none either", async () => {
    const { folder } = await openTestStore();
    const start = (...args: readonly string[]) =>
      startCatalog(args, { env: { CATALOG_HOME: `${folder}/empty` }, cwd: folder });
    const { page } = await openBrowserPage();
    await addAxe(page);
    const web = await openWeb({ start });
    const { found, screen } = createLook(page);
    await page.goto(web.origin);
    await page.locator("code", { hasText: / web$/u }).waitFor();
    await screen("session over");
    // Only the part after the sign changes, which loads nothing.
    await page.goto(web.url);
    await page.reload();
    await page.locator("input[type=password]").waitFor();
    await screen("login");

    expect(found).toEqual([]);
  });
});
