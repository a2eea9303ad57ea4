export { type CallMeter } from "./call-counter.ts";
export {
  type StoreClient,
  type StoreFacts,
  type StoreJournal,
  type StoreLocks,
  type StoreMemory,
  type StoreMeters,
} from "./connection-groups.ts";
export { toClientWords } from "./describe-client-error.ts";
export { ToolkitError, type ToolkitErrorCode } from "./errors.ts";
export { fieldWord } from "./field-label.ts";
export { type Wait, type WaitReason } from "./long-waits.ts";
export { createNameSource, readCities } from "./name-lists.ts";
export {
  openToolkit,
  type ReadPace,
  type Toolkit,
  type ToolkitOptions,
  type ToolkitOverrides,
} from "./open-connection.ts";
export { type Pacing } from "./pacing.ts";
export { recallPriceUnit, rememberPlannedUnit, rememberPriceUnit } from "./price-unit-setting.ts";
export { addCalls, estimateSeconds } from "./record-calls.ts";
