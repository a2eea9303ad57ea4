import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { goodRow, writeCsv } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  activeCellName,
  cellAt,
  goToRows,
  PAGE_POLL,
  press,
  uploadFile,
  visitPage,
  waitForStatus,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

const CODE = 2;
const TITLE = 3;
const SUBTITLE = 4;
const PRICE = 9;

/** Those of rows 10, 20 and 30. */
const BAD_PRICES: ReadonlySet<number> = new Set([8, 18, 28]);

/** Rows 2 to 41; row 5 has a title with Turkish letters, and three rows have a bad price. */
async function openGrid(): Promise<Page> {
  const store = await openTestStore();
  const rows = Array.from({ length: 40 }, (_, index) =>
    goodRow(index + 1, {
      "Başlık *": index === 3 ? "Işık Şamdan" : `Ürün ${index + 2}`,
      "Alt Başlık *": `Alt ${index + 2}`,
      "Fiyat *": BAD_PRICES.has(index) ? "on iki" : 10 + index,
    }),
  );
  const file = writeCsv(store.folder, "tablo.csv", rows);
  const { page } = await visitPage(store, { width: 2300, height: 1800 });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await uploadFile(page, file);
  await goToRows(page);
  return page;
}

async function expectTexts(
  page: Page,
  cells: readonly (readonly [row: number, column: number, text: string])[],
): Promise<void> {
  const read = async (): Promise<readonly (readonly [number, number, string])[]> =>
    Promise.all(
      cells.map(async ([row, column]): Promise<readonly [number, number, string]> => [
        row,
        column,
        (await cellAt(page, row, column).textContent()) ?? "",
      ]),
    );
  await expect.poll(read, PAGE_POLL).toEqual(cells);
}

/** Numbers of the rows that the grid shows. */
const shownRows = (page: Page): Promise<readonly string[]> =>
  page
    .locator("[role=gridcell].row-cell")
    .evaluateAll((cells) => cells.map((cell) => /\d+/u.exec(cell.textContent ?? "")?.[0] ?? ""));

describe.skipIf(!hasBrowser)("the table of a draft", { timeout: 180_000 }, () => {
  it("reads its first rows once, before it is drawn", async () => {
    const page = await openGrid();
    await cellAt(page, 2, TITLE).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));

    await page.reload();

    await expectTexts(page, [[2, TITLE, "Ürün 2"]]);
    const rows = asked.filter((path) => path.endsWith("/rows"));
    expect(rows).toHaveLength(1);
    // What is read when the table is drawn comes after the stream of events is open.
    const events = asked.findIndex((path) => path.endsWith("/events"));
    expect(asked.findIndex((path) => path.endsWith("/order"))).toBeLessThan(events);
  });

  it("takes a range of rows, or of cells, by a click with Shift", async () => {
    const page = await openGrid();
    const rowCell = (row: number) => cellAt(page, row, 1);
    await rowCell(2).click();
    await rowCell(4).click({ modifiers: ["Shift"] });
    const exclude = page.getByRole("button", { name: "3 satırı çıkar" });
    await exclude.waitFor();

    await cellAt(page, 3, TITLE).click();
    await cellAt(page, 6, TITLE).click({ modifiers: ["Shift"] });

    await expect.poll(() => page.locator(".cell-chosen").count(), PAGE_POLL).toBe(4);
  });

  it("goes to the cell below with Enter, and from there to the next error of the row", async () => {
    const page = await openGrid();
    await waitForStatus(page, "3 satırda hata");
    await cellAt(page, 10, TITLE).click();
    await page.keyboard.type("Birinci");
    await page.keyboard.press("Enter");
    await page.keyboard.type("ikinci");
    await page.keyboard.press("Enter");
    await expect.poll(() => activeCellName(page), PAGE_POLL).toContain("12. satır · Başlık");
    await expectTexts(page, [
      [10, TITLE, "Birinci"],
      [11, TITLE, "ikinci"],
      [12, TITLE, "Ürün 12"],
    ]);

    await cellAt(page, 20, TITLE).click();
    await page.keyboard.type("daha");
    await page.keyboard.press("Enter");
    await page.keyboard.press("F8");
    await expect.poll(() => activeCellName(page), PAGE_POLL).toContain("20. satır · Fiyat");

    await cellAt(page, 41, TITLE).click();
    await page.keyboard.type("Son");
    await page.keyboard.press("Enter");
    await expectTexts(page, [[41, TITLE, "Son"]]);
    expect(await activeCellName(page)).toContain("41. satır · Başlık");
    // Without a key that writes, Enter opens the cell as before.
    await page.keyboard.press("Enter");
    expect(await page.locator(".cell-input").inputValue()).toBe("Son");
  });

  it("copies, pastes, fills, takes back and repeats", async () => {
    const page = await openGrid();
    await cellAt(page, 2, TITLE).click();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Control+c");
    await cellAt(page, 10, TITLE).click();
    await page.keyboard.press("Control+v");
    await expectTexts(page, [
      [10, TITLE, "Ürün 2"],
      [10, SUBTITLE, "Alt 2"],
      [11, TITLE, "Ürün 3"],
      [11, SUBTITLE, "Alt 3"],
    ]);

    await cellAt(page, 20, TITLE).click();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Control+d");
    await expectTexts(page, [
      [21, TITLE, "Ürün 20"],
      [22, TITLE, "Ürün 20"],
    ]);

    await page.keyboard.press("Control+z");
    await expectTexts(page, [
      [10, TITLE, "Ürün 2"],
      [21, TITLE, "Ürün 21"],
    ]);
    await page.keyboard.press("Control+z");
    await expectTexts(page, [
      [10, TITLE, "Ürün 10"],
      [11, SUBTITLE, "Alt 11"],
    ]);
    await page.keyboard.press("Control+y");
    await expectTexts(page, [
      [10, TITLE, "Ürün 2"],
      [11, SUBTITLE, "Alt 3"],
      [21, TITLE, "Ürün 21"],
    ]);
  });

  it("finds, filters, leaves rows out and goes from error to error", async () => {
    const page = await openGrid();
    await waitForStatus(page, "3 satırda hata");
    await cellAt(page, 2, CODE).click();
    const visited: string[] = [];
    for (const key of ["F8", "F8", "F8", "F8", "Shift+F8"]) {
      await page.keyboard.press(key);
      await expect
        .poll(() => activeCellName(page), PAGE_POLL)
        .not.toBe(visited.at(-1) ?? "2. satır · Ürün Kodu *");
      visited.push(await activeCellName(page));
    }
    expect(visited.map((name) => name.split(" ")[0])).toEqual(["10.", "20.", "30.", "10.", "30."]);

    await page.getByRole("searchbox", { name: "Tabloda ara" }).fill("ISIK");
    await expect.poll(() => shownRows(page), PAGE_POLL).toEqual(["5"]);
    await press(page, "Süzgeci kaldır");
    await page.getByRole("button", { name: /^Hatalı/u }).click();
    await expect.poll(() => shownRows(page), PAGE_POLL).toEqual(["10", "20", "30"]);

    await page.locator("[role=row][aria-rowindex='2'] > [aria-colindex='9']").click();
    await press(page, "Satırı çıkar");
    await waitForStatus(page, "2 satırda hata");
    await press(page, "Listeyi tazele");
    await expect.poll(() => shownRows(page), PAGE_POLL).toEqual(["20", "30"]);
    await page.getByRole("button", { name: /^Çıkarılan/u }).click();
    await expect.poll(() => shownRows(page), PAGE_POLL).toEqual(["10"]);
  });

  it("replaces a text in all rows after showing what would change", async () => {
    const page = await openGrid();
    await cellAt(page, 2, CODE).click();
    await page.keyboard.press("Control+f");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Bul", { exact: true }).fill("on iki");
    await dialog.getByLabel("Yerine yaz").fill("12,50");
    await dialog.getByText("3 satırda 3 hücre değişecek.").waitFor();
    expect(await cellAt(page, 10, PRICE).textContent()).toBe("on iki");

    await press(page, "Hepsini değiştir");

    await waitForStatus(page, "Hata kalmadı");
    await expectTexts(page, [
      [10, PRICE, "12,50"],
      [20, PRICE, "12,50"],
      [30, PRICE, "12,50"],
    ]);
  });
});
