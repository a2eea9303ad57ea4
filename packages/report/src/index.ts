export { type OnKept, type HeldRun, listHeldRuns, removeSettledHeldFiles } from "./held-files.ts";
export {
  findFieldLocation,
  formatFieldValue,
  payloadBefore,
  createReadIdNames,
  type IdNames,
  isIdField,
  isIdValue,
  UNKNOWN_VALUE,
} from "./field-values.ts";
export {
  APPROVE_TEXTS,
  HELD_HEADERS,
  type HeldColumn,
  isForApproval,
  ownColumns,
  parseHeldKey,
  heldValues,
  writeHeldWorkbook,
} from "./held-workbook.ts";
export {
  type AddedColumn,
  type ErrorColumn,
  errorColumns,
  inputCells,
  inputRow,
  toLines,
} from "./sheet-cells.ts";
export {
  nameIssueCommands,
  findNearestChoice,
  listCommand,
  ruleCommand,
  type RuledName,
} from "./issue-commands.ts";
export {
  type BigChange,
  type BiggestChanges,
  type ChangedField,
  keptOf,
  readBiggestChanges,
  type SentField,
} from "./plan/biggest-changes.ts";
export { type ColumnUse, createColumnUses } from "./plan/plan-workbook.ts";
export {
  refusalConditionOf,
  type CurrentReading,
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
} from "./refusal-record.ts";
export { readReported, type ReportedRow, readReportedPage, issuesOf } from "./reported-rows.ts";
export { heldPathOf, writeHeldFile, writeResultFiles, writeSummary } from "./result-files.ts";
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
  readHeldGroups,
  readTally,
  type RunTally,
} from "./run-view.ts";

export { type ResultClass } from "./result-texts.ts";
