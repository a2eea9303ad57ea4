/** The journal of one store in the database. Every move of a row leaves an event behind. */

import { type Clock } from "@catalog/clock";
import { type Journal } from "@catalog/runs";

import { type Database } from "../sqlite/sqlite.ts";
import { readStoreKey, type StoreAddress } from "../store-key.ts";
import { type JournalLane } from "./context.ts";
import { createCopyDoubts } from "./copy-suspicion.ts";
import { createEventReader } from "./events.ts";
import { createLedger } from "./ledger.ts";
import { createRowTable } from "./row-table.ts";
import { createSeenProducts } from "./seen-products.ts";
import { createSentProducts } from "./sent-products.ts";
import { createStoreWays } from "./shop-behavior.ts";

/** Where the rows are kept, and whose they are. */
export interface JournalOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: StoreAddress;
  /** Whose open requests are recovered and settled. @default "runs" */
  readonly lane?: JournalLane;
}

/** The journal of a store; two journals of the same store see the same rows. */
export function createJournal(options: JournalOptions): Journal {
  const { database, clock, lane = "runs" } = options;
  const store = readStoreKey(database, options.store);
  const room = { database, clock, store, lane };
  return {
    ...createRowTable(room),
    ...createLedger(room),
    ...createEventReader(room),
    ...createCopyDoubts(room),
    ...createStoreWays(room),
    ...createSentProducts(room),
    ...createSeenProducts(room),
  };
}
