/** From when until when a change holds: given by keyboard, refused in words, shown and changed. */

import type { DraftPeriodBody, DraftPeriodView, PeriodBody, RunPeriodView } from "@catalog/web";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { goodRows, writeCsv } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, createLook } from "../../../helpers/web/look.ts";
import {
  goToPreview,
  PAGE_POLL,
  press,
  shareStore,
  visitRows,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

const toTime = (local: string | null) =>
  local === null
    ? null
    : { local, at: new Date(`${local}:00+03:00`).toISOString(), text: `zaman ${local}` };

const toView = ({ start, end, timeZone, fields }: PeriodBody): DraftPeriodView => ({
  timeZone: timeZone ?? "Europe/Istanbul",
  start: toTime(start),
  end: toTime(end),
  fields: fields ?? null,
});

/** Answers for the periods of drafts as the server does, and notes what it was asked. */
async function keepPeriods(page: Page): Promise<readonly PeriodBody[]> {
  const asked: PeriodBody[] = [];
  let period: DraftPeriodView | null = null;
  await page.route(/\/api\/drafts\/[^/]+(?:\/(?:period|bulk))?$/u, async (route) => {
    const request = route.request();
    const isPeriod = request.url().endsWith("/period");
    if (isPeriod) {
      const body: DraftPeriodBody = request.postDataJSON();
      if (body.period !== null) asked.push(body.period);
      period = body.period === null ? null : toView(body.period);
    }
    const response = isPeriod
      ? await route.fetch({ url: request.url().replace(/\/period$/u, ""), method: "GET" })
      : await route.fetch();
    const view: object = await response.json();
    await route.fulfill({ response, json: "columns" in view ? { ...view, period } : view });
  });
  return asked;
}

/** Goes with Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator, max = 40): Promise<void> {
  for (let at = 0; at < max; at += 1) {
    await page.keyboard.press("Tab");
    if ((await element.and(page.locator(":focus")).count()) === 1) return;
  }
  throw new Error("the Tab key does not stop there");
}

describe.skipIf(!hasBrowser)("a period of a change", () => {
  const shared = shareStore({ products: 3 });
  const visit = async (options = {}) => {
    const { folder } = shared();
    return await visitRows(shared(), writeCsv(folder, "urunler.csv", goodRows(3)), options);
  };

  it("is given with a bulk change by keyboard alone", async () => {
    const { page } = await visit();
    const asked = await keepPeriods(page);
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

    expect(asked).toEqual([
      { start: null, end: "2040-12-07T00:00", timeZone: "Europe/Istanbul", fields: ["price"] },
    ]);
  });

  it("is refused at its field in words, and changes nothing", async () => {
    const { page } = await visit();
    const asked = await keepPeriods(page);
    await press(page, "Süre koy…");
    const dialog = page.getByRole("dialog");
    const saidOf = async (digits: string): Promise<string | null> => {
      await dialog.locator("[data-type=day]").last().click();
      await page.keyboard.type(digits);
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
    await dialog.locator("[data-type=day]").first().click();
    await page.keyboard.type("081220400900");
    expect(await saidOf("071220400000")).toBe("Bitiş başlangıçtan sonra olmalı.");
    expect(asked).toEqual([]);
  });

  it("is promised in words before a plan is approved, and sent with the approval", async () => {
    const { page } = await visit();
    await keepPeriods(page);
    await goToPreview(page);
    await press(page, "Süre koy…");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Bitiş", { exact: true }).selectOption("yes");
    await dialog.locator("[data-type=day]").click();
    await page.keyboard.type("071220400000");
    await press(page, "Kaydet");
    await dialog.waitFor({ state: "detached" });
    await press(page, "Göndermeye geç");
    const promised = page.locator(".period-promise");
    await promised.waitFor();
    await page.reload();

    await expect
      .poll(() => promised.textContent(), PAGE_POLL)
      .toMatch(
        /7 Aralık 2040 Cuma 00:00'da \(Türkiye saati\) değişiklikler geri alınır; .*worker/u,
      );
    await press(page, "Göndermeyi onayla…");
    expect(await dialog.locator(".period-promise").count()).toBe(1);
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
      await route.fulfill({ response, json: { ...run, state: "planned", period } });
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
