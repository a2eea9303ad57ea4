/** Issues of a row as a draft stores them: at the index of their column, with values that correct it. */

import {
  type ColumnMapping,
  type NumberNotations,
  type OpenName,
  type SourceRow,
  proposeFixes,
} from "@catalog/mapping";
import type { RowIssue } from "@catalog/runs";

import { cellToText } from "./draft-source.ts";
import type { DraftIssue } from "./stored-draft.ts";

/** An issue and whether it keeps the row from being sent. */
export interface Found {
  readonly issue: RowIssue;
  readonly severity: DraftIssue["severity"];
}

/** The row of issues. */
export interface IssueRow extends Pick<
  Parameters<typeof proposeFixes>[0],
  "codes" | "codeWithZeros" | "nearModel"
> {
  readonly row: SourceRow;
  readonly mapping: ColumnMapping;
  readonly notations: NumberNotations;
  /** Names of the row that are open. */
  readonly open: readonly OpenName[];
}

/** The issue with the values that would correct its cell. */
export function toDraftIssue({ issue, severity }: Found, of: IssueRow): DraftIssue {
  const { code, message, suggestion, value, column: header } = issue;
  const column = columnOf(issue);
  const name = of.open.find((each) => each.column === header && each.value === value);
  const target = column === null ? undefined : of.mapping.columns[column]?.target;
  const fixes =
    column === null
      ? []
      : proposeFixes({
          issue,
          field: target?.kind === "field" ? target.field : undefined,
          text: cellToText(of.row.cells[column]),
          notation: of.notations.columns.get(column),
          format: of.row.formats?.[column],
          choices: name?.choices ?? [],
          codes: of.codes,
          codeWithZeros: of.codeWithZeros,
          nearModel: of.nearModel,
        });
  return { code, severity, column, message, suggestion: suggestion ?? null, fixes };
}

const CELL = /^(?<letters>[A-Z]{1,3})(?<row>\d+)$/u;
const LETTERS = 26;

/** Index of the column of an issue; `null` for the whole row and for cells of other rows. */
function columnOf({ cell, code }: RowIssue): number | null {
  const { letters } = CELL.exec(cell)?.groups ?? {};
  if (letters === undefined || code === "E_COLUMN_COUNT") return null;
  let column = 0;
  for (const letter of letters) column = column * LETTERS + (letter.charCodeAt(0) - 64);
  return column - 1;
}
