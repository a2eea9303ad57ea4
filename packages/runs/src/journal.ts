/**
 * The memory of a run, which this package needs and the store provides. Everything that must
 * survive a dying process goes through it before it is acted upon.
 */

import {
  type ProductAdd,
  type ProductChanges,
  type ProductId,
  type ProductUpdate,
  type StoreProduct,
} from "@catalog/contract";

import { type StateCount, type WriteAction } from "./counts.ts";
import { type RowIssue } from "./issue.ts";
import { type RowState } from "./row-state.ts";
import { type Cause } from "./row/cause.ts";
import { type SignatureEvidence } from "./unknown/signature.ts";
import { type LagSample } from "./unknown/visibility.ts";

/** What a reader knows of a cell beyond its value. */
export type CellTrait = "date" | "error" | "formula";

export type CellValue = string | number | boolean | null;

/** A row as it stands in the sheet. */
export interface SourceRow {
  /** As the spreadsheet program shows it. */
  readonly row: number;
  readonly cells: readonly CellValue[];
  /** What the reader knows of a cell beyond its value, by column index. */
  readonly traits?: Readonly<Record<number, CellTrait>> | undefined;
  /** Number formats of cells that are not text, as Excel stores them, by column index. */
  readonly formats?: Readonly<Record<number, string>> | undefined;
}

/** A row on its way into the journal, with the code that tells duplicates. */
export interface ParsedRow extends SourceRow {
  readonly code: string | null;
  readonly codeKey: string | null;
}

/** A product code that occurs on several rows of one file. */
export interface DuplicateCode {
  readonly rows: readonly number[];
  /** All its rows have the same cells and show them alike, so that one of them can stand for all. */
  readonly identical: boolean;
}

/** One field of an update: what the listing shows now, and what will be sent. */
export interface FieldChange {
  readonly field: string;
  /** `undefined` when the listing cannot show it. */
  readonly old?: unknown;
  readonly new: unknown;
}

export type Payload = ProductAdd | ProductUpdate;

/** What the plan decided for a row. */
export interface RowDecision {
  readonly row: number;
  readonly state: Exclude<
    RowState,
    "parsed" | "sending" | "ambiguous" | "done" | "rejected" | "cancelled"
  >;
  readonly action: WriteAction | null;
  readonly productId: ProductId | null;
  readonly payload: Payload | null;
  readonly changes: readonly FieldChange[];
  readonly issues: readonly RowIssue[];
  /** Fields that differ and that updates do without; told in `issues`, and not stored. @default none */
  readonly unsent?: readonly string[];
}

/** A row with all that is known of it. */
export interface RowRecord extends ParsedRow {
  readonly state: RowState;
  readonly action: WriteAction | null;
  readonly productId: ProductId | null;
  readonly payload: Payload | null;
  readonly changes: readonly FieldChange[];
  readonly issues: readonly RowIssue[];
  /** Requests that were begun for the row; one that was taken back counts, though it never left. */
  readonly attempts: number;
  /** The marketplace's words or the reason for the state, when there is one. */
  readonly note: string | null;
  readonly updatedAtMs: number;
}

/** How a row's request ended, or why it moved without one. */
export interface Settlement {
  readonly to: RowState;
  /** Which rule decided, for the evidence. */
  readonly cause: Cause;
  readonly productId?: ProductId | undefined;
  readonly note?: string | undefined;
  readonly issues?: readonly RowIssue[] | undefined;
  /** What the row changes, from what the store shows by now. @default as they were */
  readonly changes?: readonly FieldChange[] | undefined;
  /** The request may have left a product all the same, so that its code stays taken. @default false */
  readonly keepsCode?: boolean | undefined;
  /** How far the request got, the answer's status, and whatever else explains the decision. */
  readonly evidence?: Readonly<Record<string, unknown>> | undefined;
}

/** A row of a run, or of another run of the same store. */
export interface RowKey {
  readonly runId: string;
  readonly row: number;
}

/** A row that is about to be sent. */
export interface Beginning extends RowKey {
  readonly evidence?: Readonly<Record<string, unknown>> | undefined;
}

/** A row that is written down as being sent, and which of its attempts that is. */
export interface Begun extends RowKey {
  readonly attempt: number;
}

/** A row, and where it matters which of its attempts is meant. */
export interface Attempted extends RowKey {
  readonly attempt?: number | undefined;
}

/** One move of a row, or one look for what became of it, which moves nothing. */
export interface RowEvent extends RowKey {
  /** Later events have higher numbers. */
  readonly seq: number;
  readonly from: RowState;
  readonly to: RowState;
  /** The rule that decided: a {@link Cause}, or one that a newer program has stored. */
  readonly cause: string;
  /** What it rested on: wire phase, status, the start of the answer, ids found, server time. */
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

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

/** A product as the last listing showed it. */
export interface SeenProduct {
  readonly codeKey: string;
  /** Codes with only this key in common look the same. @default not known */
  readonly suspectKey?: string | undefined;
  readonly status: string;
  readonly product: StoreProduct;
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

/** Which rows to read, in the order of the sheet. */
export interface RowFilter {
  readonly states?: readonly RowState[];
  readonly action?: WriteAction | undefined;
  /** Only rows below this one. @default 0 */
  readonly after?: number;
  readonly limit: number;
}

export interface Journal {
  appendRows(runId: string, rows: readonly ParsedRow[]): Promise<void>;
  /** The product codes that occur on more than one row. */
  readDuplicates(runId: string): Promise<readonly DuplicateCode[]>;
  readRows(runId: string, filter: RowFilter): Promise<readonly RowRecord[]>;
  countRows(runId: string): Promise<readonly StateCount[]>;

  /** Moves parsed rows on, all or none. */
  decideRows(runId: string, decisions: readonly RowDecision[]): Promise<void>;

  /**
   * Moves rows from `ready` to `sending` and takes their product codes, in one go, durably, before
   * it resolves. `undefined` stands for a row that could not begin, which changes nothing of it nor
   * of the others; `beginSending` says why. What has begun here has not left: without a
   * `beginSending` for it, a later {@link recover} may find it proven unsent.
   */
  beginTogether(rows: readonly Beginning[]): Promise<readonly (Begun | undefined)[]>;
  /**
   * Moves a row from `ready` to `sending` and takes its product code, durably, before it returns.
   * Synchronous, because it runs at the last moment before the first byte of the request. Says
   * `taken` when another add holds the code or another update of the product is on its way, and
   * changes nothing then. A row that `beginTogether` has moved is let go; throws when that attempt
   * is no longer the row's own, because another process has recovered it.
   */
  beginSending(key: Attempted, evidence?: Readonly<Record<string, unknown>>): "begun" | "taken";
  /**
   * Moves a row on from the state it is known to be in; throws if it is in another, or, where the
   * attempt is given, if it is in that state by another attempt.
   */
  settle(key: Attempted & { readonly from: RowState }, settlement: Settlement): Promise<void>;

  /** Writes down a look at a row in this state; the row stays as it is. */
  noteLook(
    key: RowKey & { readonly state: RowState },
    evidence: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** Everything that happened to a row since it was read, oldest first. */
  readEvents(key: RowKey): Promise<readonly RowEvent[]>;

  /**
   * Moves on the rows of any run of this store that were `sending` when their process died: to
   * `ready` where it is proven that no byte of the request left, else to `ambiguous`. Says how many.
   */
  recover(): Promise<number>;
  /** Ambiguous rows of any run of this store, oldest first. */
  readAmbiguous(limit: number): Promise<readonly (RowKey & { readonly record: RowRecord })[]>;

  /** Adds of any run of this store that are held, oldest first. */
  readHeldAdds(limit: number): Promise<readonly (RowKey & { readonly record: RowRecord })[]>;

  /** Adds of the run that are done and whose outcome was once in doubt, in the order of the sheet. */
  readDoubtedAdds(runId: string, limit: number): Promise<readonly RowRecord[]>;

  /**
   * Says whether rows of the run may have been sent without this journal knowing, because an older
   * copy of it was put in its place. The store must be read anew before anything of it is sent.
   */
  mustRecheck(runId: string): Promise<boolean>;

  /** What speaks for another copy of this journal having sent rows of the run. */
  readDoubt(runId: string): Promise<RunDoubt>;
  /** Ready adds of the run whose code waits in another run of the store too, once for each such run. */
  readWaitingElsewhere(runId: string): Promise<readonly WaitingElsewhere[]>;
  /** A person has answered for what a lost copy may have sent: runs planned from now on are sent. */
  acceptCopy(): Promise<void>;

  /** What was learnt in this store about a kind of refusal. */
  readSignature(key: string): Promise<SignatureEvidence>;
  /** Adds one finding to it. */
  noteSignature(key: string, found: "applied" | "not-applied"): Promise<void>;

  /** Begins to watch when the store shows a product that was added just now. */
  watchLag(productId: ProductId, addedMs: number | null): Promise<void>;
  /** Writes down a look for a watched product. */
  noteLagSample(
    productId: ProductId,
    look: { readonly shown: boolean; readonly serverMs: number | null },
  ): Promise<void>;
  /** The latest watched products of the store, oldest first. */
  readLagSamples(): Promise<readonly LagSample[]>;

  readKnownCodes(codeKeys: readonly string[]): Promise<readonly KnownCode[]>;
  /** Gives back the code of an add that was refused and has turned out to have left no product. */
  freeCode(key: RowKey): Promise<void>;
  /** The last body sent and answered for each product, add or update fields merged over time. */
  readLastSent(productIds: readonly ProductId[]): Promise<ReadonlyMap<ProductId, ProductChanges>>;

  /** A code of ours that was added and answered last, for looking whether the store shows it. */
  readLatestAdded(): Promise<{ readonly code: string; readonly productId: ProductId } | undefined>;
  /** Prices in minor units as we sent them, beside what the last listing showed for them. */
  readPriceEvidence(limit: number): Promise<readonly PriceEvidence[]>;

  /** Forgets the last listing of the store. */
  clearSeen(): Promise<void>;
  saveSeen(products: readonly SeenProduct[]): Promise<void>;
  readSeenByCode(codeKeys: readonly string[]): Promise<readonly SeenProduct[]>;
  readSeenById(productIds: readonly ProductId[]): Promise<readonly SeenProduct[]>;
}
