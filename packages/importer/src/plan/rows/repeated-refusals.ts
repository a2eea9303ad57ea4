/** Refuses rows again that come back from a result file unchanged. */

import type { Localized } from "@catalog/i18n";
import type { ColumnMapping, SourceRow } from "@catalog/mapping";
import {
  digestCell,
  findRecordColumn,
  digestRow,
  refusalConditionOf,
  namedText,
  readOwnColumns,
  parseRecord,
  type CurrentReading,
  type Refusal,
  UNCHANGED_CODE,
} from "@catalog/report";
import { type CandidateRow, guardOf, isBlocking, type RowIssue } from "@catalog/runs";

import type { PlanSheet } from "../plan-source.ts";

/** Finds the issues that still block an unchanged refused row which nothing else blocks. */
export type RepeatedRefusalCheck = (row: SourceRow, candidate: CheckedRow) => RepeatedRefusals;

export interface RepeatedRefusals {
  readonly refused: readonly RowIssue[];
  /** Issues of guards, which are checked first. */
  readonly held: readonly RowIssue[];
}

type CheckedRow = Pick<CandidateRow, "issues" | "action" | "productId">;

const NOTHING: RepeatedRefusals = { refused: [], held: [] };

/** Creates the check; it finds nothing in a sheet that is no result file. */
export function createRepeatedRefusalCheck(
  { sheet, header: { cells: header } }: Pick<PlanSheet, "sheet" | "header">,
  { columns }: Pick<ColumnMapping, "columns">,
  reading: CurrentReading,
): RepeatedRefusalCheck {
  const at = findRecordColumn(header);
  const mapped = columns.find(({ index }) => index === at);
  if (mapped === undefined || reading.isRetry) return () => NOTHING;
  const own = readOwnColumns(header);
  const used = new Set(
    columns.filter(({ target: { kind } }) => kind === "field" || kind === "property"),
  );
  const isOpen = (
    { cells, traits }: SourceRow,
    { code, scope, digest }: Refusal,
    mayBeAdded: boolean,
  ): boolean => {
    const table = { header, cells, traits, own };
    const same = columns.filter(
      ({ index }) => scope === "cell" && digestCell(namedText(table, index)) === digest,
    );
    const isChanged = scope === "cell" ? same.length === 0 : digestRow(table) !== digest;
    if (isChanged) return true;
    const isColumnUsed = scope === "cell" ? same.some((column) => used.has(column)) : undefined;
    return refusalConditionOf(code).isOpen(reading, { isColumnUsed, mayBeAdded }, code);
  };

  return (row, { issues, action, productId }) => {
    const record = parseRecord(String(row.cells[at] ?? ""));
    if (record === undefined) return NOTHING;
    const mayBeAdded = action !== "update" && productId === null;
    const found = new Set(issues.filter(isBlocking).map(({ code }) => code));
    const left = record.refusals.filter(
      (refusal) => !found.has(refusal.code) && !isOpen(row, refusal, mayBeAdded),
    );
    const { header: column, letter } = mapped;
    const shown = { sheet, row: row.row, column, cell: `${letter}${row.row}`, value: record.key };
    const codes = [...new Set(left.map(({ code }) => code))];
    const [guards, others] = [codes.filter(isGuard), codes.filter((code) => !isGuard(code))];
    return {
      refused: others.length === 0 ? [] : [toUnchanged(shown, others)],
      held: guards.map((code) =>
        Object.assign({}, shown, { code, message: HELD, suggestion: HELD_NEXT }),
      ),
    };
  };
}

const isGuard = (code: string): boolean => guardOf({ code }) !== undefined;

const HELD: Localized = {
  tr: "Bu satır daha önce bekletildi ve o zamandan beri değişmedi; onaylanmadığı için yine bekletildi.",
  en: "This row was held before and has not changed since; nobody has approved it, so it is held again.",
};

const HELD_NEXT: Localized = {
  tr: "Doğruysa bu gönderimde onaylayın; yanlışsa hücresini düzeltin.",
  en: "If it is right, approve it in this run; if not, correct its cell.",
};

const toUnchanged = (
  location: Omit<RowIssue, "code" | "message" | "suggestion">,
  codes: readonly string[],
): RowIssue => ({
  ...location,
  code: UNCHANGED_CODE,
  message: {
    tr: `Bu satır daha önce geri çevrildi (${codes.join(", ")}) ve o zamandan beri değişmedi.`,
    en: `This row was refused before (${codes.join(", ")}) and has not changed since.`,
  },
  suggestion: {
    tr: `Yanlış olan hücreyi düzeltin. Satır olduğu gibi doğruysa “${location.column}” hücresini boşaltın.`,
    en: `Correct the cell that is wrong. If the row is right as it is, empty its “${location.column}” cell.`,
  },
});
