import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  readZipPart,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { writeHeldWorkbook } from "@catalog/report";
import { reportedRows } from "@catalog/report/testing";
import type { Journal } from "@catalog/runs";
import { openSheet, writeXlsx } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { readApprovals } from "../../../src/apply/release/read-approvals.ts";

const guarded = (code: string, row: number): StoredRow => ({
  cells: [code, 12.5, "=1+1"],
  state: "held",
  issues: [createIssue({ code: "E_GUARD_PRICE_DROP", row })],
});

type Cells = (string | number | boolean | null)[];

/**
 * Edits each row of a file of held rows, and reads the approvals of the edited file, whose sheets
 * have this many rows at most.
 */
async function approve(
  edit: (cells: Cells, row: number) => void,
  maxSheetRows = 100,
  meanwhile: (journal: Journal, runId: string) => Promise<void> = async () => undefined,
): Promise<{
  readonly approved: readonly number[];
  readonly refused: readonly string[];
  readonly unmarked: number;
}> {
  const { connection, folder } = await createTestConnection();
  const rows = [
    guarded("007", 2),
    guarded("A-3", 3),
    { ...guarded("A-4", 4), issues: [createIssue({ code: "E_OUTCOME_UNKNOWN", row: 4 })] },
  ];
  const header = ["Kod", "Fiyat", "Not"];
  const run = await storeRun(connection, { header, rows, reportDir: folder, lang: "en" });
  const path = join(folder, "held.xlsx");
  await writeHeldWorkbook(connection, run, { path, rows: reportedRows(connection, run) });
  await using sheet = await openSheet({ path });
  const width = sheet.header.cells.length;
  const edited: Cells[] = [];
  for await (const { row, cells } of sheet.rows()) {
    const all: Cells = Array.from({ length: width }, (_, index) => cells[index] ?? null);
    edit(all, row);
    edited.push(all);
  }
  const back = join(folder, "back.xlsx");
  const columns = sheet.header.cells.map((cell) => ({ header: String(cell) }));
  const sheets = [{ name: "Products", columns, rows: edited }];
  await writeXlsx({ path: back, sheets, maxSheetRows });
  await meanwhile(connection.journal, run.id);
  const { approved, refused, unmarked } = await readApprovals(connection, run, { path: back });
  return {
    approved: approved.map(({ row }) => row),
    refused: refused.map(({ why }) => why.en),
    unmarked,
  };
}

const LAST = 10;

describe("a row that was held because its product has changed", () => {
  it("is shown with the current and the planned value, and can be approved", async () => {
    const { connection, folder } = await createTestConnection();
    const changes = [{ field: "price", old: 7_500, new: 7_000 }];
    const issues = [createIssue({ code: "E_CHANGED", row: 2 })];
    const held = { cells: ["A-2", 70], state: "held", issues, changes } as const;
    const asked = {
      header: ["Kod", "Fiyat"],
      rows: [held],
      reportDir: folder,
      lang: "en",
    } as const;
    const run = await storeRun(connection, asked);
    const path = join(folder, "held.xlsx");
    await writeHeldWorkbook(connection, run, { path, rows: reportedRows(connection, run) });

    await using sheet = await openSheet({ path });
    const rows = await Array.fromAsync(sheet.rows());
    const cells = [...(rows[0]?.cells ?? [])];
    const marked = sheet.header.cells.map((header, at) =>
      header === "Approve" ? "Yes" : (cells[at] ?? null),
    );
    const columns = sheet.header.cells.map((cell) => ({ header: String(cell) }));
    const back = join(folder, "back.xlsx");
    await writeXlsx({ path: back, sheets: [{ name: "Products", columns, rows: [marked] }] });
    const { approved, refused } = await readApprovals(connection, run, { path: back });

    expect(cells).toEqual(expect.arrayContaining(["Price: 75.00", "Price: 70.00"]));
    expect([approved.map(({ row }) => row), refused]).toEqual([[2], []]);
  });
});

describe("readApprovals", () => {
  it("names the newer sync where it has replaced the row", async () => {
    const marks = await approve(
      (cells) => (cells[LAST] = "Evet"),
      100,
      async (journal, runId) => {
        const outcome = { to: "cancelled", cause: "superseded-hold" } as const;
        const key = { runId, row: 2, from: "held" } as const;
        await journal.recordOutcome(key, { ...outcome, evidence: { run: "r-newer" } });
      },
    );

    expect(marks.approved).toEqual([3]);
    expect(marks.refused[0]).toMatch(/newer syncs of the feed, .*catalog runs r-newer$/u);
  });

  it("reads every sheet of a file that has several", async () => {
    const marks = await approve((cells) => (cells[LAST] = "Evet"), 2);

    expect(marks.approved).toEqual([2, 3]);
    expect(marks.refused).toHaveLength(1);
  });

  it.each(["Evet", "EVET", "yes", "x", "X", "1", 1, true, "✓", " Onay "])(
    "reads %j as approval",
    async (word) => {
      const { approved, refused } = await approve((cells, row) => {
        if (row === 3) cells[LAST] = word;
      });

      expect([approved, refused]).toEqual([[3], []]);
    },
  );

  it.each(["Hayır", "No"])("approves no row without a mark or marked with %s", async (word) => {
    const output = await approve((cells, row) => {
      cells[LAST] = row === 2 ? word : null;
    });

    expect(output).toEqual({ approved: [], refused: [], unmarked: 3 });
  });

  it.each(["tr", "en"] as const)(
    "reads the words that the file offers for a mark (%s)",
    async (lang) => {
      const { connection, folder } = await createTestConnection();
      const given = { header: ["Kod", "Fiyat", "Not"], rows: [guarded("007", 2)] };
      const run = await storeRun(connection, { ...given, reportDir: folder, lang });

      const path = join(folder, "held.xlsx");
      await writeHeldWorkbook(connection, run, { path, rows: reportedRows(connection, run) });

      const words = { tr: "Evet,Hayır", en: "Yes,No" }[lang];
      expect(readZipPart(path, "xl/worksheets/sheet1.xml")).toContain(
        `sqref="K2:K2"><formula1>&quot;${words}&quot;</formula1>`,
      );
    },
  );

  it("refuses an unclear mark, a row of another run, and a row that is not held for its values", async () => {
    const { approved, refused } = await approve((cells, row) => {
      cells[LAST] = row === 2 ? "maybe" : "yes";
      if (row === 3) cells[3] = "r-000000-0000-0000#3";
    });

    expect(approved).toEqual([]);
    expect(refused).toEqual([
      expect.stringContaining("maybe"),
      expect.stringContaining("r-000000-0000-0000"),
      expect.stringContaining("not held for its values"),
    ]);
  });

  it("refuses a row whose cells were edited, as approving would not send the edit", async () => {
    const { approved, refused } = await approve((cells, row) => {
      cells[LAST] = row === 4 ? null : "yes";
      if (row === 3) cells[1] = 13;
    });

    expect(approved).toEqual([2]);
    expect(refused).toEqual([expect.stringContaining("were changed")]);
  });
});
