export { holdAlike, type HoldAlikeOptions } from "./alike/hold-alike.ts";
export { type AlikeOptions, readCodeWay, toStoredKey } from "./alike/alike-codes.ts";
export { type CodeBook, type TakenCode } from "./alike/code-book.ts";
export { type CodePair, type CodeStep, type CodeWay } from "./alike/code-way.ts";
export { applyRun, type ApplyRunOptions } from "./apply-run.ts";
export { type ApplyEnd, type ApplyResult } from "./send/apply-result.ts";
export { auditRun, type AuditRunOptions, type DuplicateFound } from "./audit-run.ts";
export { classifyAdd, classifyUpdate, type Verdict } from "./classify.ts";
export { type CompareInput, compareFields, type Comparison, type PriceUnit } from "./compare.ts";
export {
  type CountClass,
  type Counts,
  type StateCount,
  toCountClass,
  toCounts,
  type WriteAction,
} from "./counts.ts";
export { type FeedFacts, type FeedRefusal, judgeFeed } from "./feed-guards.ts";
export { type FilterProof, type FilterProofs, type ListingFilter } from "./filters/filter-proof.ts";
export { mayTrust } from "./filters/may-trust.ts";
export {
  createProvenFilters,
  type ProvenFiltersOptions,
  type ProvenMarketplace,
} from "./filters/proven-filters.ts";
export { isBlocking, type IssuePlace, toIssue } from "./findings.ts";
export { holdGuarded } from "./guards/hold-guarded.ts";
export { releaseUnitHeld, type ReleaseUnitHeldOptions } from "./guards/release-unit-held.ts";
export { holdUnguarded } from "./guards/hold-unguarded.ts";
export { guardOf, PRICE_UNIT_CODE } from "./guards/guard-issue.ts";
export {
  ALL_GUARDS,
  GUARD_NAMES,
  type GuardLimits,
  type GuardName,
  type GuardSettings,
  toGuardSettings,
} from "./guards/guard-settings.ts";
export { emptiesTooMany } from "./guards/run-guards.ts";
export { type Cause, type NamedCause } from "./row/cause.ts";
export { type RowIssue } from "./issue.ts";
export { type Journal } from "./journal.ts";
export {
  type KnownCode,
  type Ledger,
  type PriceEvidence,
  type RunDoubt,
  type WaitingElsewhere,
} from "./ports/ledger.ts";
export { type ListingCache, type SeenProduct } from "./ports/listing-cache.ts";
export { type RowFilter, type RowRepository } from "./ports/row-repository.ts";
export {
  type LagSample,
  type ShopBehavior,
  type SignatureEvidence,
} from "./ports/shop-behavior.ts";
export { type FieldChange, type Payload, type RowDecision } from "./row/row-decision.ts";
export { type RowEvent } from "./row/row-event.ts";
export { type RowKey, type RowRecord } from "./row/row-record.ts";
export { type Attempted, type Beginning, type Begun, type Settlement } from "./row/settlement.ts";
export {
  type CellTrait,
  type CellValue,
  type DuplicateCode,
  type ParsedRow,
  type SourceRow,
} from "./row/source-row.ts";
export {
  type Answer,
  type AnswerFacts,
  type ListQuery,
  type Marketplace,
  type SendOptions,
  type WirePhase,
} from "./marketplace.ts";
export {
  type Background,
  type CandidateRow,
  type CompletedAdd,
  planRow,
  type RunMode,
} from "./plan-row.ts";
export {
  type PlanFacts,
  type PlannedCounts,
  countPlanned,
  holdAppeared,
  type HoldAppearedOptions,
  planRun,
  type PlanRunOptions,
} from "./plan-run.ts";
export { type ColumnReading, type OpenNameCount, type PlanReading } from "./plan-reading.ts";
export { countDepartures } from "./departures.ts";
export {
  type AskPriceUnit,
  type KnownPriceUnit,
  plannedPriceUnit,
  type PriceUnitBasis,
  type PriceUnitExample,
  type PriceUnitFacts,
  type PriceUnitQuestion,
  type PriceUnitSuggestion,
} from "./learn-price-unit.ts";
export { calibratePriceUnit } from "./price-unit.ts";
export { type Penalty } from "./pause.ts";
export { LOOK_DELAYS_MS, reconcile, settleOpen, type ReconcileOptions } from "./reconcile.ts";
export {
  CODE_TAKING_STATES,
  GUARDED_MOVES,
  isLegalMove,
  LEGAL_MOVES,
  NEXT_STATES,
  ROW_STATES,
  type RowState,
} from "./row-state.ts";
export { type SentRow } from "./send-row.ts";
export {
  type CanaryVerdict,
  FEED_COMMAND,
  type NewRun,
  type PictureSettings,
  type RequestCounts,
  type RunFile,
  type RunKind,
  type RunLog,
  type ReadingSettings,
  type RunProgress,
  type RunRecord,
  type RunSettings,
  type RunState,
  type RunWarning,
  type StoredNotation,
  toRunKind,
} from "./run-log.ts";
export { QUIET_MS, type UnknownPolicy } from "./unknown/absence.ts";
export { readVisibility } from "./unknown/read-visibility.ts";
export { judgeVisibility, lookForSamples } from "./unknown/visibility.ts";
export {
  planUndoRow,
  type UndoDecision,
  type UndoInput,
  type UndoOutcome,
} from "./undo/plan-undo-row.ts";
export {
  type Capability,
  type CapabilityFinding,
  capabilityOf,
  type CapabilityState,
  refusedInUpdates,
} from "./verify/capability.ts";
export {
  createRefusalWatch,
  type RefusalWatch,
  type RefusedField,
} from "./verify/refused-fields.ts";
export {
  type DifferentRow,
  readBackOpen,
  readBackRun,
  readBackSample,
  type ReadBackSampleOptions,
  type SampleReadBack,
} from "./verify/read-back.ts";
export { type BeforeValue, type DoneRow, type ReadBackBook } from "./verify/read-back-book.ts";
export {
  type Mismatch,
  type Verification,
  type VerificationCounts,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from "./verify/verification.ts";
export { type BeforeBook } from "./look/before-book.ts";
export {
  type AddLooks,
  type AddLooksOptions,
  createAddLooks,
  type ReadMoment,
} from "./look/add-looks.ts";
export { LOOK_MAX_AGE_MS } from "./look/look-age.ts";
export { type LookOptions, type LookWords } from "./look/looks.ts";
export {
  findProducts,
  type FindProductsQuery,
  type FoundProduct,
  idsOf,
  type ListedProduct,
  readProducts,
} from "./reconcile/find-products.ts";
export { createRefuseSecond, type RefuseSecond } from "./refuse-second.ts";
export { readAllRows } from "./ports/read-all-rows.ts";
export { createTextRows, type TextRows } from "./text-rows.ts";
export {
  createUnsendableCount,
  isUnsendable,
  NOTHING_UNSENDABLE,
  type Unsendable,
  type UnsendableCount,
} from "./unsendable.ts";
