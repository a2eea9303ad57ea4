/** From when until when a change holds: given by keyboard, refused in words, shown and changed. */

import type { RunPeriodView } from "@catalog/web";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { goodRows, writeCsv } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, createLook } from "../../../helpers/web/look.ts";
import {
  expectText,
  goToPreview,
  PAGE_POLL,
  press,
  shareStore,
  typeRowCount,
  visitRows,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** Goes with Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator, max = 40): Promise<void> {
  for (let at = 0; at < max; at += 1) {
    await page.keyboard.press("Tab");
    if ((await element.and(page.locator(":focus")).count()) === 1) return;
  }
  throw new Error("the Tab key does not stop there");
}

/** Fills in the field of a time, digit by digit. */
async function typeTime(page: Page, at: "first" | "last", digits: string): Promise<void> {
  await page.getByRole("dialog").locator("[data-type=day]")[at]().click();
  await page.keyboard.type(digits);
}

async function saveDialog(page: Page): Promise<void> {
  await press(page, "Kaydet");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

describe.skipIf(!hasBrowser)("a period of a change", () => {
  const shared = shareStore({ products: 3 });
  const visit = async () => {
    const { folder } = shared();
    return await visitRows(shared(), writeCsv(folder, "urunler.csv", goodRows(3)));
  };

  it("is given with a bulk change by keyboard alone, and stands on the step of correcting", async () => {
    const { page } = await visit();
    await press(page, "Toplu değiştir");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Ne kadar").fill("8");
    await dialog.getByRole("table").waitFor();

    await tabTo(page, dialog.locator("summary"));
    await page.keyboard.press("Enter");
    await tabTo(page, dialog.getByLabel("Bitiş", { exact: true }));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    await page.keyboard.type("071220400000");
    await tabTo(page, dialog.getByRole("button", { name: /hücreyi değiştir$/u }));
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.reload();

    await expect
      .poll(() => page.locator(".period-line b").textContent(), PAGE_POLL)
      .toBe("7 Aralık 2040 Cuma 00:00'da (Türkiye saati) fiyatlar geri alınır.");
    await goToPreview(page);
    expect(await page.locator(".period-line b").textContent()).toContain("fiyatlar geri alınır");
  });

  it("is refused at its field in words, and changes nothing", async () => {
    const { page } = await visit();
    await press(page, "Süre koy…");
    const dialog = page.getByRole("dialog");
    const saidOf = async (digits: string): Promise<string | null> => {
      await typeTime(page, "last", digits);
      await press(page, "Kaydet");
      return await dialog.locator(".hint-wrong").textContent();
    };
    await dialog.getByLabel("Bitiş", { exact: true }).selectOption("yes");
    await press(page, "Kaydet");

    expect(await dialog.locator(".hint-wrong").textContent()).toBe(
      "Gün, ay, yıl ve saatin hepsini yazın.",
    );
    expect(await saidOf("011120250900")).toBe("Bu zaman geçti. İleri bir zaman yazın.");
    await dialog.getByLabel("Başlangıç", { exact: true }).selectOption("yes");
    await typeTime(page, "first", "081220400900");
    expect(await saidOf("071220400000")).toBe("Bitiş başlangıçtan sonra olmalı.");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.locator(".period-line b").count()).toBe(0);
  });

  it("is promised in words, approved, moved, and taken away again", async () => {
    const { page } = await visit();
    await goToPreview(page);
    await press(page, "Süre koy…");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Başlangıç", { exact: true }).selectOption("yes");
    await dialog.getByLabel("Bitiş", { exact: true }).selectOption("yes");
    await typeTime(page, "first", "011220400900");
    await typeTime(page, "last", "071220400000");
    await saveDialog(page);
    await press(page, "Göndermeye geç");
    const promised = page.locator("main .period-promise");
    await promised.waitFor();
    await page.reload();
    await expect
      .poll(() => promised.textContent(), PAGE_POLL)
      .toMatch(
        /1 Aralık 2040 Cumartesi 09:00'da \(Türkiye saati\) gönderilir.*7 Aralık 2040 Cuma 00:00'da .*worker/u,
      );

    await press(page, "Göndermeyi onayla…");
    await typeRowCount(page);
    await press(page, "Zamanıyla onayla");
    const card = page.locator(".period-card");
    await expectText(card.locator(".badge"), "Başlangıç: 1 Ara 2040 09:00");
    await press(page, "Bitişi değiştir");
    await typeTime(page, "last", "081220401030");
    await saveDialog(page);
    await expect
      .poll(() => card.textContent(), PAGE_POLL)
      .toContain("8 Aralık 2040 Cumartesi 10:30");
    await press(page, "Bitişi iptal et");
    await dialog.waitFor();
    await press(page, "Bitişi iptal et");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => card.textContent(), PAGE_POLL).not.toContain("geri alınır");
    await press(page, "Başlangıcı iptal et");
    await dialog.waitFor();
    await press(page, "Başlangıcı iptal et");

    await page.getByRole("button", { name: "Göndermeyi onayla…" }).waitFor();
    expect(await page.locator(".period-promise").count()).toBe(0);
  });
});

const END = { at: "2040-12-06T21:00:00.000Z", local: "2040-12-07T00:00", text: "7 Aralık 2040" };

const OPEN: RunPeriodView = {
  timeZone: "Europe/Istanbul",
  start: null,
  end: END,
  fields: [{ field: "has_discount", label: "İndirim" }],
  state: "open",
  stateText: "Geri alınacak.",
  isHealthy: true,
  endRun: null,
  can: { changeStart: false, changeEnd: true },
};

const WAITS = {
  ...OPEN,
  state: "scheduled",
  start: { ...END, local: "2040-12-01T09:00" },
} as const;

const STATES = [
  { ...WAITS, can: { changeStart: true, changeEnd: true } },
  OPEN,
  { ...OPEN, state: "late", stateText: "3 saat geçti, geri alınmadı.", isHealthy: false },
  { ...OPEN, state: "left", stateText: "2 satıra dokunulmadı.", isHealthy: false },
  { ...OPEN, state: "failed", stateText: "Kararınızı bekliyor.", isHealthy: false },
  {
    ...OPEN,
    state: "ended",
    stateText: "Geri alındı: 5 satır.",
    can: { changeStart: false, changeEnd: false },
  },
] as const satisfies readonly RunPeriodView[];

describe.skipIf(!hasBrowser)("the period of a run", () => {
  const shared = shareStore({ products: 3 });

  it("breaks no rule of accessibility, and has room for a thumb", async () => {
    const { folder } = shared();
    const { page } = await visitRows(shared(), writeCsv(folder, "urunler.csv", goodRows(3)));
    await addAxe(page);
    await goToPreview(page);
    let period: RunPeriodView = OPEN;
    await page.route(/\/api\/runs\/[^/?]+$/u, async (route) => {
      const response = await route.fetch();
      const run: object = await response.json();
      await route.fulfill({ response, json: { ...run, state: "finished", period } });
    });
    const look = createLook(page);
    const shown: (string | null)[] = [];
    const small: unknown[] = [];
    for (const next of STATES) {
      period = next;
      await page.setViewportSize({ width: 390, height: 844 });
      await page.reload();
      const card = page.locator(".period-card");
      await card.waitFor();
      shown.push(await card.locator(".badge").textContent());
      for (const button of await card.getByRole("button").all()) {
        const box = await button.boundingBox();
        if ((box?.height ?? 0) < 44) small.push([next.state, await button.textContent()]);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await look.screen(next.state);
    }
    period = OPEN;
    await page.reload();
    await look.dialog("change the end", ["Bitişi değiştir", "Change the end"]);
    await look.dialog("cancel the end", ["Bitişi iptal et", "Cancel the end"]);

    expect(look.found).toEqual([]);
    expect(small).toEqual([]);
    // Every other screen is looked at in Turkish.
    const others = shown.map((text, at) => (at % 2 === 0 ? text : null)).filter(Boolean);
    expect(others).toEqual(["Başlangıç: 7 Ara 2040 00:00", "Gecikti", "Geri alma durdu"]);
  });
});
