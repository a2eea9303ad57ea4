/** What reading back needs remembered; the store provides it. */

import { type StoreProduct } from "@catalog/contract";

import { type RowKey, type RowRecord } from "../row/row-record.ts";
import { type Capability, type CapabilityFinding } from "../verify/capability.ts";
import {
  type Mismatch,
  type Verification,
  type VerificationCounts,
} from "../verify/verification.ts";

/** A row that is done, with the looks that were had at it. */
export interface DoneRow extends RowKey {
  readonly record: RowRecord;
  readonly looks: number;
  /** What the last look found to differ. */
  readonly fields: readonly Mismatch[];
}

/** A product as the listing showed it when a row of ours was planned to change it. */
export interface BeforeValue {
  readonly row: number;
  readonly product: StoreProduct;
}

/** What reading back has found, and what updates have overwritten, of the runs of one store. */
export interface ReadBackBook {
  /** Done rows of the run that nobody has looked at, in the order of the sheet. */
  readUnlooked(runId: string, after: number, limit: number): Promise<readonly DoneRow[]>;
  /**
   * Rows that were looked at, not seen as they were sent, and looked at fewer than `mostLooks`
   * times; of one run or of all runs of the store, the latest first.
   */
  readOpen(query: {
    readonly runId?: string | undefined;
    readonly mostLooks: number;
    readonly limit: number;
  }): Promise<readonly DoneRow[]>;
  /** Replaces what earlier looks at the rows said. */
  saveVerifications(runId: string, verifications: readonly Verification[]): Promise<void>;
  /** In the order of the sheet, of the rows below `after`. */
  readVerifications(runId: string, after: number, limit: number): Promise<readonly Verification[]>;
  countVerifications(runId: string): Promise<VerificationCounts>;

  /** Keeps what updates are about to overwrite. */
  saveBefore(runId: string, values: readonly BeforeValue[]): Promise<void>;
  readBefore(runId: string, rows: readonly number[]): Promise<ReadonlyMap<number, StoreProduct>>;

  /** What was found out about the marketplace, over all its stores. */
  readCapabilities(): Promise<readonly Capability[]>;
  saveCapabilities(findings: readonly CapabilityFinding[]): Promise<void>;
  /** Fields of updates that were refused are again as the documents say; others stay as they are. */
  forgetRefusals(fields: readonly string[]): Promise<void>;
}
