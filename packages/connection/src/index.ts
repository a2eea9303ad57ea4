export { type SpanStart, type Tracing } from "./calls.ts";
export {
  forgetPriceUnit,
  readPriceUnitSetting,
  readStoredPriceUnit,
  savePlannedPriceUnit,
  savePriceUnitSetting,
  effectiveSettings,
} from "./settings.ts";
export { type StoreJournal, type StoreMemory, type StoreMeters } from "./connection-groups.ts";
export {
  DatabaseError,
  describeHolder,
  type HomeSizes,
  listRunIds,
  lockFile,
  type LockHolder,
  prunedRun,
  type PrunedRows,
  type PrunePreview,
  type NameCache,
  type NoteRepository,
  readLockHolder,
  type Steps,
  type StoreLock,
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
export { type Wait, type Pacing } from "./pacing.ts";
export { type ConnectionOptions, type ConnectionOverrides } from "./connection-options.ts";
export { openConnection, type Connection } from "./open-connection.ts";
export { recordCalls, recordEnd, estimateSeconds } from "./record-calls.ts";
