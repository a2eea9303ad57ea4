export {
  loadActiveRules,
  parseRuleFile,
  readTextFile,
  addRules,
  exportRules,
  importRules,
  removeRule,
  ruleFieldName,
  type SavedRule,
} from "./names/value-rules.ts";
export { assertReadable } from "@catalog/sheets";
export {
  type AppliedPlan,
  applyPlan,
  type ApplyPlanOptions,
  readRun,
  readWholeRun,
  badRows,
  findLimitRefusal,
  parseMaxErrors,
  mergeSettings,
} from "./apply/apply-plan.ts";
export { type ApplyProgress, readBackPending } from "./apply/verify-run.ts";
export { type AskUnprovenAdds, type UnprovenAdds } from "./apply/pre-send-checks.ts";
export { type Approvals, readApprovals, type RefusedApproval } from "./apply/read-approvals.ts";
export {
  CANCEL_REST,
  type CancelledRest,
  cancelRest,
  type CancelRestOptions,
  lockForCancel,
  setAside,
  type SetAsideOptions,
} from "./apply/cancel-rest.ts";
export {
  findRowUndo,
  findUndo,
  isPartialUndo,
  type RowUndo,
  type RunUndo,
  hasSentRows,
  type PlannedUndo,
  planUndo,
  type PlanUndoOptions,
} from "./plan/plan-undo.ts";
export {
  findNewerSyncOf,
  isFeedRun,
  type Release,
  type ReleaseResult,
  type ReleaseOptions,
  type ReleaseRefusal,
  releaseRow,
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
  findResendRisks,
  RESEND_WAIT_MINUTES,
  type ResendRisks,
} from "./apply/release-rows.ts";
export {
  closeReleasedChanges,
  isReleased,
  readReleasedChanges,
  type ReleasedChanges,
} from "./apply/released-changes.ts";
export {
  exportProfile,
  importProfile,
  isProfileFile,
  removeProfile,
  type ColumnProfiles,
  headerKey,
  readNamedProfile,
  readRememberedColumns,
} from "./columns/column-profiles.ts";
export {
  readRememberedNotations,
  saveNotations,
  forgetReadings,
  listRememberedReadings,
  type RememberedReading,
} from "./columns/remembered-readings.ts";
export {
  type DefaultValue,
  readDefaultValues,
  removeDefaultValue,
  saveDefaultValue,
} from "./columns/default-values.ts";
export { describePlatform, createFeedCheck } from "./file/describe-file.ts";
export {
  parsePlatform,
  parseVariantTitle,
  type AskColumn,
  type ColumnAnswer,
  resolveColumns,
} from "./columns/resolve-columns.ts";
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
export {
  createDraft,
  listDrafts,
  type NewDraftFile,
  removeDraft,
  planDraft,
  type PlanDraftOptions,
  type OpenDraftOptions,
  openDraft,
  type LiveDraft,
} from "./drafts/drafts.ts";
export { type WriteDraftOptions } from "./drafts/draft-workbook.ts";
export { type NameAnswerInput } from "./drafts/draft-names.ts";
export { type CellEdit, type Replacement, type ReplaceOptions } from "./drafts/edit-draft.ts";
export { type CheckDraftOptions } from "./drafts/live-state.ts";
export {
  createTableDownload,
  type FileLimits,
  type TableDownloadOptions,
  hashFile,
  type AskEncoding,
  type AskSheet,
  type EncodingQuestion,
  type SheetQuestion,
  type DownloadTable,
} from "./file/open-table.ts";
export { createLeftOutRows, type LeftOutRows, productRows } from "./file/product-rows.ts";
export {
  findByName,
  type LookupFindings,
  type LookupQuery,
  type LookupResult,
} from "./lookup/look-up.ts";
export { isLookupKind, LOOKUP_KINDS, type LookupKind } from "./lookup/lookup-kinds.ts";
export { type AskName, type NameAnswer } from "./names/open-names.ts";
export {
  isPlannedAsSet,
  assertDraftCurrent,
  assertPlanCurrent,
  assertPlanned,
} from "./plan/plan-basis.ts";
export { readCodeKeys, toRefusedFieldNotes, readRefusedFields } from "./plan/plan-rows.ts";
export { planFile } from "./plan/plan-file.ts";
export { type PlanSource, type PlanProgress, type PlanFileOptions } from "./plan/plan-options.ts";
export { planRetry, type PlanRetryOptions, RETRIED_STATES } from "./plan/plan-retry.ts";
export {
  PRICE_UNIT_WARNING,
  type PriceUnitQuestionText,
  describeSuggestion,
  describePriceUnitQuestion,
  readPriceUnitExample,
} from "./plan/price-unit-texts.ts";
export { toCandidate } from "./plan/read-rows.ts";
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
