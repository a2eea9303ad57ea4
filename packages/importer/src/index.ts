export { loadActiveRules } from "./names/active-rules.ts";
export { assertReadable } from "@catalog/sheets";
export { type ApplyProgress } from "./apply/apply-progress.ts";
export {
  type AppliedPlan,
  applyPlan,
  type ApplyPlanOptions,
  readRun,
  readWholeRun,
} from "./apply/apply-plan.ts";
export { type AskUnprovenAdds, type UnprovenAdds } from "./apply/recheck/hold-unproven-adds.ts";
export { badRows, findLimitRefusal, parseMaxErrors } from "./apply/limits.ts";
export { mergeSettings } from "./apply/merge-settings.ts";
export {
  type Approvals,
  readApprovals,
  type RefusedApproval,
} from "./apply/release/read-approvals.ts";
export {
  CANCEL_REST,
  type CancelledRest,
  cancelRest,
  type CancelRestOptions,
  lockForCancel,
} from "./apply/release/cancel-rest.ts";
export {
  findRowUndo,
  findUndo,
  isPartialUndo,
  type RowUndo,
  type RunUndo,
} from "./apply/release/find-undo.ts";
export { setAside, type SetAsideOptions } from "./apply/release/set-aside.ts";
export { findNewerSyncOf } from "./apply/release/newer-sync.ts";
export {
  isFeedRun,
  type Release,
  type ReleaseResult,
  type ReleaseOptions,
  type ReleaseRefusal,
  releaseRow,
} from "./apply/release/release-row.ts";
export {
  acceptRows,
  type AcceptedRows,
  type DecidedRow,
  findUncompared,
  lockForRelease,
  type ReleasedRow,
  type ReleasedRows,
  releaseRows,
  type ReleaseRowsOptions,
  toSending,
} from "./apply/release/release-rows.ts";
export {
  closeReleasedChanges,
  isReleased,
  readReleasedChanges,
  type ReleasedChanges,
} from "./apply/release/released-changes.ts";
export {
  findResendRisks,
  RESEND_WAIT_MINUTES,
  type ResendRisks,
} from "./apply/release/resend-risks.ts";
export { readBackPending } from "./apply/verify-run.ts";
export {
  exportProfile,
  importProfile,
  isProfileFile,
  removeProfile,
} from "./columns/profile-files.ts";
export {
  type ColumnProfiles,
  headerKey,
  readNamedProfile,
  readRememberedColumns,
} from "./columns/column-profiles.ts";
export { readRememberedNotations, saveNotations } from "./columns/remembered-notations.ts";
export {
  type DefaultValue,
  readDefaultValues,
  removeDefaultValue,
  saveDefaultValue,
} from "./columns/default-values.ts";
export {
  forgetReadings,
  listRememberedReadings,
  type RememberedReading,
} from "./columns/remembered-readings.ts";
export { describePlatform } from "./columns/describe-platform.ts";
export { parsePlatform } from "./columns/parse-platform.ts";
export { parseVariantTitle } from "./columns/parse-variant-title.ts";
export { type AskColumn, type ColumnAnswer, resolveColumns } from "./columns/resolve-columns.ts";
export {
  type DraftChanges,
  type DraftReplacePreview,
  type DraftStep,
  type ReadingChange,
} from "./drafts/draft-changes.ts";
export {
  type DraftCheckProgress,
  type DraftColumn,
  type DraftColumnsView,
  type DraftCountsView,
  type DraftDetails,
  type DraftEditResult,
  type DraftField,
  type DraftFilter,
  type DraftName,
  type DraftNameChoice,
  type DraftProblem,
  type DraftReadingView,
  type DraftRowView,
  type DraftSetting,
  type DraftSummaryView,
} from "./drafts/draft-views.ts";
export { createDraft, listDrafts, type NewDraftFile, removeDraft } from "./drafts/drafts.ts";
export { type WriteDraftOptions } from "./drafts/draft-workbook.ts";
export { type NameAnswerInput } from "./drafts/draft-names.ts";
export { type CellEdit } from "./drafts/edit-draft.ts";
export {
  type CheckDraftOptions,
  type LiveDraft,
  openDraft,
  type OpenDraftOptions,
} from "./drafts/live-draft.ts";
export { planDraft, type PlanDraftOptions } from "./drafts/plan-draft.ts";
export { type Replacement, type ReplaceOptions } from "./drafts/replace-cells.ts";
export { createFeedCheck } from "./file/describe-file.ts";
export {
  createTableDownload,
  type FileLimits,
  type TableDownloadOptions,
} from "./file/download-table.ts";
export { hashFile } from "./file/file-hash.ts";
export {
  type AskEncoding,
  type AskSheet,
  type EncodingQuestion,
  type SheetQuestion,
} from "./file/open-table.ts";
export { createLeftOutRows, type LeftOutRows } from "./file/left-out-rows.ts";
export { productRows } from "./file/product-rows.ts";
export {
  findByName,
  type LookupFindings,
  type LookupQuery,
  type LookupResult,
} from "./lookup/look-up.ts";
export { isLookupKind, LOOKUP_KINDS, type LookupKind } from "./lookup/lookup-kinds.ts";
export { type AskName, type NameAnswer } from "./names/ask-open-names.ts";
export { parseRuleFile, readTextFile } from "./names/rule-file.ts";
export {
  addRules,
  exportRules,
  importRules,
  removeRule,
  ruleFieldName,
  type SavedRule,
} from "./names/value-rules.ts";
export { isPlannedAsSet } from "./plan/plan-basis.ts";
export {
  assertDraftCurrent,
  assertPlanCurrent,
  assertPlanned,
} from "./plan/assert-plan-current.ts";
export { readCodeKeys } from "./plan/code-keys.ts";
export {
  type DownloadTable,
  type PlanFileOptions,
  type PlanProgress,
} from "./plan/plan-file-options.ts";
export { planFile } from "./plan/plan-file.ts";
export { planRetry, type PlanRetryOptions, RETRIED_STATES } from "./plan/plan-retry.ts";
export { type PlanSource } from "./plan/plan-source.ts";
export { hasSentRows, type PlannedUndo, planUndo, type PlanUndoOptions } from "./plan/plan-undo.ts";
export {
  PRICE_UNIT_WARNING,
  type PriceUnitQuestionText,
  describeSuggestion,
  describePriceUnitQuestion,
  readPriceUnitExample,
} from "./plan/price-unit-texts.ts";
export { toRefusedFieldNotes, readRefusedFields } from "./plan/refused-fields.ts";
export { toCandidate } from "./plan/rows/to-candidate.ts";
export {
  type MadeTemplate,
  makeTemplate,
  type MakeTemplateOptions,
} from "./templates/make-template.ts";
export {
  createProductWorkbook,
  PRODUCT_COLUMNS,
  type ProductWorkbookOptions,
  type WorkbookKind,
} from "./templates/product-workbook.ts";
