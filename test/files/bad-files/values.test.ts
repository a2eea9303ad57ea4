import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  goodRow,
  HEADERS,
  type ProductRow,
  writeText,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";

const [CODE, TITLE, PRICE] = ["Ürün Kodu *", "Başlık *", "Fiyat *"];

const quoted = (value: string | number | null | undefined): string =>
  `"${String(value ?? "").replaceAll('"', '""')}"`;

/** A CSV file with the columns of the first row. */
function csvOf(rows: readonly ProductRow[]): string {
  const headers = Object.keys(rows[0] ?? Object.fromEntries(HEADERS.map((name) => [name, ""])));
  const lines = rows.map((row) => headers.map((header) => quoted(row[header])).join(";"));
  return [headers.map(quoted).join(";"), ...lines, ""].join("\r\n");
}

interface Issue {
  readonly cell: string;
  readonly code: string;
}

interface Imported {
  readonly exit: number | null;
  readonly issues: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly dir: string;
}

async function importRows(
  shop: TestStore,
  rows: readonly ProductRow[],
  ...flags: readonly string[]
): Promise<Imported> {
  const file = writeText(shop.folder, "a.csv", csvOf(rows));
  const { code: exit, out } = await shop.run("import", file, "--yes", "--json", ...flags);
  const { issues, counts, files } = JSON.parse(out);
  const blocking = issues.filter(({ code }: Issue) => code.startsWith("E_"));
  return {
    exit,
    issues: blocking.map(({ cell, code }: Issue) => `${cell} ${code}`),
    counts,
    dir: files.dir,
  };
}

const sent = (shop: TestStore, field: "price" | "title"): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    shop.sandbox.products().map((product) => [product.product_code, product[field]]),
  );

describe("a number in a sheet", () => {
  it("is read as a person means it, or refused at its cell", async () => {
    const shop = await openTestStore();
    const prices = ["1.234,56", " 12 ", "19,989999999999998", "1e3", "0x10", "١٢", "", "19,985"];
    const rows = prices.map((price, index) => goodRow(index + 1, { [PRICE]: price }));

    const { exit, issues, counts } = await importRows(shop, rows, "--decimal", "comma");

    expect(exit).toBe(5);
    expect(counts).toMatchObject({ rows: 8, added: 4, invalid: 4 });
    expect(issues).toEqual([
      "H6 E_NOT_A_NUMBER",
      "H7 E_NOT_A_NUMBER",
      "H8 E_REQUIRED",
      "H9 E_PRICE_PRECISION",
    ]);
    expect(sent(shop, "price")).toEqual({
      "TST-00001": 123_456,
      "TST-00002": 1200,
      // As programs print a fraction, and a round number.
      "TST-00003": 1999,
      "TST-00004": 100_000,
    });
  });

  it("with a rounding error in a workbook is read as its price", async () => {
    const shop = await openTestStore();
    const rows = [19.989999999999998, 19.985].map((price, at) =>
      goodRow(at + 1, { [PRICE]: price }),
    );
    const file = await writeWorkbook(shop.folder, "a.xlsx", rows);

    const { out } = await shop.run("import", file, "--yes", "--json");

    expect(JSON.parse(out).issues).toMatchObject([{ cell: "H3", code: "E_PRICE_PRECISION" }]);
    expect(sent(shop, "price")).toEqual({ "TST-00001": 1999 });
  });
});

describe("product codes", () => {
  it("that differ only by case, width or space are suspect, and none is sent", async () => {
    const shop = await openTestStore();
    const codes = ["A1", "a1", "A1 ", "Ａ1", "A\u200B1", "B2"];
    const rows = codes.map((code, index) => goodRow(index + 1, { [CODE]: code }));

    const { exit, issues } = await importRows(shop, rows);

    expect(exit).toBe(5);
    expect(issues).toEqual([
      "A2 E_CODE_SUSPECT",
      "A2 E_CODE_DUPLICATE",
      "A3 E_CODE_SUSPECT",
      "A4 E_CODE_SUSPECT",
      "A4 E_CODE_DUPLICATE",
      "A5 E_CODE_SUSPECT",
      "A6 E_CODE_SUSPECT",
    ]);
    expect(Object.keys(sent(shop, "title"))).toEqual(["B2"]);
  });

  it("that are all the same are not added, with a reason", async () => {
    const shop = await openTestStore();
    const rows = [1, 2, 3].map((number) => goodRow(number, { [CODE]: "A1" }));

    const { exit, counts } = await importRows(shop, rows);

    expect(exit).toBe(3);
    expect(counts).toMatchObject({ rows: 3, added: 0 });
    expect(shop.sandbox.stats().adds).toBe(0);
  });
});

describe("a title that looks like a formula", () => {
  it("is sent unchanged, and written so that no spreadsheet program runs it", async () => {
    const shop = await openTestStore();
    const titles = ["'=cmd|' /C calc'!A0", "'=1+1", "-5", "＝1", "@SUM(A1)"];
    const rows = titles.map((title, index) => goodRow(index + 1, { [TITLE]: title }));

    const { exit, dir } = await importRows(shop, rows);

    expect(exit).toBe(0);
    // The one quote is the prefix with which this program marks a text that is no formula.
    const [command, sum, ...others] = titles;
    expect(Object.values(sent(shop, "title"))).toEqual([
      command?.slice(1),
      sum?.slice(1),
      ...others,
    ]);
    const written = readFileSync(join(dir, "result.csv"), "utf8").split("\r\n").slice(1, 6);
    const cells = written.map((line) => line.split(";")[1]);
    expect(cells.every((cell) => cell?.startsWith("\"'"))).toBe(true);
  });
});

describe("a title that is a formula", () => {
  it("is refused, because its result is unknown", async () => {
    const shop = await openTestStore();
    const rows = [
      goodRow(1, { [TITLE]: "=cmd|' /C calc'!A0" }),
      goodRow(2, { [TITLE]: '="Kaşık"' }),
    ];

    const { exit, issues } = await importRows(shop, rows);

    expect(exit).toBe(5);
    expect(issues).toEqual(["B2 E_FORMULA"]);
    expect(Object.values(sent(shop, "title"))).toEqual(["Kaşık"]);
  });
});

describe("fields that depend on each other", () => {
  it("are refused when they contradict each other, each at its cell", async () => {
    const shop = await openTestStore();
    const none = { "İndirim Tipi": "", "İndirim Değeri": "" };
    const rows = [
      goodRow(1, { ...none, "İndirim Tipi": "Yüzde", "İndirim Değeri": 0 }),
      goodRow(2, { ...none, "İndirim Tipi": "Yüzde", "İndirim Değeri": 100 }),
      goodRow(3, { ...none, "İndirim Tipi": "Tutar", "İndirim Değeri": 5000 }),
      goodRow(4, { ...none, "İndirim Değeri": 10 }),
      goodRow(5, { ...none, "Garanti Süresi *": "24 Ay" }),
      goodRow(6, { ...none, "Garanti Tipi *": "İthalatçı Garantili" }),
      goodRow(7, none),
    ];

    const { exit, issues } = await importRows(shop, rows);

    expect(exit).toBe(5);
    expect(issues).toEqual([
      "O2 E_DISCOUNT",
      "O3 E_DISCOUNT",
      "O4 E_DISCOUNT",
      "O5 E_DISCOUNT",
      "K6 E_WARRANTY",
      "K7 E_WARRANTY",
    ]);
    expect(Object.keys(sent(shop, "title"))).toEqual(["TST-00007"]);
  });
});
