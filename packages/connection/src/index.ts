export {
  type CallCounter,
  type CallOutcome,
  type SpanAttributes,
  type SpanStart,
  type TracedCall,
  type Tracing,
} from "./calls.ts";
export {
  type Concurrency,
  forgetPriceUnit,
  readPriceUnitSetting,
  readStoredPriceUnit,
  savePlannedPriceUnit,
  savePriceUnitSetting,
  effectiveSettings,
  type StoreSettings,
  type StoreSettingsAccess,
} from "./settings.ts";
export {
  type StoreClient,
  type StoreFacts,
  type StoreJournal,
  type StoreMemory,
  type StoreMeters,
} from "./connection-groups.ts";
export {
  DatabaseError,
  describeHolder,
  type HomeSizes,
  listRunIds,
  lockFile,
  type LockHolder,
  prunedRun,
  type PrunedRows,
  type PruneOptions,
  type PrunePreview,
  type NameCache,
  type NoteRepository,
  readLockHolder,
  type Steps,
  type StoreLock,
  type StoreLocks,
  type StoreStorage,
  TakenOverError,
  toOpenSync,
  toStoreAddress,
  tryLock,
} from "@catalog/database";
export {
  describeClientError,
  toCallFailure,
  CatalogError,
  type CatalogErrorCode,
} from "./errors.ts";
export {
  fieldLabel,
  fieldLabels,
  createNameLists,
  createStoredNameLists,
  readCities,
} from "./name-lists.ts";
export { type Wait, type WaitReason, type Pacing } from "./pacing.ts";
export {
  type ReadPace,
  type ConnectionOptions,
  type ConnectionOverrides,
} from "./connection-options.ts";
export { openConnection, type Connection } from "./open-connection.ts";
export { recordCalls, recordEnd, estimateSeconds } from "./record-calls.ts";
export { type LockWait } from "./wait-for-locks.ts";
