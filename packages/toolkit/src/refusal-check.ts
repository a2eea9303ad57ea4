/** Refuses again what comes back from a result file as it went out. */

import { type ColumnMapping, type SourceRow } from "@catalog/mapping";
import { isBlocking, type RowIssue } from "@catalog/runs";

import { type PlanSheet } from "./plan-file.ts";
import { judgeCode, type ReadingNow } from "./refusal-codes.ts";
import {
  digestCell,
  digestRow,
  findRecordColumn,
  namedText,
  parseRecord,
  type Refusal,
  UNCHANGED_CODE,
} from "./refusal-record.ts";

/** What keeps a row from being sent though nothing else does any more. */
export type RefusalCheck = (row: SourceRow, found: readonly RowIssue[]) => readonly RowIssue[];

const NOTHING: RefusalCheck = () => [];

/** Sheets that are no result file have nothing to check. */
export function createRefusalCheck(
  { sheet, header: { cells: header } }: Pick<PlanSheet, "sheet" | "header">,
  { columns }: Pick<ColumnMapping, "columns">,
  reading: ReadingNow,
): RefusalCheck {
  const at = findRecordColumn(header);
  const place = columns.find(({ index }) => index === at);
  if (place === undefined || reading.isRetry) return NOTHING;
  const used = new Set(
    columns.filter(({ target: { kind } }) => kind === "field" || kind === "property"),
  );
  const idColumn = [...used].find(
    ({ target }) => target.kind === "field" && target.field === "product_id",
  );

  const isOpen = (row: SourceRow, { code, scope, digest }: Refusal): boolean => {
    const table = { header, cells: row.cells, traits: row.traits };
    const same = columns.filter(
      ({ index }) => scope === "cell" && digestCell(namedText(table, index)) === digest,
    );
    const isChanged = scope === "cell" ? same.length === 0 : digestRow(table) !== digest;
    if (isChanged) return true;
    const isColumnUsed = scope === "cell" ? same.some((column) => used.has(column)) : undefined;
    const hasProductId = idColumn !== undefined && namedText(table, idColumn.index).text !== "";
    return judgeCode(code).isOpen(reading, { isColumnUsed, hasProductId }, code);
  };

  return (row, found) => {
    const record = parseRecord(String(row.cells[at] ?? ""));
    if (record === undefined) return [];
    const said = new Set(found.filter(isBlocking).map(({ code }) => code));
    const left = record.refusals.filter(
      (refusal) => !said.has(refusal.code) && !isOpen(row, refusal),
    );
    if (left.length === 0) return [];
    const { header: column, letter } = place;
    const codes = [...new Set(left.map(({ code }) => code))].join(", ");
    const issuePlace = { sheet, row: row.row, column, cell: `${letter}${row.row}` };
    return [{ ...issuePlace, code: UNCHANGED_CODE, value: record.key, ...toTexts(codes, column) }];
  };
}

const toTexts = (codes: string, column: string): Pick<RowIssue, "message" | "suggestion"> => ({
  message: {
    tr: `Bu satır daha önce geri çevrildi (${codes}) ve o zamandan beri değişmedi.`,
    en: `This row was refused before (${codes}) and has not changed since.`,
  },
  suggestion: {
    tr: `Yanlış olan hücreyi düzeltin. Satır olduğu gibi doğruysa “${column}” hücresini boşaltın.`,
    en: `Correct the cell that is wrong. If the row is right as it is, empty its “${column}” cell.`,
  },
});
