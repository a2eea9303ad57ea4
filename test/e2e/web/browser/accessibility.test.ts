import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { startCatalog } from "../../../helpers/processes/catalog-process.ts";
import { goodRows, writeWorkbook } from "../../../helpers/product-sheet.ts";
import { openBrowserPage } from "../../../helpers/web/browser.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, findViolations } from "../../../helpers/web/find-violations.ts";
import { openWeb } from "../../../helpers/web/open-web.ts";
import { cellAt } from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** Names of the buttons that lead on, by language. */
const WORDS = {
  tr: {
    toColumns: "Sütunlara geç",
    toFix: "Düzeltmeye geç",
    names: "Tanınmayan 1 ad",
    replace: "Bul ve değiştir",
    toPreview: "Önizlemeye geç",
    toSend: "Göndermeye geç",
    approve: "Göndermeyi onayla…",
    send: "Şimdi gönder",
    report: "Raporu aç",
    undo: "Geri al",
  },
  en: {
    toColumns: "Go to the columns",
    toFix: "Go to correcting",
    names: "1 unknown name",
    replace: "Find and replace",
    toPreview: "Go to the preview",
    toSend: "Go to sending",
    approve: "Approve sending…",
    send: "Send now",
    report: "Open the report",
    undo: "Undo",
  },
};

/** Looks at screens and collects what is wrong in them. */
function createLook(page: Page) {
  const found: string[] = [];
  const look = async (screen: string): Promise<void> => {
    const violations = await findViolations(page);
    found.push(...violations.map((text) => `${screen}, ${text}`));
  };
  const press = (name: string): Promise<void> =>
    page.getByRole("button", { name, exact: true }).last().click();
  return { found, look, press };
}

type Look = ReturnType<typeof createLook>;

/** From the empty first page to the preview, with every dialog on the way. */
async function lookAtDraft(
  page: Page,
  { look, press }: Look,
  words: typeof WORDS.tr,
  file: string,
): Promise<void> {
  await look("upload");
  await page.locator("input[type=file]").setInputFiles(file);
  await page.waitForURL("**/d/*/file");
  await page.getByRole("button", { name: words.toColumns }).waitFor();
  await look("file");
  await press(words.toColumns);
  await page.getByRole("button", { name: words.toFix }).waitFor();
  await look("columns");
  await press(words.toFix);
  await cellAt(page, 2, 2).waitFor();
  await cellAt(page, 4, 6).dblclick();
  await page.getByRole("option").first().waitFor();
  await look("cell editor");
  await page.keyboard.press("Escape");
  await press(words.names);
  await page.getByRole("dialog").getByText("Hiç Duyulmamış").first().waitFor();
  await look("names");
  await page.keyboard.press("Escape");
  await press(words.replace);
  await page.getByRole("dialog").getByRole("textbox").first().fill("Kısa");
  await page.getByRole("dialog").getByRole("table").waitFor();
  await look("find and replace");
  await page.keyboard.press("Escape");
  await press(words.toPreview);
  await page.waitForURL("**/r/*/preview");
  await page.getByRole("button", { name: words.toSend }).waitFor();
  await look("preview");
}

/** From the preview to the history. */
async function lookAtRun(page: Page, { look, press }: Look, words: typeof WORDS.tr): Promise<void> {
  await press(words.toSend);
  await press(words.approve);
  await page.getByRole("dialog").waitFor();
  await look("confirm");
  await press(words.send);
  await page.getByRole("progressbar").waitFor();
  await look("sending");
  await press(words.report);
  await page.getByRole("button", { name: words.undo }).waitFor();
  await look("report");
  await page.goto(new URL("/history", page.url()).href);
  await page.getByRole("table").waitFor();
  await look("history");
}

/**
 * Each language and each look once: the looks differ in their colours alone. A look that changes
 * while the page is shown leaves inherited colours of Chromium behind for a while.
 */
const LOOKS = [
  ["tr", "light"],
  ["en", "dark"],
] as const;

describe.skipIf(!hasBrowser)("screens of the page", { timeout: 180_000 }, () => {
  it.each(LOOKS)("break no rule of accessibility (%s, %s)", async (lang, colorScheme) => {
    const store = await openTestStore({
      faults: [{ kind: "latency", endpoint: "product.add", ms: 2_000 }],
    });
    const rows = goodRows(20);
    rows[2] = { ...rows[2], "Marka *": "Hiç Duyulmamış", "Fiyat *": "on iki" };
    const file = await writeWorkbook(store.folder, "a.xlsx", rows);
    const { page, errors } = await openBrowserPage({
      lang,
      colorScheme,
      width: 1600,
      height: 1000,
    });
    await addAxe(page);
    await page.addInitScript((chosen) => localStorage.setItem("catalog-lang", chosen), lang);
    await page.goto((await openWeb(store)).url);
    const look = createLook(page);
    await page.locator("input[type=file]").waitFor({ state: "attached" });

    await lookAtDraft(page, look, WORDS[lang], file);
    await lookAtRun(page, look, WORDS[lang]);

    expect(look.found).toEqual([]);
    expect(errors).toEqual([]);
  });

  it.each(LOOKS)("of no known store break none either (%s, %s)", async (lang, colorScheme) => {
    const { folder } = await openTestStore();
    const start = (...args: readonly string[]) =>
      startCatalog(args, { env: { CATALOG_HOME: `${folder}/empty` }, cwd: folder });
    const { page } = await openBrowserPage({ lang, colorScheme });
    await addAxe(page);
    await page.addInitScript((chosen) => localStorage.setItem("catalog-lang", chosen), lang);
    const web = await openWeb({ start });
    const { found, look } = createLook(page);
    await page.goto(web.origin);
    await page.getByText("catalog web").waitFor();
    await look("session over");
    await page.goto(web.url);
    await page.reload();
    await page.locator("input[type=password]").waitFor();
    await look("login");

    expect(found).toEqual([]);
  });
});
