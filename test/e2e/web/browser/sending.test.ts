import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";

import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";

import { readStore, writePrices } from "../../../helpers/feed.ts";
import { openTestStore, writeConfig } from "../../../helpers/markets/test-store.ts";
import {
  goodRow,
  goodRows,
  HEADERS,
  writeCsv,
  writeText,
  writeWorkbook,
} from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, createLook, findViolations } from "../../../helpers/web/look.ts";
import {
  approve,
  goToPreview,
  goToRows,
  PAGE_POLL,
  press,
  typeRowCount,
  uploadFile,
  visitPage,
  visitRows,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

describe.skipIf(!hasBrowser)("the preview", () => {
  it("unticks all rows with one box, so that one of many can be sent alone", async () => {
    const store = await openTestStore({ products: 6 });
    const lines = store.sandbox
      .products()
      .map(({ product_code: code, stock_count: stock }) => `${code};${stock + 1}`);
    const file = writeText(store.folder, "stok.csv", `Ürün Kodu;Stok\n${lines.join("\n")}\n`);
    const { page } = await visitRows(store, file);
    await goToPreview(page);
    const all = page.getByRole("checkbox", { name: "Güncellenecek 6 satırın hepsini gönder" });
    const going = page.locator(".go p");

    await all.click();
    await expect.poll(() => going.innerText(), PAGE_POLL).toContain("Gönderilecek satır yok.");
    await page.getByRole("checkbox", { name: "3. satırı gönder" }).check();

    await expect.poll(() => going.innerText(), PAGE_POLL).toContain("1 satır gönderilecek");
    expect(await all.evaluate((box) => Reflect.get(box, "indeterminate"))).toBe(true);
    await all.click();
    await expect.poll(() => going.innerText(), PAGE_POLL).toBe("6 satır gönderilecek");
    const ticks = page.locator(".run-list .list-tick input");
    await ticks.nth(2).click();
    await ticks.nth(5).click({ modifiers: ["Shift"] });
    await expect.poll(() => going.innerText(), PAGE_POLL).toContain("2 satır gönderilecek");
    await ticks.nth(3).click({ modifiers: ["Shift"] });
    await expect.poll(() => going.innerText(), PAGE_POLL).toContain("5 satır gönderilecek");
    // The title is the store's; the file has codes and stocks alone.
    const title = store.sandbox.products()[4]?.title ?? "";
    await page.getByRole("searchbox", { name: "Ürün ara" }).fill(title);
    await press(page, "Yalnız bunları gönder");
    await expect.poll(() => going.innerText(), PAGE_POLL).toContain("1 satır gönderilecek");
  });

  it("folds a new product but for its price and stock, in the order of the file", async () => {
    const store = await openTestStore();
    const html = "<p>Deri <b>çanta</b> &amp; kayış</p><ul><li>Bir</li><li>İki</li></ul>";
    const sale = {
      "İndirim Tipi": "İndirimli Fiyat",
      "İndirim Değeri": "1,00",
      "Para Birimi": "USD",
    };
    const rows = [3, 1, 2].map((at) =>
      goodRow(at, { "Açıklama *": html, ...(at === 1 ? sale : {}) }),
    );
    const headers = [...HEADERS, "İndirim Tipi", "İndirim Değeri", "Para Birimi"];
    const lines = [headers, ...rows.map((row) => headers.map((header) => row[header] ?? ""))];
    const csv = lines.map((cells) => cells.map((cell) => `"${cell}"`).join(";")).join("\n");
    const { page } = await visitRows(store, writeText(store.folder, "yeni.csv", csv));
    await goToPreview(page);
    const shown = page.locator(".run-list [role=row]:not(:first-child)");
    await shown.nth(2).waitFor();
    const listed = await shown.allInnerTexts();
    const panel = page.getByRole("complementary", { name: "Seçili satır" });
    const open = async (at: number): Promise<readonly string[]> => {
      await shown.nth(at).getByText("alan daha").click();
      await panel.getByRole("heading").waitFor();
      const text = await panel.innerText();
      return text.split("\n").map((line) => line.trim());
    };
    const folded = await open(1);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    const inLira = await open(2);
    await panel.getByText("alan daha").click();

    expect(listed.map((text) => /TST-\d+/u.exec(text)?.[0])).toEqual([
      "TST-00003",
      "TST-00001",
      "TST-00002",
    ]);
    expect(folded).toEqual(expect.arrayContaining(["Alıcının ödediği", "1,00", "Stok"]));
    expect(folded.join(" ")).toMatch(/İndirimsiz fiyat [\d.,]+ Para Birimi USD .*\d+ alan daha/u);
    expect(inLira.join(" ")).toMatch(/Fiyat [\d.,]+ Stok \d+ \d+ alan daha/u);
    expect(inLira.join(" ")).not.toContain("Para Birimi");
    expect(await panel.innerText()).toContain("Deri çanta & kayış Bir İki");
  });

  it("shows no fall of 100 % of a price that is not gone, on the page or in the terminal", async () => {
    const store = await openTestStore({ products: 2 });
    await writeConfig(store, { priceUnit: "minor" });
    const [product] = store.sandbox.products();
    const text = `Ürün Kodu;Fiyat;İndirim Var\n${product?.product_code};1,00;Hayır\n`;
    const file = writeText(store.folder, "fiyat.csv", text);
    const { page } = await visitRows(store, file);
    await goToPreview(page);
    const { out } = await store.run("plan", file, "--lang", "tr");

    const percent = page.locator(".held .percent").first();
    await percent.waitFor();

    expect(await percent.innerText()).toMatch(/^−%99,\d+$/u);
    expect(out).toMatch(/−%99,\d+/u);
    expect(out).not.toContain("−%100");
  });
});

describe.skipIf(!hasBrowser)("the numbers of a run", () => {
  it("are those of the store in every step, whatever was ticked and unticked", async () => {
    const store = await openTestStore({ products: 4 });
    await writeConfig(store, { priceUnit: "minor" });
    const file = writePrices(store, (price, index) => (index === 0 ? price / 10 : price * 1.1));
    const { page } = await visitRows(store, file);
    await goToPreview(page);

    await page.getByRole("checkbox", { name: "4. satırı gönder" }).uncheck();
    await page.getByRole("checkbox", { name: "5. satırı gönder" }).uncheck();
    await page.getByRole("checkbox", { name: "Bu gruptaki 1 satırı" }).click();
    await page.getByText("2 satır gönderilecek").waitFor();
    const preview = await page.locator(".go").innerText();
    await press(page, "Göndermeye geç");
    const step = await page.locator("main .confirm-lines").innerText();
    await press(page, "Göndermeyi onayla…");
    const dialog = await page.getByRole("dialog").locator(".confirm-lines").innerText();
    const badge = await page.locator(".store .badge").innerText();
    const question = await page.getByRole("dialog").innerText();
    await typeRowCount(page);
    await press(page, "Şimdi gönder");
    await page.getByText("Gönderim tamamlandı").waitFor();
    const progress = await page.locator("main").innerText();
    await press(page, "Raporu aç");
    await page.getByRole("region", { name: "Gönderimin raporu" }).waitFor();
    const report = await page.locator(".run-head").innerText();
    await page.getByText("Ayrıntılar").click();
    const facts = page.locator(".run-facts");
    const maker = await facts.innerText();
    const hash = await facts.locator("code").getAttribute("title");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await press(page, "SHA-256 değerini kopyala");
    await facts.getByText("Kopyalandı").waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    const download = page.waitForEvent("download");
    await page.locator("summary", { hasText: "İndir" }).click();
    await page.getByRole("link", { name: /^Özet, programlar için JSON/u }).click();
    const json: unknown = JSON.parse(readFileSync(await (await download).path(), "utf8"));

    expect(preview).toContain("2 satır gönderilecek");
    expect(step.split("\n")).toEqual([
      "1 ürün güncellenecek",
      "1 bekletilen satır sizin onayınızla gidecek",
      "İşaretini kaldırdığınız 2 satır gönderilmeyecek",
    ]);
    expect(dialog).toBe(step);
    expect(progress).toContain("2 / 2 satır");
    expect(report.replaceAll("\n", " ")).toMatch(/^2 ürün güncellendi .*Vazgeçildi 2/u);
    expect(store.sandbox.stats().updates).toBe(2);
    // The store of the test is a program on this computer.
    expect(badge).toBe("Yerel adres");
    expect(question).toContain("Yerel / deneme adresindeki");
    expect(question).not.toContain("canlı");
    const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex");
    expect(maker).toContain(`Hazırlayan: Sayfa · ${userInfo().username}`);
    expect(maker).toContain(`${sha256.slice(0, 12)}…`);
    expect([hash, copied]).toEqual([sha256, sha256]);
    expect(json).toMatchObject({ command: "apply", exit: 0, counts: { updated: 2, cancelled: 2 } });
  });
});

const CALLS_PER_HOUR = 60;

describe.skipIf(!hasBrowser)("a store with few calls an hour", () => {
  it("is shown while sending, even when the page receives no events", async () => {
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
    const shown = await page.locator(".fact-line li").last().innerText();
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
    expect(shown).toMatch(/^\d+ istek$/u);
    expect(asked).toBe(`Gönderim: ${shown}`);
    expect(store.sandbox.stats().updates).toBeLessThan(CALLS_PER_HOUR);
  });
});

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

describe.skipIf(!hasBrowser)("a run that is paused on the page", () => {
  it("shows each pause, continues, and stays a report while its undo is prepared", async () => {
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

const QUEUED_ROWS = 40;
const SLOW_ADDS = [{ kind: "latency", endpoint: "product.add", ms: 400 }] as const;

describe.skipIf(!hasBrowser)("a queued run on the page", () => {
  it("is taken out of the queue, and else sent by a worker until its rest is given up", async () => {
    const store = await openTestStore({ faults: SLOW_ADDS });
    const adds = (): number => store.sandbox.stats().adds;
    const { page } = await visitPage(store);
    await addAxe(page);
    await page.reload();
    const look = createLook(page);
    const heading = (name: string | RegExp): Promise<void> =>
      page.getByRole("heading", { name }).waitFor(PAGE_POLL);
    await uploadFile(page, await writeWorkbook(store.folder, "a.xlsx", goodRows(QUEUED_ROWS)));
    await goToRows(page);
    await goToPreview(page);
    const run = /\/r\/([^/]+)\//u.exec(page.url())?.[1] ?? "";
    await press(page, "Göndermeye geç");

    const follower = store.run("apply", run, "--queue", "--json");
    await heading("Sırada");
    await look.screen("queued");
    await page.getByRole("link", { name: "History" }).first().click();
    await page.locator(".history-table .badge").first().waitFor();
    await look.screen("history with a queued run");
    const badge = await page.locator(".history-table .badge").first().innerText();
    await page.getByRole("link", { name: "a.xlsx" }).click();
    await press(page, "Sıradan çıkar");
    await heading("Mağazaya gönder");
    const left = await follower;
    expect([badge, left.code, adds()]).toEqual(["Sırada", 6, 0]);

    const following = store.run("apply", run, "--queue", "--json");
    await heading("Sırada");
    const worker = store.start("worker", "--json");
    onTestFinished(() => void worker.child.kill("SIGKILL"));
    await page.getByText("Bu gönderimi arka planda çalışan bir worker yapıyor.").waitFor(PAGE_POLL);
    await expect.poll(adds, PAGE_POLL).toBeGreaterThan(0);
    const violations = await findViolations(page, "light");
    await press(page, "Duraklat");
    await heading(/^Duraklattınız: \d+ \/ 40 gönderildi$/u);
    const sent = adds();
    await look.dialog("the rest of a stopped run", ["Kalanından vazgeç…", "Give up the rest…"]);
    await look.screen("stopped run");
    await press(page, "Kalanından vazgeç…");
    await press(page, "Gönderimi burada bitir");
    await heading(
      `Gönderimin kalanından vazgeçildi: ${QUEUED_ROWS} satırdan ${sent} satır işlendi`,
    );
    worker.child.kill("SIGTERM");
    await Promise.all([worker.finished, following]);

    const document = await store.json("runs", run);
    const counts = { added: sent, cancelled: QUEUED_ROWS - sent, pending: 0, unknown: 0 };
    expect([...look.found, ...violations]).toEqual([]);
    expect(sent).toBeLessThan(QUEUED_ROWS);
    expect(adds()).toBe(sent);
    expect(document).toMatchObject({ state: "finished", counts });
    expect(document).not.toHaveProperty("queue");
  });
});

describe.skipIf(!hasBrowser)("the report", () => {
  it("has each reason once after a decision, and asks about giving up without Vazgeç", async () => {
    const store = await openTestStore({ products: 8 });
    await writeConfig(store, { priceUnit: "minor" });
    const file = writePrices(store, (price, index) => price / (index === 0 ? 0.99 : 5));
    const { run } = await store.json("plan", file);
    await store.run("apply", run, "--yes");
    const { page, web } = await visitPage(store);
    await page.getByRole("heading", { name: "Ürün dosyanızı yükleyin" }).waitFor();
    await page.goto(`${web.origin}/r/${run}/report`);
    const reasons = page.getByRole("combobox", { name: "Nedenler" }).locator("option");
    await reasons.first().waitFor({ state: "attached" });
    const before = await reasons.allInnerTexts();

    await page.getByRole("checkbox", { name: "4. satırı seç" }).check();
    await press(page, "1 satırdan vazgeç");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Bekleyen satırlardan vazgeçilsin mi?" }).waitFor();
    const asked = await dialog.locator(".confirm-lines").innerText();
    const buttons = await dialog.getByRole("button").allInnerTexts();
    await dialog.getByRole("button", { name: "1 satırdan vazgeç" }).click();
    await page.getByText("6 satır kararınızı bekliyor").waitFor();
    await expect.poll(() => reasons.allInnerTexts(), PAGE_POLL).not.toEqual(before);

    const { product_code: code, price } = store.sandbox.products()[2] ?? {};
    expect(asked).toMatch(new RegExp(`^${code} .*\\nFiyat: \\S+ (?:TL )?→ \\S+`, "u"));
    expect(asked).toContain(new Intl.NumberFormat("tr").format((price ?? 0) / 100));
    expect(buttons).toEqual(["Kapat", "1 satırdan vazgeç"]);
    expect(before).toEqual(["Bütün nedenler", "Fiyat çok düşüyor (7)"]);
    expect(await reasons.count()).toBe(2);
  });
});
