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

import { readApprovals } from "../../src/apply/read-approvals.ts";

const guarded = (code: string, row: number): StoredRow => ({
  cells: [code, 12.5, "=1+1"],
  state: "held",
  issues: [createIssue({ code: "E_GUARD_PRICE_DROP", row })],
});

/** Columns of the written file. */
const [APPROVE, PRICE, KEY] = [0, 8, 11];

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
  readonly declined: readonly number[];
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
  const read = await readApprovals(connection, run, { path: back });
  return {
    approved: read.approved.map(({ row }) => row),
    declined: read.declined.map(({ row }) => row),
    refused: read.refused.map(({ why }) => why.en),
    unmarked: read.unmarked,
  };
}

/** Reads the marks of a file in which the row of a changed product says this. */
async function approveChanged(edit: (header: string, cell: Cells[number]) => Cells[number]) {
  const { connection, folder } = await createTestConnection();
  const changes = [{ field: "price", old: 7_500, new: 7_000 }];
  const issues = [createIssue({ code: "E_CHANGED", row: 2 })];
  const held = { cells: ["A-2", 70], state: "held", issues, changes } as const;
  const asked = { header: ["Kod", "Fiyat"], rows: [held], reportDir: folder, lang: "en" } as const;
  const run = await storeRun(connection, asked);
  const path = join(folder, "held.xlsx");
  await writeHeldWorkbook(connection, run, { path, rows: reportedRows(connection, run) });

  await using sheet = await openSheet({ path });
  const rows = await Array.fromAsync(sheet.rows());
  const cells = [...(rows[0]?.cells ?? [])];
  const marked = sheet.header.cells.map((header, at) => {
    return header === "Approve" ? "Yes" : edit(String(header), cells[at] ?? null);
  });
  const columns = sheet.header.cells.map((cell) => ({ header: String(cell) }));
  const back = join(folder, "back.xlsx");
  await writeXlsx({ path: back, sheets: [{ name: "Products", columns, rows: [marked] }] });
  return { path, cells, ...(await readApprovals(connection, run, { path: back })) };
}

describe("a row that was held because its product has changed", () => {
  it("is shown with the current and the planned value, and can be approved", async () => {
    const { path, cells, approved, refused } = await approveChanged((_, cell) => cell);

    // The product itself is not in the listing of this test, so that it has no name.
    expect(cells.slice(2, 6)).toEqual([null, 75, 70, -7]);
    const part = readZipPart(path, "xl/styles.xml");
    expect(part).toContain('formatCode="#,##0.00"');
    expect([approved.map(({ row }) => row), refused]).toEqual([[2], []]);
  });

  it.each(["70", "70,00", "70.00"])(
    "takes its new value as %s, as programs save it",
    async (text) => {
      const { approved } = await approveChanged((name, cell) =>
        name === "New Value" ? text : cell,
      );

      expect(approved).toHaveLength(1);
    },
  );

  it.each(["71", 4800, "", "70,02"])("is not approved with %j as its new value", async (value) => {
    const { approved, refused } = await approveChanged((name, cell) =>
      name === "New Value" ? value : cell,
    );

    expect(approved).toEqual([]);
    expect(refused.map(({ why }) => why.en)).toEqual([
      expect.stringContaining("approving sends only what was planned"),
    ]);
  });
});

describe("readApprovals", () => {
  it("names the newer sync where it has replaced the row", async () => {
    const marks = await approve(
      (cells) => (cells[APPROVE] = "Evet"),
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
    const marks = await approve((cells) => (cells[APPROVE] = "Evet"), 2);

    expect(marks.approved).toEqual([2, 3]);
    expect(marks.refused).toHaveLength(1);
  });

  it.each(["Evet", "EVET", "yes", " e ", "Y"])("reads %j as approval", async (word) => {
    const { approved, refused } = await approve((cells, row) => {
      if (row === 3) cells[APPROVE] = word;
    });

    expect([approved, refused]).toEqual([[3], []]);
  });

  it.each(["OK", "x", "1", 1, true, "✓", "Onay", "-", "0", "evetse"])(
    "refuses %j, which is none of the words",
    async (word) => {
      const marks = await approve((cells) => (cells[APPROVE] = word));

      expect([marks.approved, marks.declined]).toEqual([[], []]);
      expect(marks.refused).toHaveLength(3);
    },
  );

  it.each(["Hayır", "HAYIR", "hayir", "No", "h"])(
    "gives a row up that is marked with %s, and leaves those without a mark",
    async (word) => {
      const output = await approve((cells, row) => {
        cells[APPROVE] = row === 2 ? word : null;
      });

      expect(output).toEqual({ approved: [], declined: [2], refused: [], unmarked: 2 });
    },
  );

  it("gives no row up that is not held for its values, or that is settled already", async () => {
    const marks = await approve(
      (cells) => (cells[APPROVE] = "Hayır"),
      100,
      async (journal, runId) => {
        const key = { runId, row: 2, from: "held" } as const;
        await journal.recordOutcome(key, { to: "cancelled", cause: "released-cancel" });
      },
    );

    expect([marks.approved, marks.declined]).toEqual([[], [3]]);
    expect(marks.refused).toEqual([expect.stringContaining("not held for its values")]);
  });

  it("finds the columns where a person has moved them", async () => {
    const { connection, folder } = await createTestConnection();
    const given = { header: ["Kod", "Fiyat", "Not"], rows: [guarded("007", 2)] };
    const run = await storeRun(connection, { ...given, reportDir: folder, lang: "tr" });
    const header = ["Kod", "Fiyat", "Not", "Bekleyen Satır", "Eski Değer", "Neden", "Onay"];
    const cells = ["007", 12.5, "=1+1", `${run.id}#2`, "25,00", "Fiyat düşüyor", "Evet"];
    const path = join(folder, "eski.xlsx");
    const columns = header.map((name) => ({ header: name }));
    await writeXlsx({ path, sheets: [{ name: "Ürünler", columns, rows: [cells] }] });

    const { approved, refused } = await readApprovals(connection, run, { path });

    expect([approved.map(({ row }) => row), refused]).toEqual([[2], []]);
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
        `sqref="A2:A2"><formula1>&quot;${words}&quot;</formula1>`,
      );
    },
  );

  it("refuses an unclear mark, a row of another run, and a row that is not held for its values", async () => {
    const { approved, refused } = await approve((cells, row) => {
      cells[APPROVE] = row === 2 ? "maybe" : "yes";
      if (row === 3) cells[KEY] = "r-000000-0000-0000#3";
    });

    expect(approved).toEqual([]);
    expect(refused).toEqual([
      expect.stringContaining("maybe"),
      expect.stringContaining("r-000000-0000-0000"),
      expect.stringContaining("not held for its values"),
    ]);
  });

  it("tells of a row whose cells were edited, and which has no mark", async () => {
    const marks = await approve((cells, row) => {
      cells[APPROVE] = row === 2 ? "yes" : null;
      if (row !== 2) cells[PRICE] = 13;
    });

    expect([marks.approved, marks.unmarked]).toEqual([[2], 2]);
    expect(marks.refused.join("\n")).toMatch(
      /^Cells or values of row 3 .*is empty.* if the file is old.*\n.*row 4 /u,
    );
  });

  it("tells nothing of edited rows without a mark that are of another run or settled", async () => {
    const { approved, refused } = await approve(
      (cells, row) => {
        if (row === 3) cells[KEY] = "r-000000-0000-0000#3";
        if (row !== 4) cells[PRICE] = 13;
      },
      100,
      async (journal, runId) => {
        const cancelled = { to: "cancelled", cause: "released-cancel" } as const;
        await journal.recordOutcome({ runId, row: 2, from: "held" }, cancelled);
      },
    );

    expect([approved, refused]).toEqual([[], []]);
  });

  it("refuses a row whose cells were edited, as approving would not send the edit", async () => {
    const { approved, refused } = await approve((cells, row) => {
      cells[APPROVE] = row === 4 ? null : "yes";
      if (row === 3) cells[PRICE] = 13;
    });

    expect(approved).toEqual([2]);
    expect(refused).toEqual([expect.stringContaining("are not as held.xlsx was written")]);
  });
});

it("reads the file in the encoding that a person names", async () => {
  const { connection, write } = await createTestConnection();
  const run = await storeRun(connection, { header: ["Kod"], rows: [guarded("007", 2)] });
  const path = write("held.csv", "Approve;Held Row\nNo;x\n");

  const read = readApprovals(connection, run, { path, encoding: "yok-1" });

  await expect(read).rejects.toThrow("yok-1");
});
