export { type SpanStart, type Tracing } from "./calls.ts";
export { hasDriftedClock, listClocks, MAX_CLOCK_DRIFT_MS } from "./clocks.ts";
export { priceUnitOf } from "./settings.ts";
export {
  DatabaseError,
  describeHolder,
  type HomeSizes,
  listRunIds,
  lockFile,
  type LockHolder,
  prunedRun,
  type PrunePreview,
  readLockHolder,
  type Steps,
  TakenOverError,
  toOpenSync,
  toStoreAddress,
  tryLock,
} from "@catalog/database";
export { CatalogError, describeClientError, toCallFailure } from "./errors.ts";
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
export {
  type PeriodReading,
  type PeriodTools,
  listRunPeriods,
  readPeriod,
  readRunPeriod,
  readSendingEnd,
} from "./run-periods.ts";
