/** The page while its PostgreSQL server is away, as at a restart. */

import { join } from "node:path";

import {
  createTestDatabase,
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from "@catalog/database/testing";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../../helpers/markets/test-store.ts";
import { startCatalog } from "../../../helpers/processes/catalog-process.ts";
import { goodRows, writeCsv } from "../../../helpers/product-sheet.ts";
import { openBrowserPage } from "../../../helpers/web/browser.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { openWeb } from "../../../helpers/web/open-web.ts";
import {
  cellAt,
  goToRows,
  PAGE_POLL,
  typeInCell,
  uploadFile,
} from "../../../helpers/web/page-steps.ts";

const isOn = (await findBrowser()) !== undefined && hasPostgres();

const TITLE = 3;

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
  const web = await openWeb({ start: (...args) => startCatalog(args, { env, cwd: shop.folder }) });
  const { page, errors } = await openBrowserPage();
  // The browser tells of each refusal.
  onTestFinished(() =>
    expect(errors.filter((text) => !text.includes("status of 503"))).toEqual([]),
  );
  await page.goto(web.url);
  await page.locator("main h1").first().waitFor();
  return { shop, server, page };
}

describe.skipIf(!isOn)("a page whose database is away", { timeout: 180_000 }, () => {
  it("says so quietly, keeps what is typed, and goes on by itself (#37)", async () => {
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
    await expect.poll(() => cellAt(page, 2, TITLE).textContent(), PAGE_POLL).toBe("Birinci");
    expect(alerts).toBe(0);
  });

  it("says so on a screen of which nothing was read yet, and shows it then (#37)", async () => {
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
