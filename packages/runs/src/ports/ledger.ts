/**
 * The ledger: which product codes are taken, which requests may be under way, and how each ended.
 */

import type { ProductChanges, ProductId } from "@catalog/contract";

import type { RowEvent } from "../row/row-event.ts";
import type { AttemptedRow, StartOfSend, Claim, RowOutcome } from "../row/row-outcome.ts";
import type { RowKey, RowRecord } from "../row/row-record.ts";
import type { RowState } from "../row/row-state.ts";

/** What the ledger knows of a product code in this store. */
export interface KnownCode {
  readonly codeKey: string;
  /** State of the add that holds the code. */
  readonly state: RowState;
  readonly runId: string;
  readonly row: number;
  readonly productId: ProductId | null;
  /** The add was refused and is over, but may have left a product. @default false */
  readonly isRefused?: boolean;
}

/**
 * One price as it was sent (minor units) and as the listing shows it (the API does not state the
 * unit).
 */
export interface PriceEvidence {
  readonly sent: number;
  readonly seen: number;
}

/** What suggests that another copy of the journal has sent rows of a run. */
export interface CopySuspicion {
  /**
   * The first event after an older copy of the journal was put in its place; `null` where none was.
   */
  readonly restoredSeq: number | null;
  /** When a request of the run was last started, by our clock and by the marketplace's. */
  readonly lastBegun: { readonly atMs: number; readonly serverMs: number | null } | null;
}

/**
 * A write about a row that is in another state than the caller has read, or in another attempt: an
 * answer that came late may have settled it. Nothing was written.
 */
export class RowMovedError extends Error {
  override readonly name = "RowMovedError";

  constructor({ runId, row }: RowKey, from: RowState) {
    super(`row ${row} of ${runId} is not ${from}`);
  }
}

/** A row, the state that the caller takes it to be in, and what becomes of it. */
export interface RowMove {
  readonly key: AttemptedRow & { readonly from: RowState };
  readonly outcome: RowOutcome;
}

/** A row whose code waits in another run that has sent something. */
export interface RunWaitingElsewhere {
  readonly row: number;
  /** When a request of the other run was last started. */
  readonly lastBegun: NonNullable<CopySuspicion["lastBegun"]>;
}

/** What became of a row whose request is about to leave. */
export type SendingStart = "begun" | "taken" | "away" | "unconfirmed";

/**
 * The requests of one store, over all its runs. It outlives the runs, because a product cannot be
 * deleted (section Products shows no such call). Each move of a row is one commit with its event
 * and its request.
 */
export interface Ledger {
  /**
   * Moves rows from `ready` to `sending` and takes their product codes, in one commit for all of
   * them, synced before it resolves. Returns `undefined` for a row that could not be claimed, of
   * which nothing is written; `beginSending` says why. A claimed row has not left yet: without a
   * `beginSending` for it, a later {@link Ledger.recover} may find it proven unsent.
   */
  claim(rows: readonly StartOfSend[]): Promise<readonly (Claim | undefined)[]>;
  /**
   * Whether each row must be claimed before its request is connected, as {@link Ledger.beginSending}
   * cannot wait for the database. @default false
   */
  readonly claimsFirst?: boolean | undefined;
  /**
   * Resolves once a request may be begun: after a database that was away, a full disk. Rejects where
   * that takes too long. @default requests may always be begun
   */
  ready?(): Promise<void>;
  /**
   * Whether a claimed row may leave now. Not where the database has been away for so long that
   * another process may take over; the row is then given back. @default it may
   */
  mayLeave?(): boolean;
  /**
   * Moves a row from `ready` to `sending` and takes its product code, in one commit that is synced
   * before it returns. Synchronous, because it runs just before the first byte of the request.
   * Returns `taken`, and writes nothing, when another add holds the code or another update of the
   * product is under way; `away`, and writes nothing, when the database cannot be used for the moment;
   * `unconfirmed` when it became so after the row was moved, which must not leave then and is given
   * back. A row that {@link Ledger.claim} has moved is only marked as leaving;
   * throws when another process has recovered that claim, or may have taken over the store. Where
   * `claimsFirst` is set, a row without a claim is one that could not be claimed: it returns
   * `taken`, or throws for what reason.
   */
  beginSending(key: AttemptedRow, evidence?: Readonly<Record<string, unknown>>): SendingStart;
  /**
   * Moves a row from the state that the caller names; rejects with {@link RowMovedError} if the row
   * is in another state or, where `attempt` is given, if another attempt put it there. From `sending` the commit is
   * unsynced and shared with the outcomes of the same turn of the event loop: a power cut leaves
   * the row `sending`, and the row is looked up. From any other state it is a synced commit of its
   * own.
   */
  recordOutcome(
    key: AttemptedRow & { readonly from: RowState },
    outcome: RowOutcome,
  ): Promise<void>;
  /**
   * Moves rows that are not under way, in the order given and in one synced commit for all of them;
   * rejects, and moves none, where {@link Ledger.recordOutcome} would for one of them.
   */
  recordOutcomes(moves: readonly RowMove[]): Promise<void>;
  /**
   * Moves the rows, of any run of this store, that a dead process left `sending`: to `ready` where
   * it is proven that no byte of the request left, else to `ambiguous`. One synced commit for all
   * of them. Returns how many rows it moved.
   */
  recover(): Promise<number>;

  /**
   * Records a lookup of a row in one synced commit; the row keeps its state. Rejects with
   * {@link RowMovedError} when the row is in another state than the caller names.
   */
  recordLookup(
    key: RowKey & { readonly state: RowState },
    evidence: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** Reads all events of a row, oldest first. */
  readEvents(key: RowKey): Promise<readonly RowEvent[]>;

  /**
   * Reads ambiguous rows of any run of this store, in the order in which their requests started.
   */
  readAmbiguous(limit: number): Promise<readonly (RowKey & { readonly record: RowRecord })[]>;
  /**
   * Reads held adds of any run of this store that were sent, in the order in which they started.
   */
  readHeldAdds(limit: number): Promise<readonly (RowKey & { readonly record: RowRecord })[]>;
  /**
   * Reads adds of the run that are done after their outcome was unknown, in the order of the sheet.
   */
  readSuspectAdds(runId: string, limit: number): Promise<readonly RowRecord[]>;

  /**
   * Says whether rows of the run may have been sent without this journal knowing, because an older
   * copy of it was put in its place. The caller must read the store again before it sends anything.
   */
  mustRecheck(runId: string): Promise<boolean>;
  /** Reads what suggests that another copy of this journal has sent rows of the run. */
  readCopySuspicion(runId: string): Promise<CopySuspicion>;
  /**
   * Reads ready adds of the run whose code waits in another run of the store that has sent
   * something, once for each such run.
   */
  readWaitingElsewhere(runId: string): Promise<readonly RunWaitingElsewhere[]>;
  /**
   * Records, in one synced commit, that a person accepts what a lost copy may have sent; runs that
   * are planned after it may be sent.
   */
  acceptCopy(): Promise<void>;

  /** Reads which adds hold these codes, in no particular order. */
  readKnownCodes(codeKeys: readonly string[]): Promise<readonly KnownCode[]>;
  /**
   * Frees, in one synced commit, the code of an add that was refused and has proved to have left no
   * product. Does nothing for any other row.
   */
  freeCode(key: RowKey): Promise<void>;
  /**
   * Reads the fields sent and answered for each product; a later request overrides an earlier one.
   */
  readLastSent(productIds: readonly ProductId[]): Promise<ReadonlyMap<ProductId, ProductChanges>>;
  /**
   * Reads the code and the id of the add that was answered last, to see whether the store shows it.
   */
  readLatestAdded(): Promise<{ readonly code: string; readonly productId: ProductId } | undefined>;
  /**
   * Reads the price last sent for each product, in minor units, with the price that the last
   * listing showed for it; newest first.
   */
  readPriceEvidence(limit: number): Promise<readonly PriceEvidence[]>;
}
