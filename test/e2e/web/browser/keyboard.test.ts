import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { goodRow, goodRows, writeCsv } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  activeCellName,
  cellAt,
  PAGE_POLL,
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
  // The box for all rows comes before those of the rows, which are one stop.
  await page.keyboard.press("Tab");
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

describe.skipIf(!hasBrowser)("the page by keyboard alone", { timeout: 180_000 }, () => {
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
    await waitForFocus(page, "Mağazada ne değişecek?");
    await untickSecond(page);
    const tabs = await enter(page, "Göndermeye geç");
    await waitForFocus(page, "Mağazaya gönder");
    await enter(page, "Göndermeyi onayla…");
    await page.getByLabel("Onaylamak için gidecek satır sayısını yazın: 11").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("10");
    await page.keyboard.press("Backspace");
    expect(await page.getByRole("button", { name: "Şimdi gönder" }).isDisabled()).toBe(true);
    await page.keyboard.type("1");
    await enter(page, "Şimdi gönder");
    await waitForFocus(page, "Gönderim tamamlandı");
    await enter(page, "Raporu aç");

    await page.getByRole("heading", { name: "Gönderimin raporu" }).waitFor();
    expect(tabs).toBe(1);
    expect(store.sandbox.products()).toHaveLength(11);
  });
});
