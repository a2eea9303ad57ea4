import { mapColumns } from "@catalog/mapping";
import type { RunSheets } from "@catalog/runs";
import { expect, it } from "vitest";

import {
  createLeftOutRows,
  createUnpublishedRows,
  type RowKind,
} from "../../src/file/product-rows.ts";

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

const EXPORT_HEADER = ["SKU", "Name", "Status", "Published"];

function leaveOut(rows: readonly (readonly string[])[], sheet: RunSheets = {}) {
  const mapping = mapColumns({
    sheet: "S",
    headerRow: 1,
    header: EXPORT_HEADER,
    platform: "shopify",
  });
  const unpublished = createUnpublishedRows(mapping, { sheet, isWhole: () => true });
  const kept = rows.flatMap((cells, index) => {
    const row = index + 2;
    return unpublished.keeps({ row, cells }) ? [row] : [];
  });
  return { kept, warnings: unpublished.warnings() };
}

it("names the rows that are not on sale in one line, with the flags that take them", () => {
  const { kept, warnings } = leaveOut([
    ["A", "Atkı", "draft", "true"],
    ["B", "Bere", "active", "true"],
    ["C", "Cep", "archived", "true"],
    ["D", "Don", "active", "FALSE"],
    ["", "Etek", "draft", "true"],
  ]);

  expect(kept).toEqual([3]);
  expect(warnings).toEqual([
    {
      code: "W_UNPUBLISHED_ROWS",
      message: {
        tr: 'Kaynağında satışta olmayan 4 satır atlandı (“Status”: draft, archived; “Published”: FALSE): C2 (A), C4 (C), D5 (D), C6. Bunlar da alınacaksa: --map "Status=-" --map "Published=-"',
        en: 'Rows that are not on sale where they come from were left out (“Status”: draft, archived; “Published”: FALSE): 4: C2 (A), C4 (C), D5 (D), C6. To take them after all: --map "Status=-" --map "Published=-"',
      },
    },
  ]);
});

it("names ten rows at most, and those of several sheets by their sheet", () => {
  const sheets = [
    { name: "Yaz", rowsBefore: 0 },
    { name: "Kış", rowsBefore: 2 },
  ];
  const rows = Array.from({ length: 12 }, (_, n) => [`K-${n + 1}`, "Ürün", "draft", ""]);

  const [{ message } = { message: undefined }] = leaveOut(rows, { sheets }).warnings;

  expect(message?.tr).toContain("12 satır");
  expect(message?.tr).toContain("Kış!C2 (K-3)");
  expect(message?.tr).toContain("(K-10), …. ");
  expect(message?.tr).not.toContain("K-11");
});

it("says nothing of a file whose rows are all on sale", () => {
  expect(leaveOut([["A", "Atkı", "active", "true"]])).toEqual({ kept: [2], warnings: [] });
});
