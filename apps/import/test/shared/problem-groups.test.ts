import { describe, expect, it } from "vitest";

import { createProblemGroups, type ProblemGroups } from "../../src/problems.ts";
import { createIssue } from "../helpers/run-parts.ts";

/** The cells of the groups, each with its number of rows. */
function listCells(groups: ProblemGroups): readonly string[] {
  return groups.list().groups.map(({ issue, rows }) => `${issue.cell} × ${rows}`);
}

/** An issue about a number that the row has in a column. */
function noteNumber(groups: ProblemGroups, row: number, value: string): void {
  const message = { tr: `“${value}” bir sayı değil.`, en: `“${value}” is not a number.` };
  groups.note(createIssue({ row, cell: `H${row}`, value, message }));
}

/** An issue about a brand, which only its own rule resolves. */
function noteBrand(groups: ProblemGroups, row: number, value: string): void {
  const message = { tr: "Marka yok.", en: "There is no such brand." };
  const place = { row, column: "Marka", cell: `F${row}` };
  groups.note(createIssue({ ...place, code: "E_BRAND_UNKNOWN", value, message }));
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
    groups.note(createIssue({ cell: "I2", column: "Stok" }));
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
