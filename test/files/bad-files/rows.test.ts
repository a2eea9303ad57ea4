import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  goodRow,
  HEADERS,
  type ProductRow,
  writeText,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";
import { makeWorkbook, textCell } from "./make-workbook.ts";

const CODES = ["8690000000000", "00123", "1-2"] as const;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const letterOf = (column: number): string => String.fromCodePoint(65 + column);

/** XML of a row; `changes` is XML inside `<c r="…"`, by column. */
function rowXml(
  row: number,
  product: ProductRow,
  changes: Readonly<Record<number, string>>,
): string {
  const cells = HEADERS.map((header, column) => {
    const address = `${letterOf(column)}${row}`;
    const change = changes[column];
    if (change !== undefined) return `<c r="${address}" ${change}</c>`;
    const value = product[header] ?? null;
    if (value === null) return "";
    return typeof value === "number"
      ? `<c r="${address}"><v>${value}</v></c>`
      : textCell(address, escaped(value));
  });
  return `<row r="${row}">${cells.join("")}</row>`;
}

const headerXml = `<row r="1">${HEADERS.map((header, column) => textCell(`${letterOf(column)}1`, header)).join("")}</row>`;

const csvOf = (rows: readonly ProductRow[]): string => {
  const lines = rows.map((row) =>
    HEADERS.map((header) => `"${String(row[header] ?? "").replaceAll('"', '""')}"`),
  );
  return [HEADERS.map((header) => `"${header}"`), ...lines]
    .map((cells) => cells.join(";"))
    .join("\r\n");
};

interface Issue {
  readonly cell: string;
  readonly code: string;
}

async function importFile(
  shop: TestStore,
  file: string,
): Promise<{
  readonly exit: number | null;
  readonly issues: readonly string[];
  readonly counts: unknown;
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}> {
  const { code, out } = await shop.run("import", file, "--yes", "--json");
  const { issues, counts, warnings, notes } = JSON.parse(out);
  return {
    exit: code,
    issues: issues.map(({ cell, code: found }: Issue) => `${cell} ${found}`),
    counts,
    warnings,
    notes,
  };
}

const sentCodes = (shop: TestStore): readonly string[] =>
  shop.sandbox
    .products()
    .map(({ product_code: code }) => code)
    .toSorted((a, b) => a.localeCompare(b));

describe("a product code", () => {
  const rows = CODES.map((code, index) => goodRow(index + 1, { "Ürün Kodu *": code }));
  const sorted = [...CODES].toSorted((a, b) => a.localeCompare(b));

  it("typed as text in a workbook is read as it was typed", async () => {
    const shop = await openTestStore();

    expect(await importFile(shop, await writeWorkbook(shop.folder, "a.xlsx", rows))).toMatchObject({
      exit: 0,
      issues: [],
    });
    expect(sentCodes(shop)).toEqual(sorted);
  });

  it("in a CSV file is read as it stands there", async () => {
    const shop = await openTestStore();

    expect(await importFile(shop, writeText(shop.folder, "a.csv", csvOf(rows)))).toMatchObject({
      exit: 0,
      issues: [],
    });
    expect(sentCodes(shop)).toEqual(sorted);
  });

  it("that a spreadsheet program has changed is refused at its cell", async () => {
    const shop = await openTestStore();
    const content = makeWorkbook({
      sheets: [
        {
          name: "Ürünler",
          rows: [
            headerXml,
            rowXml(2, goodRow(1), { 0: 's="1"><v>45322</v>' }),
            rowXml(3, goodRow(2, { "Ürün Kodu *": "8,69E+12" }), {}),
            rowXml(4, goodRow(3), { 0: "><v>1.23457E+18</v>" }),
            rowXml(5, goodRow(4), { 0: 's="2"><v>123</v>' }),
          ].join(""),
        },
      ],
      styles:
        '<numFmts><numFmt numFmtId="164" formatCode="00000"/></numFmts><cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs>',
    });
    writeFileSync(join(shop.folder, "a.xlsx"), content);

    const result = await importFile(shop, join(shop.folder, "a.xlsx"));

    expect(result).toMatchObject({
      exit: 5,
      issues: ["A2 E_CODE_NOT_TEXT", "A3 E_CODE_NOT_TEXT", "A4 E_CODE_NOT_TEXT"],
    });
    expect(sentCodes(shop)).toEqual(["00123"]);
  });
});

describe("a row that cannot be read whole", () => {
  it("is refused at its cell, and the good rows are sent", async () => {
    const shop = await openTestStore();
    const content = makeWorkbook({
      sheets: [
        {
          name: "Ürünler",
          rows: [
            headerXml,
            rowXml(2, goodRow(1), { 8: "><f>4+3</f><v>7</v>" }),
            rowXml(3, goodRow(2), { 8: "><f>NOW()</f>" }),
            rowXml(4, goodRow(3), { 1: 't="e"><v>#REF!</v>' }),
          ].join(""),
          after: '<mergeCells><mergeCell ref="A3:A4"/></mergeCells>',
        },
      ],
    });
    writeFileSync(join(shop.folder, "a.xlsx"), content);

    const { exit, issues, counts, warnings } = await importFile(shop, join(shop.folder, "a.xlsx"));

    expect([exit, counts]).toEqual([5, expect.objectContaining({ added: 1, invalid: 2 })]);
    expect(issues).toEqual(
      expect.arrayContaining(["I2 W_FORMULA", "I3 E_FORMULA", "B4 E_CELL_ERROR"]),
    );
    expect(warnings.join("\n")).toContain("birleştirilmiş");
  });

  it("is refused when its cells have slipped", async () => {
    const shop = await openTestStore();
    const good = Array.from({ length: 12 }, (_, index) => goodRow(index + 1));
    const lines = csvOf(good).split("\r\n");
    lines[3] = `${lines[3]};"fazla"`;
    const file = writeText(shop.folder, "a.csv", lines.join("\r\n"));

    const { exit, issues, counts } = await importFile(shop, file);

    expect([exit, issues]).toEqual([5, ["A4 E_COLUMN_COUNT"]]);
    expect(counts).toMatchObject({ rows: 12, added: 11, invalid: 1 });
  });
});

describe("guesses about a file", () => {
  it("are listed with the plan in both languages, with the flags that change them", async () => {
    const shop = await openTestStore();
    const file = writeText(shop.folder, "a.csv", `Liste\n\n${csvOf([goodRow(1)])}`);

    const turkish = await shop.run("plan", file);
    const english = await shop.run("plan", file, "--lang", "en");

    // The lines are wrapped to the terminal.
    expect(turkish.out.replaceAll(/\s+/gu, " ")).toContain(
      "Dosya okunuşu: kodlama utf-8 (--encoding), ayırıcı ; (--delimiter), başlık 3. satır (--header-row).",
    );
    expect(english.out).toContain("File read as: encoding utf-8 (--encoding)");
  });

  it("are notes in the document", async () => {
    const shop = await openTestStore();
    const file = writeText(shop.folder, "a.csv", `Liste\n\n${csvOf([goodRow(1)])}`);

    const { notes } = await importFile(shop, file);

    expect(notes[0]).toContain("başlık 3. satır");
  });

  it("are printed on stderr when they prevent a plan", async () => {
    const shop = await openTestStore();
    const file = writeText(shop.folder, "a.csv", csvOf([goodRow(1), goodRow(2)]));

    const { code, out, err } = await shop.run(
      "plan",
      file,
      "--header-row",
      "2",
      "--delimiter",
      ";",
    );

    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain("Dosya okunuşu: kodlama utf-8 (--encoding), ayırıcı ;, başlık 2. satır.");
  });

  it("reads no link into a private network that is not allowed", async () => {
    const shop = await openTestStore();

    const { code, err, out } = await shop.run("import", "http://127.0.0.1:9/a.csv", "--yes");

    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("özel bir ağda");
  });

  it("reads the table behind a link to an allowed private server", async () => {
    const shop = await openTestStore();
    const server = createServer((_, response) => response.end("Ürün Kodu;Stok\nYOK-1;3\n"));
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;

    const link = `http://${host}/stok.csv`;
    const flags = ["--allow-host", host, "--mode", "update", "--json"];
    const { out } = await shop.run("plan", link, ...flags);

    expect(JSON.parse(out).issues).toMatchObject([{ code: "E_PRODUCT_UNKNOWN", value: "YOK-1" }]);
  });
});
