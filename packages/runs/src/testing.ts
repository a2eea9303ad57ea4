/**
 * Fakes for the ports of this package, the journal's contract tests, and rows to test a journal
 * with.
 */

export {
  createMemoryJournal,
  type Death,
  type MemoryJournal,
  type MemoryJournalOptions,
  ProcessDied,
} from "./testing/memory-journal.ts";
export {
  answered,
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
  appendRow,
  appendRowIn,
  moveRow,
  planToSend,
  readState,
  type RowToSend,
  toDecision,
  toPayload,
  toProductId,
  toSeenProduct,
} from "./testing/journal-rows.ts";
