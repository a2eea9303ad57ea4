import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import {
  goodRow,
  goodRows,
  HEADERS,
  writeCsv,
  writeWorkbook,
} from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  activeCellName,
  approve,
  cellAt,
  dropFile,
  goToPreview,
  PAGE_POLL,
  press,
  uploadFile,
  visitPage,
  waitForStatus,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** So many presses of Tab reach every place of a screen. */
const MAX_TABS = 80;

/** The name of the control that has the focus. */
async function focusedName(page: Page): Promise<string> {
  const focused = page.locator("*:focus").last();
  if ((await focused.count()) === 0) return "";
  return (await focused.getAttribute("aria-label")) ?? (await focused.textContent()) ?? "";
}

/** Presses Tab until the focus is on the control of this name, which can be used; counts. */
async function tabTo(page: Page, name: string): Promise<number> {
  await page.getByRole("button", { name, exact: true, disabled: false }).last().waitFor();
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    if ((await focusedName(page)).trim() === name) return tabs;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab reached ${name}`);
}

async function enter(page: Page, name: string): Promise<number> {
  const tabs = await tabTo(page, name);
  await page.keyboard.press("Enter");
  return tabs;
}

/** Waits until the focus is on a text, such as the heading of a step. */
async function waitForFocus(page: Page, name: string): Promise<void> {
  await expect.poll(() => focusedName(page), PAGE_POLL).toBe(name);
}

/** Goes by the second link of the page, for those who do not want to pass everything on the way. */
async function skipToAction(page: Page): Promise<void> {
  await page.locator(".skip").first().focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
}

/** Unticks the second row of a plan, with the arrow keys. */
async function untickSecond(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: "2. satırı gönder", exact: true }).waitFor();
  await page.getByRole("searchbox", { name: "Ürün ara" }).focus();
  // The table is one stop.
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.getByText("işaretini kaldırdığınız 1 satır").waitFor();
}

/** Corrects the price and the brand of the third row, where F8 leads. */
async function correctRow(page: Page): Promise<void> {
  await page.keyboard.press("F8");
  await expect.poll(() => activeCellName(page), PAGE_POLL).toBe("4. satır · Marka *");
  await page.keyboard.press("Enter");
  await page.locator("input.cell-input").fill("");
  await page.getByRole("listbox").getByRole("option").nth(1).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("F8");
  await expect.poll(() => activeCellName(page), PAGE_POLL).toBe("4. satır · Fiyat *");
  await page.keyboard.type("12,50");
  await page.keyboard.press("Enter");
  await waitForStatus(page, "Hata kalmadı");
}

describe.skipIf(!hasBrowser)("the page by keyboard alone", () => {
  it("leads from the file to the report", async () => {
    const store = await openTestStore();
    const bad = { "Marka *": "Hiç Duyulmamış", "Fiyat *": "on iki" };
    const rows = goodRows(12).with(2, goodRow(3, bad));
    const { page } = await visitPage(store);
    await uploadFile(page, writeCsv(store.folder, "a.csv", rows));

    await enter(page, "Sütunlara geç");
    await waitForFocus(page, "Sütunlar ne anlama geliyor?");
    await enter(page, "Düzeltmeye geç");
    await cellAt(page, 2, 2).waitFor();
    await waitForFocus(page, "Hataları düzeltin");
    await correctRow(page);
    await skipToAction(page);
    await waitForFocus(page, "Önizlemeye geç");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/r/*/preview");
    await waitForFocus(page, "12 ürün eklenecek");
    await untickSecond(page);
    const tabs = await enter(page, "Göndermeye geç");
    await waitForFocus(page, "Mağazaya gönder");
    await enter(page, "Göndermeyi onayla…");
    const typed = page.getByLabel("Onaylamak için gidecek satır sayısını yazın: 11");
    await typed.and(page.locator(":focus")).waitFor();
    await page.keyboard.type("10");
    await page.keyboard.press("Backspace");
    expect(await page.getByRole("button", { name: "Şimdi gönder" }).isDisabled()).toBe(true);
    await page.keyboard.type("1");
    await enter(page, "Şimdi gönder");
    await waitForFocus(page, "Gönderim tamamlandı");
    await enter(page, "Raporu aç");

    await page.getByRole("region", { name: "Gönderimin raporu" }).waitFor();
    expect(tabs).toBe(1);
    expect(store.sandbox.products()).toHaveLength(11);
  });
});

const CODE = 2;
const SUBTITLE = 4;
const MAX_ZOOMED_TABS = 40;

/** What Tab reaches in each step, in its order. */
const TAB_ORDERS: Readonly<Record<string, readonly string[]>> = {
  upload: ["Dosyayı buraya bırakın", "Dosya seç", "Hücre yapıştır", "Bağlantıdan al", "Şablon al"],
  file: [
    "Başlık satırı",
    "Ondalık ayırıcı",
    "Dosyanın ilk satırları",
    ...[1, 2, 3, 4].map((row) => `${row}. satır başlıklardır`),
    "Sütunlara geç",
  ],
  columns: [`Bütün ${HEADERS.length} sütunu göster`, "Düzeltmeye geç"],
  preview: ["Süre koy…", "Eklenecek", "Ürün ara", "Deneme ürünü 1", "Göndermeye geç", "Ayrıntılar"],
  report: ["İndir", "Yazdır", "Geri al", "Hepsi", "Ürün ara", "Deneme ürünü 1", "Ayrıntılar"],
};

/** Name of what has the focus; `null` outside of the screen. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  if (one === null || one.closest("main") === null || one.localName === "main") return null;
  const name = one.ariaLabel ?? one.labels?.[0]?.innerText ?? one.innerText;
  return name.trim().split("\\n")[0];
})()`;

/** Names of what Tab reaches in the screen, in its order, without the links of the steps. */
async function readTabOrder(page: Page): Promise<readonly string[]> {
  const names: string[] = [];
  await page.locator("main .steps a, main").last().focus();
  for (let tabs = 0; tabs < MAX_ZOOMED_TABS; tabs += 1) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate<string | null>(FOCUSED);
    if (name === null) return names;
    names.push(name);
  }
  return names;
}

/** Pixels by which the page is wider than its window. */
const readOverflow = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");

/** Whether the code stays in its place while the rest of the grid is scrolled. */
async function isCodeFrozen(page: Page): Promise<boolean> {
  const readPlaces = async (left: number): Promise<readonly number[]> => {
    await page.locator("[role=grid]").evaluate((grid, to) => {
      Reflect.set(grid, "scrollLeft", to);
    }, left);
    const cells = [cellAt(page, 2, CODE), cellAt(page, 2, SUBTITLE)];
    return await Promise.all(cells.map(async (cell) => (await cell.boundingBox())?.x ?? 0));
  };
  const [code, subtitle = 0] = await readPlaces(0);
  const [codeThen, subtitleThen = 0] = await readPlaces(300);
  return code === codeThen && subtitleThen < subtitle;
}

describe.skipIf(!hasBrowser)("the page at twice its size", () => {
  it("takes a dropped file through all steps without sideways scrolling, Tab in reading order", async () => {
    const store = await openTestStore({ products: 1 });
    const file = await writeWorkbook(store.folder, "a.xlsx", goodRows(3));
    const { page } = await visitPage(store, { width: 640, height: 400, scale: 2 });
    const orders: Record<string, readonly string[]> = {};
    const overflows: Record<string, number> = {};
    const look = async (name: string): Promise<void> => {
      orders[name] = await readTabOrder(page);
      overflows[name] = await readOverflow(page);
    };
    await page.locator("main .empty").waitFor();
    for (const name of ["history", "exports", "feeds", "rules", "templates", "settings"]) {
      await page.goto(new URL(`/${name}`, page.url()).href);
      await page.locator("main h1").waitFor();
      await page.locator("main .waiting").first().waitFor({ state: "detached" });
      overflows[name] = await readOverflow(page);
    }
    await page.goto(new URL("/upload", page.url()).href);
    await page.locator("main .empty").waitFor();

    await look("upload");
    await dropFile(page, file);
    await page.getByText("TST-00001").waitFor();
    // The button waits until the file was read.
    const next = page.getByRole("button", { name: "Sütunlara geç", exact: true });
    await expect.poll(() => next.isEnabled(), PAGE_POLL).toBe(true);
    await look("file");
    await press(page, "Sütunlara geç");
    await page.getByText("Bütün sütunlar belli.").waitFor();
    await look("columns");
    await press(page, "Düzeltmeye geç");
    await cellAt(page, 2, CODE).waitFor();
    overflows["fix"] = await readOverflow(page);
    await page.setViewportSize({ width: 1000, height: 400 });
    await expect.poll(() => isCodeFrozen(page), PAGE_POLL).toBe(true);
    await page.setViewportSize({ width: 640, height: 400 });
    await goToPreview(page);
    await page.getByText("TST-00003").first().waitFor();
    await look("preview");
    await approve(page);
    await press(page, "Raporu aç");
    await page.getByRole("region", { name: "Gönderimin raporu" }).waitFor();
    await page.getByText("TST-00003").first().waitFor();
    await look("report");
    const report = page.url();
    await page.goto(new URL("/upload", report).href);
    await dropFile(page, file);
    await page.getByText(/^Bu dosya .+ gönderildi\.$/u).waitFor();
    await page.getByRole("link", { name: "O gönderinin raporu" }).click();
    await page.waitForURL(report);

    expect(Object.entries(overflows).filter(([, wide]) => wide > 0)).toEqual([]);
    expect(orders).toEqual(TAB_ORDERS);
  });
});
