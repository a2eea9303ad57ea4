/** Fakes for the two ports of this package, which behave and do not pretend. */

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
