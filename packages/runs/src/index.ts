export { holdLookAlikes, type HoldLookAlikesOptions } from "./plan/codes/hold-look-alikes.ts";
export {
  type AlikeRowsOptions,
  createAlikeRows,
  type HoldAlikeRows,
} from "./plan/codes/alike-rows.ts";
export { describeLookAlikes, hasLostZeros } from "./plan/codes/look-alike-issues.ts";
export {
  type LookAlikeOptions,
  readCodeNormalization,
  readLookAlikes,
  toStoredKey,
} from "./plan/codes/look-alike-codes.ts";
export { type CodeRegistry, type TakenCode } from "./ports/code-registry.ts";
export {
  type CodePair,
  type NormalizationStep,
  type CodeNormalization,
} from "./plan/codes/code-normalization.ts";
export { applyRun, type ApplyRunOptions } from "./send/apply-run.ts";
export { type ApplyEnd, type ApplyResult } from "./send/apply-result.ts";
export {
  auditDuplicates,
  type AuditDuplicatesOptions,
  type FoundDuplicate,
} from "./reconcile/audit-duplicates.ts";
export { classifyAdd, classifyUpdate, type SendVerdict } from "./send/classify-answer.ts";
export {
  type CompareInput,
  compareFields,
  type Comparison,
  DISCOUNT_FIELDS,
  isSameValue,
  readPriceTag,
} from "./plan/compare.ts";
export {
  type CountClass,
  type Counts,
  type StateCount,
  toCountClass,
  toCounts,
  type WriteAction,
} from "./row/counts.ts";
export { type FeedFacts, type FeedRefusal, judgeFeed } from "./guards/feed-guards.ts";
export { type FilterProof, type FilterProofs, type ListingFilter } from "./ports/filter-proofs.ts";
export { trustsFilter } from "./reconcile/filters/trusts-filter.ts";
export {
  createProvenFilters,
  type ProvenFiltersOptions,
  type ProvenMarketplace,
} from "./reconcile/filters/proven-filters.ts";
export { isBlocking, type IssueLocation, toIssue } from "./row/issue-texts.ts";
export { compareHeldPrices } from "./guards/compare-held-prices.ts";
export { countSentStock, countStock, releaseStock, sendsStock } from "./guards/release-stock.ts";
export { guardPlannedRows } from "./guards/guard-planned-rows.ts";
export {
  releaseUnknownUnit,
  type ReleaseUnknownUnitOptions,
} from "./guards/release-unknown-unit.ts";
export { guardOf, PRICE_UNIT_CODE, toGarbledIssue } from "./guards/guard-issue.ts";
export { comparePaidPrices, type PaidPrices } from "./guards/paid-price.ts";
export {
  ALL_GUARDS,
  GUARD_NAMES,
  type GuardLimits,
  type GuardName,
  type GuardSettings,
  toGuardSettings,
} from "./guards/guard-settings.ts";
export { holdContent } from "./guards/content-watch.ts";
export { emptiesTooMany, type StockCounts } from "./guards/run-guards.ts";
export { type Cause, type NamedCause } from "./row/cause.ts";
export { type RowIssue } from "./row/issue.ts";
export { type Journal } from "./ports/journal.ts";
export {
  type KnownCode,
  type Ledger,
  type PriceEvidence,
  type CopySuspicion,
  type RowMove,
  type RunWaitingElsewhere,
  RowMovedError,
} from "./ports/ledger.ts";
export { type ListingCache, type ListedProductRow } from "./ports/listing-cache.ts";
export { type RowFilter, type RowRepository } from "./ports/row-repository.ts";
export { type LagSample, type ShopBehavior, type RefusalEvidence } from "./ports/shop-behavior.ts";
export { type FieldChange, type Payload, type RowDecision } from "./row/row-decision.ts";
export {
  cellInSheet,
  type IssueFile,
  type LocatedIssue,
  locateCell,
  locateIssue,
  locateRow,
  parseRowAddress,
  rowAddress,
  rowArgument,
  type RunSheet,
  type RunSheets,
} from "./row/row-address.ts";
export { type RowEvent } from "./row/row-event.ts";
export { type RowKey, type RowRecord } from "./row/row-record.ts";
export {
  type AttemptedRow,
  type StartOfSend,
  type Claim,
  type RowOutcome,
} from "./row/row-outcome.ts";
export { hasSent, joinParts, openBody, sentBody } from "./row/row-parts.ts";
export {
  type CellTrait,
  type CellValue,
  type DuplicateCode,
  type ParsedRow,
  type RowCode,
  type SourceRow,
} from "./row/source-row.ts";
export {
  type Answer,
  type AnswerFacts,
  type ListedEnd,
  type ListQuery,
  type PageProgress,
  type Marketplace,
  type SendOptions,
  type WirePhase,
} from "./ports/marketplace.ts";
export {
  type Background,
  type CandidateRow,
  type CompletedAdd,
  decideRow,
  type RunMode,
  type TextDoubt,
  toMismatchIssue,
} from "./plan/decide-row.ts";
export { holdAppeared, type HoldAppearedOptions } from "./plan/hold-appeared.ts";
export {
  createPlanChecks,
  decideRows,
  type PlanChecks,
  type NameRow,
  type PlanRules,
} from "./plan/decide-rows.ts";
export { countFileRows } from "./plan/count-file-rows.ts";
export {
  countPlanned,
  countPlannedCalls,
  type NotStoredRows,
  type PlanFacts,
  type PlannedCallsOptions,
  type PlannedCounts,
  type PlannedRows,
} from "./plan/planned-counts.ts";
export { createSameRequest, toSameCode } from "./plan/codes/duplicate-codes.ts";
export {
  readBackground,
  readStoreBackground,
  type FoundProducts,
  type ProductKeys,
  type RowBackground,
  type StoreBackground,
  toProductKeys,
} from "./plan/row-background.ts";
export { type ReadListingOptions } from "./plan/read-listing.ts";
export { toBeforeValues } from "./verify/before-values.ts";
export { holdEmptied, type StockScope, type StockWatch } from "./guards/stock-watch.ts";
export { type ColumnReading, type OpenNameCount, type PlanReading } from "./plan/plan-reading.ts";
export { countSentAttempts } from "./reconcile/count-sent.ts";
export {
  askForUnit,
  type AskPriceUnit,
  createUnitQuestion,
  type KnownPriceUnit,
  type ListedRow,
  plannedPriceUnit,
  type PriceUnitBasis,
  type PriceUnitExample,
  type PriceUnitFacts,
  type PriceUnitQuestion,
  readKnownUnit,
  type UnitQuestion,
} from "./plan/learn-price-unit.ts";
export {
  calibratePriceUnit,
  createPriceUnitCount,
  findUnits,
  type KnownUnit,
  PRICE_EVIDENCE,
  type PriceUnit,
  type PriceUnitCount,
  type PriceUnitSuggestion,
  readSentUnit,
  toMinor,
} from "./plan/price-unit.ts";
export { type RateLimitPenalty } from "./send/rate-limit-pause.ts";
export { type ReconcileOptions } from "./reconcile/open-add.ts";
export { LOOKUP_DELAYS_MS, reconcile, reconcileOpen } from "./reconcile/reconcile.ts";
export {
  CODE_TAKING_STATES,
  FINAL_STATES,
  GUARDED_MOVES,
  isLegalMove,
  LEGAL_MOVES,
  NEXT_STATES,
  ROW_STATES,
  type RowState,
} from "./row/row-state.ts";
export { type SentRow } from "./send/sent-row.ts";
export {
  type CanaryVerdict,
  FEED_COMMAND,
  type NewRun,
  type ImageSettings,
  type RequestCounts,
  type RunFile,
  type RunKind,
  type RunListOptions,
  type RunRepository,
  type ReadingSettings,
  type RunMaker,
  type RunProgress,
  type RunRecord,
  type RunSettings,
  type RunState,
  type RunWarning,
  type StoredNotation,
  toRunKind,
} from "./ports/run-repository.ts";
export { SETTLE_TIME_MS, type UnknownPolicy } from "./reconcile/decide-absent.ts";
export { readVisibility } from "./reconcile/visibility/read-visibility.ts";
export { judgeVisibility, sampleVisibility } from "./reconcile/visibility/visibility.ts";
export {
  type LeftFields,
  planUndoRow,
  type UndoDecision,
  type UndoInput,
  type UndoOutcome,
} from "./plan/plan-undo-row.ts";
export {
  type Capability,
  type CapabilityFinding,
  capabilityOf,
  type CapabilityState,
  refusedInUpdates,
} from "./verify/capability.ts";
export {
  createRefusedFieldWatch,
  type RefusedFieldWatch,
  type RefusedField,
} from "./verify/refused-fields.ts";
export {
  MAX_READ_BACKS,
  type DifferentRow,
  verifyOpenRows,
  verifyRunRows,
  readBackSample,
  type ReadBackSampleOptions,
  type SampleReadBack,
} from "./verify/verify-rows.ts";
export { type BeforeValue, type DoneRow, type VerificationLog } from "./ports/verification-log.ts";
export {
  type Mismatch,
  type Verification,
  type VerificationCounts,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from "./verify/verification.ts";
export { type BeforeValueLog } from "./ports/before-value-log.ts";
export {
  type AddRechecks,
  type AddRechecksOptions,
  createAddRechecks,
  type ListingReadTime,
} from "./send/recheck/add-rechecks.ts";
export { RECHECK_MAX_AGE_MS } from "./send/recheck/recheck-age.ts";
export { type RecheckOptions, type RecheckTexts } from "./send/recheck/update-rechecks.ts";
export {
  findProducts,
  type FindProductsQuery,
  type FoundProduct,
  idsOf,
  type ListedProduct,
  readProducts,
} from "./reconcile/find-products.ts";
export { readAllCodes, readAllRows } from "./ports/read-all-rows.ts";
export { createWriteBehind, type WriteBehind } from "./plan/write-behind.ts";
export { createCompactTextMap, type CompactTextMap } from "./plan/compact-text-map.ts";
export {
  isUnsendable,
  NO_UNSENDABLE_FIELDS,
  type UnsendableFields,
} from "./plan/unsendable-fields.ts";
export { createRun, createRunId, type RunIdTools } from "./run-id.ts";
export { countVerifyCalls } from "./verify/verify-calls.ts";
