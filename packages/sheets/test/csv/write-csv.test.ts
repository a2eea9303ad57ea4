import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type CsvTable, writeCsv } from "../../src/write-file.ts";
import { brokenRows, readAll, readCells, temporaryFolder } from "../helpers/files.ts";

const written = async (table: Omit<CsvTable, "path">): Promise<string> => {
  const path = join(temporaryFolder(), "a.csv");
  await writeCsv({ ...table, path });
  return path;
};

describe("writeCsv", () => {
  it("writes a file that Turkish Excel opens correctly", async () => {
    const path = await written({
      header: ["Kod", "Fiyat"],
      rows: [
        ["007", 12.5],
        ['a "b"\nc', -3],
        [true, null],
      ],
      delimiter: ";",
      decimal: "comma",
    });

    expect(readFileSync(path, "utf8")).toBe(
      '\ufeff"Kod";"Fiyat"\r\n"007";12,5\r\n"a ""b""\nc";-3\r\nTRUE;\r\n',
    );
  });

  it("quotes a number with a decimal comma where commas separate", async () => {
    const path = await written({
      header: ["a"],
      rows: [[1.5, 2]],
      delimiter: ",",
      decimal: "comma",
    });

    expect(readFileSync(path, "utf8")).toContain('"1,5",2\r\n');
  });

  it("writes numbers with a decimal point", async () => {
    const path = await written({ header: ["a"], rows: [[1.5]], delimiter: ";", decimal: "point" });

    expect(readFileSync(path, "utf8")).toContain("\r\n1.5\r\n");
  });

  it("writes money with two decimals, and more where it has more", async () => {
    const amounts = [3283.9, 50, -12.5, 0.05, 12.345].map((amount) => ({ amount }));

    const path = await written({
      header: ["a", "b", "c", "d", "e", "f"],
      rows: [[...amounts, 50]],
      delimiter: ";",
      decimal: "comma",
    });

    expect(readFileSync(path, "utf8")).toContain("\r\n3283,90;50,00;-12,50;0,05;12,345;50\r\n");
  });

  it("writes every amount of minor units so that its digits are these units", async () => {
    const minor = fc.integer({ min: 1, max: 1e13 });
    await fc.assert(
      fc.asyncProperty(fc.array(minor, { minLength: 1, maxLength: 20 }), async (amounts) => {
        const path = await written({
          header: ["a"],
          rows: amounts.map((each) => [{ amount: each / 100 }]),
          delimiter: ";",
          decimal: "comma",
        });

        const lines = readFileSync(path, "utf8").split("\r\n").slice(1, -1);
        expect(lines).toEqual(lines.map((line) => /^\d+,\d\d$/u.exec(line)?.[0]));
        expect(lines.map((line) => Number(line.replace(",", "")))).toEqual(amounts);
      }),
      { numRuns: 50 },
    );
  });

  it("prevents texts and headers from running as formulas", async () => {
    const path = await written({
      header: ["=a", "b"],
      rows: [
        ["=cmd|x", "\t+1"],
        ["-5", "@x"],
      ],
      delimiter: ";",
      decimal: "comma",
    });

    expect(readFileSync(path, "utf8")).toBe(
      '\ufeff"\'=a";"b"\r\n"\'=cmd|x";"\'\t+1"\r\n"\'-5";"\'@x"\r\n',
    );
    expect((await readAll(path)).header).toEqual(["=a", "b"]);
  });

  it("replaces characters that no text file can hold", async () => {
    const rows = [["a\0b", "\ud83d."]];

    const path = await written({ header: ["a", "b"], rows, delimiter: ";", decimal: "comma" });

    expect(await readCells(path)).toEqual([["a\ufffdb", "\ufffd."]]);
  });

  it("is read back as it was written", async () => {
    const unit = fc.oneof(
      fc.constantFrom("ş", "İ", '"', ";", ",", "\n", "'", "=", "\r"),
      fc.string(),
    );
    // A text of blanks makes an empty row, and a CR at the end of a record belongs to the line end.
    const cell = fc.oneof(
      fc.array(unit).map((parts) => `${parts.join("").replaceAll("\0", "")}.`),
      fc.constantFrom("'00123", '="00123"', "''00123", "'=1", '=""', "=1+1", "'90'lar"),
    );
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(";" as const, "," as const),
        async (rows, delimiter) => {
          const path = await written({ header: ["a", "b"], rows, delimiter, decimal: "point" });

          expect(await readCells(path, { delimiter })).toEqual(rows);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("requests rows as it writes, and leaves no file when they fail", async () => {
    const path = join(temporaryFolder(), "a.csv");
    const writing = writeCsv({
      path,
      header: ["a"],
      rows: brokenRows(),
      delimiter: ";",
      decimal: "comma",
    });

    await expect(writing).rejects.toThrow("store is gone");
    expect(existsSync(path)).toBe(false);
  });

  it("writes more rows than one batch", async () => {
    const rows = Array.from({ length: 9_000 }, (_, index) => [
      `ürün ${index}`.padEnd(60, "x"),
      "b",
    ]);

    const path = await written({ header: ["a", "b"], rows, delimiter: ";", decimal: "comma" });

    expect(await readCells(path)).toEqual(rows);
  });
});
