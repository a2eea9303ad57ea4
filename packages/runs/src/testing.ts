/**
 * A fake marketplace, rows to test the engine and a journal with, and steps of the engine that have
 * tests of their own.
 */

export { countPlanned, countPlannedCalls, type PlannedCallsOptions } from "./plan/plan-facts.ts";
export { createPlanChecks } from "./plan/decide-rows.ts";
export { type GuardSettings } from "./guards/guard-settings.ts";
export { auditDuplicates } from "./reconcile/match-product.ts";
export {
  type CodeNormalization,
  type CodePair,
  type LookAlikeOptions,
} from "./plan/look-alikes.ts";
export { judgeVisibility } from "./reconcile/visibility.ts";
export { planUndoRow } from "./plan/plan-undo.ts";
export { type SentRow } from "./send/outcome.ts";
export { joinParts } from "./guards/stock-first.ts";
export { comparePlannedPrices } from "./guards/guard-planned-rows.ts";
export {
  type AddRechecks,
  type AddRechecksOptions,
  createAddRechecks,
} from "./send/add-rechecks.ts";

export {
  answered,
  checkFakeUpdate,
  createFakeMarketplace,
  type Effect,
  type FakeMarketplace,
  type FakeMarketplaceOptions,
  type FakeProduct,
  failing,
  lost,
  type Placement,
  type PriceNotation,
  refused,
  type Reply,
} from "./testing/fake-marketplace.ts";
export {
  createFakeActions,
  type FakeActions,
  type FakeActionsOptions,
} from "./testing/fake-actions.ts";
export {
  addBefore,
  addBody,
  appendRow,
  appendRowIn,
  begin,
  BRAND,
  candidate,
  CATEGORY,
  CHOICE,
  codeKey,
  listed,
  moveRow,
  parsedRow,
  plan,
  planToSend,
  price,
  readRow,
  readState,
  readStates,
  type RowToSend,
  RUN,
  SHEET,
  TEMPLATE,
  toAdd,
  toDecision,
  toPayload,
  toProductId,
  toSeenProduct,
  toUpdate,
  updateBody,
} from "./testing/rows.ts";
export { LISTING_STATUSES, PAGE_SIZE } from "./ports/product.ts";
