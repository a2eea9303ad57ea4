import {
  createIssue,
  createTestConnection,
  RUN_ID,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { EMPTY_SUMMARY, readSummary, type RunSummary } from "../src/run-summary.ts";

const REST = { command: "import", exit: 5, files: EMPTY_SUMMARY.files };

const invalidRow = (issues: number): StoredRow => ({
  cells: ["KOD"],
  state: "invalid",
  issues: Array.from({ length: issues }, (_, index) => createIssue({ cell: `A${index}` })),
});

async function summaryOf(rows: readonly StoredRow[]): Promise<RunSummary> {
  const { connection } = await createTestConnection();
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows });
  return await readSummary(connection, run, REST);
}

describe("readSummary", () => {
  it("summarizes the run", async () => {
    const { connection } = await createTestConnection();
    await storeRun(connection, {
      header: ["Ürün Kodu"],
      rows: [invalidRow(1), { cells: ["A"] }, { cells: ["B"], state: "unchanged" }],
      warnings: [{ code: "W_X", message: { tr: "Barkod gönderilmez.", en: "No barcodes." } }],
    });
    await connection.runs.addRequests(RUN_ID, { token: 1, read: 3, write: 5 });
    const planned = { ...EMPTY_SUMMARY.planned, update: 1, requests: 1 };
    const facts = { readBy: "listing", priceUnit: "minor", planned } as const;
    await connection.runs.update(RUN_ID, { state: "finished", facts });
    const run = await connection.runs.read(RUN_ID);
    if (run === undefined) throw new Error("the run is gone");

    expect(await readSummary(connection, run, REST)).toMatchObject({
      command: "import",
      run: RUN_ID,
      state: "finished",
      exit: 5,
      counts: { rows: 3, invalid: 1, unchanged: 1, pending: 1, added: 0 },
      planned: { update: 1, requests: 1 },
      requests: { total: 9, token: 1, read: 3, write: 5 },
      files: EMPTY_SUMMARY.files,
      warnings: ["Barkod gönderilmez."],
      issues: [{ cell: "A0" }],
      more_issues: 0,
    });
  });

  it("names the run and the row in advice", async () => {
    const advice = { tr: "release <çalıştırma> <satır>", en: "release <run> <row>" };
    const issues = [createIssue({ cell: "A2", suggestion: advice })];
    const summary = await summaryOf([{ cells: ["KOD"], state: "invalid", issues }]);

    const filled = `release ${RUN_ID} 2`;
    expect(summary.issues[0]?.suggestion).toEqual({ tr: filled, en: filled });
  });

  it.each([
    ["planning", "stopped"],
    ["planned", "planned"],
    ["running", "stopped"],
    ["stopped", "stopped"],
    ["finished", "finished"],
  ] as const)("states for a run that is %s the state %s", async (state, expected) => {
    const { connection } = await createTestConnection();
    const run = await storeRun(connection, { header: ["Ürün Kodu"], rows: [] });

    const summary = await readSummary(connection, { ...run, state }, REST);

    expect(summary.state).toBe(expected);
    expect(summary.planned).toEqual(EMPTY_SUMMARY.planned);
  });

  it.each([
    [999, 999, 0],
    [1000, 1000, 0],
    [1001, 1000, 1],
    [1234, 1000, 234],
  ])("of %d issues lists %d and counts %d more", async (count, listed, more) => {
    const rows = [invalidRow(600), invalidRow(count - 600), { cells: ["A"] }];

    const { issues, more_issues } = await summaryOf(rows);

    expect([issues.length, more_issues]).toEqual([listed, more]);
    expect(issues.slice(598, 601).map(({ cell }) => cell)).toEqual(["A598", "A599", "A0"]);
  });

  it("reads no rows behind its first issues, and none without an issue", async () => {
    const { connection } = await createTestConnection();
    const without: StoredRow = { cells: ["KOD"], state: "unchanged" };
    const rows = [3_000, 2_500].flatMap((count, at) =>
      Array.from({ length: count }, () => (at === 0 ? without : invalidRow(1))),
    );
    const run = await storeRun(connection, { header: ["Ürün Kodu"], rows });
    const read: number[] = [];
    const journal: typeof connection.journal = {
      ...connection.journal,
      async readRows(id, filter) {
        const found = await connection.journal.readRows(id, filter);
        read.push(...found.map(({ row }) => row));
        return found;
      },
    };

    const { issues, more_issues } = await readSummary({ ...connection, journal }, run, REST);

    expect([issues.length, more_issues]).toEqual([1_000, 1_500]);
    expect([read.length, Math.min(...read)]).toEqual([1_000, 3_002]);
  });

  it("reads more rows than one batch holds", async () => {
    const rows = Array.from({ length: 1203 }, () => invalidRow(1));

    const { counts, issues, more_issues } = await summaryOf(rows);

    expect([counts.invalid, issues.length, more_issues]).toEqual([1203, 1000, 203]);
  });
});
