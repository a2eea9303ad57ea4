import { type RowIssue } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { readReasons } from "../../src/report-page/reasons.ts";
import { createIssue, storeRun } from "../helpers/stored-run.ts";
import { createWorkplace } from "../helpers/workplace.ts";

const say = (code: string, tr: string): RowIssue =>
  createIssue({ code, message: { tr, en: "en" } });

describe("readReasons", () => {
  it("groups by code: errors first, then the frequent ones", async () => {
    const { toolkit } = await createWorkplace();
    const run = await storeRun(toolkit, {
      header: ["Kod"],
      rows: [
        { cells: ["1"], state: "invalid", issues: [say("W_A", "w1"), say("E_B", "b1")] },
        { cells: ["2"], state: "invalid", issues: [say("E_C", "c1"), say("W_A", "w2")] },
        // Said twice of one row, it is one row that has it.
        { cells: ["3"], state: "invalid", issues: [say("E_C", "c2"), say("E_C", "c3")] },
      ],
    });

    expect(await readReasons(toolkit, run)).toEqual([
      { code: "E_C", message: "c1", count: 2, rows: [3, 4] },
      { code: "E_B", message: "b1", count: 1, rows: [2] },
      { code: "W_A", message: "w1", count: 2, rows: [2, 3] },
    ]);
  });

  it("names the first rows only", async () => {
    const { toolkit } = await createWorkplace();
    const row = { cells: ["x"], state: "invalid" as const, issues: [createIssue()] };
    const run = await storeRun(toolkit, {
      header: ["Kod"],
      rows: Array.from({ length: 30 }, () => row),
    });

    const [reason] = await readReasons(toolkit, run);

    expect(reason).toMatchObject({ count: 30 });
    expect(reason?.rows).toHaveLength(12);
  });
});
