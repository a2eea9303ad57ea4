import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openHostileMarket } from "../../../helpers/markets/hostile-market.ts";
import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { startCatalog } from "../../../helpers/processes/catalog-process.ts";
import { goodRow, writeSheets } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  approve,
  cellAt,
  goToPreview,
  PAGE_POLL,
  press,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

const IMAGE = "<img src=x onerror=alert(1)>";

/** Texts that would run a script where a page took them as markup, as an attribute or as a link. */
const SCRIPTS: readonly string[] = [
  IMAGE,
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)' x='",
  "javascript:alert(1)",
  "<iframe srcdoc='<script>parent.alert(1)</script>'>",
  "{{constructor.constructor('alert(1)')()}}",
  "${alert(1)}",
  "<math><mi xlink:href=javascript:alert(1)>x</mi></math>",
  "]]><script>alert(1)</script>",
];

/** Elements that only such a text makes. */
const MADE = "img[src=x], svg[onload], iframe, script:not([src]), [onerror], [onmouseover], math";

const SENDING_MS = 150_000;

/** Fails where an element was made of a text. */
async function expectTexts(page: Page): Promise<void> {
  expect(await page.locator(MADE).count()).toBe(0);
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
}

describe.skipIf(!hasBrowser)("texts that look like scripts", { timeout: 2 * SENDING_MS }, () => {
  it("stay texts in names of files and sheets, in headers, cells and refusals", async () => {
    const shop = await openTestStore();
    const market = { suffix: "", refusal: ` ${SCRIPTS.join(" ")}` };
    const env = { ...shop.env, CATALOG_BASE_URL: await openHostileMarket(shop.sandbox, market) };
    const rows = SCRIPTS.map((text, index) =>
      goodRow(index + 1, { "Başlık *": text, "Açıklama *": `Metin ${text}`, [IMAGE]: text }),
    );
    const unknown = goodRow(20, { "Marka *": IMAGE, "Fiyat *": IMAGE });
    const file = await writeSheets(shop.folder, `${IMAGE}.xlsx`, {
      "<img src=x onerror=alert(1)>": [...rows, unknown],
      "<script>alert(1)": [goodRow(30)],
    });
    const start = (...args: readonly string[]) => startCatalog(args, { env, cwd: shop.folder });
    const { page } = await visitPage({ start }, { width: 2300, height: 1200 });
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });

    await uploadFile(page, file);
    await page.getByRole("checkbox", { name: "<script>alert(1)" }).uncheck({ force: true });
    await press(page, "İşaretli sayfayı oku");
    await press(page, "Sütunlara geç");
    await expectTexts(page);
    await press(page, "Düzeltmeye geç");
    await cellAt(page, 2, 2).waitFor();
    await press(page, "Tanınmayan 1 ad");
    await page.getByRole("dialog").getByText(IMAGE).first().waitFor();
    await expectTexts(page);
    await page.keyboard.press("Escape");
    await goToPreview(page);
    await expectTexts(page);
    await approve(page);
    // Refused rows are looked up before they are given up, which takes long on a busy machine.
    await page.getByRole("button", { name: "Raporu aç" }).click({ timeout: SENDING_MS });
    await page.getByRole("heading", { name: "Gönderimin raporu" }).waitFor();
    await page.getByText("Olmadı").first().waitFor();
    await expectTexts(page);
    await page.goto(new URL("/history", page.url()).href);
    await page.getByText(IMAGE).first().waitFor();
    await expectTexts(page);
    const [report = ""] = globSync(join(shop.folder, "**/report.html"));
    const printed = await page.context().newPage();
    await printed.goto(pathToFileURL(report).href);
    await expect.poll(() => printed.locator("body").innerText(), PAGE_POLL).toContain("alert(1)");

    expect(await printed.locator("img[src=x], svg[onload], iframe, [onerror]").count()).toBe(0);
    expect(dialogs).toEqual([]);
    expect(shop.sandbox.products().length).toBeGreaterThan(8);
  });
});
