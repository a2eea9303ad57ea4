export {
  actionWordsOf,
  DONE_BEFORE,
  listCommandOf,
  listKindOf,
  markAssumed,
  NOTHING_ASKED,
  wordsOfList,
} from "./action-words.ts";
export {
  type OnKept,
  type HeldRun,
  listHeldRuns,
  type HeldMark,
  type HeldMarksFile,
  readHeldMarks,
} from "./held-files.ts";
export {
  createReadFieldTexts,
  type FieldTexts,
  findFieldLocation,
  formatFieldValue,
} from "./field-values.ts";
export { isForApproval, writeHeldWorkbook } from "./held-workbook.ts";
export {
  createDraftSheet,
  type DraftSheetLayout,
  type DraftSheetOptions,
  type DraftSheetRow,
} from "./draft-sheet.ts";
export {
  findNameRule,
  findNearestChoice,
  nameIssueCommands,
  ruleCommand,
} from "./issue-commands.ts";
export { type BiggestChanges, readBiggestChanges } from "./plan/biggest-changes.ts";
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
export { issuesOf, readReportedPage, type ReportedRow } from "./reported-rows.ts";
export {
  heldPathOf,
  readPlanRun,
  writeDryRunFiles,
  type ResultFilesOptions,
  writeResultFiles,
  writeResults,
  writeSyncFiles,
} from "./result-files.ts";
export {
  listOpenName,
  EMPTY_SUMMARY,
  listResultFiles,
  readHistory,
  readIssues,
  readSummary,
  type ResultFiles,
  type RunHistory,
  type RunSummary,
} from "./run-summary.ts";
export { type OutcomeKind, readOutcomes, type RowOutcome } from "./row-outcomes.ts";
export { indexRows, type RowIndex, type RowsFilter } from "./run-order.ts";
export {
  readRowViews,
  readTally,
  type ViewedChange,
  type ViewedRow,
  type RunTally,
} from "./run-view.ts";

export { type ResultClass } from "./result-texts.ts";
