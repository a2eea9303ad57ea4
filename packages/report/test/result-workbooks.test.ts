import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  readZipPart,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { openSheet } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { writeResultFiles } from "../src/result-files.ts";
import { readSheet } from "./helpers/read-workbook.ts";

const added = idSchemas.product.parse("p-9");

async function writeFiles(header: readonly string[], rows: readonly StoredRow[]): Promise<string> {
  const { connection, folder } = await createTestConnection();
  const dir = join(folder, "sonuc");
  const run = await storeRun(connection, { header, rows, reportDir: dir });
  await writeResultFiles(connection, run);
  return dir;
}

describe("result files", () => {
  it("keeps outcome, code, reason and advice in view, with rows as high as their texts", async () => {
    const long = "Bu ürünün başlığı pazaryerinin izin verdiğinden çok daha uzun. ".repeat(3);
    const advised = createIssue({ suggestion: { tr: long, en: long } });
    const issues = [createIssue({ message: { tr: long, en: long } }), advised];
    const rows: readonly StoredRow[] = [{ cells: ["A", 5, null], state: "invalid", issues }];
    const dir = await writeFiles(["Stok Kodu", "Fiyat", "Not"], rows);

    const sheet = readZipPart(join(dir, "failed.xlsx"), "xl/worksheets/sheet1.xml");
    expect(sheet).toContain('<pane xSplit="4" ySplit="1" topLeftCell="E2"');
    expect(sheet).toMatch(
      /<col min="3" max="3" width="38" [^>]*\/><col min="4" max="4" width="52"/u,
    );
    // 190 letters in lines of 38, and one line more.
    expect(sheet).toContain('<row r="2" ht="105">');
  });

  it("writes the ids of new products into the column of ids that the input has", async () => {
    const rows: readonly StoredRow[] = [
      {
        cells: ["A", "", 5],
        action: "add",
        outcome: { to: "done", cause: "answer", productId: added },
      },
    ];
    const dir = await writeFiles(["Stok Kodu", "Ürün ID", "Fiyat"], rows);

    const [header = [], first = []] = await readSheet(join(dir, "result.xlsx"));
    expect(header.filter((name) => name === "Ürün ID")).toHaveLength(1);
    expect(first[header.indexOf("Ürün ID")]).toBe("p-9");
  });
});

const HEADER = ["SKU", "Type", "Parent", "Name", "Stock"];

const parent = (code: string): StoredRow => ({
  cells: [code, "variable", null, `Ürün ${code}`, null],
  joined: { role: "parent" },
  state: "skipped",
});

it("a retry writes the parents of its failed rows, which only the earlier run has", async () => {
  const { connection, folder } = await createTestConnection();
  const reading = { platform: "woocommerce" };
  const first = await storeRun(connection, {
    header: HEADER,
    rows: [parent("K"), parent("B"), parent("C")],
  });
  const retry = await storeRun(connection, {
    id: "r-261121-0930-4f2b",
    header: HEADER,
    rows: [],
    reportDir: join(folder, "retry"),
  });
  const cells = ["K-S", "variation", "K", "S", "bir"];
  const joined = { role: "variant", parentRow: 2 } as const;
  const row = { row: 9, code: "K-S", codeKey: "K-S" };
  await connection.journal.appendRows(retry.id, [{ ...row, cells, joined }]);
  const invalid = { state: "invalid", action: null, productId: null, payload: null } as const;
  await connection.journal.saveDecisions(retry.id, [
    { row: 9, ...invalid, changes: [], issues: [] },
  ]);

  const progress = { reading, retryOf: first.id };
  const { failed } = await writeResultFiles(connection, { ...retry, progress });

  await using sheet = await openSheet({ path: failed ?? "" });
  const written = await Array.fromAsync(sheet.rows());
  expect(sheet.header.cells).not.toContain("İşlem");
  const shown = ["SKU", "Type", "Parent", "Name"].map((name) => sheet.header.cells.indexOf(name));
  expect(written.map((each) => shown.map((at) => each.cells[at]))).toEqual([
    ["K", "variable", null, "Ürün K"],
    ["K-S", "variation", "K", "S"],
  ]);
});
