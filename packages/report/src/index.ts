export { type OnKept } from "./edited-files.ts";
export { findFieldLocation } from "./field-location.ts";
export { formatFieldValue, payloadBefore } from "./field-value.ts";
export {
  APPROVE_TEXTS,
  HELD_HEADERS,
  type HeldColumn,
  isForApproval,
  ownColumns,
  parseHeldKey,
} from "./held-columns.ts";
export {
  createReadIdNames,
  type IdNames,
  isIdField,
  isIdValue,
  UNKNOWN_VALUE,
} from "./id-names.ts";
export { type HeldRun, listHeldRuns } from "./held-runs.ts";
export { heldValues, writeHeldWorkbook } from "./held-workbook.ts";
export { type AddedColumn } from "./sheet-layout.ts";
export { type ErrorColumn, errorColumns } from "./error-cells.ts";
export { inputCells, inputRow, toLines } from "./input-cells.ts";
export { nameIssueCommands } from "./issue-commands.ts";
export {
  type BigChange,
  type BiggestChanges,
  type ChangedField,
  keptOf,
  readBiggestChanges,
} from "./plan/biggest-changes.ts";
export { type ColumnUse, createColumnUses } from "./plan/column-uses.ts";
export { type SentField } from "./plan/sent-fields.ts";
export { refusalConditionOf, type CurrentReading } from "./refusals/refusal-conditions.ts";
export {
  digestCell,
  digestRow,
  findRecordColumn,
  formatRecord,
  namedText,
  readOwnColumns,
  parseRecord,
  type Refusal,
  type RefusedRow,
  UNCHANGED_CODE,
} from "./refusals/refusal-record.ts";
export { readReported, type ReportedRow, readReportedPage } from "./reported-rows.ts";
export { issuesOf } from "./given-up.ts";
export { removeSettledHeldFiles } from "./settled-held-files.ts";
export { heldPathOf, writeHeldFile, writeResultFiles, writeSummary } from "./result-files.ts";
export { findNearestChoice, listCommand, ruleCommand, type RuledName } from "./rule-command.ts";
export {
  createIssueList,
  NO_FILES,
  NOTHING_PLANNED,
  NOTHING_VERIFIED,
  readHistory,
  readIssues,
  readSummary,
  type ResultFiles,
  type RunHistory,
  type RunSummary,
  toUndoneBy,
  type UndoneBy,
} from "./run-summary.ts";
export {
  createRowViews,
  readStoreTitles,
  type ViewedChange,
  type ViewedRow,
  type ViewRows,
} from "./view/row-view.ts";
export { readHeldGroups } from "./view/held-groups.ts";
export { readTally, type RunTally } from "./view/run-tally.ts";

export { type ResultClass } from "./result-texts.ts";
