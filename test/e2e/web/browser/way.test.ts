import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../../../helpers/source-paths.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
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
  const names = dialog.getByRole("listitem");
  const suggested = names.filter({ has: page.getByRole("radio") });
  for (let left = 3; left > 0; left -= 1) {
    await expect.poll(() => suggested.count(), PAGE_POLL).toBe(left);
    const name = suggested.first();
    const without = name.getByRole("radio", { name: /Sofra > Aksesuar .* burada yok/u });
    await name.getByRole("radio").first().waitFor();
    const isCategory = (await without.count()) > 0;
    await (isCategory ? without : name.getByRole("radio")).first().check();
    await name.getByRole("button", { name: "Uygula" }).click();
  }
  await expect.poll(() => suggested.count(), PAGE_POLL).toBe(0);
  await names.getByRole("combobox").fill("bakır");
  await dialog.getByRole("option", { name: "Anadolu Bakır" }).click();
  await expect.poll(() => names.getByRole("checkbox").isChecked(), PAGE_POLL).toBe(false);
  await names.getByRole("button", { name: "Uygula" }).click();
  await dialog.getByText("yerine “Anadolu Bakır” yazıldı").waitFor();
  await expect.poll(() => names.count(), PAGE_POLL).toBe(0);
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

describe.skipIf(!hasBrowser)("the whole way on the page", { timeout: 180_000 }, () => {
  it("corrects the sample, sends it, and takes it back", async () => {
    const store = await openTestStore();
    const { page } = await visitPage(store);
    await uploadFile(page, toAbsolutePath(SOURCE_PATHS.sampleWorkbook));
    await goToRows(page);
    await waitForStatus(page, "8 satırda hata");
    await answerNames(page);
    await typeCorrections(page);
    await waitForStatus(page, "Hata kalmadı");

    await goToPreview(page);
    await changeAndPlanAgain(page);
    const planned = await page.locator("main").innerText();
    await approve(page);
    await press(page, "Raporu aç");
    await page.getByRole("heading", { name: "Gönderimin raporu" }).waitFor();

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
    await page.getByRole("heading", { name: "Gönderimin raporu" }).waitFor();

    const stocks = new Set(store.sandbox.products().map(({ stock_count: stock }) => stock));
    expect([store.sandbox.products().length, [...stocks]]).toEqual([60, [0]]);
  });
});
