export { type CallCounter } from "./call-counter.ts";
export { type CallOutcome } from "./call-outcome.ts";
export { type Concurrency } from "./concurrency-setting.ts";
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
export { describeClientError, toCallFailure } from "./describe-client-error.ts";
export { CatalogError, type CatalogErrorCode } from "./errors.ts";
export { fieldLabel, fieldLabels } from "./field-label.ts";
export { type Wait, type WaitReason } from "./long-waits.ts";
export { createNameLists, createStoredNameLists, readCities } from "./name-lists.ts";
export {
  type ReadPace,
  type ConnectionOptions,
  type ConnectionOverrides,
} from "./connection-options.ts";
export { openConnection, type Connection } from "./open-connection.ts";
export { type Pacing } from "./pacing.ts";
export {
  forgetPriceUnit,
  readPriceUnitSetting,
  readStoredPriceUnit,
  savePlannedPriceUnit,
  savePriceUnitSetting,
} from "./price-unit-setting.ts";
export {
  effectiveSettings,
  type StoreSettings,
  type StoreSettingsAccess,
} from "./store-settings.ts";
export { recordCalls, recordEnd, estimateSeconds } from "./record-calls.ts";
export { type LockWait } from "./wait-for-locks.ts";
export { type SpanAttributes, type SpanStart, type TracedCall, type Tracing } from "./tracing.ts";
