export { type ActionCandidate, planActions } from "./actions/plan-actions.ts";
export { guardOf, PRICE_UNIT_CODE, toGarbledIssue } from "./guards/guard-issue.ts";
export {
  ALL_GUARDS,
  type GuardLimits,
  type GuardName,
  toGuardSettings,
} from "./guards/guard-settings.ts";
export { guardCost } from "./guards/price-guards.ts";
export { judgeFeed } from "./guards/run-guards.ts";
export { countSentStock, sendsStock, hasSent, openBody, sentBody } from "./guards/stock-first.ts";
export { createCompactTextMap } from "./plan/compact-text-map.ts";
export {
  DISCOUNT_FIELDS,
  isSameValue,
  readPriceTag,
  comparePaidPrices,
  toPaidPrice,
} from "./plan/compare.ts";
export { toMismatchIssue } from "./plan/decide-row.ts";
export {
  createSameRequest,
  isUnsendable,
  NO_UNSENDABLE_FIELDS,
  type UnsendableFields,
  decideRows,
} from "./plan/decide-rows.ts";
export { holdAppeared } from "./plan/hold-adds.ts";
export {
  hasLostZeros,
  readCodeNormalization,
  type CodeRegistry,
  type TakenCode,
  readUsedLookAlikes,
  type UsedLookAlikes,
} from "./plan/look-alikes.ts";
export {
  countFileRows,
  type PlanFacts,
  type ColumnReading,
  type NameSuggestion,
  type OpenNameCount,
  type SuggestionReason,
  countPlan,
  describeSuggestion,
} from "./plan/plan-facts.ts";
export {
  createPriceUnitCount,
  findUnits,
  type PriceUnit,
  readSentUnit,
} from "./plan/price-unit.ts";
export { createWriteBehind } from "./plan/read-listing.ts";
export { addUnshown, findShownChanges } from "./plan/shown-changes.ts";
export {
  type ActionCall,
  type ActionEffect,
  type ActionName,
  type ActionPort,
  ACTIONS,
  isAction,
  type LearnedEffect,
  ONCE_ACTIONS,
  type SubjectKind,
  subjectKey,
  type SubjectReading,
  type SubjectView,
} from "./ports/action.ts";
export {
  type Journal,
  type KnownAction,
  type Ledger,
  RowMovedError,
  type ListedProductRow,
  type RowFilter,
  type RowRepository,
  readAllCodes,
  readAllRows,
} from "./ports/journal.ts";
export {
  type FilterProof,
  type FilterProofs,
  type ListingFilter,
  type Answer,
  type ListedEnd,
  type ListQuery,
  type Marketplace,
  type SendOptions,
  type WirePhase,
} from "./ports/marketplace.ts";
export {
  type ActionListSettings,
  FEED_COMMAND,
  type NamedPerson,
  type NewRun,
  type ImageSettings,
  type RunFile,
  type RunRepository,
  type ReadingSettings,
  type RunRecord,
  type RunSync,
  type RunSettings,
  type RunState,
  type RunWarning,
  createRun,
  createRunId,
  isRunId,
} from "./ports/run-repository.ts";
export { type UnknownPolicy } from "./reconcile/decide-absent.ts";
export { findProducts, readProducts } from "./reconcile/find-products.ts";
export { type ReconcileOptions } from "./reconcile/open-rows.ts";
export { createProvenFilters, type ProvenMarketplace } from "./reconcile/proven-filters.ts";
export { reconcile, reconcileOpen } from "./reconcile/reconcile.ts";
export {
  isBlocking,
  isNote,
  pickReason,
  RULE_CODE,
  type IssueLocation,
  toIssue,
  type RowIssue,
  type PaidPrices,
} from "./row/issues.ts";
export {
  cellInSheet,
  locateCell,
  atRecord,
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
  type ParsedRow,
  type RowCode,
  type RowDecision,
  type RowEvent,
  type RowKey,
  type RowRecord,
  type RowOutcome,
  type CellValue,
  type CandidateRow,
  type PricedProduct,
  type PricedValues,
  type RowCost,
  type RowPricing,
} from "./row/row-record.ts";
export {
  type CountClass,
  type Counts,
  type StateCount,
  toCountClass,
  toCountedAction,
  toCounts,
  type ProductAction,
  type WriteAction,
  type NamedCause,
  type RowState,
  STATE_TABLE,
} from "./row/row-state.ts";
export { type AppliedRun, applyRun, type ApplyRunOptions, readSentRows } from "./send/apply-run.ts";
export {
  type ApplyEnd,
  type ApplyProgress,
  type ApplyResult,
  classifyAction,
  classifyAdd,
  classifyUpdate,
} from "./send/outcome.ts";
export { RECHECK_MAX_AGE_MS, countVerifyCalls } from "./send/recheck-limits.ts";
export { type RecheckOptions } from "./send/update-rechecks.ts";
export { type Capability, capabilityOf, refusedInUpdates } from "./verify/capability.ts";
export {
  type DoneRow,
  type VerificationLog,
  type Verification,
  type VerificationCounts,
  type BeforeValueLog,
} from "./verify/verification.ts";
export { MAX_READ_BACKS, verifyOpenRows, verifyRun, readBackSample } from "./verify/verify-rows.ts";
export {
  type CandidateReader,
  type DecidedRun,
  planRun,
  type PlanRunOptions,
  readStore,
} from "./plan/plan-run.ts";
export { type UnprovenAdds } from "./send/pre-send-checks.ts";
export {
  isPriceUncompared,
  readResendRisks,
  type Release,
  releaseHeldRow,
  RESEND_WAIT_MINUTES,
} from "./send/release-row.ts";
export { planUndoRows, hasSentRows } from "./plan/plan-undo.ts";
export { type AbsentProduct, planAbsentRows, planFeedRows } from "./plan/plan-feed.ts";
export {
  describePeriod,
  formatLocalTime,
  formatPeriodTime,
  hasTimes,
  type JudgedPeriod,
  judgePeriod,
  nextOfPeriod,
  type PeriodFacts,
  type PeriodState,
  type PeriodWish,
  resolvePeriod,
  type RunPeriod,
} from "./period/run-period.ts";
