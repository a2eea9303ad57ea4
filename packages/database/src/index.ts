export {
  type Budget,
  type BudgetOptions,
  type CallPause,
  createBudget,
  type EndedCall,
} from "./rate-limit/create-rate-limiter.ts";
export { type TurnClass } from "./rate-limit/slots.ts";
export { type CallLog, type CallMinute, createCallLog } from "./repositories/call-log.ts";
export { type CodeBookOptions, createCodeBook } from "./repositories/code-registry.ts";
export { checkDatabase } from "./sqlite/check-database.ts";
export { StoreError, type StoreErrorCode } from "./errors.ts";
export {
  createExportSpool,
  type ExportCheckpoint,
  type ExportJob,
  type RankHole,
  type ExportMark,
  type ExportNames,
  type ExportSpool,
  type ExportSpoolOptions,
  type LaneState,
  type SpooledItem,
} from "./repositories/export-staging.ts";
export {
  createFeedMemory,
  type FeedMemory,
  type FeedMemoryOptions,
  type FeedProduct,
  type SentFields,
  type ShownProduct,
} from "./repositories/feed-state.ts";
export { createFilterProofs, type FilterProofsOptions } from "./repositories/filter-proofs.ts";
export { createJournal, type JournalOptions } from "./journal/journal.ts";
export { type JournalLane } from "./journal/context.ts";
export { createNameCache, type NameCache } from "./repositories/name-cache.ts";
export {
  createNoteBook,
  type DatedNoteBook,
  type NoteBook,
} from "./repositories/note-repository.ts";
export { createPictureMemory, type PictureMemory } from "./repositories/image-checks.ts";
export { createProfileBook, type Profile, type ProfileBook } from "./repositories/profiles.ts";
export { createReadBackBook, type ReadBackBookOptions } from "./repositories/verification-log.ts";
export { createRuleBook, type Rule, type RuleBook } from "./repositories/rules.ts";
export { createRunLog, type RunLogOptions } from "./repositories/run-log.ts";
export { type Database, type DatabaseOptions, openDatabase } from "./sqlite/sqlite.ts";
export { type StoreAddress, toStoreAddress } from "./store-key.ts";
export {
  lockStore,
  type LockHolder,
  type StoreLock,
  type StoreLockOptions,
} from "./locks/store-lock.ts";
export { createTokenCache } from "./repositories/tokens.ts";
export { readVisibleLags, type VisibleLags } from "./journal/visibility-lags.ts";
