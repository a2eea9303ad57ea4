/**
 * The journal port: what must survive the death of the process is written here before it is acted
 * upon.
 */

import type { Ledger } from "./ledger.ts";
import type { ListingCache } from "./listing-cache.ts";
import type { RowRepository } from "./row-repository.ts";
import type { ShopBehavior } from "./shop-behavior.ts";

/**
 * The journal of one store. A method that writes is one commit: all of it or nothing, even when the
 * process dies. *Synced* means on disk when the method returns, so that a power cut does not lose
 * it; an *unsynced* commit survives the process, but a power cut may lose it until the next synced
 * commit, which brings it to disk as well. Rows, runs and codes of other stores are not visible.
 */
export interface Journal extends RowRepository, Ledger, ListingCache, ShopBehavior {}
