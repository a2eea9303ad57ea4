/** The page while its PostgreSQL server is away, as at a restart. */

import { join } from "node:path";

import {
  createTestDatabase,
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from "@catalog/database/testing";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../../helpers/markets/test-store.ts";
import { goodRows, writeCsv } from "../../../helpers/product-sheet.ts";
import { openBrowserPage } from "../../../helpers/web/browser.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { openWeb, startWeb } from "../../../helpers/web/open-web.ts";
import {
  activeCellName,
  approve,
  cellAt,
  goToPreview,
  goToRows,
  PAGE_POLL,
  press,
  typeInCell,
  typeRowCount,
  uploadFile,
  visitPage,
  expectText,
  visitRows,
  linkTo,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

const TITLE = 3;

/** Loads the document anew and tells its address and heading. */
async function reload(page: Page): Promise<readonly [path: string, heading: string]> {
  await page.reload();
  const heading = page.locator("h1").first();
  await heading.waitFor({ state: "attached" });
  return [
    new URL(page.url()).pathname.split("/").at(-1) ?? "",
    (await heading.textContent()) ?? "",
  ];
}

/** Opens another tab of the same browser, which shares the session. */
async function openTab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await cellAt(page, 2, TITLE).waitFor();
  return page;
}

/** Whether the page may be left without a question. */
const LEAVES_UNASKED = `dispatchEvent(new Event("beforeunload", { cancelable: true }))`;

describe.skipIf(!hasBrowser)("tabs of the page", () => {
  it("a reload keeps each step", async () => {
    const store = await openTestStore();
    const file = writeCsv(store.folder, "a.csv", goodRows(5));
    const { page } = await visitPage(store);
    const places: (readonly [string, string])[] = [];

    await uploadFile(page, file);
    places.push(await reload(page));
    await press(page, "Sütunlara geç");
    places.push(await reload(page));
    await press(page, "Düzeltmeye geç");
    await cellAt(page, 2, TITLE).waitFor();
    places.push(await reload(page));
    await cellAt(page, 2, TITLE).waitFor();
    await goToPreview(page);
    places.push(await reload(page));
    await press(page, "Göndermeye geç");
    places.push(await reload(page));
    await press(page, "Göndermeyi onayla…");
    await typeRowCount(page);
    await press(page, "Şimdi gönder");
    await press(page, "Raporu aç");
    places.push(await reload(page));

    expect(places).toEqual([
      ["file", "Dosya doğru okunmuş mu?"],
      ["columns", "Sütunlar ne anlama geliyor?"],
      ["fix", "Hataları düzeltin"],
      ["preview", "5 ürün eklenecek"],
      ["send", "Mağazaya gönder"],
      ["report", "5 ürün eklendi"],
    ]);
  });

  it("a tab that another was ahead of says so, and loses nothing", async () => {
    const store = await openTestStore();
    const file = writeCsv(store.folder, "a.csv", goodRows(5));
    const { page } = await visitRows(store, file);
    const second = await openTab(page.context(), page.url());
    // The second tab hears of no change while it is offline to events.
    await second.route("**/api/events**", (route) => route.abort());
    await second.reload();
    await cellAt(second, 2, TITLE).waitFor();

    await typeInCell(page, cellAt(page, 2, TITLE), "Birinci sekme");
    await expect
      .poll(() => page.getByRole("button", { name: "Geri al" }).isEnabled(), PAGE_POLL)
      .toBe(true);
    await typeInCell(second, cellAt(second, 3, TITLE), "İkinci sekme");
    await second.getByText("Bu taslak başka bir sekmede değişti").waitFor();
    await expectText(cellAt(second, 2, TITLE), "Birinci sekme");
    await press(second, "Değişikliğimi uygula");
    await expectText(cellAt(page, 3, TITLE), "İkinci sekme");
    expect(await cellAt(page, 2, TITLE).textContent()).toBe("Birinci sekme");
  });

  it("save at once and hear of each other, however many are open", async () => {
    const store = await openTestStore();
    const { page } = await visitRows(store, writeCsv(store.folder, "a.csv", goodRows(5)));
    const tabs = [page];
    // A browser opens six connections to a host.
    while (tabs.length < 7) {
      const tab = await page.context().newPage();
      await tab.goto(page.url());
      tabs.push(tab);
    }
    const last = tabs.at(-1) ?? page;
    await cellAt(last, 2, TITLE).waitFor();

    await typeInCell(last, cellAt(last, 2, TITLE), "Yedinci sekme");

    for (const tab of tabs) {
      await expectText(cellAt(tab, 2, TITLE), "Yedinci sekme");
    }
  });

  it("keep what is typed while the server is down, and save it when it is back", async () => {
    const store = await openTestStore();
    const web = await startWeb(store);
    const file = writeCsv(store.folder, "a.csv", goodRows(5));
    const { page } = await visitRows({ ...store, web }, file, { isServerKilled: true });
    web.process.child.kill("SIGKILL");
    await web.process.finished;

    await typeInCell(page, cellAt(page, 2, TITLE), "Birinci");
    await page.getByText("1 değişikliğiniz henüz kaydedilmedi").waitFor();
    await typeInCell(page, cellAt(page, 3, TITLE), "İkinci");
    await page.getByText("2 değişikliğiniz henüz kaydedilmedi").waitFor();
    await typeInCell(page, cellAt(page, 3, TITLE), "Üçüncü");
    await page.getByText("2 değişikliğiniz henüz kaydedilmedi").waitFor();
    await cellAt(page, 5, TITLE).click();
    await openWeb(store, "--port", new URL(web.origin).port);

    await page.getByText("Programa ulaşılamıyor").waitFor({ state: "detached" });
    await expect
      .poll(() => page.getByRole("button", { name: "Geri al" }).isEnabled(), PAGE_POLL)
      .toBe(true);
    await expect.poll(() => activeCellName(page), PAGE_POLL).toContain("5. satır");
    expect(await page.locator('[role=gridcell][aria-selected="true"]').count()).toBe(1);
    // The page asks before it is left as long as a change is not saved.
    await expect.poll(() => page.evaluate(LEAVES_UNASKED), PAGE_POLL).toBe(true);
    await page.reload();
    await expectText(cellAt(page, 2, TITLE), "Birinci");
    await expectText(cellAt(page, 3, TITLE), "Üçüncü");
  });

  it("say once that the server is away, also where rows are still to be read", async () => {
    const store = await openTestStore();
    const web = await startWeb(store);
    const file = writeCsv(store.folder, "a.csv", goodRows(600));
    const { page } = await visitRows({ ...store, web }, file, { isServerKilled: true });
    await cellAt(page, 2, TITLE).click();
    const failed = page.waitForEvent("requestfailed", (request) => /\/rows/u.test(request.url()));
    web.process.child.kill("SIGKILL");
    await web.process.finished;

    await page.keyboard.press("Control+End");
    await failed;
    const notice = page.getByText("Programa ulaşılamıyor");
    await notice.waitFor();
    // It is asked for again; by then the page has drawn what became of the first time.
    await page.waitForEvent("requestfailed", (request) => /\/rows/u.test(request.url()));
    const shown = await notice.count();
    await openWeb(store, "--port", new URL(web.origin).port);
    await notice.waitFor({ state: "detached" });

    expect(shown).toBe(1);
    await cellAt(page, 601, TITLE).getByText("Deneme ürünü 600").waitFor();
  });

  it("say that a change is being saved while the server does not answer", async () => {
    const store = await openTestStore();
    const web = await startWeb(store);
    const file = writeCsv(store.folder, "a.csv", goodRows(5));
    const { page } = await visitRows({ ...store, web }, file);
    const notice = page.getByText("1 değişikliğiniz henüz kaydedilmedi");
    web.process.child.kill("SIGSTOP");
    onTestFinished(() => void web.process.child.kill("SIGCONT"));

    await typeInCell(page, cellAt(page, 2, TITLE), "Birinci");
    await notice.waitFor();
    const shown = await page.locator(".offline").innerText();
    web.process.child.kill("SIGCONT");
    await notice.waitFor({ state: "detached" });

    expect(shown).toContain("Kaydediliyor…");
  });

  it("keep what is typed after the session ends, and save it in the next session", async () => {
    const store = await openTestStore();
    const { page } = await visitRows(store, writeCsv(store.folder, "a.csv", goodRows(5)), {
      isSessionLost: true,
    });
    await page.context().clearCookies();

    await typeInCell(page, cellAt(page, 2, TITLE), "Birinci");
    await page.getByText("1 değişikliğiniz bu sekmede bekliyor").waitFor();
    await typeInCell(page, cellAt(page, 3, TITLE), "İkinci");
    await page.getByText("2 değişikliğiniz bu sekmede bekliyor").waitFor();
    const document = await store.json("web");
    const other = await page.context().newPage();
    await other.goto(document.url);
    await other.locator("h1").first().waitFor();

    await page.getByText("bu sekmede bekliyor").waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(LEAVES_UNASKED), PAGE_POLL).toBe(true);
    await page.reload();
    await expectText(cellAt(page, 2, TITLE), "Birinci");
    await expectText(cellAt(page, 3, TITLE), "İkinci");
  });

  it("continues by itself after the server is killed and restarted while sending", async () => {
    const store = await openTestStore({
      faults: [{ kind: "latency", endpoint: "product.add", ms: 400 }],
    });
    const file = writeCsv(store.folder, "a.csv", goodRows(40));
    const web = await startWeb(store);
    const { page } = await visitRows({ ...store, web }, file, { isServerKilled: true });
    await goToPreview(page);
    await approve(page);
    await expect
      .poll(() => store.sandbox.stats().adds, { ...PAGE_POLL, interval: 5 })
      .toBeGreaterThan(0);

    web.process.child.kill("SIGKILL");
    await web.process.finished;
    const sent = store.sandbox.stats().adds;
    await openWeb(store, "--port", new URL(web.origin).port);
    await press(page, "Raporu aç");

    expect(sent).toBeLessThan(40);
    expect(store.sandbox.stats().adds).toBe(40);
    expect(new Set(store.sandbox.products().map(({ title }) => title)).size).toBe(40);
  });
});

const isOn = (await findBrowser()) !== undefined && hasPostgres();

interface Place {
  readonly shop: TestStore;
  readonly server: PostgresServer;
  readonly page: Page;
}

async function openPlace(): Promise<Place> {
  const shop = await openTestStore();
  const server = await startPostgres();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { url } = await createTestDatabase({ server: server.url });
  const own = { CATALOG_HOME: join(shop.folder, "home"), CATALOG_DATABASE_URL: url };
  const env = { ...shop.env, ...own };
  const web = await openWeb({ env, folder: shop.folder });
  const { page, errors } = await openBrowserPage();
  // The browser tells of each refusal.
  onTestFinished(() =>
    expect(errors.filter((text) => !text.includes("status of 503"))).toEqual([]),
  );
  await page.goto(linkTo(web.url));
  await page.locator("main h1").first().waitFor();
  return { shop, server, page };
}

describe.skipIf(!isOn)("a page whose database is away", () => {
  it("says so quietly, keeps what is typed, and continues by itself (#37)", async () => {
    const { shop, server, page } = await openPlace();
    await uploadFile(page, writeCsv(shop.folder, "a.csv", goodRows(5)));
    await goToRows(page);
    await cellAt(page, 2, TITLE).getByText("Deneme").waitFor();
    const banner = page.locator(".offline");

    await server.stop();
    await typeInCell(page, cellAt(page, 2, TITLE), "Birinci");
    await banner.getByText("Veritabanına ulaşılamıyor, bekleniyor.").waitFor();
    await banner.getByText("1 değişikliğiniz henüz kaydedilmedi").waitFor();
    const alerts = await page.getByRole("alert").count();
    await server.start();

    await banner.waitFor({ state: "detached" });
    await page.reload();
    await expectText(cellAt(page, 2, TITLE), "Birinci");
    expect(alerts).toBe(0);
  });

  it("says so on a screen that is still loading, and shows it later (#37)", async () => {
    const { server, page } = await openPlace();
    await page.locator(".top .languages button[lang=en]").click();
    const banner = page.locator(".offline");

    await server.stop();
    await page.getByRole("link", { name: "History" }).click();
    await banner
      .getByText("The database cannot be reached; the program is waiting for it.")
      .waitFor();
    await page.locator("main .waiting").first().waitFor();
    const alerts = await page.getByRole("alert").count();
    await server.start();

    await banner.waitFor({ state: "detached" });
    await page.getByText("No run yet.").waitFor();
    expect(alerts).toBe(0);
  });
});
