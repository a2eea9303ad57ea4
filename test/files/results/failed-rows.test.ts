import { readFileSync } from "node:fs";
import { join } from "node:path";

import { writeResultFiles } from "@catalog/report";
import { type RunRecord, toCounts } from "@catalog/runs";
import { type OutCell, writeXlsx } from "@catalog/sheets";
import { readXlsx } from "hucre/xlsx";
import { describe, expect, it } from "vitest";

import { openConnectionHarness } from "../../helpers/markets/connection-harness.ts";
import { goodRow, writeWorkbook } from "../../helpers/product-sheet.ts";

it("failed.xlsx offers the words, categories, brands and shipping templates that its cells accept", async () => {
  const harness = await openConnectionHarness();
  const row = goodRow(1, { "Fiyat *": "on iki" });
  const { "Kategori *": category, "Marka *": brand, "Teslimat Şablonu *": template } = row;
  const path = await writeWorkbook(harness.folder, "urunler.xlsx", [row]);

  const run = await harness.importFile(path);
  const { failed } = await writeResultFiles(harness.connection, run);

  const [sheet, lists] = (await readXlsx(readFileSync(failed ?? ""))).sheets;
  const header = sheet?.rows[0] ?? [];
  const validations = sheet?.dataValidations ?? [];
  const offered = new Map(
    validations.map(({ range, formula1 = "" }) => {
      const letter = /^[A-Z]+/u.exec(range)?.[0] ?? "";
      const at = /\$([A-Z])\$2/u.exec(formula1)?.[1]?.charCodeAt(0) ?? 0;
      const words = (lists?.rows ?? []).slice(1).map((cells) => cells[at - 65]);
      return [String(header[letter.charCodeAt(0) - 65]), words.filter(Boolean)];
    }),
  );
  expect([...offered.keys()].toSorted()).toEqual([
    "Garanti Süresi *",
    "Garanti Tipi *",
    "Kategori *",
    "Marka *",
    "Teslimat Şablonu *",
  ]);
  expect(offered.get("Kategori *")).toContain(category);
  expect(offered.get("Marka *")).toContain(brand);
  expect(offered.get("Teslimat Şablonu *")).toContain(template);
  expect(offered.get("Garanti Süresi *")).toContain("24 Ay");
});

const CODE = "Ürün Kodu *";
const TITLE = "Başlık *";
const PRICE = "Fiyat *";

/** Writes a workbook again with other values in some cells, by code and header. */
async function correct(
  path: string,
  to: string,
  values: Readonly<Record<string, Readonly<Record<string, OutCell>>>>,
): Promise<string> {
  const [sheet] = (await readXlsx(readFileSync(path))).sheets;
  const [header = [], ...rows] = (sheet?.rows ?? []).map((cells) => cells.map(toCell));
  const codeAt = header.indexOf(CODE);
  const corrected = rows.map((cells) =>
    header.map((name, at) => values[String(cells[codeAt])]?.[String(name)] ?? cells[at] ?? null),
  );
  const columns = header.map((name) => ({ header: String(name) }));
  await writeXlsx({ path: to, sheets: [{ name: "Ürünler", columns, rows: corrected }] });
  return to;
}

const toCell = (value: unknown): OutCell =>
  typeof value === "string" || typeof value === "number" ? value : null;

describe("failed.xlsx", () => {
  it("holds only the failed rows, and imports again unchanged and corrected", async () => {
    const harness = await openConnectionHarness({
      products: 4,
      personality: { "update-stock": "refused" },
    });
    const known = harness.sandbox.products()[0]?.product_code ?? "";
    const rows = [
      goodRow(1, { [CODE]: "000001" }),
      goodRow(2, { [CODE]: "000002", [PRICE]: "on iki" }),
      { [CODE]: known, "Stok *": 999 },
      goodRow(4, { [CODE]: "000004", [TITLE]: null }),
      goodRow(5, { [CODE]: "000005" }),
    ];
    const countOf = async (run: RunRecord) =>
      toCounts(await harness.connection.journal.countRows(run.id));
    const importOne = async (path: string) => {
      const run = await harness.importFile(path);
      const { failed } = await writeResultFiles(harness.connection, run);
      return { counts: await countOf(run), failed: failed ?? "" };
    };

    const first = await importOne(await writeWorkbook(harness.folder, "urunler.xlsx", rows));
    const before = harness.sandbox.products();
    const same = await importOne(first.failed);
    const unchanged = harness.sandbox.products();
    const path = await correct(first.failed, join(harness.folder, "duzeltilmis.xlsx"), {
      "000002": { [PRICE]: 12.5 },
      "000004": { [TITLE]: "Dördüncü" },
    });
    const corrected = await importOne(path);

    expect(first.counts).toMatchObject({ rows: 5, added: 2, invalid: 2, rejected: 1 });
    expect(same.counts).toMatchObject({ rows: 3, added: 0, invalid: 2, rejected: 1 });
    expect(unchanged).toEqual(before);
    expect(corrected.counts).toMatchObject({ rows: 3, added: 2, rejected: 1, invalid: 0 });
    const after = harness.sandbox.products();
    expect(after.slice(0, before.length)).toEqual(before);
    const added = after.slice(before.length);
    const output = added.map(({ product_code: code, title, price }) => `${code} ${title} ${price}`);
    expect(output.toSorted()).toEqual(["000002 Deneme ürünü 2 1250", "000004 Dördüncü 2399"]);
  });
});
