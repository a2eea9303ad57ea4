import { describe, expect, it } from "vitest";

import { CLASSES, toPageRow } from "../../src/report-page/page-row.ts";
import { readRecords } from "../../src/run-rows.ts";
import { createIssue, storeRun, type StoredRow } from "../helpers/stored-run.ts";
import { createWorkplace } from "../helpers/workplace.ts";

async function rowOf(row: StoredRow) {
  const { toolkit } = await createWorkplace();
  const run = await storeRun(toolkit, { header: ["Kod"], rows: [row] });
  const [record] = await Array.fromAsync(readRecords(toolkit, run));
  if (record === undefined) throw new Error("there is no row");
  return toPageRow(record, "tr");
}

describe("toPageRow", () => {
  it("has what was found, what changes, and the cells that are filled", async () => {
    const row = await rowOf({
      cells: ["KOD-1", null, "", 5],
      state: "held",
      issues: [createIssue({ suggestion: { tr: "12 yazın.", en: "Write 12." } })],
      changes: [
        { field: "price", old: 1000, new: 129_990 },
        { field: "stock_count", new: 5 },
        { field: "images", old: ["a"], new: ["b"] },
      ],
    });

    expect(row).toEqual([
      2,
      "KOD-1",
      CLASSES.indexOf("held"),
      "",
      [["E_NOT_A_NUMBER", "B2", "“on iki” bir sayı değil.", "12 yazın."]],
      [
        ["price", "10,00", "1.299,90"],
        ["stock_count", "", "5"],
        ["images", '["a"]', '["b"]'],
      ],
      "KOD-1\n5",
    ]);
  });

  it("cuts a long cell between whole characters", async () => {
    const [, , , , , , cells] = await rowOf({ cells: ["🥄".repeat(70)], state: "unchanged" });

    expect(cells).toBe(`${"🥄".repeat(60)}…`);
  });
});
