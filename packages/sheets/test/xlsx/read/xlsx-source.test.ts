import { writeSync } from "node:fs";
import { open } from "node:fs/promises";

import { afterEach, describe, expect, it, onTestFinished } from "vitest";

import type { SheetRow } from "../../../src/cell.ts";
import { DEFAULT_LIMITS, type ReadLimits } from "../../../src/sheet-rows.ts";
import { createRowWriter, toFrame } from "../../../src/xlsx/read/row-frame.ts";
import { createRowFile, type RowFile, runReader } from "../../../src/xlsx/read/xlsx-source.ts";
import { collect, fileOf, readAll, readCells, refusal } from "../../helpers/files.ts";
import { SMALL_ROWS, textCell, workbookParts, xlsxOf, zipOf } from "../../helpers/workbooks.ts";

async function rowFileOf(rows: readonly SheetRow[]): Promise<RowFile> {
  const rowFile = await createRowFile();
  onTestFinished(() => rowFile.close());
  const writer = createRowWriter();
  for (const row of rows) {
    writer.write(row);
    writeSync(rowFile.fd, toFrame(writer));
  }
  return rowFile;
}

describe("createRowFile", () => {
  it("returns every row to each reader, also across the borders of its reads", async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      row: index + 1,
      cells: [`çığ ${index}`, index / 7, null, index % 9_999 === 0 ? "ş".repeat(200_000) : "ş"],
    }));

    const rowFile = await rowFileOf(rows);

    const [first, second] = await Promise.all([collect(rowFile.rows()), collect(rowFile.rows())]);
    expect(first).toEqual(rows);
    expect(second).toEqual(rows);
  });

  it("has no rows if none were written", async () => {
    expect(await collect((await rowFileOf([])).rows())).toEqual([]);
  });
});

async function run(
  content: Buffer,
  { limits = {}, signal }: { limits?: Partial<ReadLimits>; signal?: AbortSignal } = {},
) {
  await using file = await open(fileOf("a.xlsx", content));
  const [rows, strings] = [await createRowFile(), await createRowFile()];
  onTestFinished(async () => {
    await rows.close();
    await strings.close();
  });
  const { sheet } = await runReader({
    fd: file.fd,
    rowsFd: rows.fd,
    stringsFd: strings.fd,
    order: { file: "a.xlsx", maxRows: 100_000, limits: { ...DEFAULT_LIMITS, ...limits } },
    ...(signal !== undefined && { signal }),
  });
  return { sheet, rows: await collect(rows.rows()) };
}

/** Child processes of the test that are still running. */
const children = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((kind) => kind === "ProcessWrap");

/** Rows that keep the reader busy longer than any of these tests waits. */
const longRows = (): string =>
  Array.from(
    { length: 60_000 },
    (_, index) => `<row r="${index + 1}">${textCell(`A${index + 1}`, `x${index}`)}</row>`,
  ).join("");

describe("runReader", () => {
  afterEach(() => {
    expect(children()).toEqual([]);
  });

  it("writes the rows and returns the name of the sheet", async () => {
    expect(await run(xlsxOf(SMALL_ROWS))).toEqual({
      sheet: "Sayfa1",
      rows: [
        { row: 1, cells: ["Kod", "Ad"] },
        { row: 2, cells: ["1", "Kaşık"] },
      ],
    });
  });

  it("passes on the refusal of the process", async () => {
    expect(await refusal(run(Buffer.from("PK\u0003\u0004 and no more")))).toMatchObject({
      code: "E_FILE_TRUNCATED",
      details: { file: "a.xlsx" },
    });
  });

  it("names the cell whose text is missing", async () => {
    const error = await refusal(run(xlsxOf('<row r="1"><c r="B1" t="s"><v>7</v></c></row>')));

    expect(error).toMatchObject({ code: "E_CELL_VALUE", details: { row: 1, column: 2 } });
  });

  it.each([
    ["the time limit", { readerSeconds: 0.001 }, "readerSeconds"],
    ["the limit of its heap", { readerHeapMb: 2 }, "readerHeapMb"],
    ["the limit of its memory", { readerRssMb: 16 }, "readerRssMb"],
  ])("ends the process at %s", async (_, limits, setting) => {
    const error = await refusal(run(xlsxOf(longRows()), { limits }));

    expect(error).toMatchObject({ code: "E_READER_LIMIT", details: { setting } });
  });

  it("ends the process when the signal aborts, and rejects with its reason", async () => {
    const stop = new AbortController();

    const running = run(xlsxOf(longRows()), { signal: stop.signal });
    const started = expect.poll(children, { interval: 1 }).toHaveLength(1);
    await started.then(() => stop.abort(new Error("enough")));

    await expect(running).rejects.toThrow("enough");
  });
});

const header = (row: number): string =>
  `<row r="${row}">${textCell(`A${row}`, "Kod")}${textCell(`C${row}`, "Fiyat")}</row>`;

const inRow = (cells: string): Buffer => xlsxOf(`${header(1)}<row r="2">${cells}</row>`);

describe("openXlsxSource", () => {
  it("keeps Excel's row numbers over gaps at the top and in the middle", async () => {
    const path = fileOf(
      "a.xlsx",
      xlsxOf(`${header(4)}<row r="9"><c r="C9"><v>2.5</v></c></row><row r="12"/>`),
    );

    expect(await readAll(path)).toEqual({
      kind: "xlsx",
      sheet: "Sayfa1",
      headerRow: 4,
      header: ["Kod", null, "Fiyat"],
      rows: [{ row: 9, cells: [null, null, 2.5] }],
    });
  });

  const runs = "<is><r><t>1.</t></r><r><t> kat</t></r></is>";
  const small = workbookParts([{ name: "A", rows: SMALL_ROWS }]);
  it.each([
    ["blanks around a text", inRow(textCell("A2", "  a  b ")), ["  a  b "]],
    [
      "a shared text that names none as an empty cell",
      inRow(`${textCell("A2", "K1")}<c r="B2" t="s"><v/></c><c r="C2" t="s"><v></v></c>`),
      ["K1"],
    ],
    [
      "the text of a cell that also has a value, whatever their order",
      inRow(
        `${textCell("A2", "K1")}<c r="B2" t="inlineStr"><v>1.0</v>${runs}</c><c r="C2" t="inlineStr">${runs}<v>1.0</v></c>`,
      ),
      ["K1", "1. kat", "1. kat"],
    ],
    [
      "a workbook with macros, of which it takes only the cells",
      zipOf([...small, { name: "xl/vbaProject.bin", content: "x" }]),
      ["1", "Kaşık"],
    ],
    [
      "a workbook with bytes behind its end",
      Buffer.concat([xlsxOf(SMALL_ROWS), Buffer.from("\r\n<!-- indirildi -->\0\0")]),
      ["1", "Kaşık"],
    ],
  ])("reads %s", async (_, content, cells) => {
    expect(await readCells(fileOf("a.xlsx", content))).toEqual([cells]);
  });

  it("reads CR LF in a text as one LF, however it is written", async () => {
    const texts = ["a\r\nb", "a_x000D_\nb", "a_x000D_\r\nb", "a&#13;&#10;b", "a\nb"];
    const strings = {
      name: "xl/sharedStrings.xml",
      content: `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
    };
    const rows = texts.map(
      (text, at) =>
        `<row r="${at + 2}"><c r="A${at + 2}" t="s"><v>${at}</v></c>${textCell(`B${at + 2}`, text)}</row>`,
    );
    const parts = workbookParts([{ name: "A", rows: header(1) + rows.join("") }]);

    const cells = await readCells(fileOf("a.xlsx", zipOf([...parts, strings])));

    expect(new Set(cells.flat())).toEqual(new Set(["a\nb"]));
  });

  it("reads a sheet whose state is neither hidden nor very hidden", async () => {
    const parts = workbookParts([
      { name: "Gizli", rows: SMALL_ROWS, state: "veryHidden" },
      { name: "Liste", rows: SMALL_ROWS, state: "show" },
    ]);

    expect(await readAll(fileOf("a.xlsx", zipOf(parts)))).toMatchObject({ sheet: "Liste" });
  });

  it("returns numbers exactly", async () => {
    const numbers = ["19.989999999999998", "0.30000000000000004", "1.23457E+12", "8690123456789"];
    const rows = numbers.map(
      (number, index) => `<row r="${index + 2}"><c r="A${index + 2}"><v>${number}</v></c></row>`,
    );

    const cells = await readCells(fileOf("a.xlsx", xlsxOf(header(1) + rows.join(""))));

    expect(cells.flat()).toEqual(numbers.map(Number));
  });

  it("distinguishes errors, formulas and formulas without a result", async () => {
    const row =
      '<row r="2"><c r="A2" t="e"><v>#N/A</v></c><c r="B2"><f>1+1</f><v>2</v></c>' +
      '<c r="C2" t="b"><v>1</v></c><c r="D2"><f>NOW()</f></c></row>';

    expect((await readAll(fileOf("a.xlsx", xlsxOf(header(1) + row)))).rows).toEqual([
      {
        row: 2,
        cells: ["#N/A", 2, true, null],
        traits: { 0: "error", 1: "formula", 3: "formula" },
      },
    ]);
  });

  it("returns dates as ISO text with the trait date", async () => {
    const styles = {
      name: "xl/styles.xml",
      content: '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    };
    const rows = `${header(1)}<row r="2"><c r="A2" s="1"><v>45322</v></c><c r="B2" s="1"><v>45322.52083333333</v></c></row>`;
    const path = fileOf("a.xlsx", zipOf([...workbookParts([{ name: "A", rows }]), styles]));

    expect((await readAll(path)).rows).toEqual([
      { row: 2, cells: ["2024-01-31", "2024-01-31T12:30:00"], traits: { 0: "date", 1: "date" } },
    ]);
  });

  it("reads all shared strings of a long part", async () => {
    const texts = Array.from({ length: 6_000 }, (_, index) => `çığöşüİı ${index} ğ &amp; ş`);
    const strings = {
      name: "xl/sharedStrings.xml",
      content: `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
    };
    const rows = texts.map(
      (_, index) => `<row r="${index + 2}"><c r="A${index + 2}" t="s"><v>${index}</v></c></row>`,
    );
    const parts = workbookParts([{ name: "A", rows: header(1) + rows.join("") }]);

    const cells = await readCells(fileOf("a.xlsx", zipOf([...parts, strings])));

    expect(cells.flat()).toEqual(texts.map((text) => text.replace("&amp;", "&")));
  });

  it("keeps headers that are names of JavaScript object properties", async () => {
    const rows = `<row r="1">${textCell("A1", "__proto__")}${textCell("B1", "constructor")}</row>`;

    expect((await readAll(fileOf("a.xlsx", xlsxOf(rows)))).header).toEqual([
      "__proto__",
      "constructor",
    ]);
  });

  it("reads the requested sheet, hidden or not", async () => {
    const other = SMALL_ROWS.replace("Kaşık", "Çatal");
    const parts = workbookParts([
      { name: "Ürünler", rows: SMALL_ROWS },
      { name: "_gizli", rows: other, state: "hidden" },
    ]);
    const path = fileOf("a.xlsx", zipOf(parts));

    expect(await readAll(path)).toMatchObject({ sheet: "Ürünler" });
    expect(await readAll(path, { sheet: "_GIZLI" })).toMatchObject({
      sheet: "_gizli",
      rows: [{ cells: ["1", "Çatal"] }],
    });
  });

  it("skips a sheet that has only formats", async () => {
    const parts = workbookParts([
      { name: "Sayfa1", rows: '<row r="1"><c r="A1" s="0"/></row>' },
      { name: "Sayfa2", rows: SMALL_ROWS },
    ]);

    expect(await readAll(fileOf("a.xlsx", zipOf(parts)))).toMatchObject({ sheet: "Sayfa2" });
  });

  const whole = xlsxOf(SMALL_ROWS);
  const big = Buffer.from(" ".repeat(3_000_000));
  const refused = [
    ["a file cut at 60 %", whole.subarray(0, whole.length * 0.6), "E_FILE_TRUNCATED"],
    ["a file cut at 95 %", whole.subarray(0, whole.length * 0.95), "E_FILE_TRUNCATED"],
    ["a zip without a workbook", zipOf([{ name: "a.txt", content: "x" }]), "E_NOT_XLSX"],
    [
      "a sheet that is missing",
      zipOf(workbookParts([{ name: "A", rows: "" }]).slice(0, 2)),
      "E_NOT_XLSX",
    ],
    [
      "a zip bomb",
      zipOf([...workbookParts([]), { name: "xl/a.xml", content: big }]),
      "E_ZIP_RATIO",
    ],
    [
      "a zip bomb that states a wrong size",
      zipOf([
        ...workbookParts([{ name: "A", rows: "" }]).slice(0, 2),
        { name: "xl/worksheets/sheet1.xml", content: big, claims: 500 },
      ]),
      "E_ZIP_RATIO",
    ],
    [
      "two workbooks in one file",
      zipOf([...workbookParts([]), { name: "xl/workbook.xml", content: "" }]),
      "E_ZIP_DUP_ENTRY",
    ],
    [
      "entities that expand",
      zipOf(
        workbookParts([{ name: "A", rows: SMALL_ROWS }]).map(({ name, content }) => ({
          name,
          content: `<!DOCTYPE a [<!ENTITY b "bb">]>${String(content)}`,
        })),
      ),
      "E_XML",
    ],
    ["a sheet without rows", xlsxOf(""), "E_FILE_EMPTY"],
    [
      "a text over Excel's limit",
      xlsxOf(`<row r="1">${textCell("A1", "x".repeat(32_768))}</row>`),
      "E_CELL_TOO_LONG",
    ],
    [
      "a row beyond Excel's last row",
      xlsxOf('<row r="4000000000"><c r="A4000000000"><v>1</v></c></row>'),
      "E_ROW_RANGE",
    ],
  ] as const;
  for (const [what, content, code] of refused) {
    it(`refuses ${what} with ${code}`, async () => {
      expect((await refusal(readAll(fileOf("a.xlsx", content)))).code).toBe(code);
    });
  }

  it("ignores parts that the zip's directory does not list", async () => {
    const parts = workbookParts([{ name: "A", rows: SMALL_ROWS }]);
    const unlisted = zipOf([{ name: "xl/worksheets/sheet1.xml", content: "<worksheet/>" }]);
    const listed = zipOf(parts);
    // The unlisted part is put before the file; the offsets in the directory are moved accordingly.
    const stranger = unlisted.subarray(0, unlisted.indexOf("PK\u0001\u0002"));
    const content = Buffer.concat([stranger, listed]);
    for (
      let at = content.indexOf("PK\u0001\u0002");
      at !== -1;
      at = content.indexOf("PK\u0001\u0002", at + 1)
    ) {
      content.writeUInt32LE(content.readUInt32LE(at + 42) + stranger.length, at + 42);
    }
    content.writeUInt32LE(content.indexOf("PK\u0001\u0002"), content.length - 6);

    expect(await readCells(fileOf("a.xlsx", content))).toEqual([["1", "Kaşık"]]);
  });
});
