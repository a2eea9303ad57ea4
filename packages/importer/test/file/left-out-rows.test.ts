import { mapColumns, type RowKind } from "@catalog/mapping";
import { expect, it } from "vitest";

import { createLeftOutRows } from "../../src/file/left-out-rows.ts";

const HEADER = ["Ürün Kodu", "Stok"];

function warningsOf(
  rows: readonly (readonly [kind: RowKind, cells: readonly string[]])[],
  header: readonly string[] = HEADER,
): readonly string[] {
  const leftOut = createLeftOutRows(mapColumns({ sheet: "S", headerRow: 1, header }));
  for (const [index, [kind, cells]] of rows.entries()) {
    const row = { row: index + 2, cells };
    if (kind === "product") leftOut.noteProduct(row);
    else leftOut.noteLeftOut(row, kind);
  }
  return leftOut.warnings().map(({ code, message: { tr } }) => `${code} ${tr}`);
}

it("names the rows that are left out, each kind in one line", () => {
  const warnings = warningsOf([
    ["remark", ["# bahar"]],
    ["empty", ["", ""]],
    ["header", HEADER],
    ["remark", ["", " #son "]],
    ["total", ["", "TOPLAM"]],
    ["group", ["ELEKTRONİK"]],
  ]);

  expect(warnings).toEqual([
    "W_REMARKS # ile başlayan 2 satır açıklama sayıldı ve atlandı: A2 “# bahar”, B5 “#son”.",
    "W_HEADER_ROWS Başlıkları yineleyen 1 satır atlandı: A4 “Ürün Kodu”.",
    "W_TOTAL_ROWS 1 satır toplam satırına benziyor ve atlandı: B6 “TOPLAM”.",
    "W_GROUP_ROWS Tek hücresi dolu 1 satır grup başlığı sayıldı ve atlandı: A7 “ELEKTRONİK”.",
  ]);
});

it("names products whose code or title begins with a sharp", () => {
  const rows = [
    ["product", ["#1002", "5"]],
    ["product", ["#####", "5"]],
    ["product", ["K#1", "5"]],
  ] as const;

  expect(warningsOf(rows)).toEqual([
    expect.stringContaining("1 satır ürün olarak okundu: A2 “#1002”."),
  ]);
  expect(warningsOf(rows, ["Raf", "Ürün Kodu"])).toEqual([]);
});

it("names ten rows of a kind at most, and shortens long texts", () => {
  const rows = Array.from({ length: 12 }, () => ["remark", [`# ${"x".repeat(60)}`]] as const);

  const [warning = ""] = warningsOf(rows);

  expect(warning).toContain("12 satır açıklama");
  expect(warning.endsWith(", ….")).toBe(true);
  expect(warning.length).toBeLessThan(650);
});

it("names rows of several sheets by their sheet", () => {
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header: HEADER });
  const leftOut = createLeftOutRows(mapping, {
    sheets: [
      { name: "Yaz", rowsBefore: 0 },
      { name: "Kış", rowsBefore: 2_000 },
    ],
  });

  leftOut.noteLeftOut({ row: 2_009, cells: ["", "TOPLAM"] }, "total");

  expect(leftOut.warnings()[0]?.message.tr).toContain("Kış!B9 “TOPLAM”");
});
