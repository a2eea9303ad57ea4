import { mapColumns } from "@catalog/mapping";
import type { RunSheets } from "@catalog/runs";
import { expect, it } from "vitest";

import { createUnpublishedRows } from "../../src/file/unpublished-rows.ts";

const HEADER = ["SKU", "Name", "Status", "Published"];

function leaveOut(rows: readonly (readonly string[])[], sheet: RunSheets = {}) {
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header: HEADER, platform: "shopify" });
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
