import { join } from "node:path";

import { createTestConnection, type StoredRow, storeRun } from "@catalog/connection/testing";
import { openSheet } from "@catalog/sheets";
import { expect, it } from "vitest";

import { writeResultFiles } from "../src/result-files.ts";

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
