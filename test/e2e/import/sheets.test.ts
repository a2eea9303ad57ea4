import { readdirSync } from "node:fs";
import { join } from "node:path";

import { openSheet } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, writeSheets } from "../../helpers/product-sheet.ts";

const SHEETS = {
  Yaz: [goodRow(1), goodRow(2), goodRow(3)],
  "Kış 2026": [goodRow(6), goodRow(7, { "Stok *": "beş" }), goodRow(2, { "Stok *": 1 })],
};

const writeFile = (shop: TestStore): Promise<string> =>
  writeSheets(shop.folder, "katalog.xlsx", SHEETS);

const inReport = (shop: TestStore, file: string): string => {
  const [run = ""] = readdirSync(join(shop.folder, "catalog-results"));
  return join(shop.folder, "catalog-results", run, file);
};

async function columnOf(path: string, header: string): Promise<readonly unknown[]> {
  await using sheet = await openSheet({ path, sheet: "1" });
  const index = sheet.header.cells.indexOf(header);
  return (await Array.fromAsync(sheet.rows())).map(({ cells }) => cells[index] ?? null);
}

describe("a workbook with products on two sheets", () => {
  it("is refused with both sheets and their rows, and with the way to read both", async () => {
    const shop = await openTestStore();

    const { code, err } = await shop.run("plan", await writeFile(shop));

    expect(code).toBe(3);
    expect(err).toContain("“Yaz” (4 dolu satır), “Kış 2026” (4 dolu satır)");
    expect(err).toContain("--sheet all");
  });

  it("is read as one file by --sheet all, each row named by its sheet and row", async () => {
    const shop = await openTestStore();

    const { code, out } = await shop.run(
      "import",
      await writeFile(shop),
      "--sheet",
      "all",
      "--yes",
      "--images",
      "off",
    );

    expect(code).toBe(5);
    expect(out).toContain("Birlikte okunan sayfalar: “Yaz” 3 satır, “Kış 2026” 3 satır.");
    expect(out).toContain("'Kış 2026'!I3");
    expect(out.replaceAll(/\s+/gu, " ")).toContain("(satırlar: Yaz!3, 'Kış 2026'!4)");
    const added = shop.sandbox.products().map(({ product_code: product }) => product);
    expect(added).toEqual(expect.arrayContaining(["TST-00001", "TST-00003", "TST-00006"]));
    expect(added).not.toContain("TST-00002");
    expect(await columnOf(inReport(shop, "result.xlsx"), "Dosyadaki Satır")).toEqual([
      "Yaz!2",
      "Yaz!3",
      "Yaz!4",
      "'Kış 2026'!2",
      "'Kış 2026'!3",
      "'Kış 2026'!4",
    ]);
    expect(await columnOf(inReport(shop, "plan.xlsx"), "Satır")).toContain("'Kış 2026'!3");
    // The second of the three failed rows, where this file has the column.
    expect(await columnOf(inReport(shop, "failed.xlsx"), "Hata")).toContain(
      "L3: “beş” bir adet olarak okunamadı.",
    );
  });

  it("is read with the sheets that are named, one --sheet for each, and refused with an unknown one", async () => {
    const shop = await openTestStore();
    const path = await writeSheets(shop.folder, "katalog.xlsx", {
      ...SHEETS,
      "Güz, 2026": [goodRow(9)],
    });
    const named = (...names: readonly string[]): Promise<Awaited<ReturnType<TestStore["run"]>>> =>
      shop.run("plan", path, "--images", "off", ...names.flatMap((name) => ["--sheet", name]));

    const planned = await named("güz, 2026", "Yaz");
    const unknown = await named("Yaz", "Bahar");

    expect(planned.out).toContain("Birlikte okunan sayfalar: “Güz, 2026” 1 satır, “Yaz” 3 satır.");
    expect(unknown.code).toBe(2);
    expect(unknown.err.replaceAll(/\s+/gu, " ")).toContain(
      "“Bahar” adlı bir sayfa yok. Sayfalar: “Yaz”, “Kış 2026”, “Güz, 2026”.",
    );
  });

  it("shows a row by its sheet and number in explain, and in documents of --json", async () => {
    const shop = await openTestStore();
    const flags = ["--sheet", "all", "--json", "--images", "off"];
    const planned = await shop.run("plan", await writeFile(shop), ...flags);
    const { run, issues } = JSON.parse(planned.out);

    const explained = await shop.run("explain", run, "kış 2026!3");
    const document = await shop.run("explain", run, "'Kış 2026'!3", "--json");

    expect(issues).toContainEqual(
      expect.objectContaining({
        sheet: "Kış 2026",
        row: 2003,
        sheet_row: 3,
        cell: "'Kış 2026'!I3",
      }),
    );
    expect(explained.out).toContain("'Kış 2026'!3 · TST-00007");
    expect(JSON.parse(document.out)).toMatchObject({
      row: 2003,
      sheet: "Kış 2026",
      sheet_row: 3,
      code: "TST-00007",
    });
  });

  it("gives a failed.xlsx that can be corrected and imported", async () => {
    const shop = await openTestStore();
    const flags = ["--yes", "--images", "off", "--json"];
    await shop.run("import", await writeFile(shop), "--sheet", "all", ...flags);

    const again = await shop.run("plan", inReport(shop, "failed.xlsx"), "--json");

    expect(JSON.parse(again.out).warnings).toEqual([]);
    expect(JSON.parse(again.out).counts.rows).toBe(3);
  });

  it("is planned, and applied later, without losing a row", async () => {
    const shop = await openTestStore();
    const path = await writeFile(shop);
    const planned = await shop.run("plan", path, "--sheet", "all", "--images", "off", "--json");
    const { run } = JSON.parse(planned.out);

    const applied = await shop.run("apply", run, "--json");

    expect(JSON.parse(applied.out).counts).toMatchObject({ rows: 6, added: 3, invalid: 1 });
  });
});
