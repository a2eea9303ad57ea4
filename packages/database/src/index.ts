export {
  type RateLimiter,
  type RateLimiterOptions,
  type CallPause,
  createRateLimiter,
  type EndedCall,
} from "./rate-limit/rate-limiter.ts";
export { type Priority } from "./rate-limit/slots.ts";
export {
  type CallLog,
  type CallMinute,
  createCallLog,
  type CallTotal,
  type CallTotals,
  type CallTotalsOptions,
  type CountedCall,
  createCallTotals,
} from "./repositories/calls.ts";
export {
  type CodeRegistryOptions,
  createCodeRegistry,
  createFilterProofs,
  type FilterProofsOptions,
} from "./repositories/code-registry.ts";
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
} from "./repositories/drafts.ts";
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
} from "./repositories/draft-records.ts";
export {
  listOpenRuns,
  createRunRepository,
  type RunRepositoryOptions,
} from "./repositories/runs.ts";
export { createJournal, type JournalOptions } from "./journal/journal.ts";
export { type RunKind } from "./journal/transitions.ts";
export {
  createNameCache,
  type NameCache,
  createNoteRepository,
  type DatedNoteRepository,
  type ListedNoteRepository,
  type NoteRepository,
  createImageCheckCache,
  type ImageCheckCache,
  createProfileRepository,
  type Profile,
  type ProfileRepository,
  createRuleRepository,
  type Rule,
  type RuleRepository,
} from "./repositories/memory.ts";
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
  pruneWhileIdle,
  type PruneWhileIdleOptions,
  estimateFreedBytes,
} from "./archive/run-pruner.ts";
export { prunedRun, type DueRun } from "./archive/archive.ts";
export {
  type CompactOutcome,
  type DatabaseSizes,
  SIZE_KINDS,
  type SizeKind,
} from "./sqlite/maintenance.ts";
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
export {
  type Database,
  type FileDatabase,
  type Steps,
  type StoreAddress,
  toStoreAddress,
} from "./sql/database.ts";
export { type DatabaseOptions, openDatabase } from "./sqlite/sqlite.ts";
export { discardFile, isInUse } from "./sqlite/file.ts";
export {
  createLeases,
  type Lease,
  type LeaseOptions,
  type Leases,
  type LeaseTakeOvers,
  MAX_REQUEST_MS,
  toStoreScope,
} from "./locks/leases.ts";
export { describeHolder, type LockHolder } from "./locks/processes.ts";
export {
  lockStore,
  readLockHolder,
  type StoreLock,
  type StoreLockOptions,
  tryLock,
} from "./locks/lock-files.ts";
export { createTokenCache } from "./repositories/tokens.ts";
export { readVisibilityLags, type VisibilityLags } from "./journal/shop-behavior.ts";
