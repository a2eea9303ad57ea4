/** The store's products: read, found, sorted, chosen, opened, and all of it by keyboard. */

import { readFileSync } from "node:fs";

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore, writeConfig } from "../../../helpers/markets/test-store.ts";
import { openBrowserPage } from "../../../helpers/web/browser.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, createLook } from "../../../helpers/web/look.ts";
import { openWeb } from "../../../helpers/web/open-web.ts";
import { linkTo, PAGE_POLL, press, visitPage } from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

const PRODUCTS = 120;
const ROW_PX = 32;

const PICTURE = readFileSync(
  new URL("../../../../apps/web/test/fixtures/picture.jpg", import.meta.url),
);

async function openProducts(
  width: number = 1280,
): Promise<{ readonly page: Page; readonly store: TestStore }> {
  const store = await openTestStore({ products: PRODUCTS });
  await writeConfig(store, { priceUnit: "minor" });
  const { page } = await visitPage(store, { path: "/", width, height: 800 });
  return { page, store };
}

async function readStore(page: Page): Promise<void> {
  await press(page, "Ürünleri oku");
  await page.getByText(`${PRODUCTS} ürün`).first().waitFor();
  await page.locator(".list-grid [role=gridcell]").nth(3).waitFor();
}

/** Texts of a column of the first rows that the list shows. */
const readColumn = (page: Page, header: string): Promise<readonly string[]> =>
  page.locator(".list-grid").evaluate((grid, name) => {
    const heads = [...grid.querySelectorAll('[role="columnheader"]')];
    const index = heads.find((head) => head.textContent === name)?.getAttribute("aria-colindex");
    return [...grid.querySelectorAll(`[role="gridcell"][aria-colindex="${index}"]`)].map(
      (cell) => cell.textContent ?? "",
    );
  }, header);

const expectFound = (page: Page, text: string): Promise<void> =>
  expect.poll(() => page.locator(".chosen-count").innerText(), PAGE_POLL).toContain(text);

const activeText = (page: Page): Promise<string> =>
  page.evaluate<string>(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
  );

describe.skipIf(!hasBrowser)("the list of the store's products", () => {
  it("begins at the address of the page, and is found, sorted and kept in its address", async () => {
    const { page } = await openProducts();
    await page.getByRole("heading", { name: "Mağazadaki ürünleri okuyun" }).waitFor();
    await readStore(page);
    const [brand = ""] = await readColumn(page, "Marka");

    await press(page, "Filtreler");
    await page.getByRole("combobox", { name: "Marka" }).fill(brand);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expectFound(page, `${PRODUCTS} üründen`);
    const found = await page.locator(".chosen-count").innerText();
    expect(new Set(await readColumn(page, "Marka"))).toEqual(new Set([brand]));
    await page.getByLabel("Stok, en az").fill("0");
    await page
      .getByRole("button", { name: `Kaldır: Stok: en az 0` })
      .waitFor({ state: "attached" });
    await page.keyboard.press("Escape");
    await page.getByRole("columnheader", { name: "Stok" }).click();
    await page.waitForURL(/sort=stock/u);
    const stocks = (await readColumn(page, "Stok")).map(Number);
    expect(stocks).toEqual(stocks.toSorted((one, other) => one - other));
    expect(await page.locator("[aria-sort]").getAttribute("aria-sort")).toBe("ascending");

    await page.reload();
    await expectFound(page, found);
    expect(await page.locator("[aria-sort]").getAttribute("aria-sort")).toBe("ascending");
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes("sort"));
    await press(page, "Süzmeyi temizle");
    await expectFound(page, `${PRODUCTS} ürün`);
    expect(new URL(page.url()).search).toBe("");
  });

  it("asks for the images of rows that stand, and for none of those that scrolling passes", async () => {
    const { page } = await openProducts();
    const asked: string[] = [];
    await page.route("**/image?*", async (route) => {
      asked.push(new URL(route.request().url()).pathname);
      await route.fulfill({ body: PICTURE });
    });
    await readStore(page);
    await expect.poll(() => asked.length, PAGE_POLL).toBeGreaterThan(10);
    // From here on time passes only when it is put forward, however slow the machine is.
    await page.clock.install();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const grid = page.locator(".list-grid");
    const before = new Set(asked);

    for (const row of [60, 80, PRODUCTS]) {
      await grid.evaluate((element, top) => (element.scrollTop = top), (row - 5) * ROW_PX);
      await grid.locator(`[role=row][aria-rowindex="${row}"] .picture`).waitFor();
    }
    const passing = asked.filter((path) => !before.has(path));
    await page.clock.runFor(1_000);
    const standing = (): number => new Set(asked.filter((path) => !before.has(path))).size;
    await expect.poll(standing, PAGE_POLL).toBeGreaterThan(10);
    const pictures = await grid.locator(".picture").count();

    expect(passing).toEqual([]);
    expect(standing()).toBeLessThanOrEqual(pictures);
  });

  it("searches as one types, without regard to İ and ı", async () => {
    const { page, store } = await openProducts();
    const title = store.sandbox.products()[5]?.title ?? "";
    await readStore(page);

    await page.getByRole("searchbox").fill(title.toLocaleUpperCase("tr"));

    await expect.poll(() => readColumn(page, "Başlık"), PAGE_POLL).toContain(title);
    await page.getByRole("searchbox").fill("böyle bir şey yok");
    await page.getByText("Bu süzmeye uyan ürün yok.").waitFor();
  });

  it("asks for the unit of prices with a price of the store, read under each unit", async () => {
    const store = await openTestStore({ products: PRODUCTS });
    const { page } = await visitPage(store, { path: "/" });
    await readStore(page);

    const question = await page.getByText("Mağaza listesi", { exact: false }).innerText();
    const [, code, shown] = /listesi (\S+) için (\d+) gösteriyor/u.exec(question) ?? [];
    const listed = store.sandbox.products().find((one) => one.product_code === code);
    const minor = `${((listed?.price ?? 0) / 100).toLocaleString("tr-TR", { minimumFractionDigits: 2 })} TL`;
    await page.getByRole("button", { name: minor }).click();

    await expect
      .poll(() => readColumn(page, "Fiyat"), PAGE_POLL)
      .toContainEqual(expect.stringContaining("TL"));
    expect(shown).toBe(String(listed?.price));
  });

  it("leads back from a product to the list that was searched", async () => {
    const { page } = await openProducts();
    await readStore(page);
    await page.getByRole("searchbox").fill("ü");
    await page.waitForURL(/text=/u);

    await page.locator(".list-link").first().click();
    await page.getByRole("link", { name: "Ürünlere dön" }).click();

    await page.waitForURL(/products\?text=%C3%BC/u, { timeout: 10_000 });
  });

  it("keeps what is chosen over filters, and opens a draft of exactly that", async () => {
    const { page } = await openProducts();
    await readStore(page);
    const asked: unknown[] = [];
    await page.route("**/api/products/draft", async (route) => {
      asked.push(route.request().postDataJSON());
      await route.continue();
    });
    const box = (row: number) => page.locator(`[aria-rowindex="${row}"] .list-tick`);

    await box(2).click();
    await box(6).click({ modifiers: ["Shift"] });
    await expectFound(page, "5 ürün seçili");
    await page.getByRole("searchbox").fill("böyle bir şey yok");
    await expectFound(page, "5 tanesi bu listede değil");
    await page.getByRole("searchbox").fill("");
    await expectFound(page, "5 ürün seçili");
    await box(3).click();
    await press(page, "Tabloda düzenle");
    await page.waitForURL("**/d/*/fix");

    expect(asked).toEqual([{ products: { numbers: expect.any(Array) } }]);
    await page.goBack();
    await page.getByLabel("Listedeki bütün ürünleri seç").check();
    await expectFound(page, `${PRODUCTS} ürün seçili`);
    await press(page, "Tabloda düzenle");
    await page.waitForURL("**/d/*/fix");

    expect(asked.at(-1)).toEqual({ products: { filter: {} } });
  });

  it("opens a draft with the fields that are asked for besides the usual ones", async () => {
    const { page } = await openProducts();
    await readStore(page);
    await page.getByRole("row").nth(2).getByRole("checkbox").check();

    await press(page, "Alanlar");
    await page.getByRole("checkbox", { name: "Para birimi" }).check();
    await page.getByRole("checkbox", { name: "Açıklama" }).check();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Alanlar +2" }).waitFor();
    await press(page, "Tabloda düzenle");
    await page.waitForURL("**/d/*/fix");

    for (const name of ["Fiyat *", "Para Birimi", "Açıklama *"]) {
      await page.getByRole("columnheader", { name }).waitFor();
    }
  });

  it("is one stop of the Tab key, ticks with Space and opens with Enter", async () => {
    const { page } = await openProducts();
    await readStore(page);
    await page.getByRole("button", { name: "Sütunlar" }).focus();

    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+Space");
    await expectFound(page, "3 ürün seçili");
    await page.keyboard.press("Control+a");
    await expectFound(page, `${PRODUCTS} ürün seçili`);
    await page.keyboard.press("Tab");
    expect(await activeText(page)).toBe("Seçimi bırak");
    await page.keyboard.press("Enter");
    await expectFound(page, `${PRODUCTS} ürün`);
    await page.getByRole("button", { name: "Sütunlar" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+End");
    await expect
      .poll(() => page.locator(`[aria-rowindex="${PRODUCTS + 1}"]`).count(), PAGE_POLL)
      .toBe(1);
    await page.locator(`[aria-rowindex="${PRODUCTS + 1}"] .list-link`).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/products/*");

    await page.goBack();
    // The way back leads to the row that was opened.
    await page.locator(`[aria-rowindex="${PRODUCTS + 1}"] .list-link`).waitFor();
  });

  it("keeps columns and filters for every browser", async () => {
    const { page } = await openProducts();
    await readStore(page);

    await press(page, "Sütunlar");
    await page.getByRole("checkbox", { name: "Okundu" }).check();
    await page.getByRole("checkbox", { name: "Marka" }).uncheck();
    await page.keyboard.press("Escape");
    await page.getByRole("columnheader", { name: "Okundu" }).waitFor();
    await page.getByRole("searchbox").fill("ü");
    await page.waitForURL(/text=/u);
    await press(page, "Kayıtlı");
    await page.getByLabel("Bu listenin adı").fill("Ü ile");
    await press(page, "Kaydet");
    await page.getByRole("button", { name: "Ü ile", exact: true }).waitFor();
    // The button that had the focus is disabled now; the panel must still hear the keys.
    await page.keyboard.press("Escape");
    await page.getByLabel("Bu listenin adı").waitFor({ state: "detached" });
    await page.goto(new URL("/products", page.url()).href);
    await page.getByRole("columnheader", { name: "Okundu" }).waitFor();

    expect(await page.getByRole("columnheader", { name: "Marka" }).count()).toBe(0);
    await press(page, "Kayıtlı");
    await press(page, "Ü ile");
    await page.waitForURL(/text=%C3%BC/u);
  });

  it("breaks no rule of accessibility", async () => {
    const store = await openTestStore({ products: PRODUCTS });
    await writeConfig(store, { priceUnit: "minor" });
    const { page } = await openBrowserPage();
    await addAxe(page);
    await page.goto(linkTo((await openWeb(store)).url, "/"));
    const { screen, dialog, press: pressIn, found } = createLook(page);
    await page.locator("h1").waitFor();
    await screen("unread");
    await pressIn(["Ürünleri oku", "Read the products"]);
    await page.locator(".list-tick").nth(1).click();
    await screen("list");
    await dialog("columns", ["Sütunlar", "Columns"]);
    await dialog("filters", ["Filtreler", "Filters"]);
    await dialog("saved", ["Kayıtlı", "Saved"]);
    await dialog("export", ["Dışa aktar", "Export"]);

    expect(found).toEqual([]);
  });

  it("fits a narrow window, with cards, a sheet of filters and the order in it", async () => {
    const { page } = await openProducts(390);
    await readStore(page);

    await page.locator(".list-tick").nth(1).click();
    await press(page, "Filtreler");
    await page.getByLabel("Sıralama").selectOption({ label: "Stok, azalan" });
    await press(page, `${PRODUCTS} ürünü göster`);
    await page.waitForURL(/sort=stock&direction=down/u);

    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await page.locator(".list-card").nth(1).click();
    await page.waitForURL("**/products/*");
  });
});
