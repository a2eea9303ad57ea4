/**
 * Exports comments that careless programs damage: `node test/safety/soak/hostile-comments.ts
 * [comments]`. CSV and XLSX are read by our reader, by others and, where it is installed, by
 * LibreOffice.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { startSandbox } from "@catalog/sandbox";
import { openSheet, unescapeFormula } from "@catalog/sheets";

import { createHostileTexts, toCellText, toCsvText } from "../../helpers/hostile-texts.ts";
import {
  columnOf,
  findFormulas,
  parseCsv,
  readFirstSheet,
  readFirstSheetUnixly,
} from "../../helpers/independent-readers.ts";
import { startCommentMarket } from "../../helpers/markets/comment-market.ts";
import { runCatalog } from "../../helpers/processes/catalog-process.ts";

const COMMENTS = Number(process.argv[2] ?? 10_000);
const MAX_CHARS = 1_000_000;
const HEADER = "Comment";
const MAX_SHOWN = 5;

const folder = mkdtempSync(join(tmpdir(), "hostile-long-"));
const texts = createHostileTexts(COMMENTS);
const inCsv = texts.map(toCsvText);
const inCells = texts.map(toCellText);

async function readOwn(path: string): Promise<readonly string[]> {
  const limits = { cellChars: MAX_CHARS, rows: COMMENTS };
  await using sheet = await openSheet({ path, limits });
  const index = sheet.header.cells.indexOf(HEADER);
  return (await Array.fromAsync(sheet.rows())).map(({ cells }) => String(cells[index] ?? ""));
}

/** Prints the first differences. */
function count(what: string, found: readonly string[], wanted: readonly string[]): number {
  const wrong = wanted.flatMap((text, index) => (found[index] === text ? [] : [index]));
  for (const index of wrong.slice(0, MAX_SHOWN)) {
    const [one, other] = [wanted[index], found[index]].map((text) =>
      JSON.stringify(text)?.slice(0, 100),
    );
    console.log(`${what}: ${one} became ${other}`);
  }
  return wrong.length + Math.max(0, found.length - wanted.length);
}

/** LibreOffice has one kind of line end. */
const unixly = (text: string): string => text.replaceAll(/\r\n|\n\r|\r/gu, "\n");

/** The cells as LibreOffice writes them; `undefined` where it is not installed. */
function askLibreOffice(path: string): readonly string[] | undefined {
  const filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false";
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "office")).href}`;
  const args = [profile, "--headless", "--convert-to", filter, "--outdir", join(folder, "shown")];
  const { error, status, stderr } = spawnSync("soffice", [...args, path]);
  if (error !== undefined) return undefined;
  assert.equal(status, 0, String(stderr));
  const csv = readFileSync(join(folder, "shown", "comments.csv"), "utf8");
  return columnOf(parseCsv(csv, ","), HEADER);
}

try {
  await using sandbox = await startSandbox();
  await using market = await startCommentMarket(sandbox, texts);
  const env = {
    CATALOG_BASE_URL: market.baseUrl,
    CATALOG_CLIENT_KEY: sandbox.clientKey,
    CATALOG_CLIENT_SECRET: sandbox.clientSecret,
    CATALOG_STORE_ID: sandbox.storeId,
    CATALOG_HOME: join(folder, "home"),
  };
  const [csv, xlsx] = [join(folder, "comments.csv"), join(folder, "comments.xlsx")];
  for (const out of [csv, xlsx]) {
    const args = ["export", "comments", "--store-wide", "--lang", "en", "--out", out];
    const { code, err } = await runCatalog(args, { env, cwd: folder });
    assert.equal(code, 0, err);
  }
  const parsed = columnOf(parseCsv(readFileSync(csv, "utf8"), ","), HEADER);
  const office = askLibreOffice(xlsx);
  const differ = {
    "CSV, our reader": count("CSV, our reader", await readOwn(csv), inCsv),
    "CSV, papaparse": count("CSV, papaparse", parsed.map(unescapeFormula), inCsv),
    "XLSX, our reader": count("XLSX, our reader", await readOwn(xlsx), inCells),
    "XLSX, hucre": count("XLSX, hucre", columnOf(await readFirstSheet(xlsx), HEADER), inCells),
    "XLSX, xlsx": count(
      "XLSX, xlsx",
      columnOf(readFirstSheetUnixly(xlsx), HEADER),
      inCells.map((text) => text.replaceAll("\r\n", "\n")),
    ),
    "formulas and links": findFormulas(xlsx).length,
    LibreOffice:
      office === undefined
        ? "not installed"
        : count("LibreOffice", office.map(unixly), inCells.map(unixly)),
  };
  const lineEnds = inCells.filter((text, index) => text !== office?.[index]).length;
  console.log({ comments: COMMENTS, differ, "line ends that LibreOffice shows as LF": lineEnds });
  const wrong = Object.values(differ).filter((each) => each !== 0 && each !== "not installed");
  assert.deepEqual(wrong, []);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
