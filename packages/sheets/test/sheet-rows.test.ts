import { describe, expect, it } from "vitest";

import type { SheetRow } from "../src/cell.ts";
import { type CountKnownHeaders, findHeader, MB, readerTimeoutMs } from "../src/sheet-rows.ts";
import { inPieces } from "./helpers/files.ts";

it.each([
  [1, 60_000],
  [10 * MB, 60_000],
  [10 * MB + 1, 120_000],
  [200 * MB, 1_200_000],
])("lets the reading of a workbook of %i bytes take %i ms", (sizeBytes, ms) => {
  expect(readerTimeoutMs({ readerSeconds: 60 }, sizeBytes)).toBe(ms);
});

const rowsOf = (rows: Readonly<Record<number, SheetRow["cells"]>>): AsyncGenerator<SheetRow> =>
  inPieces(Object.entries(rows).map(([row, cells]) => ({ row: Number(row), cells })));

const countKnown: CountKnownHeaders = (cells) =>
  cells.filter((cell) => ["Kod", "Ad", "Fiyat"].includes(String(cell))).length;

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
    expect((await findHeader(rowsOf({ 1: ["a", "b"], 20: ["Kod"] }), { wanted: 20 }))?.row).toBe(
      20,
    );
  });

  it.each([
    ["is empty", 2],
    ["lies beyond the end", 9],
  ] as const)("finds no header if the wanted row %s", async (why, wanted) => {
    expect(
      await findHeader(rowsOf({ 1: ["a", "b"], 2: [null], 3: ["c"] }), { wanted }),
    ).toBeUndefined();
  });

  describe("where headers are known", () => {
    it.each([
      ["below group headers", { 1: ["Genel", "Satış"], 2: ["Kod", "Ad", "Fiyat"] }, 2],
      ["below a title of two cells", { 1: ["Rapor", "Stok"], 5: ["Kod", "Ad"], 6: ["1", "b"] }, 5],
      ["of which a row above knows one", { 1: ["Ad", "Not"], 2: ["Kod", "Ad"] }, 2],
      ["above rows with some of its words", { 1: ["Kod", "Ad", "Fiyat"], 2: ["Kod", "Ad"] }, 1],
      ["repeated in a report", { 1: ["a", "b"], 2: ["Kod", "Ad"], 9: ["Kod", "Ad"] }, 2],
      ["in the fifteenth row", { 1: ["a", "b"], 15: ["Kod", "Ad"] }, 15],
    ] as const)("finds headers %s", async (what, rows, found) => {
      expect((await findHeader(rowsOf(rows), { countKnown }))?.row).toBe(found);
    });

    it.each([
      ["one known header", { 1: ["a", "b"], 2: ["Kod", "x"] }],
      ["as many in two different rows", { 1: ["a", "b"], 2: ["Kod", "Ad"], 3: ["Ad", "Fiyat"] }],
      ["two in the sixteenth row", { 1: ["a", "b"], 16: ["Kod", "Ad"] }],
    ] as const)("takes the first row with two cells where there are %s", async (what, rows) => {
      expect((await findHeader(rowsOf(rows), { countKnown }))?.row).toBe(1);
    });

    it("prefers the wanted row", async () => {
      const rows = rowsOf({ 1: ["Kod", "Ad"], 2: ["a", "b"] });

      expect((await findHeader(rows, { wanted: 2, countKnown }))?.row).toBe(2);
    });
  });
});
