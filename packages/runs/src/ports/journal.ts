/**
 * The memory of a run, which this package needs and the database provides. Everything that must
 * survive a dying process goes through it before it is acted upon.
 */

import { type Ledger } from "./ledger.ts";
import { type ListingCache } from "./listing-cache.ts";
import { type RowRepository } from "./row-repository.ts";
import { type ShopBehavior } from "./shop-behavior.ts";

/**
 * The journal of one store. A method that writes is one commit: all of it or nothing, even when the
 * process dies. *Synced* means on disk when the method returns, whatever happens to the machine;
 * an *unsynced* commit survives the process, and a power cut may take it back until the next synced
 * one, which brings it to disk, too. Rows, runs and codes of other stores are unknown to it.
 */
export interface Journal extends RowRepository, Ledger, ListingCache, ShopBehavior {}
