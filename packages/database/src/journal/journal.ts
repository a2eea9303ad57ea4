/** The journal of one store in the database. Every move of a row appends an event. */

import type { Clock } from "@catalog/clock";
import type { Journal } from "@catalog/runs";

import { createRunArchive } from "../archive/archive.ts";
import { withArchivedRows } from "../archive/archived-reads.ts";
import { createLeasedDatabase, type Leases } from "../locks/leases.ts";
import type { Database, StoreAddress } from "../sql/database.ts";
import { createFinalRows } from "./final-rows.ts";
import { createCopySuspicion, createLedger } from "./ledger.ts";
import type { InFlightMarkers } from "./markers.ts";
import { createSeenProducts, createSentProducts } from "./products.ts";
import { createRowRecords } from "./read-rows.ts";
import { createRowPieces } from "./row-pieces.ts";
import { createRowReads, createRowTable } from "./rows.ts";
import { createShopBehavior } from "./shop-behavior.ts";
import { createEventReader, type RunKind } from "./transitions.ts";

/** The database, the clock and the store of a journal. */
export interface JournalOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: StoreAddress;
  /** Kind of the runs whose open requests are recovered and reconciled. @default "runs" */
  readonly runKind?: RunKind;
  /** Markers of a file's requests that may have left. @default in a file beside the database */
  readonly markers?: InFlightMarkers | undefined;
  /** Folder of the markers where the database is a server. @default nothing is proven */
  readonly markersFolder?: string | undefined;
  /** The leases under which rows are sent; not needed where the database is a file. */
  readonly leases?: Pick<Leases, "held" | "assertHeld"> | undefined;
}

/** Creates the journal of a store; two journals of the same store see the same rows. */
export function createJournal(options: JournalOptions): Journal {
  const { clock, runKind = "runs", leases, markers, markersFolder } = options;
  const database = createLeasedDatabase(options);
  const store = database.storeKey(options.store);
  const context = { database, clock, store, runKind, leases, markers, markersFolder };
  const pieces = createRowPieces(database);
  const finals = createFinalRows(database);
  const toRecord = createRowRecords(pieces);
  const archive = createRunArchive(context);
  const parts = { pieces, finals, toRecord };
  const tables = {
    ...createRowReads(context, parts),
    ...createRowTable(context, parts),
    ...createEventReader(context, finals),
  };
  return {
    ...withArchivedRows(context, tables, { archive, toRecord }),
    ...createLedger(context, toRecord),
    ...createCopySuspicion(context),
    ...createShopBehavior(context),
    ...createSentProducts(context, toRecord),
    ...createSeenProducts(context),
  };
}
