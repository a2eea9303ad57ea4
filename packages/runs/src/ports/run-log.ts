/** What is known of a run as a whole; its rows are in the journal. */

import { type Lang, type Localized } from "@catalog/i18n";

import { type GuardLimits, type GuardName } from "../guards/guard-settings.ts";
import { type RunMode } from "../plan/decide-row.ts";
import { type PlanFacts } from "../plan/planned-counts.ts";
import { type UnknownPolicy } from "../reconcile/decide-absent.ts";
import { type CellValue } from "../row/source-row.ts";

/**
 * - `planning`: rows are being read and decided; a run found so at a start is worthless.
 * - `planned`: every row is decided, nothing was sent.
 * - `running`: rows are being sent, or were when the process died.
 * - `stopped`: rows are left to be sent.
 * - `finished`: no row is left to be sent.
 */
export type RunState = "planning" | "planned" | "running" | "stopped" | "finished";

/**
 * - `import`: a file was planned, by whichever command.
 * - `sync`: a feed was. Such runs keep to themselves: they go on beside a longer run of the same
 *   store, and what one of them leaves open is settled by the next one, and by no other run.
 */
export type RunKind = "import" | "sync";

/** Command that every run of a feed is stored with, and no other run; compared with in SQL. */
export const FEED_COMMAND = "sync";

/** The kind of a run that is stored with this command. */
export function toRunKind(command: string): RunKind {
  return command === FEED_COMMAND ? "sync" : "import";
}

/** The file that a run was planned from. */
export interface RunFile {
  /** Absolute; empty for a run that has no file. */
  readonly path: string;
  readonly name: string;
  readonly sha256: string;
  readonly kind: "csv" | "xlsx" | "json";
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

/** Said about a file or a run as a whole. */
export interface RunWarning {
  /** Stable; `W_…`. */
  readonly code: string;
  readonly message: Localized;
}

/** What was asked of the run, kept so that going on with it takes no flags. */
export interface RunSettings {
  /** Nothing is sent if any row is bad. @default false */
  readonly strict?: boolean | undefined;
  /** Most bad rows, as it was typed: a count or a percentage. @default unlimited */
  readonly maxErrors?: string | undefined;
  /** @default "hold" */
  readonly onUnknown?: UnknownPolicy | undefined;
  /** Where guards hold a row, as far as that was changed. @default their own limits */
  readonly guardLimits?: Partial<GuardLimits> | undefined;
  /** Guards that let everything pass. @default none */
  readonly allowed?: readonly GuardName[] | undefined;
  /** Product codes that look the same were said to be of different products. @default false */
  readonly allowsSuspectCodes?: boolean | undefined;
  readonly requestsPerHour?: number | undefined;
  readonly concurrency?: number | undefined;
  /** What was sent is not read back. @default false */
  readonly noVerify?: boolean | undefined;
  /** Fields that the store was seen to ignore are sent all the same. @default false */
  readonly tryRefused?: boolean | undefined;
  /** So many rows go first and are read back before the others follow. @default all go at once */
  readonly canary?: number | undefined;
}

/** Where the run comes from and how far it is; a run made from it starts without. */
export interface RunProgress {
  /** How the cells were read; kept so that rows planned again are read in the same way. */
  readonly reading?: ReadingSettings | undefined;
  /** Run whose rows are tried again. */
  readonly retryOf?: string | undefined;
  /** Run whose updates are taken back. */
  readonly undoOf?: string | undefined;
  /** What reading the canary back came to; from then on the run is one like any other. */
  readonly canaryVerdict?: CanaryVerdict | undefined;
}

/**
 * - `passed`: the store shows what was sent.
 * - `differs`: it shows something else.
 * - `unseen`: it shows none of the products, so nothing was compared.
 * - `refused`: it took none of the rows.
 * - `unknown`: the outcome of a row could not be settled.
 */
export type CanaryVerdict = "passed" | "differs" | "unseen" | "refused" | "unknown";

/** How the columns and numbers of a sheet were understood. */
export interface ReadingSettings {
  readonly decimal?: "comma" | "point" | undefined;
  /** Header to field, as it was asked for. */
  readonly columns?: readonly (readonly [header: string, field: string])[];
  /** Field to the text of its empty cells. */
  readonly constants?: readonly (readonly [field: string, text: string])[];
  /** The row of machine keys below the headers, where there is one. */
  readonly keyRow?: readonly CellValue[] | undefined;
  /** How numbers are written, by column index. */
  readonly notations?: readonly (readonly [index: number, notation: StoredNotation])[];
  readonly pictures?: PictureSettings | undefined;
}

/** How the pictures of a sheet were looked at. */
export interface PictureSettings {
  /** Whether a broken picture kept its row from being sent, was only said, or was not looked for. */
  readonly mode: "strict" | "warn" | "off";
  /** The folder or zip of those that are named by file names, absolute. */
  readonly source?: string | undefined;
  /** Own servers that they could be fetched from. */
  readonly allowHosts?: readonly string[] | undefined;
}

/** Notation of the numbers of a column. */
export interface StoredNotation {
  readonly decimal: "comma" | "point" | undefined;
  readonly isMixed: boolean;
}

/** A run as a whole. */
export interface RunRecord {
  readonly id: string;
  /** The command that made it, such as `plan` or `retry`. */
  readonly command: string;
  /** Follows from the command. */
  readonly kind: RunKind;
  readonly state: RunState;
  readonly file: RunFile;
  readonly mode: RunMode;
  readonly lang: Lang;
  /** Known once the run is planned. */
  readonly facts: PlanFacts | null;
  readonly requests: RequestCounts;
  readonly reportDir: string;
  /** Said about the file as a whole. */
  readonly warnings: readonly RunWarning[];
  readonly settings: RunSettings;
  readonly progress: RunProgress;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A run that is about to be planned. */
export interface NewRun extends Pick<
  RunRecord,
  "id" | "command" | "file" | "mode" | "lang" | "reportDir" | "warnings"
> {
  /** @default none */
  readonly settings?: RunSettings;
}

/** The runs of one store, which this package needs remembered. A write is one synced commit. */
export interface RunLog {
  /** Writes a run as `planning`. */
  create(run: NewRun): Promise<void>;
  /** Reads a run; `undefined` where the store has none with this id. */
  read(id: string): Promise<RunRecord | undefined>;
  /** Reads the latest runs, newest first. */
  list(limit: number): Promise<readonly RunRecord[]>;
  /** Replaces what is given and leaves the rest. Rejects when the store has no such run. */
  update(
    id: string,
    change: Partial<Pick<RunRecord, "state" | "facts" | "warnings" | "settings" | "progress">>,
  ): Promise<void>;
  /**
   * Adds the warnings whose English message the run does not have yet, in their order. Rejects when
   * the store has no such run.
   */
  addWarnings(id: string, warnings: readonly RunWarning[]): Promise<void>;
  /** Adds to the counts of calls. Rejects when the store has no such run. */
  addRequests(id: string, requests: RequestCounts): Promise<void>;
}
