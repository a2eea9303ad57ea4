import { createTestConnection, type StoredRow, storeRun } from "@catalog/connection/testing";
import type { RowIssue } from "@catalog/runs";
import { openSheet } from "@catalog/sheets";
import { expect, it } from "vitest";

import { writeResultFiles } from "../src/result-files.ts";

const issueOf = (code: string, tr: string): RowIssue => ({
  code,
  sheet: "Ürünler",
  row: 3,
  column: "Stok",
  cell: "C3",
  value: "x",
  message: { tr, en: tr },
});

async function readReasons(path: string | null): Promise<readonly unknown[]> {
  await using sheet = await openSheet({ path: path ?? "" });
  const rows = await Array.fromAsync(sheet.rows());
  const at = sheet.header.cells.indexOf("Hata");
  return rows.map(({ cells }) => cells[at]);
}

it("messages of a workbook name the rows and cells of the workbook itself", async () => {
  const { connection } = await createTestConnection();
  const rows = [
    [],
    ["E_CODE_DUPLICATE", "Geçiyor (satırlar: 3, 5, 99)."],
    ["E_PRODUCT_TWICE", "Bu satır, 5. satırdaki ürünle aynı ürünü güncelliyor."],
    ["E_NUMBER_MIXED", "“C3 1,5” ondalık virgül, C5 “1.5” ise ondalık nokta, C2 “2.5” de."],
  ];
  const run = await storeRun(connection, {
    header: ["Ürün Kodu", "Başlık", "Stok"],
    rows: rows.map(([code, text], index): StoredRow => ({
      cells: [`K-${index}`, "Fincan", 1],
      state: code === undefined ? "unchanged" : "invalid",
      issues: code === undefined ? [] : [issueOf(code, text ?? "")],
    })),
  });

  const { failed, result } = await writeResultFiles(connection, run);

  expect(await readReasons(failed)).toEqual([
    "F2: Geçiyor (satırlar: 2, 4; asıl dosyada: 99).",
    "F3: Bu satır, 4. satırdaki ürünle aynı ürünü güncelliyor.",
    "F4: “C3 1,5” ondalık virgül, F4 “1.5” ise ondalık nokta, asıl dosyadaki C2 “2.5” de.",
  ]);
  expect((await readReasons(result))[1]).toContain("(satırlar: 3, 5; asıl dosyada: 99)");
});
