import { type RowDecision } from "@catalog/runs";
import { type Toolkit } from "@catalog/toolkit";
import { describe, expect, it } from "vitest";

import { type Problems } from "../src/report.ts";
import { readAllProblems, readCounts } from "../src/run-view.ts";
import { createIssue, createRun } from "./helpers/run-parts.ts";
import { createWorkplace } from "./helpers/workplace.ts";

/** Stores the run with so many invalid rows, each with two issues, and one row that is left. */
async function storeRows(toolkit: Toolkit, invalid: number): Promise<void> {
  const { id, command, file, mode, lang, reportDir, warnings } = createRun();
  await toolkit.runLog.create({ id, command, file, mode, lang, reportDir, warnings });
  const rows = Array.from({ length: invalid + 1 }, (_, index) => index + 2);
  await toolkit.journal.appendRows(
    id,
    rows.map((row) => ({ row, cells: [`K-${row}`], code: `K-${row}`, codeKey: `k-${row}` })),
  );
  const decisions = rows.slice(0, invalid).map((row): RowDecision => {
    const issues = [
      createIssue({ row, cell: `A${row}`, code: "W_EXISTS" }),
      createIssue({ row, cell: `B${row}` }),
      createIssue({ row, cell: `C${row}` }),
    ];
    const nothing = { action: null, productId: null, payload: null };
    return Object.assign(nothing, { row, state: "invalid" as const, changes: [], issues });
  });
  await toolkit.journal.decideRows(id, decisions);
}

/** What is to be corrected. */
async function readToFix(toolkit: Toolkit): Promise<Problems> {
  const [toFix] = await readAllProblems(toolkit, createRun());
  if (toFix === undefined) throw new Error("nothing was read");
  return toFix;
}

describe("readAllProblems", () => {
  it("shows the first blocking issues in the order of the sheet and counts the rest", async () => {
    await using toolkit = await createWorkplace().open();
    await storeRows(toolkit, 12);

    const { rows, issues, more } = await readToFix(toolkit);

    expect(rows).toBe(12);
    expect(issues.slice(0, 3).map(({ cell }) => cell)).toEqual(["B2", "C2", "B3"]);
    expect(issues).toHaveLength(20);
    expect(more).toBe(4);
  });

  it("counts rows that were not looked at as one problem each", async () => {
    await using toolkit = await createWorkplace().open();
    await storeRows(toolkit, 250);

    const { rows, more } = await readToFix(toolkit);

    expect(rows).toBe(250);
    expect(more).toBe(400 - 20 + 50);
  });

  it("finds none where there are none", async () => {
    await using toolkit = await createWorkplace().open();
    await storeRows(toolkit, 0);

    const problems = await readToFix(toolkit);

    expect(problems).toEqual({ kind: "fix", rows: 0, issues: [], more: 0 });
    expect(await readCounts(toolkit, createRun())).toMatchObject({ rows: 1, pending: 1 });
  });
});
