import { expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { createCodeColumn } from "../../src/product-codes.ts";

const header = ["Fiyat", "Stok Kodu"];
const codes = createCodeColumn("S", mapColumns({ sheet: "S", headerRow: 1, header }));

it("reads the code of a row and its key", () => {
  expect(codes.read({ row: 2, cells: [5, " 00  12 "] })).toEqual({
    code: "00  12",
    codeKey: "00 12",
  });
});

it("reads no code from an empty cell or an invalid code", () => {
  expect(codes.read({ row: 2, cells: [5] })).toBeUndefined();
  expect(codes.read({ row: 2, cells: [5, "8,69E+12"] })).toBeUndefined();
  expect(codes.read({ row: 2, cells: [5, 44927], traits: { 1: "date" } })).toBeUndefined();
});

it("locates the code, in column A where the file has no codes", () => {
  const none = createCodeColumn("S", mapColumns({ sheet: "S", headerRow: 1, header: ["Ürün ID"] }));

  expect(codes.location(7, "x")).toMatchObject({ cell: "B7", column: "Stok Kodu", value: "x" });
  expect(none.location(7, "x")).toMatchObject({ cell: "A7", column: "", value: "x" });
  expect(none.read({ row: 7, cells: ["x"] })).toBeUndefined();
});

it("does not read a failed formula as a code", () => {
  expect(codes.read({ row: 2, cells: [5, "#N/A"] })).toBeUndefined();
  expect(codes.read({ row: 2, cells: [5, "A-1"], traits: { 1: "error" } })).toBeUndefined();
});
