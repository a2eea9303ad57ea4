/** What is known of a run as a whole; its rows are in the journal. */

import { type RunMode } from "./plan-row.ts";
import { type PlanFacts } from "./plan-run.ts";

/**
 * - `planning`: rows are being read and decided; a run found so at a start is worthless.
 * - `planned`: every row is decided, nothing was sent.
 * - `running`: rows are being sent, or were when the process died.
 * - `stopped`: rows are left to be sent.
 * - `finished`: no row is left to be sent.
 */
export type RunState = "planning" | "planned" | "running" | "stopped" | "finished";

export interface RunFile {
  readonly path: string;
  readonly name: string;
  readonly sha256: string;
  readonly kind: "csv" | "xlsx";
  readonly sheet: string;
  readonly headerRow: number;
  /** Headers in the order of the file. */
  readonly header: readonly string[];
}

/** How often the marketplace was called for the run, over all its processes. */
export interface RequestCounts {
  readonly token: number;
  readonly read: number;
  readonly write: number;
}

export interface RunRecord {
  readonly id: string;
  readonly command: string;
  readonly state: RunState;
  readonly file: RunFile;
  readonly mode: RunMode;
  readonly lang: "tr" | "en";
  /** Known once the run is planned. */
  readonly facts: PlanFacts | null;
  readonly requests: RequestCounts;
  readonly reportDir: string;
  /** Said about the file as a whole, in the run's language. */
  readonly warnings: readonly string[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export type NewRun = Omit<
  RunRecord,
  "state" | "facts" | "requests" | "createdAtMs" | "updatedAtMs"
>;

/** The runs of one store, which this package needs remembered. */
export interface RunLog {
  create(run: NewRun): Promise<void>;
  read(id: string): Promise<RunRecord | undefined>;
  /** Newest first. */
  list(limit: number): Promise<readonly RunRecord[]>;
  update(
    id: string,
    change: Partial<Pick<RunRecord, "state" | "facts" | "warnings">>,
  ): Promise<void>;
  /** Adds to the counts of calls. */
  addRequests(id: string, requests: RequestCounts): Promise<void>;
}
