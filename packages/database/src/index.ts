export { DatabaseError, type DatabaseErrorCode, TakenOverError } from "./errors.ts";
export { prunedRun } from "./archive/archive.ts";
export {
  type HomeSizes,
  type PrunedRows,
  type PruneOptions,
  type PrunePreview,
  type StoreStorage,
} from "./archive/run-pruner.ts";
export {
  lockFile,
  readLockHolder,
  tryLock,
  type StoreLock,
  type StoreLocks,
} from "./locks/store-locks.ts";
export { describeHolder, type LockHolder } from "./locks/processes.ts";
export { type RateLimiter } from "./rate-limit/rate-limiter.ts";
export { toOpenSync } from "./repositories/jobs.ts";
export { type NameCache, type NoteRepository } from "./repositories/memory.ts";
export { type Separation, type Steps, toStoreAddress } from "./sql/database.ts";
export { discardFile, isInUse } from "./sqlite/file.ts";
export { SIZE_KINDS, type SizeKind } from "./sqlite/maintenance.ts";
export { openDatabase } from "./sqlite/sqlite.ts";
export {
  listRunIds,
  openStore,
  type Store,
  type StoreOptions,
  type StoreRecords,
} from "./store.ts";
export { openTeam, type OpenTeamOptions } from "./team/open-team.ts";
