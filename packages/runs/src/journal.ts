/**
 * The memory of a run, which this package needs and the database provides. Everything that must
 * survive a dying process goes through it before it is acted upon.
 */

import { type Ledger } from "./ports/ledger.ts";
import { type ListingCache } from "./ports/listing-cache.ts";
import { type RowRepository } from "./ports/row-repository.ts";
import { type ShopBehavior } from "./ports/shop-behavior.ts";

/**
 * The journal of one store. A method that writes is one commit: all of it or nothing, even when the
 * process dies. *Synced* means on disk when the method returns, whatever happens to the machine;
 * an *unsynced* commit survives the process, and a power cut may take it back until the next synced
 * one, which brings it to disk, too. Rows, runs and codes of other stores are unknown to it.
 */
export interface Journal extends RowRepository, Ledger, ListingCache, ShopBehavior {}

export {
  type KnownCode,
  type Ledger,
  type PriceEvidence,
  type RunDoubt,
  type WaitingElsewhere,
} from "./ports/ledger.ts";
export { type ListingCache, type SeenProduct } from "./ports/listing-cache.ts";
export { type RowFilter, type RowRepository } from "./ports/row-repository.ts";
export { type FieldChange, type Payload, type RowDecision } from "./row/row-decision.ts";
export { type RowEvent } from "./row/row-event.ts";
export { type RowKey, type RowRecord } from "./row/row-record.ts";
export { type Attempted, type Beginning, type Begun, type Settlement } from "./row/settlement.ts";
export {
  type CellTrait,
  type CellValue,
  type DuplicateCode,
  type ParsedRow,
  type SourceRow,
} from "./row/source-row.ts";
