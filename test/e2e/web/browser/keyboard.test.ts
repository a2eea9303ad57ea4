import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { goodRow, goodRows, writeWorkbook } from "../../../helpers/product-sheet.ts";
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

/** Presses Tab until the focus is on the control of this name, which can be used. */
async function tabTo(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true, disabled: false }).last().waitFor();
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    if ((await focusedName(page)).trim() === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab reached ${name}`);
}

async function enter(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
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
    const rows = goodRows(4).with(2, goodRow(3, bad));
    const { page } = await visitPage(store);
    await uploadFile(page, await writeWorkbook(store.folder, "a.xlsx", rows));

    await enter(page, "Sütunlara geç");
    await enter(page, "Düzeltmeye geç");
    await cellAt(page, 2, 2).waitFor();
    await correctRow(page);
    await enter(page, "Önizlemeye geç");
    await page.waitForURL("**/r/*/preview");
    await enter(page, "Göndermeye geç");
    await enter(page, "Göndermeyi onayla…");
    await enter(page, "Şimdi gönder");
    await enter(page, "Raporu aç");

    await page.getByRole("heading", { name: "Gönderimin raporu" }).waitFor();
    expect(store.sandbox.products()).toHaveLength(4);
  });
});
