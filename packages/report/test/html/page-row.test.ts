import {
  createIssue,
  createTestConnection,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { productId } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { CLASSES, toPageRow } from "../../src/html/page-parts.ts";

async function rowOf(row: StoredRow) {
  const { connection } = await createTestConnection();
  const run = await storeRun(connection, { header: ["Kod"], rows: [row] });
  const [record] = await connection.journal.readRows(run.id, { limit: 1 });
  if (record === undefined) throw new Error("there is no row");
  return toPageRow(record, "tr");
}

describe("toPageRow", () => {
  it("has the issues, the changes and the cells that are not empty", async () => {
    const row = await rowOf({
      cells: ["KOD-1", null, "", 5],
      state: "held",
      issues: [createIssue({ suggestion: { tr: "12 yazın.", en: "Write 12." } })],
      changes: [
        { field: "price", old: 1000, new: 129_990 },
        { field: "stock_count", new: 5 },
        { field: "images", old: ["a"], new: ["b"] },
        { field: "unheard_of", old: 1, new: 2 },
      ],
    });

    expect(row).toEqual([
      2,
      "KOD-1",
      CLASSES.indexOf("held"),
      "",
      [["E_NOT_A_NUMBER", "B2", "“on iki” bir sayı değil.", "12 yazın."]],
      [
        ["Fiyat", "10,00", "1.299,90"],
        ["Stok", "", "5"],
        ["Görseller", "a", "b"],
        ["unheard_of", "1", "2"],
      ],
      "KOD-1\n5",
      "",
    ]);
  });

  it("has the title that is sent", async () => {
    const row = await rowOf({ cells: ["K"], action: "add" });

    expect(row[7]).toEqual(expect.stringMatching(/\p{L}/u));
  });

  it.each([
    [1, "15,00"],
    [2, "1500"],
    [undefined, "1500"],
  ] as const)("writes a discount of type %s as %s", async (discount_type, written) => {
    const payload = { product_id: productId.parse("p-1"), discount_type };
    const changes = [{ field: "discount_value", new: 1500 }];

    const [, , , , , shown] = await rowOf({ cells: ["K"], payload, changes });

    expect(shown).toEqual([[expect.any(String), "", written]]);
  });

  it("cuts a long cell between whole characters", async () => {
    const [, , , , , , cells] = await rowOf({ cells: ["🥄".repeat(70)], state: "unchanged" });

    expect(cells).toBe(`${"🥄".repeat(60)}…`);
  });
});
