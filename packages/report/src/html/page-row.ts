/** A row as the page's script reads it, kept short because a page may hold fifty thousand rows. */

import { fieldLabel } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import {
  type CellValue,
  type FieldChange,
  type IssueFile,
  locateIssue,
  rowAddress,
  type RowRecord,
} from "@catalog/runs";

import { cut, formatFieldValue, payloadBefore } from "../field-value.ts";
import { type IdNames, isIdField, UNKNOWN_VALUE } from "../id-names.ts";
import { type ResultClass, toResultClass } from "../result-texts.ts";

/** Every class of rows, in the order of the report. */
export const CLASSES: readonly ResultClass[] = [
  "added",
  "updated",
  "unchanged",
  "skipped",
  "unsendable",
  "invalid",
  "duplicate",
  "rejected",
  "held",
  "unknown",
  "cancelled",
  "pending",
];

/** An issue: code, cell, message and suggestion; empty where there is none. */
type PageIssue = readonly [code: string, cell: string, message: string, suggestion: string];

/** A field: its label, old value and new value; the old value is empty where it is not known. */
type PageChange = readonly [field: string, before: string, after: string];

/** Row as people name it, code, index of the class, product id, issues, changes, the cells for the search, and title. */
export type PageRow = readonly [
  row: number | string,
  code: string,
  classIndex: number,
  productId: string,
  issues: readonly PageIssue[],
  changes: readonly PageChange[],
  cells: string,
  title: string,
];

/** The sheets of the file, and which column holds titles. */
export interface PageFile extends IssueFile {
  readonly titleAt?: number | undefined;
  readonly runId?: string | undefined;
  /** Names of the row's ids. @default none is known */
  readonly names?: IdNames | undefined;
}

export function toPageRow(record: RowRecord, lang: Lang, file: PageFile = {}): PageRow {
  const { row, code, productId, issues, changes, cells } = record;
  return [
    file.sheets === undefined ? row : rowAddress(file, row),
    code ?? "",
    CLASSES.indexOf(toResultClass(record)),
    productId ?? "",
    issues.map((issue) => [
      issue.code,
      locateIssue(file, issue).cell,
      issue.message[lang],
      locateIssue(file, issue, file.runId).suggestion?.[lang] ?? "",
    ]),
    changes.map((change) => toPageChange(change, record, { lang, names: file.names })),
    cells.filter(isFilled).map(cut).join("\n"),
    cut(record.payload?.title ?? cells[file.titleAt ?? -1] ?? ""),
  ];
}

const isFilled = (cell: CellValue): boolean => cell !== null && cell !== "";

function toPageChange(
  { field, old, new: after }: FieldChange,
  record: RowRecord,
  words: { readonly lang: Lang; readonly names: IdNames | undefined },
): PageChange {
  const isUnknown = old === undefined && isIdField(field);
  const before = isUnknown
    ? UNKNOWN_VALUE[words.lang]
    : formatFieldValue(field, old, { payload: payloadBefore(record), ...words });
  const text = formatFieldValue(field, after, { payload: record.payload, ...words });
  return [fieldLabel(field, words.lang), before, text];
}
