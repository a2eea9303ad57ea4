import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { readStore, writeFeed } from "../../../helpers/feed.ts";
import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { addMissedSchedule, openStore } from "../../../helpers/note-schedule.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, findViolations } from "../../../helpers/web/look.ts";
import { PAGE_POLL, press, visitPage } from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** Gives a column of a feed another header. */
function rename(feed: string, from: string, to: string): void {
  writeFileSync(feed, readFileSync(feed, "utf8").replace(`;${from};`, `;${to};`));
}

describe.skipIf(!hasBrowser)("the screen of syncs", () => {
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
    await page.getByText("Henüz kaynak yok.").waitFor();
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

  it("shows what a feed in shadow would send, and lets it send", async () => {
    const store = await openTestStore({ products: 12 });
    const before = readStore(store.sandbox);
    const lines = before.map(({ code, stock, priceMinor }, at) => ({
      code,
      stock: stock + 1,
      priceMinor: at === 3 ? priceMinor * 10 : priceMinor,
    }));
    const feed = writeFeed(join(store.folder, "stok.csv"), lines);
    const { page } = await visitPage(store);
    await addAxe(page);
    await page.getByRole("link", { name: "Eşitleme" }).click();
    await page.reload();
    const item = page.locator(".made-file");
    const dialog = page.getByRole("dialog");
    await press(page, "Kaynak ekle");
    await dialog.getByLabel("Dosyanın yolu ya da bağlantısı").fill(feed);
    await dialog.getByText("Okuma ayarları").click();
    await dialog.getByLabel("Mağazadaki fiyatların birimi").selectOption("minor");
    await dialog.getByLabel("Ne yapsın?").selectOption("shadow");
    await press(page, "Oku ve göster");
    await dialog.getByText("stok.csv böyle okundu.").waitFor();
    await press(page, "Ekle");
    await item.getByText("Gölge: göndermiyor").waitFor();
    await press(page, "stok.csv: şimdi eşitle");
    await expect.poll(() => item.textContent(), PAGE_POLL).toContain("güncellenirdi");
    const shown = (await item.textContent()) ?? "";
    const listViolations = await findViolations(page, "light");

    await press(page, "stok.csv: gölgede ne gönderirdi?");
    await dialog.getByText("Son plan").waitFor();
    const dialogViolations = await findViolations(page, "light");
    const unsent = readStore(store.sandbox);
    await press(page, "Göndermeye başla");
    await item.getByText("Gölge: göndermiyor").waitFor({ state: "detached" });
    await press(page, "stok.csv: şimdi eşitle");
    await expect.poll(() => item.textContent(), PAGE_POLL).toContain("onay bekliyor");
    await press(page, "stok.csv: geçmiş eşitlemeler");
    await dialog.getByText("Raporu aç").first().waitFor();
    const history = (await dialog.textContent()) ?? "";

    expect(shown).not.toContain("Sağlıklı");
    expect([listViolations, dialogViolations]).toEqual([[], []]);
    expect(unsent).toEqual(before);
    expect(history).toMatch(/güncellendi.*Gölge.*güncellenirdi/su);
  });

  it("asks about a column it cannot map, and asks again when the header changes", async () => {
    const store = await openTestStore({ products: 3 });
    const lines = readStore(store.sandbox).map(({ code, stock, priceMinor }) => ({
      code,
      stock: stock + 1,
      priceMinor,
    }));
    const feed = writeFeed(join(store.folder, "stok.csv"), lines);
    rename(feed, "Stok", "Kalan");
    mkdirSync(join(store.folder, "raporlar"));
    const earlier = join(store.folder, "liste.csv");
    writeFileSync(earlier, "Ürün Kodu;Stok\r\nYOK-1;1\r\n");
    await store.run("plan", earlier, "--lang", "tr");
    const { page } = await visitPage(store);
    await addAxe(page);
    await page.getByRole("link", { name: "Eşitleme" }).click();
    await page.reload();
    const item = page.locator(".made-file");
    const dialog = page.getByRole("dialog");

    await press(page, "Kaynak ekle");
    await press(page, "Dosya ya da klasör seç…");
    await dialog.getByText("Son kullanılanlar:").waitFor();
    await dialog.getByRole("button", { name: "raporlar" }).click();
    await dialog.getByText("Bu klasörde alınabilecek bir dosya").waitFor();
    const chooserViolations = await findViolations(page, "light");
    await press(page, "Üst klasör");
    await dialog.getByRole("button", { name: "stok.csv" }).click();
    const chosen = await dialog.getByLabel("Dosyanın yolu ya da bağlantısı").inputValue();
    await press(page, "Oku ve göster");
    await dialog.getByText("yanıtlamanız gereken 1 soru var").waitFor();
    const asked = await dialog.getByRole("row", { name: "Kalan" }).textContent();
    const canAddAsked = await dialog.getByRole("button", { name: "Ekle" }).isEnabled();
    const askedViolations = await findViolations(page, "light");
    await dialog.getByLabel("Kalan: ne olarak alınır?").selectOption({ label: "Stok" });
    await dialog.getByText("stok.csv böyle okundu.").waitFor();
    await dialog.getByLabel("Fiyatların birimi", { exact: true }).selectOption({ label: "Kuruş" });
    await dialog.getByLabel("Fiyatların birimi", { exact: true }).waitFor({ state: "hidden" });
    await press(page, "Ekle");
    await press(page, "stok.csv: şimdi eşitle");
    await expect.poll(() => item.textContent(), PAGE_POLL).toContain("3 güncellendi");
    await item.getByText("Zamanını bekliyor").waitFor();
    rename(feed, "Kalan", "Bakiye");
    await press(page, "stok.csv: şimdi eşitle");
    await item.getByText("Yanıtınızı bekliyor").waitFor();
    const whileAsking = await item.textContent();
    await page.goto(new URL("/history", page.url()).href);
    const entry = page.getByRole("row").filter({ hasText: "Alınmadı" });
    await entry.getByRole("link").click();
    await page.getByRole("heading", { name: "Kaynak alınmadı" }).waitFor();
    const opened = await page.locator("main").innerText();
    const refusedViolations = await findViolations(page, "light");
    const controls = await page.locator("main").locator("button, [role=progressbar]").count();
    await page.getByRole("link", { name: "Eşitlemeyi aç" }).click();
    await press(page, "stok.csv: soruları yanıtla");
    await dialog.getByText("Stok (“Kalan”) bu dosyada bulunamadı.").waitFor();
    const againViolations = await findViolations(page, "dark");
    await dialog.getByLabel("Bakiye: ne olarak alınır?").selectOption({ label: "Stok" });
    await press(page, "Kaydet");
    await press(page, "stok.csv: şimdi eşitle");
    await item.getByText("Sağlıklı").waitFor();

    expect(whileAsking).not.toContain("Sağlıklı");
    expect(chosen).toBe(feed);
    expect(opened).toContain("Bakiye");
    expect(controls).toBe(0);
    expect(refusedViolations).toEqual([]);
    expect(asked).toContain("“Kalan” sütunu");
    expect(canAddAsked).toBe(false);
    expect([chooserViolations, askedViolations, againViolations]).toEqual([[], [], []]);
    expect(readStore(store.sandbox)).toEqual(lines);
  });

  it.each([
    {
      what: "looks incomplete",
      kept: 2,
      said: "satır: 2 / 4",
      asks: "eksik ürünler mağazada olduğu gibi kalır",
    },
    {
      what: "no price rule is for",
      rules: "No;Tedarikçi;Kâr ekle %\n1;beta;10\n",
      said: "“beta”",
      asks: "kâr eklenmeden",
    },
  ])("takes a file that $what once a person has said so", async ({ rules, kept, said, asks }) => {
    const store = await openTestStore({ products: 4 });
    const lines = readStore(store.sandbox).map(({ code, stock, priceMinor }) => ({
      code,
      stock: stock + 1,
      priceMinor,
    }));
    const feed = writeFeed(join(store.folder, "stok.csv"), lines);
    await store.run("sync", feed, "--price-unit", "minor");
    writeFeed(feed, lines.slice(0, kept));
    if (rules !== undefined) {
      writeFileSync(join(store.folder, "kurallar.csv"), rules);
      await store.json("rules", "price", "import", "kurallar.csv");
    }
    await addMissedSchedule(store, feed);
    const { page } = await visitPage(store);
    await addAxe(page);
    await page.getByRole("link", { name: "Eşitleme" }).click();
    await page.reload();
    const item = page.locator(".made-file").first();

    await item.getByText("Yanıtınızı bekliyor").waitFor();
    const refused = await item.textContent();
    await press(page, "stok.csv: bu seferlik al");
    const dialog = page.getByRole("dialog");
    const asked = await dialog.textContent();
    const violations = await findViolations(page, "light");
    await dialog.getByRole("button", { name: "Bu seferlik al" }).click();
    await item.getByText("Sağlıklı").waitFor();

    expect(refused).toContain(said);
    expect(asked).toContain(asks);
    expect(refused).not.toContain("--");
    expect(violations).toEqual([]);
  });

  it("shows a sync that no longer does its job, there and in the navigation", async () => {
    const store = await openTestStore({ products: 3 });
    const id = await addMissedSchedule(store, join(store.folder, "yok.csv"));
    await using connection = await openStore(store);
    const succeededAtMs = Date.now() - 90 * 86_400_000;
    await connection.memory.schedules.update(id, { succeededAtMs });
    const { page } = await visitPage(store);
    await addAxe(page);

    const link = page.getByRole("link", { name: "1 eşitleme işini yapamıyor" });
    await link.click();
    await page.reload();
    const item = page.locator(".made-file");
    await item.getByText("Sağlıksız (şu zamandan beri:").waitFor();
    await item.getByText("Son eşitleme işini yapamadı.").waitFor();
    const violations = [...(await findViolations(page, "light"))];
    await page.locator(".top .languages button[lang=en]").click();
    await item.getByText("Unhealthy (since").waitFor();
    violations.push(...(await findViolations(page, "dark")));
    await press(page, "yok.csv: pause");
    await page.getByRole("link", { name: "Sync", exact: true }).waitFor();

    expect(violations).toEqual([]);
    expect(await item.getByText("Unhealthy").count()).toBe(0);
  });
});
