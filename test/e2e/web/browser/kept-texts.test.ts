/** What stands in a cell stays as it is, but for what is typed there. */

import { join } from "node:path";

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { goodRow, HEADERS, writeText } from "../../../helpers/product-sheet.ts";
import { columnOf, readTable } from "../../../helpers/read-table.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  cellAt,
  goToRows,
  PAGE_POLL,
  press,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

const CODE = 2;
/** Column of the descriptions. */
const TEXT = 8;

/** Texts that a line of input would change, one for each row from 2 on. */
const TEXTS: readonly string[] = [
  "Birinci satır\nİkinci satır\n\nDördüncü satır",
  "Windows\r\nsatırları\r\n",
  "eski\rsatır\rsonu",
  "\n  önde ve sonda boşluk\t\n",
  "sekme\tarada,\u00a0bölünmez\u2003boşluk",
  "denetim\u0001imi\u000bvar",
  `uzun ${"metin ".repeat(2_000)}\nson`,
];

const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows
    .map((row) => row.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(";"))
    .join("\r\n");

async function openTexts(): Promise<{ readonly page: Page; readonly folder: string }> {
  const store = await openTestStore();
  const rows = TEXTS.map((text, at) => goodRow(at + 1, { "Açıklama *": text }));
  // Workbooks hold line feeds alone.
  const cells = [...rows, goodRow(50)].map((row) => HEADERS.map((header) => row[header] ?? ""));
  const file = writeText(store.folder, "metin.csv", toCsv([HEADERS, ...cells]));
  const { page } = await visitPage(store, { width: 2300, height: 1200 });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await uploadFile(page, file);
  await goToRows(page);
  return { page, folder: store.folder };
}

const textsOf = (page: Page, rows: number): Promise<readonly (string | null)[]> =>
  Promise.all(Array.from({ length: rows }, (_, at) => cellAt(page, at + 2, TEXT).textContent()));

/** Opens the editor of a description, presses keys in it, and leaves it. */
async function editText(page: Page, row: number, ...keys: readonly string[]): Promise<void> {
  await cellAt(page, row, TEXT).click();
  await page.keyboard.press(row % 2 === 0 ? "F2" : "Enter");
  await page.locator("textarea.cell-input, input.cell-input").waitFor();
  for (const key of keys) await page.keyboard.press(key);
  await page.keyboard.press("Enter");
}

describe.skipIf(!hasBrowser)("texts that an editor cannot hold", { timeout: 180_000 }, () => {
  it("stay as they are where nothing or one sign is typed, in the table and in its workbook", async () => {
    const { page, folder } = await openTexts();
    const edits: unknown[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/edits")) edits.push(request.postDataJSON());
    });

    let saved = 0;
    page.on("requestfinished", (request) => {
      if (request.url().endsWith("/edits")) saved += 1;
    });

    for (const at of TEXTS.keys()) await editText(page, at + 2);
    expect(await textsOf(page, TEXTS.length)).toEqual(TEXTS);
    expect(edits).toEqual([]);
    for (const at of TEXTS.keys()) await editText(page, at + 2, "Home", "x");

    const after = await textsOf(page, TEXTS.length);
    expect(after.map((text) => text?.replace("x", ""))).toEqual(TEXTS);
    await expect.poll(() => saved, PAGE_POLL).toBe(TEXTS.length);
    const path = join(folder, "inen.xlsx");
    const download = page.waitForEvent("download");
    await page.locator("a[download]").first().click();
    await (await download).saveAs(path);
    const written = columnOf(await readTable(path), "Açıklama *").slice(0, TEXTS.length);
    expect(written).toEqual(after.map((text) => text?.replaceAll("\r\n", "\n")));
  });

  it("are copied, filled and searched without a change", async () => {
    const { page } = await openTexts();
    for (const at of [0, 1, 2]) {
      await cellAt(page, at + 2, TEXT).click();
      await page.keyboard.press("Control+c");
      await cellAt(page, TEXTS.length + 2, TEXT).click();
      await page.keyboard.press("Control+v");
      await expect
        .poll(() => cellAt(page, TEXTS.length + 2, TEXT).textContent(), PAGE_POLL)
        .toBe(TEXTS[at]);
    }
    await cellAt(page, 3, TEXT).click();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Control+d");
    await expect.poll(() => cellAt(page, 4, TEXT).textContent(), PAGE_POLL).toBe(TEXTS[1]);

    await cellAt(page, 2, CODE).click();
    await page.keyboard.press("Control+f");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Bul", { exact: true }).fill("satır");
    await dialog.getByLabel("Yerine yaz").fill("SIRA");
    await dialog.getByRole("table").waitFor();
    await press(page, "Hepsini değiştir");
    await expect
      .poll(() => cellAt(page, 2, TEXT).textContent(), PAGE_POLL)
      .toBe("Birinci SIRA\nİkinci SIRA\n\nDördüncü SIRA");
    expect(await cellAt(page, 3, TEXT).textContent()).toBe("Windows\r\nSIRAları\r\n");
  });

  it("take new lines with Alt and Shift, and replace a cell only where it is typed over", async () => {
    const { page } = await openTexts();

    await editText(page, 2, "Control+End", "Alt+Enter", "a", "Shift+Enter", "b");
    await editText(page, 3, "Control+End", "Alt+Enter", "c");
    await cellAt(page, 4, TEXT).click();
    await page.keyboard.type("yeni");
    await page.keyboard.press("Enter");
    await cellAt(page, 5, TEXT).click();
    await page.keyboard.press("F2");
    await page.keyboard.type("silinecek");
    await page.keyboard.press("Escape");

    await expect
      .poll(() => textsOf(page, 4), PAGE_POLL)
      .toEqual([`${TEXTS[0]}\na\nb`, `${TEXTS[1]}\r\nc`, "yeni", TEXTS[3]]);
  });
});
