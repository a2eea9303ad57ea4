import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { goodRows, writeCsv } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, createLook } from "../../../helpers/web/look.ts";
import {
  PAGE_POLL,
  press,
  shareStore,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** Types into the palette and takes its first answer. */
async function jump(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Her şeyi ara" }).fill(text);
  await page.getByRole("dialog").getByRole("option", { selected: true }).waitFor();
  await page.keyboard.press("Enter");
}

describe.skipIf(!hasBrowser)("the command palette", () => {
  const shared = shareStore();

  it("leads to pages, settings and files by parts of their names, whatever the letters", async () => {
    const store = shared();
    const { page } = await visitPage(store);
    await uploadFile(page, writeCsv(store.folder, "ışıklı.csv", goodRows(3)));

    await jump(page, "gecmis");
    await page.waitForURL("**/history");
    await jump(page, "kuruş");
    await page.waitForURL("**/settings");
    await jump(page, "isikli");

    await page.waitForURL("**/d/*/fix");
  });

  it("finds a product by its code and opens it", async () => {
    const store = await openTestStore({ products: 5 });
    const { page } = await visitPage(store, { path: "/" });
    const [product] = store.sandbox.products();
    const { product_code: code = "", title = "" } = product ?? {};
    await press(page, "Ürünleri oku");
    await page.getByRole("row").nth(5).waitFor();

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Her şeyi ara" }).fill(code);
    await page.getByRole("option", { name: title }).waitFor();
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { name: title }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/products\/./u);
  });

  it("goes round with the arrows, does nothing on Escape, and returns the focus", async () => {
    const { page } = await visitPage(shared());
    const button = page.getByRole("button", { name: "Her şeyi ara" });

    await button.click();
    const box = page.getByRole("combobox", { name: "Her şeyi ara" });
    await box.waitFor();
    await page.keyboard.press("ArrowUp");
    const last = await page.getByRole("dialog").getByRole("option").last().textContent();
    const chosen = await page
      .getByRole("dialog")
      .getByRole("option", { selected: true })
      .textContent();
    await page.keyboard.press("Escape");

    await box.waitFor({ state: "detached" });
    await expect
      .poll(() => button.evaluate((one) => one.ownerDocument.activeElement === one), PAGE_POLL)
      .toBe(true);
    expect(chosen).toBe(last);
  });

  it("opens the list of keys with a question mark, but not while one types", async () => {
    const { page } = await visitPage(shared());
    await page.locator("main h1").first().waitFor();

    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Kısa yardım" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.goto(new URL("/history", page.url()).href);
    await page.getByRole("searchbox").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("?");

    expect(await page.getByRole("searchbox").inputValue()).toBe("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("breaks no rule of accessibility", async () => {
    const { page } = await visitPage(shared());
    await addAxe(page);
    await page.reload();
    await page.locator("main h1").first().waitFor();
    const look = createLook(page);

    await look.inBoth("palette", async () => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("option").first().waitFor();
    });

    expect(look.found).toEqual([]);
  });
});
