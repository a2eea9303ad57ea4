import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { readStore, writeFeed } from "../../../helpers/feed.ts";
import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, findViolations } from "../../../helpers/web/look.ts";
import { PAGE_POLL, press, visitPage } from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

describe.skipIf(!hasBrowser)("the screen of syncs", { timeout: 90_000 }, () => {
  it("adds a feed that it has read, syncs it, shows the result and pauses it", async () => {
    const store = await openTestStore({ products: 3 });
    const lines = readStore(store.sandbox).map(({ code, stock, priceMinor }) => ({
      code,
      stock: stock + 1,
      priceMinor,
    }));
    const feed = writeFeed(join(store.folder, "stok.csv"), lines);
    const { page } = await visitPage(store);
    await addAxe(page);
    await page.getByRole("link", { name: "Eşitleme" }).click();
    await page.reload();
    await page.getByText("Henüz eşitlenen bir kaynak yok.").waitFor();
    const item = page.locator(".made-file");

    await press(page, "Kaynak ekle");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Dosyanın yolu ya da bağlantısı").fill(feed);
    const canAddUnread = await dialog.getByRole("button", { name: "Ekle" }).isEnabled();
    await dialog.getByText("Okuma ayarları").click();
    await dialog.getByLabel("Mağazadaki fiyatların birimi").selectOption("minor");
    await press(page, "Oku ve göster");
    await dialog.getByText("stok.csv böyle okundu.").waitFor();
    await dialog.getByLabel("Ne zaman?").selectOption("day");
    await dialog.getByLabel("Saat", { exact: true }).fill("09:30");
    await dialog.getByText("İlk zamanlar").waitFor();
    const dialogViolations = await findViolations(page, "light");
    await press(page, "Ekle");
    await item.getByText("Her gün 09:30").waitFor();
    await press(page, "stok.csv: şimdi eşitle");

    await expect.poll(() => item.textContent(), PAGE_POLL).toContain("3 güncellendi");
    await press(page, "stok.csv: duraklat");
    await item.getByText("Duraklatıldı").waitFor();
    const pausedViolations = await findViolations(page, "light");
    await item.getByRole("link", { name: "Raporu aç" }).click();
    await page.waitForURL("**/r/*/report");

    expect(canAddUnread).toBe(false);
    expect([dialogViolations, pausedViolations]).toEqual([[], []]);
    expect(readStore(store.sandbox)).toEqual(lines);
  });
});
