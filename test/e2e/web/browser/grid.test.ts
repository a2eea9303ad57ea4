/** What stands in a cell stays as it is, but for what is typed there. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { goodRow, HEADERS, writeCsv, writeText } from "../../../helpers/product-sheet.ts";
import { columnOf, readTable } from "../../../helpers/read-table.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  activeCellName,
  cellAt,
  goToRows,
  PAGE_POLL,
  press,
  typeInCell,
  uploadFile,
  visitPage,
  waitForStatus,
  expectText,
  visitRows,
  shareStore,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;
const openStore = shareStore({ products: 5 });

const CODE = 2;
const TITLE = 3;
const SUBTITLE = 4;
const PRICE = 9;

/** Those of rows 10, 20 and 30. */
const BAD_PRICES: ReadonlySet<number> = new Set([8, 18, 28]);

/** Rows 2 to 41; row 5 has a title with Turkish letters, and three rows have a bad price. */
async function openGrid(): Promise<Page> {
  const store = openStore();
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

describe.skipIf(!hasBrowser)("the table of a draft", () => {
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

  it("searches, filters, excludes rows and jumps from error to error", async () => {
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

  it("fills cells by dragging the corner of one, and says what was pasted below the last row", async () => {
    const page = await openGrid();
    await cellAt(page, 2, SUBTITLE).click();
    const handle = page.locator(".rdg-cell-drag-handle");
    const target = await cellAt(page, 5, SUBTITLE).boundingBox();
    await handle.hover();
    await page.mouse.down();
    await page.mouse.move((target?.x ?? 0) + 20, (target?.y ?? 0) + 10, { steps: 5 });
    await page.mouse.up();
    await expectTexts(page, [
      [3, SUBTITLE, "Alt 2"],
      [5, SUBTITLE, "Alt 2"],
      [6, SUBTITLE, "Alt 6"],
    ]);
    await page.keyboard.press("Control+z");
    await expectTexts(page, [[3, SUBTITLE, "Alt 3"]]);

    await page.evaluate(String.raw`navigator.clipboard.writeText("bir\niki\nüç\n")`);
    await cellAt(page, 40, SUBTITLE).click();
    await page.keyboard.press("Control+v");

    await page.getByText("Yapıştırılan 1 hücre tabloya sığmadı").waitFor();
    await expectTexts(page, [
      [40, SUBTITLE, "bir"],
      [41, SUBTITLE, "iki"],
    ]);
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

    await press(page, "3 hücreyi değiştir");

    await waitForStatus(page, "Hata kalmadı");
    await expectTexts(page, [
      [10, PRICE, "12,50"],
      [20, PRICE, "12,50"],
      [30, PRICE, "12,50"],
    ]);
  });

  it("raises the prices of the selected rows by the keyboard alone, and takes it back", async () => {
    const page = await openGrid();
    await cellAt(page, 8, PRICE).click();
    for (let rows = 0; rows < 3; rows += 1) await page.keyboard.press("Shift+ArrowDown");
    const button = page.getByRole("button", { name: "Toplu değiştir" });
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Ne kadar").focus();
    await page.keyboard.type("7,5");
    await dialog.getByText("3 satırda 3 hücre değişecek.").waitFor();
    await dialog.getByText("1 satır olduğu gibi kalır").waitFor();
    const scope = await dialog.getByLabel("Hangi satırlarda").inputValue();
    const go = dialog.getByRole("button", { name: "3 hücreyi değiştir" });
    await go.focus();

    await page.keyboard.press("Enter");

    expect(scope).toBe("rows");
    await dialog.waitFor({ state: "detached" });
    await expectTexts(page, [
      [8, PRICE, "17,20"],
      [9, PRICE, "18,28"],
      [10, PRICE, "on iki"],
      [11, PRICE, "20,43"],
      [12, PRICE, "20"],
    ]);
    await page.keyboard.press("Control+z");
    await expectTexts(page, [
      [8, PRICE, "16"],
      [11, PRICE, "19"],
    ]);
  });
});

const UNSORTED =
  "Ürün Kodu;Fiyat;Stok\nC-1;1.299,90;4\nÇ-1;99,50;5\nZ-1;150,00;bes\nA-1;1.000,50;7\n";

/** The cells of a column from top to bottom; column 1 holds the rows' numbers. */
const shown = (page: Page, column: number): Promise<readonly string[]> =>
  page.locator(`[role=gridcell][aria-colindex="${column}"]`).allInnerTexts();

describe.skipIf(!hasBrowser)("the table", () => {
  it("is sorted by a column, and what is typed goes to the row that is shown", async () => {
    const store = openStore();
    const { page } = await visitRows(store, writeText(store.folder, "a.csv", UNSORTED));
    const price = page.getByRole("columnheader", { name: "Fiyat" });
    const sorted = (): Promise<readonly string[]> => shown(page, 3);

    await price.click();
    await expect.poll(sorted, PAGE_POLL).toEqual(["99,50", "150,00", "1.000,50", "1.299,90"]);
    const rows = await shown(page, 1);
    expect(rows.map((text) => text.trim().split(/\s/u).at(-1))).toEqual(["3", "4", "5", "2"]);
    expect(await price.getAttribute("aria-sort")).toBe("ascending");
    await typeInCell(page, cellAt(page, 2, 4), "50");
    await expectText(cellAt(page, 2, 4), "50");
    await page.keyboard.press("F8");
    await page.getByText("4. satır · Stok").waitFor();
    await price.click();
    await expect.poll(sorted, PAGE_POLL).toEqual(["1.299,90", "1.000,50", "150,00", "99,50"]);
    await page.getByLabel("Tabloda ara").fill("-1");
    await press(page, "Süzgeci kaldır");
    await expect.poll(sorted, PAGE_POLL).toEqual(["1.299,90", "1.000,50", "150,00", "99,50"]);
    await price.click();
    await expect.poll(sorted, PAGE_POLL).toEqual(["1.299,90", "99,50", "150,00", "1.000,50"]);
    expect(await shown(page, 4)).toEqual(["4", "50", "bes", "7"]);

    await cellAt(page, 2, 2).click();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    const codes = (): Promise<readonly string[]> => shown(page, 2);
    await expect.poll(codes, PAGE_POLL).toEqual(["A-1", "C-1", "Ç-1", "Z-1"]);
    await page.keyboard.press("Enter");
    await expect.poll(codes, PAGE_POLL).toEqual(["Z-1", "Ç-1", "C-1", "A-1"]);
  });

  it("is sorted by the first click in it, at a column far to the right", async () => {
    const store = openStore();
    const { page } = await visitPage(store);
    const images = Array.from({ length: 8 }, (_, at) => `Görsel ${at + 1}`).join(";");
    const text = `Ürün Kodu;Başlık;Açıklama;${images};Stok\nA-1;${";".repeat(10)}9\nB-1;${";".repeat(10)}5\n`;
    await uploadFile(page, writeText(store.folder, "genis.csv", text));
    await goToRows(page);
    await cellAt(page, 2, 2).hover();
    await page.mouse.wheel(5_000, 0);
    const stock = page.getByRole("columnheader", { name: "Stok" });
    await stock.waitFor();
    const { x = 0, y = 0 } = (await stock.boundingBox()) ?? {};

    await page.mouse.click(x + 20, y + 20);

    await expect.poll(() => stock.getAttribute("aria-sort"), PAGE_POLL).toBe("ascending");
    await expect.poll(() => shown(page, 13), PAGE_POLL).toEqual(["5", "9"]);
  });
});

/** Column of the currency in the grid; the first one holds the numbers of the rows. */
const CURRENCY = 4;
const STOCK = 5;
const MAX_STOPS = 20;

/** Presses Tab until a cell of the grid has the focus. */
async function countStops(page: Page): Promise<number> {
  await page.locator("a[aria-current=step]").focus();
  for (let stops = 1; stops <= MAX_STOPS; stops += 1) {
    await page.keyboard.press("Tab");
    const isCell = (await page.locator("[role=gridcell]:focus").count()) > 0;
    if (isCell) return stops;
  }
  return Infinity;
}

describe.skipIf(!hasBrowser)("corrections on the page", () => {
  it("takes one of two columns, corrects a cell by its button, and undo goes back to it", async () => {
    const store = openStore();
    const file = join(store.folder, "liste.csv");
    writeFileSync(
      file,
      "Ürün Kodu;Fiyat;Para Birimi;Fiyat;Stok;Görsel 1\nA-1;12,50;TRYY;13,50;-3;resim1.jpg\n",
    );
    const { page } = await visitPage(store);
    await uploadFile(page, file);
    await press(page, "Sütunlara geç");

    await press(page, "B sütununu kullan");
    await press(page, "Düzeltmeye geç");
    await cellAt(page, 2, 2).waitFor();
    const stops = await countStops(page);
    await page.keyboard.press("F8");
    await page.getByRole("button", { name: "“TRYY” yerine: TL" }).click();
    const currency = cellAt(page, 2, CURRENCY);
    await expectText(currency, "TL");
    await page.getByRole("button", { name: "Geri al" }).click();

    await expectText(currency, "TRYY");
    await expect.poll(() => activeCellName(page), PAGE_POLL).toContain("Para Birimi");

    await page.keyboard.press("F8");
    const none = page.getByRole("button", { name: "“-3” yerine: 0" });
    await none.waitFor();
    const stock = cellAt(page, 2, STOCK);
    const before = await stock.textContent();
    await none.click();
    await expectText(stock, "0");
    await page.keyboard.press("F8");
    await expect.poll(() => activeCellName(page), PAGE_POLL).toContain("Görsel 1");
    const advice = await page.locator("#cell-panel").innerText();

    expect(before).toBe("-3");
    expect(advice).toContain("https ile başlayan adresini yazın");
    expect(advice).toContain("zip dosyalarını komut satırında verin.");
    expect(stops).toBeLessThan(12);
  });
});

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
  const store = openStore();
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

describe.skipIf(!hasBrowser)("texts that an input would change", () => {
  it("survive opening the editor and typing one character", async () => {
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
      await expectText(cellAt(page, TEXTS.length + 2, TEXT), TEXTS[at]);
    }
    await cellAt(page, 3, TEXT).click();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Control+d");
    await expectText(cellAt(page, 4, TEXT), TEXTS[1]);

    await cellAt(page, 2, CODE).click();
    await page.keyboard.press("Control+f");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Bul", { exact: true }).fill("satır");
    await dialog.getByLabel("Yerine yaz").fill("SIRA");
    await dialog.getByRole("table").waitFor();
    await dialog.getByRole("button", { name: /hücreyi değiştir$/u }).click();
    await expectText(cellAt(page, 2, TEXT), "Birinci SIRA\nİkinci SIRA\n\nDördüncü SIRA");
    expect(await cellAt(page, 3, TEXT).textContent()).toBe("Windows\r\nSIRAları\r\n");
  });

  it("accept new lines with Alt and Shift, and are replaced only by typing over", async () => {
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
