export { type Budget, type BudgetOptions, createBudget } from "./budget.ts";
export { checkDatabase } from "./database/check-database.ts";
export { StoreError, type StoreErrorCode } from "./errors.ts";
export {
  createExportSpool,
  type ExportCheckpoint,
  type ExportJob,
  type ExportMark,
  type ExportNames,
  type ExportSpool,
  type ExportSpoolOptions,
  type LaneState,
  type SpooledItem,
} from "./export-spool.ts";
export { createJournal, type JournalOptions } from "./journal/journal.ts";
export { createNameCache, type NameCache } from "./name-cache.ts";
export { createRunLog, type RunLogOptions } from "./run-log.ts";
export { type Database, openDatabase } from "./database/sqlite.ts";
export { type StoreAddress } from "./store-key.ts";
export { lockStore, type StoreLockOptions } from "./store-lock.ts";
export { createTokenCache } from "./token-cache.ts";
