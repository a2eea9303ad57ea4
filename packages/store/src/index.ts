export {
  type Budget,
  type BudgetOptions,
  type CallPause,
  createBudget,
  type EndedCall,
} from "./budget/create-budget.ts";
export { type TurnClass } from "./budget/turns.ts";
export { type CallLog, type CallMinute, createCallLog } from "./call-log.ts";
export { type CodeBookOptions, createCodeBook } from "./code-book.ts";
export { checkDatabase } from "./database/check-database.ts";
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
} from "./export-spool.ts";
export {
  createFeedMemory,
  type FeedMemory,
  type FeedMemoryOptions,
  type FeedProduct,
  type SentFields,
  type ShownProduct,
} from "./feed-memory.ts";
export { createFilterProofs, type FilterProofsOptions } from "./filter-proofs.ts";
export { createJournal, type JournalOptions } from "./journal/journal.ts";
export { type JournalLane } from "./journal/room.ts";
export { createNameCache, type NameCache } from "./name-cache.ts";
export { createNoteBook, type DatedNoteBook, type NoteBook } from "./note-book.ts";
export { createPictureMemory, type PictureMemory } from "./picture-memory.ts";
export { createProfileBook, type Profile, type ProfileBook } from "./profile-book.ts";
export { createReadBackBook, type ReadBackBookOptions } from "./read-back-book.ts";
export { createRuleBook, type Rule, type RuleBook } from "./rule-book.ts";
export { createRunLog, type RunLogOptions } from "./run-log.ts";
export { type Database, type DatabaseOptions, openDatabase } from "./database/sqlite.ts";
export { type StoreAddress, toStoreAddress } from "./store-key.ts";
export { lockStore, type LockHolder, type StoreLock, type StoreLockOptions } from "./store-lock.ts";
export { createTokenCache } from "./token-cache.ts";
export { readVisibleLags, type VisibleLags } from "./visible-lags.ts";
