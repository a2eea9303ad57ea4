import { describe, expect, it } from "vitest";

import type { SheetRow } from "../src/cell.ts";
import { fitRows } from "../src/opened-sheet.ts";
import { inPieces } from "./helpers/files.ts";

const WIDTH = 4;

/** The cells of the rows as they are fitted to four columns; the first is row 2. */
async function fitted(
  lines: readonly string[],
  { first = 2, isComplete = true } = {},
): Promise<readonly SheetRow["cells"][]> {
  const rows = lines.map((line, at) => ({
    row: first + at,
    cells: line.split(";").map((text) => (text === "" ? null : text)),
  }));
  const found: SheetRow["cells"][] = [];
  const batches = fitRows(inPieces(rows.map((row) => [row])), { width: WIDTH, isComplete });
  for await (const batch of batches) for (const { cells } of batch) found.push(cells);
  return found;
}

/** Sixteen lines, `#` in each becoming its number. */
const block = (first: number, line: string): readonly string[] =>
  Array.from({ length: 16 }, (_, at) => line.replace("#", String(first + at)));

describe("fitRows", () => {
  it("fills up a row that lacks its last cells", async () => {
    expect(await fitted(["K1;Fincan;5;x", "K2;Kupa", "K3;Tabak;5"])).toEqual([
      ["K1", "Fincan", "5", "x"],
      ["K2", "Kupa", null, null],
      ["K3", "Tabak", "5", null],
    ]);
  });

  it("leaves out empty cells beyond the header", async () => {
    expect(await fitted(["K1;Fincan;5;x;; "])).toEqual([["K1", "Fincan", "5", "x"]]);
  });

  it("keeps a row whose cells go on beyond the header", async () => {
    expect(await fitted(["K1;Fincan;5;x;;y"])).toEqual([["K1", "Fincan", "5", "x", null, "y"]]);
  });

  it("keeps a row of one cell, which may be the rest of a text", async () => {
    expect(await fitted(["K1;Fincan;5;ilk", "ikinci"])).toEqual([
      ["K1", "Fincan", "5", "ilk"],
      ["ikinci"],
    ]);
  });

  it.each([
    ["two rows", ["K1;Fincan ilk", "satır;5;x"]],
    ["three rows", ["K1;Fincan ilk", "orta", "satır;5;x"]],
    ["every row of the file", ["K1;ilk", "son;5;x", "K2;ilk", "son;6;y", "K3;ilk", "son;7;z"]],
  ] as const)("keeps %s that a line break within a text has split", async (what, lines) => {
    expect(await fitted(lines)).toEqual(lines.map((line) => line.split(";")));
  });

  it("keeps a short last row of a file that may have been cut off", async () => {
    const lines = ["K1;Fincan", "K2;Kupa;1"];

    expect(await fitted(lines, { isComplete: false })).toEqual([
      ["K1", "Fincan", null, null],
      ["K2", "Kupa", "1"],
    ]);
  });

  it("fills up short rows that look alike although they could be halves of one row", async () => {
    const lines = ["K1;Fincan;5", "K2;Kupa", "K3;Tabak"];

    expect((await fitted(lines)).map((cells) => cells.length)).toEqual([4, 4, 4]);
  });

  it("fills up the blocks of rows whose last empty cells Excel leaves out", async () => {
    const lines = [...block(17, "Kupa #;K#"), ...block(33, "K#;Kupa;5"), ...block(49, "K#;Kupa")];
    const broken = lines.map((line, at) => (at === 1 ? "Tabak;K18" : line));

    const widths = new Set((await fitted(broken, { first: 17 })).map((cells) => cells.length));

    expect([...widths]).toEqual([WIDTH]);
  });
});
