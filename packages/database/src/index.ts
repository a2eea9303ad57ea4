export {
  type RateLimiter,
  type RateLimiterOptions,
  type CallPause,
  createRateLimiter,
  type EndedCall,
} from "./rate-limit/create-rate-limiter.ts";
export { type Priority } from "./rate-limit/slots.ts";
export { type CallLog, type CallMinute, createCallLog } from "./repositories/call-log.ts";
export {
  type CallTotal,
  type CallTotals,
  type CallTotalsOptions,
  type CountedCall,
  createCallTotals,
} from "./repositories/call-totals.ts";
export { type CodeRegistryOptions, createCodeRegistry } from "./repositories/code-registry.ts";
export { checkDatabase, compactDatabase, readSizes } from "./maintenance.ts";
export { DatabaseError, type DatabaseErrorCode, TakenOverError } from "./errors.ts";
export {
  createExportStaging,
  type ExportCheckpoint,
  type ExportJob,
  type ExportMark,
  type ExportNames,
  type ExportStaging,
  type ExportStagingOptions,
  type ListingCheckpoint,
  type StagedItem,
} from "./repositories/export-staging.ts";
export {
  createFeedState,
  type FeedState,
  type FeedStateOptions,
  type FeedProduct,
  type SentFields,
  type ShownProduct,
} from "./repositories/feed-state.ts";
export {
  createDraftRepository,
  type DraftRepository,
  type DraftTables,
} from "./repositories/drafts/drafts.ts";
export {
  type AddedDraftColumn,
  type DraftChange,
  type DraftColumns,
  type DraftEdit,
  type DraftFileRow,
  type DraftFix,
  type DraftIssue,
  type DraftReading,
  type DraftRecord,
  type DraftRow,
  type DraftRowCounts,
  type DraftRowFilter,
  type DraftRowStatus,
  type RowEdits,
  type RowFindings,
  type RowKeys,
  type StoredDraftState,
} from "./repositories/drafts/draft-records.ts";
export { createFilterProofs, type FilterProofsOptions } from "./repositories/filter-proofs.ts";
export { listOpenRuns } from "./repositories/open-runs.ts";
export { createJournal, type JournalOptions } from "./journal/journal.ts";
export { type RunKind } from "./journal/context.ts";
export { createNameCache, type NameCache } from "./repositories/name-cache.ts";
export {
  createNoteRepository,
  type DatedNoteRepository,
  type ListedNoteRepository,
  type NoteRepository,
} from "./repositories/note-repository.ts";
export { createImageCheckCache, type ImageCheckCache } from "./repositories/image-checks.ts";
export {
  createProfileRepository,
  type Profile,
  type ProfileRepository,
} from "./repositories/profiles.ts";
export {
  createVerificationLog,
  type VerificationLogOptions,
} from "./repositories/verification-log.ts";
export {
  createRunPruner,
  type PruneStep,
  type Transact,
  type RunPruner,
  type RunPrunerOptions,
} from "./archive/run-pruner.ts";
export { pruneWhileIdle, type PruneWhileIdleOptions } from "./archive/prune-while-idle.ts";
export { estimateFreedBytes } from "./archive/estimate-freed.ts";
export { prunedRun } from "./archive/pruned-run.ts";
export { type DueRun } from "./archive/run-stages.ts";
export { type CompactOutcome } from "./sqlite/free-space.ts";
export { type DatabaseSizes, SIZE_KINDS, type SizeKind } from "./sqlite/sizes.ts";
export {
  createFileQueue,
  type JobChoice,
  type JobAttempts,
  type JobKey,
  type JobKind,
  type JobLocks,
  type JobQueue,
  type JobRecord,
  type JobRemoval,
  type JobResult,
  type NewJob,
  type TakenJob,
  toOpenSync,
} from "./repositories/jobs.ts";
export { createRuleRepository, type Rule, type RuleRepository } from "./repositories/rules.ts";
export { createRunRepository, type RunRepositoryOptions } from "./repositories/runs.ts";
export {
  createScheduleRepository,
  type ScheduleChange,
  type ScheduleProgress,
  type ScheduleRecord,
  type ScheduleRepository,
  type ScheduleResult,
  type ScheduleSettings,
} from "./repositories/schedules.ts";
export { type DatabaseWait, type Outage } from "./patience.ts";
export { type Database, type FileDatabase } from "./sql/database.ts";
export { type Steps } from "./sql/steps.ts";
export { type DatabaseOptions, openDatabase } from "./sqlite/sqlite.ts";
export { discardFile, isInUse } from "./sqlite/put-away.ts";
export { type StoreAddress, toStoreAddress } from "./store-key.ts";
export {
  createLeases,
  type Lease,
  type LeaseOptions,
  type Leases,
  type LeaseTakeOvers,
  MAX_REQUEST_MS,
  toStoreScope,
} from "./locks/leases.ts";
export { describeHolder, type LockHolder } from "./locks/lock-holder.ts";
export {
  lockStore,
  readLockHolder,
  type StoreLock,
  type StoreLockOptions,
  tryLock,
} from "./locks/store-lock.ts";
export { createTokenCache } from "./repositories/tokens.ts";
export { readVisibilityLags, type VisibilityLags } from "./journal/visibility-lags.ts";
