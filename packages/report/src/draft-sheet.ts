/**
 * The sheet of a draft: the columns of the file in their order, and after them what is wrong and a
 * record of each refused row, by which an upload recognizes it unchanged.
 */

import type { Lang, Localized } from "@catalog/i18n";
import { columnLetter } from "@catalog/mapping";
import type { CellValue, RowRecord } from "@catalog/runs";
import type { OutCell, XlsxColumn, XlsxRow } from "@catalog/sheets";

import { findRecordColumn, formatRecord, parseRecord } from "./refusal-record.ts";
import { type ErrorColumn, errorColumns, inputRow, toLines } from "./sheet-cells.ts";

/** The file of a draft, and what the sheet shows of it. */
export interface DraftSheetOptions {
  readonly lang: Lang;
  /** Id of the draft, which the records name. */
  readonly draft: string;
  readonly header: readonly CellValue[];
  readonly headers: readonly string[];
  /** Number of cells in the widest row. */
  readonly width: number;
  /** Indexes of the columns of product codes, which are written as text. */
  readonly codes: ReadonlySet<number>;
  /** Whether rows are named by their place in the file. */
  readonly hasPlaces: boolean;
}

/** A row of a draft. */
export interface DraftSheetRow {
  readonly row: number;
  /** The row in the file: its number, or the name of its sheet with it. */
  readonly place: OutCell;
  /** The row as the file has it. */
  readonly stored: Pick<RowRecord, "cells">;
  /** The row as the file and its edits give it. */
  readonly effective: Pick<RowRecord, "cells" | "traits" | "formats">;
  readonly issues: readonly {
    readonly code: string;
    readonly severity: "error" | "warning";
    /** Index of the column; `null` for the whole row. */
    readonly column: number | null;
    readonly message: Localized;
    readonly suggestion: Localized | null;
  }[];
}

/** The columns of the sheet, and its rows. */
export interface DraftSheetLayout {
  readonly columns: readonly XlsxColumn[];
  /** `number` is that of the row in the sheet. */
  toRow(row: DraftSheetRow, number: number): XlsxRow;
}

/** Lays out the columns of the file but for those that an earlier sheet has added for the same. */
export function createDraftSheet(options: DraftSheetOptions): DraftSheetLayout {
  const { lang, draft, headers, width, codes, hasPlaces } = options;
  const count = Math.max(headers.length, width);
  const sources = [...Array(count).keys()].filter((index) => !REPLACED.has(headers[index] ?? ""));
  const { error, suggestion, place, record } = errorColumns(lang);
  const added = [error, suggestion, ...(hasPlaces ? [place] : []), record];
  const input = sources.map((index): XlsxColumn => {
    const name = headers[index] ?? "";
    return codes.has(index) ? { header: name, kind: "text" } : { header: name };
  });
  const columns = [...input, ...added.map((column) => toColumn(column))];
  const header = columns.map((column) => column.header);
  const recordAt = findRecordColumn(options.header);
  return {
    columns,
    toRow(stored, number) {
      const { issues } = stored;
      const row = inputRow(sources, stored.effective);
      const columnOf = ({ column }: DraftIssue): number =>
        column === null ? -1 : sources.indexOf(column);
      const nameCell = (issue: DraftIssue): string => {
        const at = columnOf(issue);
        return at < 0 ? "" : `${columnLetter(at)}${number}: `;
      };
      const earlier = recordAt < 0 ? "" : String(stored.stored.cells[recordAt] ?? "");
      const values: Readonly<Partial<Record<ErrorColumn, OutCell>>> = {
        error: toLines(issues.map((issue) => nameCell(issue) + issue.message[lang])),
        suggestion: toLines(issues.map((issue) => issue.suggestion?.[lang])),
        place: stored.place,
        record: toRecord(stored, { draft, sources, earlier, table: { header, ...row } }),
      };
      const cells = [...row.cells, ...added.map(({ name }) => values[name] ?? null)];
      return { ...row, cells, ...toMarks(issues, columnOf, lang) };
    },
  };
}

type DraftIssue = DraftSheetRow["issues"][number];

const toColumn = ({ header, width, wraps = false }: XlsxColumn): XlsxColumn => ({
  header,
  wraps,
  isAdded: true,
  ...(width !== undefined && { width }),
});

const REPLACED: ReadonlySet<string> = new Set(
  (["tr", "en"] as const).flatMap((lang) => {
    const { error, suggestion, place, record } = errorColumns(lang);
    return [error, suggestion, place, record].map(({ header }) => header);
  }),
);

type Fill = DraftIssue["severity"];

function toMarks(
  issues: readonly DraftIssue[],
  columnOf: (issue: DraftIssue) => number,
  lang: Lang,
): { readonly notes: Record<number, string>; readonly fills: Record<number, Fill> } {
  const notes: Record<number, string> = {};
  const fills: Record<number, Fill> = {};
  for (const issue of issues) {
    const at = columnOf(issue);
    if (at < 0) continue;
    const lines = [notes[at], issue.message[lang], issue.suggestion?.[lang]];
    notes[at] = lines.filter(Boolean).join("\n");
    if (fills[at] !== "error") fills[at] = issue.severity;
  }
  return { notes, fills };
}

interface Recorded {
  readonly draft: string;
  readonly sources: readonly number[];
  /** The record that the row had in the file. */
  readonly earlier: string;
  readonly table: Parameters<typeof formatRecord>[0]["table"];
}

function toRecord(
  { row, issues: found }: DraftSheetRow,
  { draft, sources, earlier, table }: Recorded,
): string | null {
  const cellOf = ({ column }: DraftIssue): string =>
    column === null ? "" : `${columnLetter(column)}${row}`;
  const issues = found
    .filter(({ severity }) => severity === "error")
    .map((issue) => ({ code: issue.code, cell: cellOf(issue) }));
  const places = new Map(found.map((issue) => [cellOf(issue), issue.column]));
  return formatRecord({
    runId: draft,
    record: { row, state: "invalid", issues },
    table,
    columnOf: ({ cell }) => {
      const at = sources.indexOf(places.get(cell) ?? -1);
      return at < 0 ? undefined : at;
    },
    // All rows of one code are wrong; of codes that look alike one alone may be.
    areTwinsThere: issues.every(({ code }) => code !== "E_CODE_SUSPECT"),
    earlier: parseRecord(earlier),
  });
}
