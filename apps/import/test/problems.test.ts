import type { Connection } from "@catalog/connection";
import type { OpenNameCount, RowDecision, RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import {
  createProblemGroups,
  type ProblemGroups,
  readAllProblems,
  readNewProblems,
} from "../src/problems.ts";
import type { Problems } from "../src/report-texts.ts";
import { readCounts } from "../src/run-view.ts";
import { createCommandHarness } from "./helpers/command-harness.ts";
import { createFileIssue, createRun } from "./helpers/run-parts.ts";

/** What an open name has besides its choices. */
const NONE = { titles: [], suggestions: [] };

/** Stores the run with `invalid` invalid rows of two issues each, and one other row. */
async function storeRows(connection: Connection, invalid: number): Promise<void> {
  const { id, command, file, mode, lang, reportDir, warnings } = createRun();
  await connection.runs.create({ id, command, file, mode, lang, reportDir, warnings });
  const rows = Array.from({ length: invalid + 1 }, (_, index) => index + 2);
  await connection.journal.appendRows(
    id,
    rows.map((row) => ({ row, cells: [`K-${row}`], code: `K-${row}`, codeKey: `k-${row}` })),
  );
  const decisions = rows.slice(0, invalid).map((row): RowDecision => {
    const issues = [
      createFileIssue({ row, cell: `A${row}`, code: "W_EXISTS" }),
      createFileIssue({ row, cell: `B${row}` }),
      createFileIssue({ row, cell: `C${row}` }),
    ];
    const nothing = { action: null, productId: null, payload: null };
    return Object.assign(nothing, { row, state: "invalid" as const, changes: [], issues });
  });
  await connection.journal.saveDecisions(id, decisions);
}

describe("readNewProblems", () => {
  it("leaves out rows that a guard has held since the plan was made", async () => {
    await using connection = await createCommandHarness().open();
    await storeRows(connection, 0);
    const { id } = createRun();
    const codes = ["E_GUARD_PRICE_DROP", "E_OUTCOME_UNKNOWN"];
    const rows = [3, 4];
    await connection.journal.appendRows(
      id,
      rows.map((row) => ({ row, cells: [`K-${row}`], code: `K-${row}`, codeKey: `k-${row}` })),
    );
    const decisions = rows.map((row, index): RowDecision => {
      const issues = [createFileIssue({ row, cell: `B${row}`, code: codes[index] ?? "" })];
      const update = { action: "update", productId: null, payload: null } as const;
      return Object.assign(update, { row, state: "held" as const, changes: [], issues });
    });
    await connection.journal.saveDecisions(id, decisions);

    const [toFix, waiting] = await readNewProblems(connection, createRun(), {
      planned: createRun(),
      held: null,
    });
    const [, all] = await readAllProblems(connection, createRun(), null);

    expect(toFix?.issues).toEqual([]);
    expect([waiting?.rows, waiting?.issues.map(({ cell }) => cell)]).toEqual([1, ["B4"]]);
    expect(all?.rows).toBe(2);
  });
});

/** A run in whose plan one name is open. */
function createRunWithName(open: OpenNameCount): RunRecord {
  const columns = { profile: null, columns: {}, chosen: [], constants: {}, decimal: null };
  const { facts } = createRun();
  const reading = { notes: [], openNames: [open], columns };
  return createRun({ facts: facts === null ? null : { ...facts, reading } });
}

/** The problems to correct. */
async function readToFix(connection: Connection, run = createRun()): Promise<Problems> {
  const [toFix] = await readAllProblems(connection, run, null);
  if (toFix === undefined) throw new Error("nothing was read");
  return toFix;
}

describe("readAllProblems", () => {
  it("shows a kind of issue once, with its rows", async () => {
    await using connection = await createCommandHarness().open();
    await storeRows(connection, 250);

    const { rows, issues, more } = await readToFix(connection);

    expect(rows).toBe(250);
    expect(issues).toMatchObject([{ cell: "B2", sameRows: 500 }]);
    expect(issues[0]?.others?.slice(0, 3).map(({ cell }) => cell)).toEqual(["C2", "B3", "C3"]);
    expect(more).toBe(0);
  });

  it.each([412, 1])(
    "shows a name of %i rows once, with the rule that resolves it",
    async (count) => {
      await using connection = await createCommandHarness().open();
      const { id, command, file, mode, lang, reportDir, warnings } = createRun();
      await connection.runs.create({ id, command, file, mode, lang, reportDir, warnings });
      const rows = Array.from({ length: count }, (_, index) => index + 2);
      await connection.journal.appendRows(
        id,
        rows.map((row) => ({ row, cells: [`K-${row}`], code: `K-${row}`, codeKey: `k-${row}` })),
      );
      const name = { column: "Marka", value: "KARACA HOM" };
      const decisions = rows.map((row): RowDecision => {
        const issues = [
          createFileIssue({ row, cell: `B${row}`, code: "E_BRAND_UNKNOWN", ...name }),
        ];
        const nothing = { action: null, productId: null, payload: null };
        return Object.assign(nothing, { row, state: "invalid" as const, changes: [], issues });
      });
      await connection.journal.saveDecisions(id, decisions);
      const open = { field: "brand", ...name, choices: ["Karaca Home"], rows: count, ...NONE };

      const { issues, more } = await readToFix(connection, createRunWithName(open));

      expect(issues).toMatchObject([
        {
          cell: "B2",
          sameRows: count,
          rule: { tr: 'catalog rules add Marka "KARACA HOM" "Karaca Home"' },
        },
      ]);
      expect(more).toBe(0);
    },
  );

  it.each([
    ["Names of the store: catalog lookup brands --category", undefined],
    ["Yazımına bakın", 'catalog lookup brands --category "…"'],
  ])("names the list of names once: %s", async (suggestion, list) => {
    await using connection = await createCommandHarness().open();
    await storeRows(connection, 0);
    const said = suggestion.endsWith("--category") ? `${suggestion} "…"` : suggestion;
    const name = { column: "Marka", value: "YOK" };
    const issue = createFileIssue({
      row: 2,
      code: "E_BRAND_UNKNOWN",
      ...name,
      suggestion: { tr: said, en: said },
    });
    const nothing = { action: null, productId: null, payload: null, changes: [] };
    await connection.journal.saveDecisions(createRun().id, [
      { ...nothing, row: 2, state: "invalid", issues: [issue] },
    ]);
    const open = { field: "brand", ...name, choices: [], rows: 1, ...NONE };

    const { issues } = await readToFix(connection, createRunWithName(open));

    expect(issues[0]).toMatchObject({ rule: { en: 'catalog rules add Brand "YOK" "…"' } });
    expect(issues[0]?.list).toBe(list);
  });

  it("finds none where there are none", async () => {
    await using connection = await createCommandHarness().open();
    await storeRows(connection, 0);

    const problems = await readToFix(connection);

    expect(problems).toEqual({ kind: "fix", rows: 0, issues: [], more: 0 });
    expect(await readCounts(connection, createRun())).toMatchObject({ rows: 1, pending: 1 });
  });
});

/** The cells of the groups, each with its number of rows. */
function listCells(groups: ProblemGroups): readonly string[] {
  return groups.list().groups.map(({ issue, rows }) => `${issue.cell} × ${rows}`);
}

/** An issue about a number that the row has in a column. */
function noteNumber(groups: ProblemGroups, row: number, value: string): void {
  const message = { tr: `“${value}” bir sayı değil.`, en: `“${value}” is not a number.` };
  groups.note(createFileIssue({ row, cell: `H${row}`, value, message }));
}

/** An issue about a brand, which only its own rule resolves. */
function noteBrand(groups: ProblemGroups, row: number, value: string): void {
  const message = { tr: "Marka yok.", en: "There is no such brand." };
  const place = { row, column: "Marka", cell: `F${row}` };
  groups.note(createFileIssue({ ...place, code: "E_BRAND_UNKNOWN", value, message }));
}

describe("createProblemGroups", () => {
  it("gathers texts that differ in their values only", () => {
    const groups = createProblemGroups(20);
    for (const [row, value] of ["beş", "10 koli", "var"].entries()) {
      noteNumber(groups, row + 2, value);
    }

    expect(listCells(groups)).toEqual(["H2 × 3"]);
    expect(groups.list().groups[0]?.others.map(({ value }) => value)).toEqual(["10 koli", "var"]);
  });

  it("counts a cell once that several rows take, such as the variants of a product", () => {
    const groups = createProblemGroups(20);
    for (const row of [2, 2, 4, 5, 5, 5]) noteNumber(groups, row, "beş");

    expect(listCells(groups)).toEqual(["H2 × 3"]);
    expect(groups.list().groups[0]?.others.map(({ cell }) => cell)).toEqual(["H4", "H5"]);
  });

  it("tells columns, codes and names apart", () => {
    const groups = createProblemGroups(20);
    noteNumber(groups, 2, "beş");
    groups.note(createFileIssue({ cell: "I2", column: "Stok" }));
    noteBrand(groups, 2, "Bosh");
    noteBrand(groups, 3, "Philps");
    noteBrand(groups, 4, "Bosh");

    expect(listCells(groups)).toEqual(["H2 × 1", "I2 × 1", "F2 × 2", "F3 × 1"]);
  });

  it("shows a rare kind behind more names than there is room for", () => {
    const groups = createProblemGroups(3);
    for (let row = 2; row < 3000; row += 1) noteBrand(groups, row, `Marka ${row}`);
    noteNumber(groups, 3000, "beş");

    expect(listCells(groups)).toEqual(["F2 × 1", "F3 × 1", "H3000 × 1"]);
    expect(groups.list().more).toBe(2998 - 2);
  });

  it("keeps the order of the sheet", () => {
    const groups = createProblemGroups(4);
    noteBrand(groups, 2, "A");
    noteBrand(groups, 3, "B");
    noteNumber(groups, 4, "beş");
    noteBrand(groups, 5, "C");

    expect(listCells(groups)).toEqual(["F2 × 1", "F3 × 1", "H4 × 1", "F5 × 1"]);
  });
});
