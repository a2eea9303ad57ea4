export {
  type Applied,
  applyPlanned,
  type ApplyPlannedOptions,
  type ApplyProgress,
  readRun,
} from "./apply-planned.ts";
export { type Approvals, readApprovals, type RefusedApproval } from "./approved-rows.ts";
export { toClientWords } from "./client-words.ts";
export { type AskUnseen, type UnseenDoubt } from "./hold-unseen.ts";
export { type CallMeter } from "./call-meter.ts";
export { assertApplicable, assertPlanned } from "./check-plan.ts";
export { estimateSeconds } from "./calls.ts";
export { createTableDownload, type TableDownloadOptions } from "./download-table.ts";
export { ToolkitError, type ToolkitErrorCode } from "./errors.ts";
export { type LookupFindings, type LookupQuery, type LookupResult, lookUp } from "./look-up.ts";
export {
  type PictureMode,
  type PictureOptions,
  type PictureShape,
} from "./pictures/picture-options.ts";
export { type AskEncoding, type EncodingQuestion } from "./open-table.ts";
export {
  openToolkit,
  type Toolkit,
  type ToolkitOptions,
  type ToolkitOverrides,
} from "./open-toolkit.ts";
export { type Pacing } from "./pacing.ts";
export { planAgain, type PlanAgainOptions, RETRIED_STATES } from "./plan-again.ts";
export {
  type DownloadTable,
  planFile,
  type PlanFileOptions,
  type PlanProgress,
} from "./plan-file.ts";
export { isPriceUncompared } from "./guard-later.ts";
export { rememberPriceUnit } from "./price-unit-memory.ts";
export { type PriceUnitWords, wordPriceUnitQuestion } from "./price-unit-texts.ts";
export {
  type Release,
  type Released,
  type ReleaseOptions,
  type ReleaseRefusal,
  releaseRow,
} from "./release.ts";
export { findResendDoubts, RESEND_WAIT_MINUTES, type ResendDoubts } from "./resend-doubts.ts";
export { type SentField } from "./sent-fields.ts";
export { fieldWord } from "./field-word.ts";
export { type BigChange, type BiggestChanges, readBiggestChanges } from "./biggest-changes.ts";
export { rememberReading } from "./remember-reading.ts";
export { type AskColumn, type ColumnAnswer } from "./settle-columns.ts";
export { type AskName, type NameAnswer } from "./settle-names.ts";
export { ruleCommand } from "./rule-command.ts";
export { exportProfile, importProfile, isProfileFile, removeProfile } from "./store-profiles.ts";
export { type PlannedUndo, planUndo, type PlanUndoOptions } from "./plan-undo.ts";
export { lookBack } from "./read-back.ts";
export { addRules, exportRules, importRules, removeRule, ruleFieldName } from "./store-rules.ts";
export { writeResultFiles, writeSummary } from "./result-files.ts";
export {
  NO_FILES,
  NOTHING_PLANNED,
  NOTHING_VERIFIED,
  createIssueList,
  readIssues,
  readSummary,
  type ResultFiles,
  type RunSummary,
} from "./run-summary.ts";
export { isLookupKind, LOOKUP_KINDS, type LookupKind } from "./lookup-kinds.ts";
export { makeTemplate, type MadeTemplate, type MakeTemplateOptions } from "./make-template.ts";
export {
  createProductWorkbook,
  PRODUCT_COLUMNS,
  type ProductWorkbookOptions,
  type WorkbookKind,
} from "./product-workbook.ts";
export { type CallPause, type StoreLock } from "@catalog/store";
export { type Wait, type WaitReason } from "./waits.ts";
export { formatTime, parseTypedMoment } from "./export/moments.ts";
export {
  type Exported,
  type ExportEvent,
  type ExportOptions,
  runExport,
} from "./export/run-export.ts";
export {
  EXPORT_FORMATS,
  EXPORT_KINDS,
  type ExportFormat,
  type ExportKind,
} from "./export/choices.ts";
export { createFeedFetch } from "./sync/download-feed.ts";
export { isAddress, nameOfAddress } from "./sync/feed-file.ts";
export { feedKey } from "./sync/feed-notes.ts";
export {
  createTimetable,
  keepSchedule,
  listNext,
  type ScheduleNote,
  scheduleNoteSchema,
  type Timetable,
} from "./sync/schedule.ts";
export { syncFeed, type SyncEvent, type Synced, type SyncFeedOptions } from "./sync/sync-feed.ts";
