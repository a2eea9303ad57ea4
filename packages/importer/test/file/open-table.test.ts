import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { streamXlsx } from "@catalog/sheets";
import { expect, it, onTestFinished } from "vitest";

import { openTable, type SheetQuestion } from "../../src/file/open-table.ts";

/** A workbook as from our template, with two sheets of products. */
async function workbookOfTwo(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "open-table-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "liste.xlsx");
  const columns = [{ header: "Ürün Kodu" }, { header: "Stok" }];
  const sheets = [
    { name: "Ürünler", columns, rows: [["KOD-9", 5]] },
    { name: "Aksesuarlar", columns, rows: [["KOD-1", 7]] },
  ];
  await streamXlsx({ path, sheets });
  return path;
}

it("asks which of several sheets with the same headers is read", async () => {
  const asked: SheetQuestion[] = [];
  const askSheet = async (question: SheetQuestion): Promise<string> => {
    asked.push(question);
    return "Aksesuarlar";
  };

  const { sheet, given } = await openTable({ path: await workbookOfTwo() }, { askSheet });

  await sheet.close();
  expect([sheet.sheet, given.sheet]).toEqual(["Aksesuarlar", "Aksesuarlar"]);
  expect(asked).toEqual([
    {
      file: "liste.xlsx",
      sheets: [
        { name: "Ürünler", rows: 2 },
        { name: "Aksesuarlar", rows: 2 },
      ],
    },
  ]);
});

it.each([
  ["nobody can be asked", {}],
  ["no sheet is chosen", { askSheet: async () => undefined }],
])("refuses several sheets with the same headers where %s", async (_, questions) => {
  const opening = openTable({ path: await workbookOfTwo() }, questions);

  await expect(opening).rejects.toMatchObject({
    code: "E_SHEET_CHOICE",
    localized: { tr: expect.stringContaining("“Aksesuarlar” (2 dolu satır)") },
  });
});
