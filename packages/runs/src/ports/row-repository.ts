/** The rows of runs, from the sheet to their decision. */

import type { StateCount, WriteAction } from "../row/counts.ts";
import type { RowDecision } from "../row/row-decision.ts";
import type { RowRecord } from "../row/row-record.ts";
import type { RowState } from "../row/row-state.ts";
import type { DuplicateCode, ParsedRow, RowCode } from "../row/source-row.ts";

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
