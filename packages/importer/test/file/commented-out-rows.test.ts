import { mapColumns } from "@catalog/mapping";
import { expect, it } from "vitest";

import { createCommentedOutRows } from "../../src/file/commented-out-rows.ts";

const notesOf = (header: readonly string[], ...rows: readonly (readonly string[])[]) => {
  const remarks = createCommentedOutRows(mapColumns({ sheet: "S", headerRow: 1, header }));
  for (const [index, cells] of rows.entries()) remarks.note({ row: index + 2, cells });
  return remarks.toWarning()?.message;
};

it("names the rows that are left out as remarks", () => {
  const message = notesOf(["Ürün Kodu", "Stok"], ["# bahar"], ["", ""], [" #son "]);

  expect(message?.tr).toBe("# ile başlayan 2 satır açıklama sayıldı ve atlandı (satır 2, 4).");
  expect(message?.en).toBe("Rows that start with # are remarks and were left out: 2 (row 2, 4).");
});

it("names remarks that look like products, with advice", () => {
  const message = notesOf(["Ürün Kodu", "Stok", "Raf"], ["#1002", "5", ""], ["#not", "", "A"]);

  expect(message?.tr).toContain("Ürüne benzeyenler: A2 “#1002”. Ürünse,");
  expect(message?.en).toContain("These look like products: A2 “#1002”.");
});

it("takes no remark for a product when the first column is neither code nor title", () => {
  const message = notesOf(["Raf", "Ürün Kodu", "Stok"], ["#a", "K1", "5"]);

  expect(message?.tr).not.toContain("benzeyenler");
});

it("reports no empty row as a remark, and names ten remarks at most", () => {
  expect(notesOf(["Ürün Kodu", "Stok"], ["", "\u200b"])).toBeUndefined();

  const many = notesOf(["Ürün Kodu"], ...Array.from({ length: 12 }, () => ["# x"]));

  expect(many?.tr).toContain(
    "12 satır açıklama sayıldı ve atlandı (satır 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …)",
  );
});
