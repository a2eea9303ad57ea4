import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { detectDialect, readRecords, type RecordOptions } from "../../src/csv/csv-source.ts";
import { openSheet, type SheetRow } from "../../src/index.ts";
import {
  collect,
  fileOf,
  inPieces,
  readAll,
  readCells,
  refusal,
  temporaryFolder,
} from "../helpers/files.ts";

describe("detectDialect", () => {
  const cases = [
    ["semicolons", "Kod;Ad;Fiyat\n1;a;2\n", ";"],
    ["commas", "Kod,Ad,Fiyat\n1,a,2\n", ","],
    ["tabs", "Kod\tAd\n1\ta\n", "\t"],
    ["bars", "Kod|Ad\n1|a\n", "|"],
    ["semicolons beside decimal commas", "Kod;Fiyat;Eski\n1;1,5;2,5\n2;3,5;4,5\n", ";"],
    ["semicolons below a title with a comma", "Rapor, 2026\n\nKod;Ad\n1;a\n2;b\n", ";"],
    ["commas beside semicolons in quotes", 'Kod,Ad\n1,"a;b;c"\n2,"d;e\n;f"\n', ","],
    ["semicolons that rows leave out", "Kod;Ad;Fiyat;Not;Ek\n1;a;1,5\n2;b;2,5\n3;c;3,5;x\n", ";"],
    ["one semicolon more in rows", "Kod;Fiyat\n1;1,5;\n2;2,5;\n3;3,5;\n", ";"],
    ["semicolons of a header longer than its rows", "Kod;Fiyat;\n1;1,5\n2;2,5\n3;3,5\n", ";"],
    ["commas beside a semicolon in every row", "Kod,Ad,Not\n1,a;b,\n2,c;d,\n3,e;f,\n", ","],
    ["nothing to separate", "Kod\n1\n2\n", ";"],
    ["a single line without an end", "Kod,Ad", ","],
  ] as const;
  for (const [what, sample, delimiter] of cases) {
    it(`finds ${JSON.stringify(delimiter)} with ${what}`, () => {
      expect(detectDialect(sample).delimiter).toBe(delimiter);
    });
  }

  it("uses the delimiter of Excel's separator line", () => {
    expect(detectDialect("sep=|\r\na;b\r\nc;d\r\n")).toEqual({
      delimiter: "|",
      newline: "\n",
      hasSeparatorLine: true,
    });
  });

  it("prefers the caller's delimiter to the separator line", () => {
    expect(detectDialect("sep=|\na;b\n", ",")).toMatchObject({
      delimiter: ",",
      hasSeparatorLine: true,
    });
  });

  it("ends records at CR where the sample has no LF", () => {
    expect(detectDialect("a;b\rc;d\r")).toMatchObject({ newline: "\r", delimiter: ";" });
  });
});

const OPTIONS: RecordOptions = {
  dialect: { delimiter: ";", newline: "\n", hasSeparatorLine: false },
  file: "a.csv",
  recordChars: 1_000_000,
};

const slice = (text: string, size: number): readonly string[] =>
  text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];

/** Each record with its number. */
async function numbered(
  slices: readonly string[],
  options: RecordOptions = OPTIONS,
): Promise<readonly (readonly [number, readonly string[]])[]> {
  const batches = await collect(readRecords(inPieces(slices), options));
  return batches.flatMap(({ first, records }) =>
    records.map((record, index) => [first + index, record] as const),
  );
}

describe("readRecords", () => {
  it("returns the same records for every size of slice", async () => {
    const text = 'Kod;"A ""d"" ı"\n\n1;"iki\nsatır;\r\nüç"\r\n ;x"y\n"";"son"';
    const whole = await numbered([text]);

    for (let size = 1; size <= 64; size += 1) {
      expect(await numbered(slice(text, size))).toEqual(whole);
    }
    expect(whole).toEqual([
      [1, ["Kod", 'A "d" ı']],
      [2, [""]],
      [3, ["1", "iki\nsatır;\r\nüç"]],
      [4, [" ", 'x"y']],
      [5, ["", "son"]],
    ]);
  });

  it("reads back any quoted cells, whatever the slices", async () => {
    const unquoted = fc.string({ unit: fc.constantFrom("ş", '"', ";", "\n", "\r", " ", "x") });
    const table = fc.array(fc.array(unquoted, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 64 }), async (rows, size) => {
        const text = rows
          .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(";"))
          .join("\n");

        const read = await numbered(slice(text, size));

        expect(read.map(([, cells]) => cells)).toEqual(rows);
      }),
    );
  });

  it("skips the separator line and does not count it", async () => {
    const options = { ...OPTIONS, dialect: { ...OPTIONS.dialect, hasSeparatorLine: true } };

    for (const size of [1, 5, 100]) {
      expect(await numbered(slice("sep=;\na;b\nc;d", size), options)).toEqual([
        [1, ["a", "b"]],
        [2, ["c", "d"]],
      ]);
    }
  });

  it.each([
    ["is never closed", 'a;b\n1;"x\n2;y\n3;z\n', 2],
    ["closes in the middle of a cell", 'a;b\n1;2\n3;"x"y\n4;z\n', 3],
    ["is closed by the opening quote of a later cell", 'a;b\n1;"x\n2;"y"\n', 2],
    ["opens at the end of the file", 'a;b\n1;"', 2],
  ] as const)("refuses a quote that %s, and names the record", async (what, text, row) => {
    for (const size of [1, 7, 1000]) {
      const error = await refusal(numbered(slice(text, size)));

      expect(error).toMatchObject({ code: "E_CSV_QUOTE", details: { row, file: "a.csv" } });
    }
  });

  it("stops at an open quote long before the end of the file", async () => {
    let slices = 0;
    function* endless(): Generator<string> {
      yield 'a;b\n1;"';
      for (; slices < 1_000; slices += 1) yield "2;x\n".repeat(1_000);
    }

    const error = await refusal(
      collect(readRecords(inPieces(endless()), { ...OPTIONS, recordChars: 20_000 })),
    );

    expect(error).toMatchObject({
      code: "E_CSV_QUOTE",
      details: { row: 2, setting: "recordChars" },
    });
    expect(slices).toBeLessThan(10);
  });

  it("reports a record without quotes and without end as too long", async () => {
    const error = await refusal(
      numbered(["a\n", "x".repeat(200)], { ...OPTIONS, recordChars: 100 }),
    );

    expect(error).toMatchObject({
      code: "E_CELL_TOO_LONG",
      details: { row: 2, limit: 100, setting: "recordChars" },
    });
  });

  it("requests text only when its records are requested", async () => {
    let taken = 0;
    async function* text(): AsyncGenerator<string> {
      for (; taken < 100; taken += 1) yield "a;b\n";
    }

    await readRecords(text(), OPTIONS).next();

    expect(taken).toBe(0);
  });
});

describe("openCsvSource", () => {
  it("reads every cell as text", async () => {
    const path = fileOf("liste.csv", "\ufeffKod;Fiyat;Not\r\n007;12,50;TRUE\r\n;1e3;\r\n");

    expect(await readAll(path)).toEqual({
      kind: "csv",
      sheet: "liste.csv",
      headerRow: 1,
      encoding: "utf-8",
      delimiter: ";",
      header: ["Kod", "Fiyat", "Not"],
      rows: [
        { row: 2, cells: ["007", "12,50", "TRUE"] },
        { row: 3, cells: [null, "1e3", null] },
      ],
    });
  });

  it("numbers records instead of lines, and skips empty ones", async () => {
    const path = fileOf("a.csv", 'Kod;Ad\n1;"iki\nsatır"\n\n; \n2;b\n');

    expect((await readAll(path)).rows).toEqual([
      { row: 2, cells: ["1", "iki\nsatır"] },
      { row: 5, cells: ["2", "b"] },
    ]);
  });

  const kupa = [
    ["1", "Fincan"],
    ["2", "Kupa"],
  ];
  const reads: readonly (readonly [string, string, SheetRow["cells"][]])[] = [
    [
      "both kinds of line ends",
      "a;b\r\n1;2\n3;4\r\n5;6",
      [
        ["1", "2"],
        ["3", "4"],
        ["5", "6"],
      ],
    ],
    [
      "lines that end in CR CR LF",
      'Kod;Ad\r\r\n1;"a;b"\r\r\n2;c\r\r\n',
      [
        ["1", "a;b"],
        ["2", "c"],
      ],
    ],
    [
      "lines that end in CR only",
      "a;b\r1;2\r3;4\r",
      [
        ["1", "2"],
        ["3", "4"],
      ],
    ],
    [
      "the quote that prevents formulas, and no other",
      "a;b\n'=1+1;'x\n''=1;-5\n",
      [
        ["=1+1", "'x"],
        ["'=1", "-5"],
      ],
    ],
    [
      "an apostrophe before digits",
      "Kod;Ad\n'00123;'90'lar\n''00124;'=1\n",
      [
        ["00123", "'90'lar"],
        ["'00124", "=1"],
      ],
    ],
    [
      '="00123" as a text, quoted or not',
      'Kod;Ad\n="00123";"=""00124"""\n="a""b" ;"="""""\n',
      [
        ["00123", "00124"],
        ['a"b', null],
      ],
    ],
    [
      "quotes behind blanks, and no other",
      'Kod;Ad\n1; "Fincan"\n2;\t"a ""b"" c" \n3; "a" b\n',
      [
        ["1", "Fincan"],
        ["2", 'a "b" c'],
        ["3", ' "a" b'],
      ],
    ],
    ["a Ctrl-Z on a line of its own", "Kod;Ad\r\n1;Fincan\r\n2;Kupa\r\n\u001a", kupa],
    ["a Ctrl-Z behind the last cell", "Kod;Ad\r\n1;Fincan\r\n2;Kupa\u001a", kupa],
  ];
  it.each(reads)("reads %s", async (_, content, cells) => {
    expect(await readCells(fileOf("a.csv", content))).toEqual(cells);
  });

  it("uses the wanted delimiter", async () => {
    expect(await readCells(fileOf("a.csv", "a;b,c\n1;2,3\n"), { delimiter: "," })).toEqual([
      ["1;2", "3"],
    ]);
  });

  it("reads a table with remarks between its rows, however many", async () => {
    const path = fileOf("a.csv", "# a\nKod;Ad\n# b\n# c\n1;x\n# d\n2;y\n");

    expect(await readAll(path)).toMatchObject({
      headerRow: 2,
      rows: [
        { cells: ["# b"] },
        { cells: ["# c"] },
        { cells: ["1", "x"] },
        { cells: ["# d"] },
        { cells: ["2", "y"] },
      ],
    });
  });

  it("keeps the cells of a row that goes on beyond the header", async () => {
    const rows = await readCells(fileOf("a.csv", `a;b\n1\n1;2;3;\n${"1;2\n".repeat(8)}`));

    expect(rows.slice(0, 2)).toEqual([["1"], ["1", "2", "3", null]]);
  });

  it("reads the blocks of rows whose last delimiters Excel leaves out", async () => {
    const full = Array.from({ length: 15 }, (_, at) => `K${at + 2};${at},50;5;x;`);
    const short = Array.from({ length: 20 }, (_, at) => `K${at + 17};${at},50`);
    const path = fileOf("a.csv", ["Kod;Fiyat;Stok;Not;Ek", ...full, ...short, ""].join("\r\n"));

    const { header, rows } = await readAll(path);

    expect(header).toEqual(["Kod", "Fiyat", "Stok", "Not", "Ek"]);
    expect(rows.at(-1)).toEqual({ row: 36, cells: ["K36", "19,50", null, null, null] });
  });

  for (const [what, end, width] of [
    ["keeps the cells of a short last row that may have been cut off", "", 2],
    ["fills up a short last row before a line break", "\r\n", 3],
  ] as const) {
    for (const encoding of ["utf8", "utf16le"] as const) {
      it(`${what}, in ${encoding}`, async () => {
        const content = Buffer.from(`\ufeffKod;Ad;Fiyat\r\nK1;Fincan;5\r\nK2;1${end}`, encoding);

        expect((await readCells(fileOf("a.csv", content))).at(-1)).toHaveLength(width);
      });
    }
  }

  it("reads rows, or a header, that end with one delimiter more", async () => {
    const rows = "1;1,5;\n2;2,5;\n3;3,5;\n";

    expect(await readCells(fileOf("a.csv", `Kod;Fiyat\n${rows}`))).toEqual([
      ["1", "1,5"],
      ["2", "2,5"],
      ["3", "3,5"],
    ]);
    const shorter = `Kod;Fiyat;\n${rows.replaceAll(";\n", "\n")}`;
    expect((await readCells(fileOf("a.csv", shorter)))[0]).toEqual(["1", "1,5", null]);
  });

  it("refuses a file in which more than a fifth of the rows have a wrong width", async () => {
    const path = fileOf("a.csv", `a;b\n1\n1;2;3\n${"1;2\n".repeat(7)}`);

    expect(await refusal(readAll(path))).toMatchObject({
      code: "E_DELIMITER",
      details: { found: ";" },
    });
  });

  it("keeps headers that are names of JavaScript object properties", async () => {
    const { header, rows } = await readAll(fileOf("a.csv", "__proto__,constructor,a,a\n1,2,3,4\n"));

    expect(header).toEqual(["__proto__", "constructor", "a", "a"]);
    expect(rows).toEqual([{ row: 2, cells: ["1", "2", "3", "4"] }]);
  });

  it("uses the delimiter of the separator line", async () => {
    const path = fileOf("a.csv", "sep=,\r\nKod,Ad;x\r\n1,a;b\r\n");

    expect(await readAll(path)).toMatchObject({
      headerRow: 1,
      delimiter: ",",
      rows: [{ row: 2, cells: ["1", "a;b"] }],
    });
  });

  it("reports when it assumes windows-1254", async () => {
    const path = fileOf("a.csv", Buffer.from("Kod;Ad\n1;\xfeeker\n", "latin1"));

    expect(await readAll(path)).toMatchObject({
      encoding: "windows-1254",
      rows: [{ cells: ["1", "şeker"] }],
    });
  });

  it("reads UTF-16", async () => {
    const path = fileOf("a.csv", Buffer.from("\ufeffKod\tAd\r\n1\tşeker\r\n", "utf16le"));

    expect(await readAll(path)).toMatchObject({
      encoding: "utf-16le",
      delimiter: "\t",
      rows: [{ row: 2, cells: ["1", "şeker"] }],
    });
  });

  it("refuses a cell over Excel's limit by its address", async () => {
    const path = fileOf("a.csv", `a;b\n1;${"x".repeat(32_768)}\n`);

    expect(await refusal(readAll(path))).toMatchObject({
      code: "E_CELL_TOO_LONG",
      details: { row: 2, column: 2, limit: 32_767 },
    });
  });

  it("refuses a row with content beyond the last allowed column, but not with empty cells there", async () => {
    const limits = { columns: 2 };

    expect(await readCells(fileOf("a.csv", "a;b;;\n1;2;;\n"), { limits })).toEqual([
      ["1", "2", null, null],
    ]);
    expect(await refusal(readAll(fileOf("a.csv", "a;b\n1;2;3\n"), { limits }))).toMatchObject({
      code: "E_TOO_MANY_COLUMNS",
      details: { row: 2, limit: 2 },
    });
  });

  it("leaves out rows of invisible marks", async () => {
    const path = fileOf("a.csv", "Kod;Ad\n1;Fincan\n\u200b;\ufeff\u2060\n\u00a0;\n2;Kupa\n");

    expect((await readAll(path)).rows.map(({ row }) => row)).toEqual([2, 5]);
  });

  it("marks every other formula as one", async () => {
    const path = fileOf("a.csv", 'Kod;Ad;Fiyat\n=A1+1;="a"&"b";=1+1\n1;b;-5\n');

    expect((await readAll(path)).rows).toEqual([
      {
        row: 2,
        cells: ["=A1+1", '="a"&"b"', "=1+1"],
        traits: { 0: "formula", 1: "formula", 2: "formula" },
      },
      { row: 3, cells: ["1", "b", "-5"] },
    ]);
  });
});

const MB = 1024 * 1024;

it("finds a quote that is never closed without reading the gigabyte after it", async () => {
  const path = join(temporaryFolder(), "a.csv");
  const fd = openSync(path, "w");
  writeSync(fd, 'Kod;Ad\n1;a\n2;"b\n');
  // The rest of the file is a hole of NULs; letters at the start are enough for it to be read as
  // text.
  writeSync(fd, "x;y\n".repeat(MB));
  writeSync(fd, "\n", 1024 * MB);
  closeSync(fd);
  const before = process.memoryUsage.rss();
  const started = performance.now();

  const error = await refusal(openSheet({ path, limits: { fileMb: 2_048 } }));

  expect(error).toMatchObject({ code: "E_CSV_QUOTE", details: { row: 3 } });
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MB);
});

it("finds an unclosed quote far down in the file, and names its row", async () => {
  const path = join(temporaryFolder(), "a.csv");
  const fd = openSync(path, "w");
  writeSync(fd, "Kod;Ad\n".repeat(900_000));
  writeSync(fd, '1;"x\n');
  writeSync(fd, "x;y\n".repeat(MB));
  closeSync(fd);
  const limits = { rows: 2_000_000 };
  await using sheet = await openSheet({ path, limits });

  const error = await refusal(Array.fromAsync(sheet.rows()));

  expect(error).toMatchObject({ code: "E_CSV_QUOTE", details: { row: 900_001 } });
});
