export { holdContent } from "./guards/content-watch.ts";
export { guardOf, PRICE_UNIT_CODE, toGarbledIssue } from "./guards/guard-issue.ts";
export { countUnknownUnit } from "./guards/guard-planned-rows.ts";
export {
  type StockCounts,
  ALL_GUARDS,
  type GuardLimits,
  type GuardName,
  type GuardSettings,
  toGuardSettings,
} from "./guards/guard-settings.ts";
export { type FeedRefusal, judgeFeed } from "./guards/run-guards.ts";
export {
  countSentStock,
  countStock,
  sendsStock,
  hasSent,
  openBody,
  sentBody,
} from "./guards/stock-first.ts";
export { type CodePair, type CodeNormalization } from "./plan/code-normalization.ts";
export { createCompactTextMap } from "./plan/compact-text-map.ts";
export { DISCOUNT_FIELDS, isSameValue, readPriceTag, comparePaidPrices } from "./plan/compare.ts";
export { toMismatchIssue } from "./plan/decide-row.ts";
export {
  createPlanChecks,
  decideRows,
  type PlanChecks,
  type NameRow,
  type PlanRules,
  createSameRequest,
  toSameCode,
  isUnsendable,
  NO_UNSENDABLE_FIELDS,
  type UnsendableFields,
} from "./plan/decide-rows.ts";
export { holdAppeared } from "./plan/hold-adds.ts";
export {
  describeLookAlikes,
  hasLostZeros,
  type LookAlikeOptions,
  readCodeNormalization,
  readLookAlikes,
  toStoredKey,
  type CodeRegistry,
  type TakenCode,
} from "./plan/look-alikes.ts";
export {
  countFileRows,
  countPlanned,
  countPlannedCalls,
  type PlanFacts,
  type PlannedCallsOptions,
  type PlannedCounts,
  type ColumnReading,
  type OpenNameCount,
  type PlanReading,
} from "./plan/plan-facts.ts";
export {
  type AskPriceUnit,
  type KnownPriceUnit,
  plannedPriceUnit,
  type PriceUnitBasis,
  type PriceUnitExample,
  type PriceUnitFacts,
  type PriceUnitQuestion,
  readKnownUnit,
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
export { createWriteBehind, type WriteBehind } from "./plan/read-listing.ts";
export { type RowBackground, type StoreBackground, toProductKeys } from "./plan/row-background.ts";
export {
  type Journal,
  type KnownCode,
  type Ledger,
  type PriceEvidence,
  type CopySuspicion,
  type RowMove,
  type RunWaitingElsewhere,
  RowMovedError,
  type ListingCache,
  type ListedProductRow,
  type RowFilter,
  type RowRepository,
  type LagSample,
  type ShopBehavior,
  readAllCodes,
  readAllRows,
} from "./ports/journal.ts";
export {
  type FilterProof,
  type FilterProofs,
  type ListingFilter,
  type Answer,
  type AnswerFacts,
  type ListedEnd,
  type ListQuery,
  type Marketplace,
  type SendOptions,
  type WirePhase,
} from "./ports/marketplace.ts";
export {
  type CanaryVerdict,
  FEED_COMMAND,
  type NewRun,
  type ImageSettings,
  type RequestCounts,
  type RunFile,
  type RunListOptions,
  type RunRepository,
  type ReadingSettings,
  type RunMaker,
  type RunProgress,
  type RunRecord,
  type RunSettings,
  type RunState,
  type RunWarning,
  toRunKind,
  createRun,
  createRunId,
} from "./ports/run-repository.ts";
export { type UnknownPolicy } from "./reconcile/decide-absent.ts";
export { findProducts, type FoundProduct, idsOf, readProducts } from "./reconcile/find-products.ts";
export { auditDuplicates } from "./reconcile/match-product.ts";
export { type ReconcileOptions } from "./reconcile/open-rows.ts";
export { createProvenFilters, type ProvenMarketplace } from "./reconcile/proven-filters.ts";
export { reconcile, reconcileOpen } from "./reconcile/reconcile.ts";
export { judgeVisibility } from "./reconcile/visibility.ts";
export {
  isBlocking,
  type IssueLocation,
  toIssue,
  type RowIssue,
  type PaidPrices,
} from "./row/issues.ts";
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
  type RunSheets,
} from "./row/row-address.ts";
export {
  type FieldChange,
  type Payload,
  type RowDecision,
  type RowEvent,
  type RowKey,
  type RowRecord,
  type AttemptedRow,
  type StartOfSend,
  type Claim,
  type RowOutcome,
  type CellTrait,
  type CellValue,
  type DuplicateCode,
  type ParsedRow,
  type RowCode,
  type SourceRow,
  type CandidateRow,
  type RunMode,
  type TextDoubt,
} from "./row/row-record.ts";
export {
  type CountClass,
  type Counts,
  type StateCount,
  toCountClass,
  toCounts,
  type WriteAction,
  type Cause,
  type NamedCause,
  CODE_TAKING_STATES,
  FINAL_STATES,
  GUARDED_MOVES,
  isLegalMove,
  LEGAL_MOVES,
  NEXT_STATES,
  ROW_STATES,
  type RowState,
} from "./row/row-state.ts";
export { applyRun, type ApplyRunOptions, readSentRows } from "./send/apply-run.ts";
export { type ApplyEnd, type ApplyResult, classifyAdd, classifyUpdate } from "./send/outcome.ts";
export { RECHECK_MAX_AGE_MS, countVerifyCalls } from "./send/recheck-limits.ts";
export { type RecheckOptions, type RecheckTexts } from "./send/update-rechecks.ts";
export {
  type Capability,
  capabilityOf,
  type CapabilityState,
  refusedInUpdates,
  learnRefusals,
} from "./verify/capability.ts";
export {
  type BeforeValue,
  type DoneRow,
  type VerificationLog,
  type Mismatch,
  type Verification,
  type VerificationCounts,
  VERIFICATION_STATUSES,
  type VerificationStatus,
  type BeforeValueLog,
} from "./verify/verification.ts";
export {
  MAX_READ_BACKS,
  verifyOpenRows,
  verifyRunRows,
  readBackSample,
  type ReadBackSampleOptions,
} from "./verify/verify-rows.ts";
export {
  type CandidateReader,
  type DecidedRun,
  planRun,
  type PlanRunOptions,
  readStore,
} from "./plan/plan-run.ts";
export { toListingReadTime, type UnprovenAdds } from "./send/pre-send-checks.ts";
export {
  isPriceUncompared,
  readResendRisks,
  type Release,
  releaseHeldRow,
  type ReleaseRefusal,
  RESEND_WAIT_MINUTES,
} from "./send/release-row.ts";
export { planUndoRows, hasSentRows } from "./plan/plan-undo.ts";
