export { readStatusWords } from "./action-effects.ts";
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
  openTeam,
  type OpenTeamOptions,
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
export { toTemplateView } from "./action-adapter.ts";
export { readAddresses, readCompanies, type StoreAddress } from "./shipping-lists.ts";
export { listOrders } from "./list-orders.ts";
export { type Wait, type Pacing } from "./pacing.ts";
export { type ConnectionOptions, type ConnectionOverrides } from "./connection-options.ts";
export { type FoundStore, shownStore } from "./connection-groups.ts";
export { openConnection, type Connection } from "./open-connection.ts";
export { maskInput, type RawCallOutcome, sendRawCall } from "./raw-call.ts";
export { recordCalls, recordEnd, estimateSeconds } from "./record-calls.ts";
export {
  type PeriodReading,
  type PeriodTools,
  listRunPeriods,
  readPeriod,
  readRunPeriod,
  readSendingEnd,
} from "./run-periods.ts";
