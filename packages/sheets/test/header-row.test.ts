import { describe, expect, it } from "vitest";

import type { SheetRow } from "../src/cell.ts";
import { findHeader } from "../src/header-row.ts";
import { inPieces } from "./helpers/files.ts";

const rowsOf = (rows: Readonly<Record<number, SheetRow["cells"]>>): AsyncGenerator<SheetRow> =>
  inPieces(Object.entries(rows).map(([row, cells]) => ({ row: Number(row), cells })));

describe("findHeader", () => {
  it("skips a title of one cell", async () => {
    const rows = rowsOf({ 1: ["Rapor", null], 2: [null], 3: ["Kod", "Ad"], 4: ["1", "2"] });

    expect((await findHeader(rows))?.row).toBe(3);
  });

  it("takes the first row with content if no row has two cells", async () => {
    expect((await findHeader(rowsOf({ 2: ["Kod"], 3: ["1"] })))?.row).toBe(2);
  });

  it("does not look for two cells beyond the fifteenth row", async () => {
    expect((await findHeader(rowsOf({ 1: ["Kod"], 15: ["1"], 16: ["a", "b"] })))?.row).toBe(1);
  });

  it("does not count blank cells", async () => {
    expect((await findHeader(rowsOf({ 1: ["Rapor", " "], 2: ["a", "b"] })))?.row).toBe(2);
  });

  it("finds no header in a sheet without content", async () => {
    expect(await findHeader(rowsOf({ 1: [" "], 2: [null] }))).toBeUndefined();
  });

  it("takes the wanted row, whatever it contains", async () => {
    expect((await findHeader(rowsOf({ 1: ["a", "b"], 20: ["Kod"] }), 20))?.row).toBe(20);
  });

  for (const [why, wanted] of [
    ["is empty", 2],
    ["lies beyond the end", 9],
  ] as const) {
    it(`finds no header if the wanted row ${why}`, async () => {
      expect(
        await findHeader(rowsOf({ 1: ["a", "b"], 2: [null], 3: ["c"] }), wanted),
      ).toBeUndefined();
    });
  }
});
