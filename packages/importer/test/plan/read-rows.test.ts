import { idSchemas } from "@catalog/contract";
import { createRowMapper, createSheetReader, mapColumns } from "@catalog/mapping";
import { createFakeNames } from "@catalog/mapping/testing";
import type { CandidateRow, CellValue } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { toCandidate } from "../../src/plan/read-rows.ts";

const NAMES = createFakeNames({
  categories: [
    { id: idSchemas.category.parse("c-1"), name: "Fincan", category_path: "Ev > Fincan" },
  ],
  shippingTemplates: [{ id: idSchemas.shippingTemplate.parse("t-1"), template_name: "Standart" }],
});

/** The candidate of a sheet's only row, row 2. */
async function candidateOf(cells: Readonly<Record<string, CellValue>>): Promise<CandidateRow> {
  const mapping = mapColumns({ sheet: "Ürünler", headerRow: 1, header: Object.keys(cells) });
  const row = { row: 2, cells: Object.values(cells) };
  const observer = createSheetReader(mapping).observeNumbers();
  observer.observe(row);
  const notations = observer.decide();
  const mapper = createRowMapper({ sheet: "Ürünler", mapping, notations, names: NAMES });
  const codes = createSheetReader(mapping, "Ürünler").codes;
  await mapper.findOpenNames(row);
  return toCandidate({ mapper, codes }, mapper.map(row));
}

describe("toCandidate", () => {
  it("returns what the row asks for, and the location of its code", async () => {
    const candidate = await candidateOf({
      "Ürün Kodu": " Kod-1 ",
      Stok: 7,
      Kategori: "Ev > Fincan",
      İşlem: "Güncelle",
    });

    expect(candidate).toMatchObject({
      row: 2,
      code: "Kod-1",
      codeKey: "Kod-1",
      productId: null,
      action: "update",
      changes: { product_code: "Kod-1", stock_count: 7, category_id: "c-1" },
      categoryName: "Fincan",
      issues: [],
      codeLocation: { sheet: "Ürünler", row: 2, column: "Ürün Kodu", cell: "A2", value: "Kod-1" },
    });
  });

  it("reports no issue at a missing code", async () => {
    const candidate = await candidateOf({ "Ürün ID": "5f1e0c2a9d3b4a0011223344", Stok: 7 });

    expect(candidate).toMatchObject({
      code: null,
      codeKey: null,
      productId: "5f1e0c2a9d3b4a0011223344",
      codeLocation: { cell: "A2", value: "" },
    });
  });

  it("keeps the issues of the cells", async () => {
    const { issues } = await candidateOf({ "Ürün Kodu": "KOD-1", Stok: "beş" });

    expect(issues.map(({ cell, code }) => `${cell} ${code}`)).toEqual(["B2 E_NOT_A_NUMBER"]);
  });

  it("reports everything that an add lacks, and only for adds", async () => {
    const candidate = await candidateOf({ "Ürün Kodu": "KOD-1", Başlık: null, Stok: 7 });

    expect(candidate.issues).toEqual([]);
    const completed = candidate.completeAdd();
    expect(completed.ok).toBe(false);
    const codes = completed.ok ? [] : completed.issues.map(({ code }) => code);
    expect(codes).toContain("E_REQUIRED");
    expect(codes).toContain("E_COLUMN_MISSING");
  });
});
