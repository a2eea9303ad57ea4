import { readFileSync } from "node:fs";
import { join } from "node:path";

import { openSheet, unescapeFormula } from "@catalog/sheets";
import { expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { createHostileTexts, toCellText, toCsvText } from "../../helpers/hostile-texts.ts";
import {
  columnOf,
  findFormulas,
  parseCsv,
  readFirstSheet,
} from "../../helpers/independent-readers.ts";
import { startCommentMarket } from "../../helpers/markets/comment-market.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";

const HEADER = "Yorum";

async function readOwn(path: string): Promise<readonly string[]> {
  await using sheet = await openSheet({ path, limits: { cellChars: 1_000_000 } });
  const index = sheet.header.cells.indexOf(HEADER);
  return (await Array.fromAsync(sheet.rows())).map(({ cells }) => String(cells[index] ?? ""));
}

/** Programs write one line break of a cell in several ways, which are read as one. */
const withLineFeeds = (text: string): string => text.replaceAll(/\r+\n/gu, "\n");

it("exports hostile texts unchanged to CSV and XLSX, none of them as a formula", async () => {
  const shop = await openTestStore();
  const texts = createHostileTexts(600);
  await using market = await startCommentMarket(shop.sandbox, texts);
  const at = { env: { ...shop.env, CATALOG_BASE_URL: market.baseUrl }, cwd: shop.folder };
  const args = ["export", "comments", "--store-wide", "--json", "--out"];

  const csv = await callCatalog([...args, "y.csv"], at);
  const xlsx = await callCatalog([...args, "y.xlsx"], at);

  const [asCsv, asXlsx] = [join(shop.folder, "y.csv"), join(shop.folder, "y.xlsx")];
  const cells = columnOf(parseCsv(readFileSync(asCsv, "utf8"), ";"), HEADER);
  expect(cells.filter((cell) => /^[\s\u200b\ufeff]*[=+\-@＝\t\r|%]/u.test(cell))).toEqual([]);
  expect(cells.map(unescapeFormula)).toEqual(texts.map(toCsvText));
  expect(await readOwn(asCsv)).toEqual(texts.map(toCsvText));
  expect(columnOf(await readFirstSheet(asXlsx), HEADER)).toEqual(texts.map(toCellText));
  expect(await readOwn(asXlsx)).toEqual(texts.map((text) => withLineFeeds(toCellText(text))));
  expect(findFormulas(asXlsx)).toEqual([]);
  // A text that an Excel cell cannot hold is reported.
  expect(JSON.parse(csv.out)).toMatchObject({ counts: { rows: 600 }, warnings: [] });
  expect(JSON.parse(xlsx.out).warnings).toEqual([
    expect.stringMatching(/^7 metin .* --format csv/u),
  ]);
});
