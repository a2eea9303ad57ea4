/** What the page says when its tab was closed, its server has ended, or what it showed is gone. */

import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Me } from "@catalog/web";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";

import { openHostileMarket } from "../../../helpers/markets/hostile-market.ts";
import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { startCatalog } from "../../../helpers/processes/catalog-process.ts";
import {
  goodRow,
  goodRows,
  writeSheets,
  writeText,
  writeWorkbook,
} from "../../../helpers/product-sheet.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../../../helpers/source-paths.ts";
import { openBrowserPage } from "../../../helpers/web/browser.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { openWeb, startWeb } from "../../../helpers/web/open-web.ts";
import {
  activeCellName,
  approve,
  cellAt,
  goToPreview,
  goToRows,
  PAGE_POLL,
  press,
  uploadFile,
  visitPage,
  waitForStatus,
  visitRows,
  linkTo,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** What a person types into the cells of the sample that have no button and no name. */
const TYPED: Readonly<Record<string, string>> = {
  "20. satır · Başlık *": "Ahşap kaşık",
  "30. satır · Fiyat *": "12",
  "30. satır · Stok *": "5",
  "36. satır · Para Birimi": "TL",
  "42. satır · Garanti Süresi *": "0",
  "42. satır · Görsel 1 *": "https://ornek.example/urunler/aku-60-1.jpg",
  "51. satır · Ürün Kodu *": "TKS-0101",
};

/**
 * Answers the unknown names with their first choice, but for a category that lacks the brand of its
 * row, so that one more name has no choice; its answer is searched for.
 */
async function answerNames(page: Page): Promise<void> {
  await press(page, "Tanınmayan 3 ad");
  const dialog = page.getByRole("dialog");
  const details = dialog.getByRole("region", { name: "Seçili ad" });
  const open = dialog.locator(".rdg-row:not(.row-answered)");
  const suggested = open.filter({ has: page.locator(".suggestion") });
  for (let left = 3; left > 0; left -= 1) {
    await expect.poll(() => suggested.count(), PAGE_POLL).toBe(left);
    await suggested.first().getByRole("gridcell").nth(1).click();
    const choices = details.getByRole("listitem").getByRole("button");
    await choices.first().waitFor();
    const without = choices.filter({ hasText: /Sofra > Aksesuar.* burada yok/u });
    const isCategory = (await without.count()) > 0;
    await (isCategory ? without : choices).first().click();
  }
  await expect.poll(() => suggested.count(), PAGE_POLL).toBe(0);
  await open.getByRole("gridcell").nth(1).click();
  await dialog.getByLabel("Cevapları hatırla").uncheck();
  await details.getByRole("combobox").fill("bakır");
  await dialog.getByRole("option", { name: "Anadolu Bakır" }).click();
  await dialog.getByText("yerine “Anadolu Bakır” yazıldı").waitFor();
  await dialog.getByText("Bütün adlar tanındı.").waitFor();
  await press(page, "Kapat");
}

/** Goes from error to error and types what is right, until none is left. */
async function typeCorrections(page: Page): Promise<void> {
  const left = new Map(Object.entries(TYPED));
  while (left.size > 0) {
    await press(page, "Sonraki hata");
    await expect.poll(async () => left.has(await activeCellName(page)), PAGE_POLL).toBe(true);
    const name = await activeCellName(page);
    await page.keyboard.type(left.get(name) ?? "");
    await page.keyboard.press("Enter");
    left.delete(name);
  }
}

/** Changes a cell of a planned draft: the step of sending offers a new preview and nothing else. */
async function changeAndPlanAgain(page: Page): Promise<void> {
  const preview = page.url();
  await page.goBack();
  await page.waitForURL("**/d/*/fix");
  await cellAt(page, 3, 2).click();
  await page.keyboard.press("F2");
  await page.keyboard.press("End");
  await page.keyboard.type("-B");
  await page.keyboard.press("Enter");
  await expect.poll(() => cellAt(page, 3, 2).innerText(), PAGE_POLL).toContain("-B");
  await page.goto(preview.replace("/preview", "/send"));
  await page.getByText("Önizleme eskidi").first().waitFor();
  expect(await page.getByRole("button", { name: "Göndermeyi onayla…" }).count()).toBe(0);
  await press(page, "Önizlemeyi yeniden hazırla");
  await page.waitForURL((url) => url.pathname.endsWith("/preview") && url.href !== preview);
  await page.getByRole("button", { name: "Göndermeye geç" }).waitFor();
}

describe.skipIf(!hasBrowser)("the whole way on the page", () => {
  it("corrects the sample, sends it, and takes it back", async () => {
    const store = await openTestStore();
    const { page } = await visitRows(store, toAbsolutePath(SOURCE_PATHS.sampleWorkbook));
    await waitForStatus(page, "8 satırda hata");
    await answerNames(page);
    await typeCorrections(page);
    await waitForStatus(page, "Hata kalmadı");

    await goToPreview(page);
    await changeAndPlanAgain(page);
    const planned = await page.locator("main").innerText();
    await approve(page);
    await press(page, "Raporu aç");
    await page.getByRole("region", { name: "Gönderimin raporu" }).waitFor();

    expect(planned).toContain("60 satır gönderilecek");
    expect(store.sandbox.products()).toHaveLength(60);

    await press(page, "Geri al");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("yalnızca ürün ekledi").waitFor();
    const prepare = dialog.getByRole("button", { name: "Geri almayı hazırla" });
    expect(await prepare.isDisabled()).toBe(true);
    await dialog.getByRole("checkbox", { name: "Eklenen 60 ürünün stoğunu 0 yap" }).check();
    await prepare.click();
    await page.waitForURL("**/r/*/preview");
    await page.getByText(/geri alınıyor: eklenen \d+ ürünün stoğu 0 yapılacak/u).waitFor();
    await approve(page);
    await press(page, "Raporu aç");
    await page.getByRole("region", { name: "Gönderimin raporu" }).waitFor();

    const stocks = new Set(store.sandbox.products().map(({ stock_count: stock }) => stock));
    expect([store.sandbox.products().length, [...stocks]]).toEqual([60, [0]]);
  });
});

/** Shows the store as the local one of a demo. */
const showAsLocal = (page: Page): Promise<unknown> =>
  page.route("**/api/me", async (route) => {
    const answer = await route.fetch();
    const me: Me = JSON.parse(await answer.text());
    const store = me.store === null ? null : { ...me.store, isSandbox: true };
    await route.fulfill({ response: answer, json: { ...me, store } });
  });

describe.skipIf(!hasBrowser)("the life of the page", () => {
  it("keeps running after its last tab closes, and shows other browsers the command", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "catalog-life-"));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    const env = { CATALOG_HOME: join(cwd, "home") };
    const start = (...args: readonly string[]) => startCatalog(args, { cwd, env });
    const web = await startWeb({ start }, "--demo");
    const { page, browser } = await openBrowserPage();
    await page.goto(linkTo(web.url));
    await page.getByText("ornek-katalog.xlsx").first().waitFor();
    const mine = await page.context().newPage();
    await page.close();
    await mine.goto(`${web.origin}/upload`);
    await mine.getByText("ornek-katalog.xlsx").first().waitFor();
    // The tab may change things, too.
    await uploadFile(mine, writeText(cwd, "fiyat.csv", "Ürün Kodu;Fiyat\nA-1;12,50\n"));

    const otherContext = await browser.newContext({ locale: "tr-TR" });
    onTestFinished(async () => otherContext.close());
    const other = await otherContext.newPage();
    await other.goto(`${web.origin}/upload`);
    await other.getByRole("heading", { name: "Sayfa bu tarayıcıda açık değil" }).waitFor();
    await other.locator("code", { hasText: / web --demo$/u }).waitFor();
    const again = await openWeb({ env, folder: cwd }, "--demo");
    await other.goto(linkTo(again.url));
    await other.reload();
    await other.getByText("ornek-katalog.xlsx").first().waitFor();
    await other.goto(`${web.origin}/d/d-261124-0356-000000000000/fix`);
    const main = other.locator("main");
    await main.getByText("Bulunamadı").waitFor();
    const text = await main.innerText();
    await main.getByRole("link", { name: "Geçmişi aç" }).waitFor();
    await main.getByRole("link", { name: "Başa dön" }).click();
    await other.getByRole("heading", { name: "Ürünler" }).waitFor();

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
    await page.goto(linkTo(web.url));
    await uploadFile(page, file);
    await goToRows(page);
    await goToPreview(page);
    await press(page, "Göndermeye geç");
    await press(page, "Göndermeyi onayla…");
    // A local store asks for no number of rows.
    await press(page, "Şimdi gönder");
    const main = page.locator("main");
    await main.getByText("programı kapatmayın").waitFor(PAGE_POLL);
    await main.getByRole("heading", { name: "Gönderiliyor" }).waitFor();

    await web.close();
    await main.getByText("Bilinen son durum bu.").waitFor(PAGE_POLL);

    expect(await main.innerText()).not.toMatch(/Gönderiliyor|gönderim sürer|Duraklat/u);
    expect(await page.locator("main .spinner").count()).toBe(0);
  });
});

describe.skipIf(!hasBrowser)("the settings", () => {
  it("explain how to use another store, and show a command only on request", async () => {
    const store = await openTestStore();
    const { page } = await visitPage(store);
    await page.getByRole("link", { name: "Ayarlar" }).click();
    const card = page.locator(".card", { hasText: "Başka bir mağazaya bağlan" });
    await card.waitFor();
    const before = await card.innerText();

    await card.getByText("Terminalden", { exact: true }).click();

    expect(before).toContain("programı bilgisayarınıza kuran kişiye başvurun");
    expect(before).not.toContain("catalog login");
    expect(await card.innerText()).toContain("catalog login");
  });
});

const IMAGE = "<img src=x onerror=alert(1)>";

/** Texts that would run a script where a page took them as markup, as an attribute or as a link. */
const SCRIPTS: readonly string[] = [
  IMAGE,
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)' x='",
  "javascript:alert(1)",
  "<iframe srcdoc='<script>parent.alert(1)</script>'>",
  "{{constructor.constructor('alert(1)')()}}",
  "${alert(1)}",
  "<math><mi xlink:href=javascript:alert(1)>x</mi></math>",
  "]]><script>alert(1)</script>",
];

/** Elements that only such a text makes. */
const MADE = "img[src=x], svg[onload], iframe, script:not([src]), [onerror], [onmouseover], math";

const SENDING_MS = 150_000;

/** Fails where an element was made of a text. */
async function expectTexts(page: Page): Promise<void> {
  expect(await page.locator(MADE).count()).toBe(0);
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
}

describe.skipIf(!hasBrowser)("texts that look like scripts", () => {
  it("stay texts in names of files and sheets, in headers, cells and refusals", async () => {
    const shop = await openTestStore();
    const market = { suffix: "", refusal: ` ${SCRIPTS.join(" ")}` };
    const env = { ...shop.env, CATALOG_BASE_URL: await openHostileMarket(shop.sandbox, market) };
    const rows = SCRIPTS.map((text, index) =>
      goodRow(index + 1, { "Başlık *": text, "Açıklama *": `Metin ${text}`, [IMAGE]: text }),
    );
    const unknown = goodRow(20, { "Marka *": IMAGE, "Fiyat *": IMAGE });
    const file = await writeSheets(shop.folder, `${IMAGE}.xlsx`, {
      "<img src=x onerror=alert(1)>": [...rows, unknown],
      "<script>alert(1)": [goodRow(30)],
    });
    const { page } = await visitPage({ env, folder: shop.folder }, { width: 2300, height: 1200 });
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });

    await uploadFile(page, file);
    await page.getByRole("checkbox", { name: "<script>alert(1)" }).uncheck({ force: true });
    await press(page, "İşaretli sayfayı oku");
    await press(page, "Sütunlara geç");
    await expectTexts(page);
    await press(page, "Düzeltmeye geç");
    await cellAt(page, 2, 2).waitFor();
    await press(page, "Tanınmayan 1 ad");
    await page.getByRole("dialog").getByText(IMAGE).first().waitFor();
    await expectTexts(page);
    await page.keyboard.press("Escape");
    await goToPreview(page);
    await expectTexts(page);
    await approve(page);
    // Refused rows are looked up before they are given up, which takes long on a busy machine.
    await page.getByRole("button", { name: "Raporu aç" }).click({ timeout: SENDING_MS });
    await page.getByRole("region", { name: "Gönderimin raporu" }).waitFor();
    await page.locator(".run-list").getByText("Olmadı").first().waitFor();
    await expectTexts(page);
    await page.goto(new URL("/history", page.url()).href);
    await page.getByText(IMAGE).first().waitFor();
    await expectTexts(page);
    const [report = ""] = globSync(join(shop.folder, "**/report.html"));
    const printed = await page.context().newPage();
    await printed.goto(pathToFileURL(report).href);
    await expect.poll(() => printed.locator("body").innerText(), PAGE_POLL).toContain("alert(1)");

    expect(await printed.locator("img[src=x], svg[onload], iframe, [onerror]").count()).toBe(0);
    expect(dialogs).toEqual([]);
    expect(shop.sandbox.products().length).toBeGreaterThan(8);
  });
});
