import { readdirSync } from "node:fs";
import { join } from "node:path";

import { openSheet, writeXlsx } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { columnOf, readFirstSheet } from "../../helpers/independent-readers.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, type ProductRow, writeSheets } from "../../helpers/product-sheet.ts";

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

async function readColumn(path: string, header: string): Promise<readonly unknown[]> {
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
    expect(await readColumn(inReport(shop, "result.xlsx"), "Dosyadaki Satır")).toEqual([
      "Yaz!2",
      "Yaz!3",
      "Yaz!4",
      "'Kış 2026'!2",
      "'Kış 2026'!3",
      "'Kış 2026'!4",
    ]);
    expect(await readColumn(inReport(shop, "plan.xlsx"), "Satır")).toContain("'Kış 2026'!3");
    // The second of the three failed rows, where this file has the column.
    expect(await readColumn(inReport(shop, "failed.xlsx"), "Hata")).toContain(
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
    const document = await shop.json("explain", run, "'Kış 2026'!3");

    expect(issues).toContainEqual(
      expect.objectContaining({
        sheet: "Kış 2026",
        row: 2003,
        sheet_row: 3,
        cell: "'Kış 2026'!I3",
      }),
    );
    expect(explained.out).toContain("'Kış 2026'!3 · TST-00007");
    expect(document).toMatchObject({
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

    const again = await shop.json("plan", inReport(shop, "failed.xlsx"));

    expect(again.warnings).toEqual([]);
    expect(again.counts.rows).toBe(3);
  });

  it("is planned, and applied later, without losing a row", async () => {
    const shop = await openTestStore();
    const path = await writeFile(shop);
    const planned = await shop.json("plan", path, "--sheet", "all", "--images", "off");
    const { run } = planned;

    const applied = await shop.json("apply", run);

    expect(applied.counts).toMatchObject({ rows: 6, added: 3, invalid: 1 });
  });
});

const FLAGS = ["--yes", "--json", "--images", "off", "--concurrency", "1"];

async function call(shop: TestStore, ...args: readonly string[]) {
  const { out, err } = await shop.run(...args);
  expect(out, err).not.toBe("");
  return JSON.parse(out);
}

const importAll = async (shop: TestStore, file: string, ...flags: readonly string[]) =>
  await call(shop, "import", file, "--sheet", "all", ...FLAGS, ...flags);

const placesIn = async (path: string): Promise<readonly string[]> =>
  columnOf(await readFirstSheet(path), "Dosyadaki Satır");

interface Located {
  readonly code: string;
  readonly sheet: string;
  readonly cell: string;
  readonly sheet_row: number;
}

const placesOf = (issues: readonly Located[]): readonly string[] =>
  issues.map(({ code, sheet, sheet_row: row }) => `${sheet} ${row} ${code}`);

const priceOf = (number: number, price: number): ProductRow =>
  goodRow(number, { "Fiyat *": price });

it("a retry of a row on one of several sheets names it by its sheet, as the first run does", async () => {
  const shop = await openTestStore();
  const none = { "İndirim Tipi": "", "İndirim Değeri": "" };
  const discounted = { "Fiyat *": 150, "İndirim Tipi": "İndirimli Fiyat", "İndirim Değeri": 120 };
  await importAll(
    shop,
    await writeSheets(shop.folder, "ilk.xlsx", {
      Yaz: [goodRow(1, none), goodRow(2, none)],
      "Kış 2026": [goodRow(6, none), goodRow(7, discounted)],
    }),
  );
  // The marketplace refuses a price below the discounted one.
  const prices = {
    Yaz: [priceOf(1, 22), priceOf(2, 23)],
    "Kış 2026": [priceOf(6, 27), priceOf(7, 100)],
  };

  const file = await writeSheets(shop.folder, "fiyat.xlsx", prices);
  const first = await importAll(shop, file, "--allow", "price-drop,discount-price");
  const retried = await call(shop, "retry", first.run, "--yes", "--json");

  expect(first.counts).toMatchObject({ rows: 4, updated: 3, rejected: 1 });
  expect(placesOf(first.issues)).toEqual([expect.stringContaining("Kış 2026 3 ")]);
  expect(await placesIn(first.files.failed)).toEqual(["'Kış 2026'!3"]);
  expect([retried.error, retried.counts]).toMatchObject([undefined, { rows: 1, rejected: 1 }]);
  expect(placesOf(retried.issues)).toEqual(placesOf(first.issues));
  expect(await placesIn(retried.files.failed)).toEqual(["'Kış 2026'!3"]);
});

it("held rows on several sheets are released and undone under the names of their sheets", async () => {
  const shop = await openTestStore();
  const rows = [goodRow(1), goodRow(2), goodRow(6)];
  const write = (name: string, prices: readonly number[]): Promise<string> => {
    const [a, b, c] = rows.map((row, index) =>
      Object.assign({}, row, { "Fiyat *": prices[index] ?? 0 }),
    );
    return writeSheets(shop.folder, name, { Yaz: [a ?? {}, b ?? {}], "Kış 2026": [c ?? {}] });
  };
  const pricesNow = () =>
    shop.sandbox
      .products()
      .slice(-3)
      .map(({ price }) => price);
  await importAll(shop, await write("ilk.xlsx", [100, 100, 100]));

  const held = await importAll(shop, await write("sonra.xlsx", [101, 102, 20]));
  const heldPrices = pricesNow();
  const released = await call(
    shop,
    "release",
    held.run,
    "--rows",
    "'Kış 2026'!2",
    "--resend",
    "--yes",
    "--json",
  );
  const releasedPrices = pricesNow();
  const undone = await call(shop, "undo", held.run, "--yes", "--json");

  expect(held.counts).toMatchObject({ updated: 2, held: 1 });
  expect(placesOf(held.issues)).toEqual(["Kış 2026 2 E_GUARD_PRICE_DROP"]);
  expect(heldPrices).toEqual([10_100, 10_200, 10_000]);
  expect(released.counts).toMatchObject({ updated: 3, held: 0 });
  expect(releasedPrices).toEqual([10_100, 10_200, 2000]);
  expect(undone.counts).toMatchObject({ rows: 3, updated: 3 });
  expect(await placesIn(undone.files.result)).toEqual(["Yaz!2", "Yaz!3", "'Kış 2026'!2"]);
  expect(pricesNow()).toEqual([10_000, 10_000, 10_000]);
});

const woo = (row: ProductRow): ProductRow => ({ "Is featured?": 0, "Tax class": "", ...row });

const toWoo = (code: string): readonly ProductRow[] => [
  woo({ Type: "variable", SKU: code, Name: code, Stock: 9, "In stock?": 1, Parent: "" }),
  woo({ Type: "variation", SKU: `${code}-S`, Stock: "parent", "In stock?": 1, Parent: code }),
];

it("an issue of a variant names its parent row by the sheet", async () => {
  const shop = await openTestStore();
  const path = join(shop.folder, "woo.xlsx");
  const headers = Object.keys(toWoo("K")[0] ?? {});
  const sheets = ["Yaz", "Kış 2026"].map((name) => ({
    name,
    columns: headers.map((header) => ({ header })),
    rows: toWoo(name).map((row) => headers.map((header) => row[header] ?? null)),
  }));
  await writeXlsx({ path, sheets });

  const { issues } = await call(shop, "plan", path, "--sheet", "all", "--json");

  const shared = issues.filter(({ code }: Located) => code === "E_STOCK_STATE");
  expect(placesOf(shared)).toEqual(["Yaz 3 E_STOCK_STATE", "Kış 2026 3 E_STOCK_STATE"]);
  expect(shared[1].message.tr).toContain("'Kış 2026'!2. satır");
});
