import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { goodRows, writeCsv } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  approve,
  goToPreview,
  goToRows,
  PAGE_POLL,
  press,
  typeRowCount,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

const ROWS = 20;

/** Long enough for a pause to fall between two calls. */
const SLOW = [
  { kind: "latency", endpoint: "product.add", ms: 400 },
  { kind: "latency", endpoint: "product.list", ms: 700 },
] as const;

const PAUSED = /^Duraklattınız: (\d+) \/ 20 gönderildi$/u;

/** Pauses, and returns how many rows the page says were sent, once it can go on. */
async function pause(page: Page): Promise<number> {
  await press(page, "Duraklat");
  const heading = page.getByRole("heading", { name: PAUSED });
  await heading.waitFor(PAGE_POLL);
  const button = page.getByRole("button", { name: "Sürdür" });
  await expect.poll(() => button.isEnabled(), PAGE_POLL).toBe(true);
  const main = page.locator("main");
  expect(await main.locator(".step-errors, .message-error, .message-warning").count()).toBe(0);
  expect(await main.locator(".step .spinner").count()).toBe(0);
  expect(await main.innerText()).not.toMatch(/Gönderim durdu|başlatılamıyor/u);
  return Number(PAUSED.exec(await heading.innerText())?.[1]);
}

/** Goes on, once the number of rows that are left was typed. */
async function goOn(page: Page): Promise<void> {
  await press(page, "Sürdür");
  await typeRowCount(page);
  await press(page, "Şimdi gönder");
}

describe.skipIf(!hasBrowser)("a run that is paused on the page", { timeout: 240_000 }, () => {
  it("says so in each moment, goes on, and stays a report while its undo is prepared", async () => {
    const store = await openTestStore({ faults: SLOW });
    const { page } = await visitPage(store);
    const callsOf = (endpoint: string): number => store.sandbox.stats().byEndpoint[endpoint] ?? 0;
    await uploadFile(page, writeCsv(store.folder, "a.csv", goodRows(ROWS)));
    await goToRows(page);
    await goToPreview(page);
    await approve(page);

    const atOnce = await pause(page);
    const lists = callsOf("product.list");
    await goOn(page);
    await expect.poll(() => callsOf("product.list"), PAGE_POLL).toBeGreaterThan(lists);
    const whileChecking = await pause(page);
    await goOn(page);
    await expect.poll(() => store.sandbox.stats().adds, PAGE_POLL).toBeGreaterThan(0);
    const whileSending = await pause(page);
    const sent = store.sandbox.stats().adds;
    await goOn(page);
    await page.getByRole("heading", { name: "Gönderim tamamlandı" }).waitFor({ timeout: 90_000 });

    expect([atOnce, whileChecking, whileSending]).toEqual([0, 0, sent]);
    expect(store.sandbox.stats().adds).toBe(ROWS);

    await press(page, "Raporu aç");
    await press(page, "Geri al");
    await page.getByText(`Eklenen ${ROWS} ürünün stoğunu 0 yap`).click();
    await press(page, "Geri almayı hazırla");
    const main = page.locator("main");
    await main.getByText("Geri alma hazırlanıyor").waitFor(PAGE_POLL);
    await page.locator("header").getByText("Geri alma hazırlanıyor").waitFor(PAGE_POLL);

    expect(await main.innerText()).not.toContain("Gönderiliyor");
    expect(await main.getByText("Bitti ·").count()).toBe(1);
    expect(await main.locator(".step .spinner").count()).toBe(0);
    await page.waitForURL("**/r/*/preview");
  });
});
