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

interface Reason {
  readonly code: string;
  readonly text: string;
  readonly lang?: "tr" | "en";
}

/** The reason in the second row of a failed workbook whose rows are 3, 4 and 5 of the file. */
async function failedReason({ code, text, lang = "en" }: Reason): Promise<unknown> {
  const { connection, folder } = await createTestConnection();
  const own = issueOf(code, text);
  const texts = [undefined, issueOf("E_X", "x"), { ...own, cell: "" }, issueOf("E_X", "x")];
  const run = await storeRun(connection, {
    reportDir: folder,
    lang,
    header: ["Ürün Kodu", "Başlık", "Stok"],
    rows: texts.map((issue, index): StoredRow => ({
      cells: [`K-${index}`, "Fincan", 1],
      state: issue === undefined ? "unchanged" : "invalid",
      issues: issue === undefined ? [] : [issue],
    })),
  });
  const { failed } = await writeResultFiles(connection, run);
  return (await readReasons(failed, lang === "tr" ? "Hata" : "Error"))[1];
}

async function readReasons(path: string | null, header = "Hata"): Promise<readonly unknown[]> {
  await using sheet = await openSheet({ path: path ?? "" });
  const rows = await Array.fromAsync(sheet.rows());
  const at = sheet.header.cells.indexOf(header);
  return rows.map(({ cells }) => cells[at]);
}

it("messages of a workbook name the rows and cells of the workbook itself", async () => {
  const { connection, folder } = await createTestConnection();
  const rows = [
    [],
    ["E_CODE_DUPLICATE", "Geçiyor (satırlar: 3, 5, 99)."],
    ["E_PRODUCT_TWICE", "Bu satır, 5. satırdaki ürünle aynı ürünü güncelliyor."],
    ["E_NUMBER_MIXED", "“C3 1,5” ondalık virgül, C5 “1.5” ise ondalık nokta, C2 “2.5” de."],
  ];
  const run = await storeRun(connection, {
    reportDir: folder,
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

it.each<[text: string, named: string, lang?: "tr" | "en"]>([
  [
    "It is on several rows (rows 3, 5, 99).",
    "It is on several rows (rows 2, 4; in the original file: 99).",
  ],
  ["It is on several rows (rows 98, 99).", "It is on several rows (in the original file: 98, 99)."],
  ["It is on several rows (rows 3, 5, …).", "It is on several rows (rows 2, 4, …)."],
  ["Geçiyor (satırlar: 3, 5, 99, …).", "Geçiyor (satırlar: 2, 4; asıl dosyada: 99, …).", "tr"],
  ["It updates the same product as row 5.", "It updates the same product as row 4."],
  ["The same product as row 2.", "The same product as row 2 of the original file."],
  [
    "Decimal comma, C5 “C3 row 5” point; also C2.",
    "Decimal comma, F4 “C3 row 5” point; also C2 of the original file.",
  ],
])("names rows of the workbook in %s", async (text, named, lang = "en") => {
  expect(await failedReason({ code: "E_CODE_DUPLICATE", text, lang })).toBe(named);
});

it("leaves numbers in other messages alone", async () => {
  expect(await failedReason({ code: "E_Y", text: "At most row 5 (rows 3, 5)." })).toBe(
    "At most row 5 (rows 3, 5).",
  );
});

it("leaves the messages of several sheets alone, which name the sheet of each row", async () => {
  const { connection, folder } = await createTestConnection();
  const text = "Geçiyor (satırlar: Kış!2, Kış!3; satır 3. satırdaki).";
  const { id } = await storeRun(connection, {
    reportDir: folder,
    header: ["Ürün Kodu", "Başlık", "Stok"],
    rows: [
      { cells: ["A", "Fincan", 1], state: "unchanged" },
      { cells: ["A", "Fincan", 1], state: "invalid", issues: [issueOf("E_CODE_DUPLICATE", text)] },
    ],
  });
  const run = await connection.runs.read(id);
  if (run === undefined) throw new Error("the run was not stored");
  const file = { ...run.file, sheets: [{ name: "Kış", rowsBefore: 0 }] };

  const { failed } = await writeResultFiles(connection, { ...run, file });

  expect(await readReasons(failed)).toEqual([expect.stringContaining(text)]);
});
