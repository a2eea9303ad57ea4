export {
  type OnKept,
  type HeldRun,
  listHeldRuns,
  removeSettledHeldFiles,
  type HeldMark,
  type HeldMarksFile,
  readHeldMarks,
} from "./held-files.ts";
export {
  findFieldLocation,
  formatFieldValue,
  payloadBefore,
  createReadIdNames,
  isIdField,
  isIdValue,
  UNKNOWN_VALUE,
} from "./field-values.ts";
export { isForApproval, writeHeldWorkbook } from "./held-workbook.ts";
export {
  createDraftSheet,
  type DraftSheetLayout,
  type DraftSheetOptions,
  type DraftSheetRow,
} from "./draft-sheet.ts";
export {
  nameIssueCommands,
  findNearestChoice,
  listCommand,
  ruleCommand,
  type RuledName,
} from "./issue-commands.ts";
export { type BiggestChanges, keptOf, readBiggestChanges } from "./plan/biggest-changes.ts";
export { type ColumnUse, readColumnUses } from "./plan/plan-workbook.ts";
export {
  createRefusalCheck,
  type CurrentReading,
  formatRecord,
  parseRecord,
  type RefusalCheck,
  type RefusedRow,
  UNCHANGED_CODE,
} from "./refusal-record.ts";
export { readReported, type ReportedRow, readReportedPage, issuesOf } from "./reported-rows.ts";
export { heldPathOf, writeHeldFile, writeResultFiles, writeSummary } from "./result-files.ts";
export {
  createIssueList,
  EMPTY_SUMMARY,
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
