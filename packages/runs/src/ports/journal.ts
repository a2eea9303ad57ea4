/**
 * The journal port: what must survive the death of the process is written here before it is acted
 * upon. It keeps the rows of runs, the requests of the store, its last listing and its behavior.
 */

import type {
  AttemptedRow,
  Claim,
  DuplicateCode,
  ParsedRow,
  RowCode,
  RowDecision,
  RowEvent,
  RowKey,
  RowOutcome,
  RowRecord,
  StartOfSend,
} from "../row/row-record.ts";
import type { RowState, StateCount, WriteAction } from "../row/row-state.ts";
import type { ActionName } from "./action.ts";
import type { ProductChanges, ProductId, StoreProduct } from "./product.ts";

/** Which rows to read, in the order of the sheet. */
export interface RowFilter {
  /** @default all; an empty list reads nothing */
  readonly states?: readonly RowState[];
  /** @default adds, updates and rows without an action */
  readonly action?: WriteAction | undefined;
  /**
   * Only rows with issues and rows that were sent, in which reading back may have found one. The
   * others are passed over without being read.
   *
   * @default all
   */
  readonly mayHaveIssues?: boolean | undefined;
  /** Only rows with a higher number than this one. @default 0 */
  readonly after?: number;
  readonly limit: number;
}

/**
 * The rows of the runs of one store. Everything written here can be read from the file again, so it
 * is not synced: a power cut may lose it until the next synced commit of any method.
 */
export interface RowRepository {
  /**
   * Writes rows as `parsed`, in one unsynced commit: all of them or none. Rejects when the run has
   * one of the rows already.
   */
  appendRows(runId: string, rows: readonly ParsedRow[]): Promise<void>;
  /**
   * Moves parsed rows on, each with an event of cause `plan`, in one unsynced commit: all of them
   * or none. Rejects when a row is not `parsed`, or is decided twice.
   */
  saveDecisions(runId: string, decisions: readonly RowDecision[]): Promise<void>;
  /** Reads rows in the order of the sheet. */
  readRows(runId: string, filter: RowFilter): Promise<readonly RowRecord[]>;
  /** Reads the codes of the rows that {@link readRows} would read, without their cells. */
  readCodes(runId: string, filter: RowFilter): Promise<readonly RowCode[]>;
  /** Counts the rows by state and action, in no particular order. */
  countRows(runId: string): Promise<readonly StateCount[]>;
  /** Reads the product codes that occur on more than one row, in no particular order. */
  readDuplicates(runId: string): Promise<readonly DuplicateCode[]>;
}

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

/** What the ledger knows of an action about a subject of this store. */
export interface KnownAction extends RowKey {
  readonly subjectKey: string;
  readonly action: ActionName;
  readonly state: RowState;
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
interface RunWaitingElsewhere {
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

  /**
   * Reads held actions of any run of this store that were sent, in the order in which they started.
   */
  readHeldActions(limit: number): Promise<readonly (RowKey & { readonly record: RowRecord })[]>;
  /**
   * Reads the requests of actions about these subjects that are under way, of an unknown outcome or
   * done, over all runs, in no particular order.
   */
  readActions(subjectKeys: readonly string[]): Promise<readonly KnownAction[]>;

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
   * Finds the rows that have a request about the product, over all runs, the latest first; those of
   * archived runs as well as far as their rows are kept. A row may have sent nothing.
   */
  findProductRows(product: ProductKey): Promise<readonly RowKey[]>;
  /** Finds the products that rows with this code have a request about, in no particular order. */
  findSentProducts(codeKey: string): Promise<readonly ProductId[]>;
  /**
   * Reads the code and the id of the add that was answered last, to see whether the store shows it.
   */
  readLatestAdded(): Promise<{ readonly code: string; readonly productId: ProductId } | undefined>;
  /**
   * Reads the price last sent for each product, in minor units, with the price that the last
   * listing showed for it; newest first.
   */
  readPriceEvidence(limit: number): Promise<readonly PriceEvidence[]>;
  /** Reads the titles of products that were added, and what the adds named, newest first. */
  readAddedTitles(limit: number): Promise<readonly TitledProduct[]>;
}

/** A product, and the codes that rows about it may have. */
export interface ProductKey {
  readonly productId: ProductId;
  /** Rows of archived runs are found by them. */
  readonly codeKeys: readonly string[];
}

/** The title of a product, and what is known of what it is; `null` where that is not. */
export interface TitledProduct {
  readonly title: string;
  readonly categoryId: string | null;
  /** The listing names the category and has no id of it. */
  readonly categoryName: string | null;
  readonly brandId: string | null;
  readonly model: string | null;
}

/** A product as the last listing showed it. */
export interface ListedProductRow {
  readonly codeKey: string;
  /** Codes that share only this key look alike; it is written, and not read back here. */
  readonly suspectKey?: string | undefined;
  readonly status: string;
  readonly product: StoreProduct;
}

/**
 * The products of one store as they were listed last. It can be read again from the marketplace.
 */
export interface ListingCache {
  /** Deletes the cached listing, in one synced commit. */
  clearSeen(): Promise<void>;
  /**
   * Replaces what is cached for the same ids, in one unsynced commit for all products. An empty
   * list writes nothing.
   */
  saveSeen(products: readonly ListedProductRow[]): Promise<void>;
  /** Returns which of these codes have a product. */
  readSeenCodes(codeKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Reads the products with these codes, in no particular order; several may share a code. */
  readSeenByCode(codeKeys: readonly string[]): Promise<readonly ListedProductRow[]>;
  /** Reads the products with these ids, in no particular order. */
  readSeenById(productIds: readonly ProductId[]): Promise<readonly ListedProductRow[]>;
  /** Reads the titles of the products, in the order in which they were listed. */
  readSeenTitles(limit: number): Promise<readonly TitledProduct[]>;
}

/** How often refusals of one kind were looked up, and with what result. */
export interface RefusalEvidence {
  /**
   * Refusals after which the product was there. One of them ends the trust in this kind for good.
   */
  readonly applied: number;
  readonly notApplied: number;
  /** When a lookup last found no product after such a refusal, in milliseconds. */
  readonly lastSeenMs: number | null;
}

/** One of our adds, sampled until the store shows it. Times are by the marketplace's clock. */
export interface LagSample {
  readonly productId: ProductId;
  readonly addedMs: number | null;
  /** When the store was first seen to show it. */
  readonly shownMs: number | null;
  /** When it was last looked up. */
  readonly readMs: number | null;
  /** Whether it has been seen; without a server time nothing more is known. */
  readonly isShown: boolean;
}

/**
 * What was learnt of one store, over all its runs. Each method that writes is one synced commit.
 */
export interface ShopBehavior {
  /** Reads what was learnt of a kind of refusal; all zeros where nothing was. */
  readSignature(key: string): Promise<RefusalEvidence>;
  /** Counts one finding for a kind of refusal; `not-applied` is stored with its time. */
  recordSignature(key: string, found: "applied" | "not-applied"): Promise<void>;

  /**
   * Starts a sample of when the store shows an added product; does nothing for a sampled product.
   */
  startLagSample(productId: ProductId, addedMs: number | null): Promise<void>;
  /** Records a lookup of a sampled product; once the product was seen, nothing changes any more. */
  recordLagSample(
    productId: ProductId,
    reading: { readonly shown: boolean; readonly serverMs: number | null },
  ): Promise<void>;
  /** Reads the latest samples, at most 200, oldest first. */
  readLagSamples(): Promise<readonly LagSample[]>;
}

/**
 * The journal of one store. A method that writes is one commit: all of it or nothing, even when the
 * process dies. *Synced* means on disk when the method returns, so that a power cut does not lose
 * it; an *unsynced* commit survives the process, but a power cut may lose it until the next synced
 * commit, which brings it to disk as well. Rows, runs and codes of other stores are not visible.
 */
export interface Journal extends RowRepository, Ledger, ListingCache, ShopBehavior {}

/** Rows read from the journal at a time. */
const BATCH_ROWS = 500;

/**
 * Yields the rows of a run in the order of the sheet, in batches of at most `batchSize`. Rows may
 * change their state meanwhile: a batch has the rows that match when it is read, and no row comes
 * twice.
 */
export async function* readAllRows(
  journal: Pick<RowRepository, "readRows">,
  runId: string,
  filter: Omit<RowFilter, "limit"> = {},
  batchSize: number = BATCH_ROWS,
): AsyncGenerator<readonly RowRecord[]> {
  yield* readAll((batch) => journal.readRows(runId, batch), filter, batchSize);
}

/**
 * Says what becomes of each row of a batch, of which it may read what is known beforehand;
 * `undefined` of a row that stays as it is.
 */
type JudgeBatch = (
  rows: readonly RowRecord[],
) => Promise<(record: RowRecord) => RowOutcome | undefined | Promise<RowOutcome | undefined>>;

interface JudgedRun {
  readonly runId: string;
  readonly journal: Pick<RowRepository, "readRows"> & Pick<Ledger, "recordOutcome">;
  readonly signal?: AbortSignal | undefined;
}

/** Rows judged at a time, with one query each for what is known of them. */
const JUDGED_ROWS = 200;

/**
 * Records what the judge makes of the rows that match, each in a commit of its own, and returns their
 * number by their new states. It may end at any row without harm where no row is being sent.
 */
export async function judgeRows(
  { runId, journal, signal }: JudgedRun,
  filter: Omit<RowFilter, "limit">,
  judge: JudgeBatch,
): Promise<Readonly<Partial<Record<RowState, number>>>> {
  const moved: Partial<Record<RowState, number>> = {};
  for await (const rows of readAllRows(journal, runId, filter, JUDGED_ROWS)) {
    signal?.throwIfAborted();
    const judgeRow = await judge(rows);
    for (const record of rows) {
      const outcome = await judgeRow(record);
      if (outcome === undefined) continue;
      await journal.recordOutcome({ runId, row: record.row, from: record.state }, outcome);
      moved[outcome.to] = (moved[outcome.to] ?? 0) + 1;
    }
  }
  return moved;
}

/** Does the same as {@link readAllRows} for the codes of the rows, without reading their cells. */
export async function* readAllCodes(
  journal: Pick<RowRepository, "readCodes">,
  runId: string,
  filter: Omit<RowFilter, "limit"> = {},
  batchSize: number = BATCH_ROWS,
): AsyncGenerator<readonly RowCode[]> {
  yield* readAll((batch) => journal.readCodes(runId, batch), filter, batchSize);
}

async function* readAll<Row extends Pick<RowCode, "row">>(
  read: (filter: RowFilter) => Promise<readonly Row[]>,
  filter: Omit<RowFilter, "limit">,
  batchSize: number,
): AsyncGenerator<readonly Row[]> {
  let after = filter.after ?? 0;
  for (;;) {
    const rows = await read({ ...filter, after, limit: batchSize });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.row;
  }
}
