import { describe, expect, it } from "vitest";

import { readStore } from "../../../helpers/feed.ts";
import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  goToPreview,
  goToRows,
  PAGE_POLL,
  press,
  typeRowCount,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

const CALLS_PER_HOUR = 60;

describe.skipIf(!hasBrowser)("a store with few calls an hour", { timeout: 180_000 }, () => {
  it("is told of while sending, also where the page gets no events", async () => {
    const store = await openTestStore({
      products: 2 * CALLS_PER_HOUR,
      requestsPerHour: CALLS_PER_HOUR,
    });
    const lines = readStore(store.sandbox).map(({ code, stock }) => `${code};${stock + 1}`);
    const file = writeText(store.folder, "stok.csv", `Ürün Kodu;Stok\n${lines.join("\n")}\n`);
    const { page } = await visitPage(store, { isServerKilled: true });
    await page.route("**/api/events**", (route) => route.abort());
    await uploadFile(page, file);
    await goToRows(page);
    await goToPreview(page);
    const shown = await page.locator(".cost").innerText();
    await press(page, "Göndermeye geç");
    await press(page, "Göndermeyi onayla…");
    const asked = await page.getByRole("dialog").locator(".cost").innerText();
    await typeRowCount(page);
    await press(page, "Şimdi gönder");

    const waiting = page.getByText(/Saatlik istek sınırı doldu; \d\d:\d\d itibarıyla/u);
    await waiting.waitFor({ timeout: 60_000 });
    const facts = page.locator(".send-facts");
    const budget = new RegExp(
      String.raw`Son bir saatteki istek\s+[1-9]\d* / ${CALLS_PER_HOUR}`,
      "u",
    );
    await expect.poll(() => facts.innerText(), PAGE_POLL).toMatch(budget);
    await press(page, "Duraklat");
    await page
      .getByRole("heading", { name: /^Duraklattınız: \d+ \/ 120 gönderildi$/u })
      .waitFor({ timeout: 60_000 });

    // The limit is not known before the store refuses a call, so that no time is promised.
    expect(shown).toMatch(/^Gönderim: \d+ istek$/u);
    expect(asked).toBe(shown);
    expect(store.sandbox.stats().updates).toBeLessThan(CALLS_PER_HOUR);
  });
});
