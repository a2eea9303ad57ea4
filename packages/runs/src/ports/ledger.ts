/** The ledger: which product codes are taken, what may be on its way, and how each request ended. */

import { type ProductChanges, type ProductId } from "@catalog/contract";

import { type RowEvent } from "../row/row-event.ts";
import { type Attempted, type Beginning, type Claim, type Settlement } from "../row/row-outcome.ts";
import { type RowKey, type RowRecord } from "../row/row-record.ts";
import { type RowState } from "../row/row-state.ts";

/** What the ledger knows of a product code in this store. */
export interface KnownCode {
  readonly codeKey: string;
  /** State of the add that holds the code. */
  readonly state: RowState;
  readonly runId: string;
  readonly row: number;
  readonly productId: ProductId | null;
  /** The add is over: it was refused, and may have left a product all the same. @default false */
  readonly isRefused?: boolean;
}

/** One price as it was sent (minor units) and as the listing answered it (unit not stated). */
export interface PriceEvidence {
  readonly sent: number;
  readonly seen: number;
}

/** What speaks for another copy of the journal having sent rows of a run. */
export interface RunDoubt {
  /** The first event since an older copy was put in place of the journal; `null` where none was. */
  readonly restoredSeq: number | null;
  /** When a request of the run was begun last, by our clock and by the marketplace's. */
  readonly lastBegun: { readonly atMs: number; readonly serverMs: number | null } | null;
}

/** A row whose code waits in another run, of which something was sent. */
export interface WaitingElsewhere {
  readonly row: number;
  /** When a request of the other run was begun last. */
  readonly lastBegun: NonNullable<RunDoubt["lastBegun"]>;
}

/**
 * The requests of one store, over all its runs. It outlives its runs, because a product cannot be
 * taken back. Each move of a row is one commit with its event and its request.
 */
export interface Ledger {
  /**
   * Moves rows from `ready` to `sending` and takes their product codes, in one commit for all of
   * them, synced before it resolves. `undefined` stands for a row that could not be claimed, of
   * which nothing is written; `beginSending` says why. A claim has not left: without a
   * `beginSending` for it, a later {@link Ledger.recover} may find it proven unsent.
   */
  claim(rows: readonly Beginning[]): Promise<readonly (Claim | undefined)[]>;
  /**
   * Moves a row from `ready` to `sending` and takes its product code, in one commit that is synced
   * before it returns. Synchronous, because it runs at the last moment before the first byte of the
   * request. Says `taken` when another add holds the code or another update of the product is on its
   * way, and writes nothing then. A row that {@link Ledger.claim} has moved is only marked as sent;
   * throws when the claim is no longer this process's own, because another process has recovered
   * the row.
   */
  beginSending(key: Attempted, evidence?: Readonly<Record<string, unknown>>): "begun" | "taken";
  /**
   * Moves a row on from the state it is known to be in; rejects if it is in another, or, where the
   * attempt is given, if it is in that state by another attempt. From `sending` the commit is
   * unsynced and shared with the outcomes of the same turn of the event loop: a power cut leaves the
   * row `sending`, which is looked up. From any other state it is a synced commit of its own.
   */
  settle(key: Attempted & { readonly from: RowState }, settlement: Settlement): Promise<void>;
  /**
   * Moves on the rows of any run of this store that were `sending` when their process died: to
   * `ready` where it is proven that no byte of the request left, else to `ambiguous`. One synced
   * commit for all of them. Says how many.
   */
  recover(): Promise<number>;

  /**
   * Writes down a look at a row in this state, in one synced commit; the row stays as it is. Rejects
   * when the row is in another state.
   */
  noteLook(
    key: RowKey & { readonly state: RowState },
    evidence: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** Reads everything that happened to a row since it was read, oldest first. */
  readEvents(key: RowKey): Promise<readonly RowEvent[]>;

  /** Reads ambiguous rows of any run of this store, in the order in which they were begun. */
  readAmbiguous(limit: number): Promise<readonly (RowKey & { readonly record: RowRecord })[]>;
  /** Reads held adds of any run of this store that were sent, in the order of their beginning. */
  readHeldAdds(limit: number): Promise<readonly (RowKey & { readonly record: RowRecord })[]>;
  /** Reads adds of the run that are done and whose outcome was in doubt, in the order of the sheet. */
  readDoubtedAdds(runId: string, limit: number): Promise<readonly RowRecord[]>;

  /**
   * Says whether rows of the run may have been sent without this journal knowing, because an older
   * copy of it was put in its place. The store must be read anew before anything of it is sent.
   */
  mustRecheck(runId: string): Promise<boolean>;
  /** Reads what speaks for another copy of this journal having sent rows of the run. */
  readDoubt(runId: string): Promise<RunDoubt>;
  /**
   * Reads ready adds of the run whose code waits in another run of the store that has sent
   * something, once for each such run.
   */
  readWaitingElsewhere(runId: string): Promise<readonly WaitingElsewhere[]>;
  /**
   * Writes, in one synced commit, that a person has answered for what a lost copy may have sent:
   * runs planned from now on are sent.
   */
  acceptCopy(): Promise<void>;

  /** Reads which adds hold these codes, in no particular order. */
  readKnownCodes(codeKeys: readonly string[]): Promise<readonly KnownCode[]>;
  /**
   * Gives back, in one synced commit, the code of an add that was refused and has turned out to have
   * left no product. Does nothing for any other row.
   */
  freeCode(key: RowKey): Promise<void>;
  /** Reads the fields sent and answered for each product, later ones laid over earlier ones. */
  readLastSent(productIds: readonly ProductId[]): Promise<ReadonlyMap<ProductId, ProductChanges>>;
  /** Reads the code and the id of the add that was answered last; for looking whether it is shown. */
  readLatestAdded(): Promise<{ readonly code: string; readonly productId: ProductId } | undefined>;
  /**
   * Reads the price that each product was sent last, in minor units, beside what the last listing
   * showed for it; newest first.
   */
  readPriceEvidence(limit: number): Promise<readonly PriceEvidence[]>;
}
