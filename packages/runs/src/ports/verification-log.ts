/** The port that keeps the results of reading back. */

import type { StoreProduct } from "@catalog/contract";

import type { RowKey, RowRecord } from "../row/row-record.ts";
import type { Capability, CapabilityFinding } from "../verify/capability.ts";
import type { Mismatch, Verification, VerificationCounts } from "../verify/verification.ts";

/** A row that is done, with the results of reading it back so far. */
export interface DoneRow extends RowKey {
  readonly record: RowRecord;
  readonly readings: number;
  /** Fields that differed when it was last read back. */
  readonly fields: readonly Mismatch[];
}

/** A product as the listing showed it when an update of it was planned. */
export interface BeforeValue {
  readonly row: number;
  readonly product: StoreProduct;
}

/** Results of reading back, and values that updates have overwritten, for the runs of one store. */
export interface VerificationLog {
  /** Reads done rows of the run that were not read back yet, in the order of the sheet. */
  readUnverified(runId: string, after: number, limit: number): Promise<readonly DoneRow[]>;
  /**
   * Reads rows that were read back fewer than `maxLookups` times and not seen as they were sent; of
   * one run or of all runs of the store, the latest first.
   */
  readOpen(query: {
    readonly runId?: string | undefined;
    readonly maxLookups: number;
    readonly limit: number;
  }): Promise<readonly DoneRow[]>;
  /** Replaces the earlier results of reading the rows back. */
  saveVerifications(runId: string, verifications: readonly Verification[]): Promise<void>;
  /** Reads in the order of the sheet, rows with a higher number than `after`. */
  readVerifications(runId: string, after: number, limit: number): Promise<readonly Verification[]>;
  countVerifications(runId: string): Promise<VerificationCounts>;

  /** Keeps the values that updates will overwrite. */
  saveBefore(runId: string, values: readonly BeforeValue[]): Promise<void>;
  readBefore(runId: string, rows: readonly number[]): Promise<ReadonlyMap<number, StoreProduct>>;

  /** Reads what was learnt of the marketplace, over all its stores. */
  readCapabilities(): Promise<readonly Capability[]>;
  saveCapabilities(findings: readonly CapabilityFinding[]): Promise<void>;
  /**
   * Resets these fields of updates from refused to documented or assumed; other fields keep their
   * state.
   */
  forgetRefusals(fields: readonly string[]): Promise<void>;
}
