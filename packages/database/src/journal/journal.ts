/** The journal of one store in the database. Every move of a row appends an event. */

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

/** The database, the clock and the store of a journal. */
export interface JournalOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: StoreAddress;
  /** Kind of the runs whose open requests are recovered and reconciled. @default "runs" */
  readonly lane?: JournalLane;
}

/** Creates the journal of a store; two journals of the same store see the same rows. */
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
