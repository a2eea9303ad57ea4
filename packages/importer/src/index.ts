export {
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
export { readBackPending } from "./apply/verify-run.ts";
export { type UnprovenAdds } from "@catalog/runs";
export { readApprovals } from "./apply/read-approvals.ts";
export { CANCEL_REST, cancelRest, lockForCancel, setAside } from "./apply/cancel-rest.ts";
export {
  findRowUndo,
  findUndo,
  isPartialUndo,
  type RowUndo,
  type RunUndo,
  hasSentRows,
  type PlannedUndo,
  planUndo,
} from "./plan/plan-undo.ts";
export {
  findNewerSyncOf,
  isFeedRun,
  type Release,
  type ReleaseResult,
  acceptRows,
  type DecidedRow,
  findUncompared,
  lockForRelease,
  type ReleasedRow,
  type ReleasedRows,
  releaseRows,
  toSending,
  findResendRisks,
  RESEND_WAIT_MINUTES,
} from "./apply/release-rows.ts";
export {
  exportProfile,
  importProfile,
  isProfileFile,
  removeProfile,
} from "./columns/column-profiles.ts";
export {
  forgetReadings,
  listRememberedReadings,
  type RememberedReading,
} from "./columns/remembered-readings.ts";
export {
  readDefaultValues,
  removeDefaultValue,
  saveDefaultValue,
} from "./columns/default-values.ts";
export { describePlatform } from "./file/describe-file.ts";
export { parsePlatform, parseVariantTitle, type AskColumn } from "./columns/resolve-columns.ts";
export { type DraftStep } from "./drafts/draft-changes.ts";
export {
  type DraftColumnsView,
  type DraftCountsView,
  type DraftDetails,
  type DraftEditResult,
  type DraftName,
  type DraftNameChoice,
  type DraftProblem,
  type DraftRowView,
  type DraftSummaryView,
} from "./drafts/draft-views.ts";
export {
  createDraft,
  listDrafts,
  removeDraft,
  planDraft,
  openDraft,
  type LiveDraft,
} from "./drafts/drafts.ts";
export { type WriteDraftOptions } from "./drafts/draft-workbook.ts";
export {
  createTableDownload,
  type FileLimits,
  type AskEncoding,
  type AskSheet,
} from "./file/open-table.ts";
export { findByName, type LookupFindings, type LookupResult } from "./lookup/look-up.ts";
export { type AskName } from "./names/open-names.ts";
export {
  isPlannedAsSet,
  assertDraftCurrent,
  assertPlanCurrent,
  assertPlanned,
} from "./plan/plan-basis.ts";
export { planFile } from "./plan/plan-file.ts";
export { type PlanFileOptions } from "./plan/plan-options.ts";
export { planRetry, RETRIED_STATES } from "./plan/plan-retry.ts";
export { describePriceUnitQuestion, readPriceUnitExample } from "./plan/price-unit-texts.ts";
export { type MadeTemplate, makeTemplate } from "./templates/make-template.ts";
export {
  createProductWorkbook,
  PRODUCT_COLUMNS,
  type WorkbookKind,
} from "./templates/product-workbook.ts";
export { dropFields } from "./feed/prepare-feed.ts";
export { feedKey, hashName, isAddress, nameOfFeed } from "./feed/feed-name.ts";
export {
  createFeedFetch,
  type FeedLimits,
  assertFeedExists,
  isFeedName,
} from "./feed/feed-file.ts";
export { FEED_FIELDS, describeUnused } from "./feed/open-feed.ts";
export {
  type FeedSample,
  type FeedSampleColumn,
  readFeedTime,
  readSample,
} from "./feed/read-sample.ts";
export {
  type SyncResult,
  type SyncEvent,
  syncFeed,
  type SyncFeedOptions,
} from "./feed/sync-feed.ts";
