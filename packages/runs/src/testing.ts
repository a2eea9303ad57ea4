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
  id,
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
