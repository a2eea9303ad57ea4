import { expect, it } from "vitest";

import { createHeaderReport } from "../../src/columns/header-matcher.ts";
import { chooseColumns } from "../../src/columns/map-columns.ts";
import {
  type ColumnTarget,
  type HeaderMatch,
  type FieldKey,
  RANK,
} from "../../src/fields/field.ts";

const match = (field: FieldKey, rank: number): HeaderMatch => ({
  target: { kind: "field", field },
  rank,
});

/** The targets of columns A, B, C …, the beaten columns, and the reported issues. */
const choose = (
  ...matches: readonly HeaderMatch[]
): readonly [readonly ColumnTarget[], readonly string[]] => {
  const reports: string[] = [];
  const { report } = createHeaderReport({ sheet: "S", headerRow: 1, headers: [] });
  const { targets, beaten } = chooseColumns({
    matches,
    refused: new Set([3]),
    report: (text, index, params) => {
      reports.push(`${index} ${text}`);
      return report(text, index, params);
    },
  });
  return [
    targets,
    [...beaten.map(({ index, winner }) => `${index} beaten by ${winner}`), ...reports],
  ];
};

const stock: ColumnTarget = { kind: "field", field: "stock" };
const unused: ColumnTarget = { kind: "unused" };

it("keeps the most certain of three columns and reports the other two", () => {
  const [targets, reports] = choose(
    match("stock", RANK.header),
    match("stock", RANK.alias),
    match("stock", RANK.header),
  );

  expect(targets).toEqual([stock, unused, unused]);
  expect(reports).toEqual(["1 beaten by 0", "2 E_COLUMN_TWICE"]);
});

it("does not choose a refused column", () => {
  const [targets, reports] = choose(
    match("title", RANK.header),
    match("price", RANK.header),
    match("stock", RANK.alias),
    match("stock", RANK.chosen),
  );

  expect(targets.slice(2)).toEqual([stock, unused]);
  expect(reports).toEqual([]);
});
