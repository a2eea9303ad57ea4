export { openRemembered, type RememberedLists } from "./columns/remembered.ts";
export {
  exportPriceRules,
  importCosts,
  importPriceRules,
  readRuleSheet,
} from "./pricing/price-sheet.ts";
export { readPriceRules } from "./pricing/price-rules.ts";
export { type TriedRow, type TriedRules, tryRules } from "./pricing/try-rules.ts";
export { assertReadable } from "@catalog/sheets";
export {
  applyPlan,
  readRun,
  readWholeRun,
  badRows,
  findLimitRefusal,
  mergeSettings,
} from "./apply/apply-plan.ts";
export { readBackPending } from "./apply/verify-run.ts";
export { readApprovals } from "./apply/read-approvals.ts";
export { CANCEL_REST, cancelRest, lockForCancel, setAside } from "./apply/cancel-rest.ts";
export {
  findRowUndo,
  findUndo,
  isPartialUndo,
  type RowUndo,
  type RunUndo,
  planUndo,
} from "./plan/plan-undo.ts";
export {
  findNewerSyncOf,
  isFeedRun,
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
} from "./apply/release-rows.ts";
export { parsePlatform, parseVariantTitle } from "./columns/resolve-columns.ts";
export { type LiveDraft, openDrafts } from "./drafts/drafts.ts";
export { type ChosenProduct, createStoreDraft } from "./drafts/store-draft.ts";
export { createTableDownload, type FileLimits, type FindLogin } from "./file/open-table.ts";
export { findByName } from "./lookup/look-up.ts";
export { isPlannedAsSet, assertDraftCurrent, assertPlanCurrent } from "./plan/plan-basis.ts";
export { type ActionSheetKind } from "./actions/action-sheet.ts";
export { findListKind } from "./actions/find-list.ts";
export { isRunOfActions } from "./actions/undo-templates.ts";
export {
  type AskedActions,
  planActionFile,
  planActionRetry,
  planNamedActions,
} from "./actions/plan-action-file.ts";
export { planFile, planRetry } from "./plan/plan-file.ts";
export { type FileNames, type NameTarget, readFileNames } from "./plan/file-names.ts";
export {
  answerBelow,
  answerByReason,
  type ImportedNames,
  importNamesSheet,
  type NameMeaningInput,
  type NamesBelow,
  type SavedMeanings,
  saveMeanings,
} from "./names/names-in-bulk.ts";
export { ruleFieldName } from "./names/value-rules.ts";
export { writeNamesSheet } from "./names/names-sheet.ts";
export { type PlanFileOptions, type PlanQuestions } from "./plan/plan-options.ts";
export { describePriceUnitQuestion, readPriceUnitExample } from "./plan/plan-notes.ts";
export { makeTemplate } from "./templates/make-template.ts";
export { createProductWorkbook, PRODUCT_COLUMNS } from "./templates/product-workbook.ts";
export { sendFeedDraft, type SentFeedDraft } from "./drafts/feed-draft.ts";
export { feedKey, hashName, nameOfFeed } from "./feed/feed-name.ts";
export { assertFeedAddress, assertFeedExists, createFeedFetch } from "./feed/feed-file.ts";
export { describeFeedReading } from "./feed/open-feed.ts";
export { type FeedSync, readFeedHistory } from "./feed/feed-history.ts";
export {
  readShadowDays,
  readShadowPlan,
  type ShadowChange,
  type ShadowDay,
  writeShadowWorkbook,
} from "./feed/shadow-days.ts";
export { openFeedForm } from "./feed/read-sample.ts";
export {
  type SyncResult,
  type SyncEvent,
  syncFeed,
  type SyncFeedOptions,
} from "./feed/sync-feed.ts";
export { createProductHistory } from "./store/product-history.ts";
export { readProductTalk } from "./store/product-talk.ts";
export { readChosenAgain } from "./store/chosen-products.ts";
export { openQuestionList } from "./questions/question-list.ts";
export { openStoreList } from "./store/store-list.ts";
export {
  approvePeriod,
  changePeriod,
  findPeriodDuty,
  proposePeriod,
  readPeriodWish,
  recordPeriodEnd,
} from "./apply/run-period.ts";
