import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { streamXlsx } from "../../../src/xlsx/write/stream-xlsx.ts";
import { writeXlsx } from "../../../src/xlsx/write/write-xlsx.ts";
import {
  brokenRows,
  readAll,
  readCells,
  temporaryFolder,
  withPlainBreaks,
} from "../../helpers/files.ts";
import { partOf } from "../../helpers/workbooks.ts";

type Cells = readonly (string | number | boolean | null)[];
type Rows = Iterable<Cells> | AsyncIterable<Cells>;

const COLUMNS = [{ header: "A" }, { header: "B" }, { header: "C" }];
const WITH_PRICE = [{ header: "A" }, { header: "B", kind: "price" as const }, { header: "C" }];

const toSheets = <Column>(columns: readonly Column[], tables: readonly Rows[]) =>
  tables.map((rows, at) => ({ name: ["Ürünler", "İki"][at] ?? "", columns, rows }));

const WRITERS: readonly (readonly [
  name: string,
  write: (path: string, tables: readonly Rows[]) => Promise<unknown>,
])[] = [
  ["writeXlsx", (path, tables) => writeXlsx({ path, sheets: toSheets(COLUMNS, tables) })],
  ["streamXlsx", (path, tables) => streamXlsx({ path, sheets: toSheets(WITH_PRICE, tables) })],
];

describe.each(WRITERS)("a table of %s", (_name, write) => {
  const written = async (...tables: readonly Rows[]): Promise<string> => {
    const path = join(temporaryFolder(), "a.xlsx");
    await write(path, tables);
    return path;
  };

  it("has texts as texts and numbers as numbers", async () => {
    const path = await written([
      ["007", 12.5, true],
      [null, null, null],
      ["8690123456789", 0.1 + 0.2, " x "],
    ]);

    expect(await readAll(path)).toMatchObject({
      sheet: "Ürünler",
      header: ["A", "B", "C"],
      rows: [
        { row: 2, cells: ["007", 12.5, true] },
        { row: 4, cells: ["8690123456789", 0.1 + 0.2, " x "] },
      ],
    });
  });

  it("has no formula and no link for any text", async () => {
    const rows = [["=1+1", "@SUM(A1)", '=HYPERLINK("http://x")']];

    const path = await written(rows);

    expect(partOf(path, "xl/worksheets/sheet1.xml")).not.toMatch(/<f[\s>]|<hyperlink/u);
    expect(await readCells(path)).toEqual(rows);
  });

  it("is read back as it was written, with CR LF as LF", async () => {
    const unit = fc.oneof(
      fc.constantFrom("ş", "_x0041_", "\u0001", "\r", "\n", "&", "<", "]]>", "'", '"'),
      fc.string({ unit: "binary" }),
    );
    const text = fc.array(unit).map((parts) => `${parts.join("").toWellFormed()}.`);
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const cell = fc.oneof(
      text,
      number.map((n) => (n === 0 ? 0 : n)),
      fc.boolean(),
    );
    const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 20, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(rows, async (table) => {
        expect(await readCells(await written(table))).toEqual(
          table.map((row) => row.map(withPlainBreaks)),
        );
      }),
      { numRuns: 4 },
    );
  });

  it("stands in sheets in their order, and in the same bytes for the same content", async () => {
    const [one, two] = [await written([["1"]], [["2"]]), await written([["1"]], [["2"]])];

    expect(await readCells(one, { sheet: "2" })).toEqual([["2"]]);
    expect(await readCells(one, { sheet: "ürünler" })).toEqual([["1"]]);
    expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
  });

  it("leaves no file when its rows fail", async () => {
    const path = join(temporaryFolder(), "a.xlsx");

    await expect(write(path, [brokenRows()])).rejects.toThrow("store is gone");

    expect(existsSync(path)).toBe(false);
    expect(readdirSync(dirname(path))).toEqual([]);
  });
});
