import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import type { RowIssue } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { writeResultFiles } from "../src/result-files.ts";
import { readSheet } from "./helpers/read-workbook.ts";

/** The cells of a held row whose price would go from 1,100 to 850, by header. */
async function writeHeld(issue: Partial<RowIssue>): Promise<ReadonlyMap<unknown, unknown>> {
  const row: StoredRow = {
    cells: ["KOD-1", 850],
    state: "held",
    action: "update",
    changes: [{ field: "price", old: 110_000, new: 85_000 }],
    issues: [createIssue(issue)],
  };
  const { connection, folder } = await createTestConnection();
  const reportDir = join(folder, "sonuc");
  const run = await storeRun(connection, {
    header: ["Stok Kodu", "Fiyat"],
    rows: [row],
    reportDir,
  });
  await writeResultFiles(connection, run);
  const [header = [], cells = []] = await readSheet(join(reportDir, "held.xlsx"));
  return new Map(header.map((name, at) => [name, cells[at]]));
}

describe("the file of held rows", () => {
  it("shows what a row changes, where a discount does not fit its new price", async () => {
    const guard = { guard: "discount-price", field: "paid_price", new: 89_950 } as const;
    const cells = await writeHeld({ code: "E_GUARD_DISCOUNT", guard });

    expect([cells.get("Eski Değer"), cells.get("Yeni Değer")]).toEqual([1100, 850]);
  });

  it("does not call a price that was not compared a slipped one", async () => {
    const cells = await writeHeld({ code: "E_GUARD_PRICE_UNIT" });

    expect(cells.get("Koruma")).toBe("Fiyat birimi bilinmiyor");
  });
});
