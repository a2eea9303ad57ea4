import {
  createIssue,
  createTestConnection,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import type { RowIssue } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { CLASSES, createReasonCount, type Reason, toPageRow } from "../../src/html/page-parts.ts";

const say = (code: string, tr: string): RowIssue =>
  createIssue({ code, message: { tr, en: "en" } });

/** The reasons of rows from row 2 on, each with its issues. */
function listReasons(rows: readonly (readonly RowIssue[])[]): readonly Reason[] {
  const reasons = createReasonCount({ lang: "tr" });
  for (const [index, issues] of rows.entries())
    reasons.observe({ row: index + 2, issues, state: "held" });
  return reasons.list();
}

describe("createReasonCount", () => {
  it("groups issues by code: errors first, then by frequency", () => {
    const reasons = listReasons([
      [say("W_A", "w1"), say("E_B", "b1")],
      [say("E_C", "c1"), say("W_A", "w2")],
      // An issue found twice in one row counts as one row.
      [say("E_C", "c2"), say("E_C", "c3")],
    ]);

    expect(reasons).toEqual([
      { code: "E_C", message: "c1", count: 1, rows: [3] },
      { code: "E_C", message: "c2", count: 1, rows: [4] },
      { code: "E_B", message: "b1", count: 1, rows: [2] },
      { code: "W_A", message: "w1", count: 1, rows: [2] },
      { code: "W_A", message: "w2", count: 1, rows: [3] },
    ]);
  });

  it("leaves out what held rows that were approved or given up", () => {
    const reasons = createReasonCount({ lang: "tr" });
    for (const [index, state] of (["held", "cancelled", "done", "unchanged"] as const).entries()) {
      const issues = [say("E_B", "b1"), say("W_A", "w1")];
      reasons.observe({ row: index + 2, issues, state });
    }

    expect(reasons.list().map(({ code, rows }) => [code, rows])).toEqual([
      ["E_B", [2]],
      ["W_A", [2, 3, 4, 5]],
    ]);
  });

  it("says of a row only what is true of it, however many texts a code has", () => {
    const texts = ["“GBP”", "“CHF”", "“GBP”", "“JPY”", "“SEK”", "“NOK”"];
    const reasons = listReasons(texts.map((text) => [say("E_X", text)]));

    expect(reasons.map(({ message, rows }) => [message, rows])).toEqual([
      ["“GBP”", [2, 4]],
      ["“CHF”", [3]],
      ["“JPY”", [5]],
      ["Aynı türden başka nedenler", [6, 7]],
    ]);
  });

  it("names only the first rows of each code", () => {
    const [reason] = listReasons(Array.from({ length: 30 }, () => [createIssue()]));

    expect(reason).toMatchObject({ count: 30 });
    expect(reason?.rows).toHaveLength(12);
  });
});

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
    const payload = { product_id: idSchemas.product.parse("p-1"), discount_type };
    const changes = [{ field: "discount_value", new: 1500 }];

    const [, , , , , shown] = await rowOf({ cells: ["K"], payload, changes });

    expect(shown).toEqual([[expect.any(String), "", written]]);
  });

  it("cuts a long cell between whole characters", async () => {
    const [, , , , , , cells] = await rowOf({ cells: ["🥄".repeat(70)], state: "unchanged" });

    expect(cells).toBe(`${"🥄".repeat(60)}…`);
  });
});
