/** The port that keeps runs, and the ids of new ones; the rows of a run are in the journal. */

import { randomBytes } from "node:crypto";

import type { Clock } from "@catalog/clock";
import { formatDateTime, type Lang, type Localized } from "@catalog/i18n";

import type { GuardLimits, GuardName } from "../guards/guard-settings.ts";
import type { PlanFacts } from "../plan/plan-facts.ts";
import type { UnknownPolicy } from "../reconcile/decide-absent.ts";
import type { RunSheet } from "../row/row-address.ts";
import type { RunMode, CellValue, RowKey } from "../row/row-record.ts";
import type { ActionName } from "./action.ts";

/**
 * - `planning`: rows are being read and decided; a run found in this state at a start is
 *   incomplete.
 * - `planned`: every row is decided, nothing was sent.
 * - `running`: rows are being sent, or were when the process died.
 * - `stopped`: rows are left to be sent.
 * - `finished`: no row is left to be sent.
 */
export type RunState = "planning" | "planned" | "running" | "stopped" | "finished";

/**
 * - `import`: made from a file, by any command.
 * - `sync`: made from a feed. It may run beside a longer run of the same store; what it leaves open
 *   is reconciled by the next sync, and by no other run.
 */
export type RunKind = "import" | "sync";

/** Command that every run of a feed, and no other run, is stored with; SQL compares with it. */
export const FEED_COMMAND = "sync";

/** Returns the kind of a run that is stored with this command. */
export function toRunKind(command: string): RunKind {
  return command === FEED_COMMAND ? "sync" : "import";
}

/** The file that a run was planned from. */
export interface RunFile {
  /** Absolute; empty for a run that has no file. */
  readonly path: string;
  readonly name: string;
  readonly sha256: string;
  readonly kind: "csv" | "xlsx" | "xml" | "json";
  /** The sheet, or the first of `sheets`; the path of the records of XML and JSON. */
  readonly sheet: string;
  /** The sheets that were read as one; left out for one sheet. */
  readonly sheets?: readonly RunSheet[] | undefined;
  readonly headerRow: number;
  /** Headers in the order of the file. */
  readonly header: readonly string[];
  /** Columns at the end of `header` that a person added to those of the file. @default 0 */
  readonly added?: number | undefined;
  /** Key of the feed that the file was taken from. @default the run is no sync */
  readonly feed?: string | undefined;
}

/** Calls made for the run, over all its processes. */
interface RequestCounts {
  readonly token: number;
  readonly read: number;
  readonly write: number;
}

/** A warning about a file or a run as a whole. */
export interface RunWarning {
  /** Stable: `W_…`; `E_…` of a sync that was refused. */
  readonly code: string;
  readonly message: Localized;
}

/** Options of the run, kept so that resuming it takes no flags. */
export interface RunSettings {
  /** Nothing is sent if any row has an error. @default false */
  readonly strict?: boolean | undefined;
  /** Maximum number of rows with errors as typed: a count or a percentage. @default unlimited */
  readonly maxErrors?: string | undefined;
  /** @default "hold" */
  readonly onUnknown?: UnknownPolicy | undefined;
  /** Limits of the guards that differ from the defaults. @default none */
  readonly guardLimits?: Partial<GuardLimits> | undefined;
  /** Guards that are switched off. @default none */
  readonly allowed?: readonly GuardName[] | undefined;
  /** Product codes that look alike are different products. @default false */
  readonly allowsSuspectCodes?: boolean | undefined;
  readonly requestsPerHour?: number | undefined;
  readonly concurrency?: number | "auto" | undefined;
  /** Sent rows are not read back. @default false */
  readonly noVerify?: boolean | undefined;
  /** Fields that the store was seen to ignore are sent anyway. @default false */
  readonly tryRefused?: boolean | undefined;
  /**
   * Number of rows that are sent and read back before the others follow. @default all are sent at
   * once
   */
  readonly canary?: number | undefined;
  /** The run was planned to be looked at: no row of it is ever sent or released. @default false */
  readonly isDryRun?: boolean | undefined;
}

/** A draft as it was when its rows were planned. */
interface PlannedDraft {
  readonly id: string;
  readonly version: number;
  /** Number of rows that a person had left out. @default 0 */
  readonly excluded?: number | undefined;
}

/** Origin and progress of the run; a run that is made from it does not inherit them. */
export interface RunProgress {
  /** How the cells were read, so that a retry reads them in the same way. */
  readonly reading?: ReadingSettings | undefined;
  /** What the rows do, where they are about no products. @default they are about products */
  readonly actions?: ActionListSettings | undefined;
  /** Run whose rows are retried. */
  readonly retryOf?: string | undefined;
  /** Draft whose rows were planned, and its version then. */
  readonly draft?: PlannedDraft | undefined;
  /** Draft whose rows were made of products of the store. @default the rows are of a file */
  readonly basisOf?: string | undefined;
  /** Digest of the settings that the plan was made with. @default it depends on none */
  readonly basis?: string | undefined;
  /** Versions of the price rules, costs and bases that the plan was made with. @default there were none */
  readonly prices?: string | undefined;
  /** Run whose updates are undone. */
  readonly undoOf?: string | undefined;
  /** What is undone of it. @default the whole run */
  readonly undoPart?: UndonePart | undefined;
  /** Whether it takes the run back as its period has ended. @default a person undoes it */
  readonly isPeriodEnd?: boolean | undefined;
  /** Result of reading the canary back; once it is set, the run continues like any other. */
  readonly canaryVerdict?: CanaryVerdict | undefined;
  /** Rows that were not sent as a person gave up the rest of the run. @default 0 */
  readonly restCancelled?: number | undefined;
  /** When its sync began, and what it read. @default the run is no sync */
  readonly sync?: RunSync | undefined;
  /** How the command ended that last worked on the run. @default none has come to its end */
  readonly ended?: RunEnding | undefined;
  /** Who has approved it at the page or by a program. @default not known */
  readonly approvedBy?: NamedPerson | undefined;
}

/** A list of actions, and how it was read, so that a retry reads it in the same way. */
export interface ActionListSettings {
  readonly kind: "answers" | "packages" | "codes" | "templates";
  /** The only action of the run. @default each row's own */
  readonly only?: ActionName | undefined;
  /** Shipping company of all packages, by id or name. @default each row's own */
  readonly company?: string | undefined;
  /** Reason of rows that give none. @default none */
  readonly reason?: string | undefined;
}

/** The part of a run that an undo takes back; its rows are those of the undo. */
interface UndonePart {
  /** @default all fields that the rows have sent */
  readonly fields?: readonly string[] | undefined;
  /** The product whose changes are taken back, as people name it. @default rows of the run were chosen */
  readonly product?: string | undefined;
  /** Rows of earlier runs that are taken back with the one row. @default none */
  readonly earlier?: readonly RowKey[] | undefined;
}

/** The sync that made a run. */
export interface RunSync {
  /** When it began, before the feed was read, in milliseconds since 1970. */
  readonly beganAtMs: number;
  /** When the feed was written, in milliseconds since 1970. @default it is not known */
  readonly dataAtMs?: number | undefined;
  /** Whether it was a dry run of a schedule in shadow. @default false */
  readonly isShadow?: boolean | undefined;
  /** An earlier dry run with the same plan, which has its rows. @default the run has its own */
  readonly sameAs?: string | undefined;
}

/** The end of a command that worked on a run. */
interface RunEnding {
  /** Exit code of the command. */
  readonly exit: number;
  /** In milliseconds since 1970. */
  readonly atMs: number;
  /** Code of what has stopped it early, such as `E_CANARY`. @default nothing has */
  readonly stop?: string | undefined;
}

/**
 * - `passed`: the store shows what was sent.
 * - `differs`: it shows something else.
 * - `unseen`: it shows none of the products, so nothing was compared.
 * - `refused`: it accepted none of the rows.
 * - `unknown`: the outcome of a row could not be determined.
 */
type CanaryVerdict = "passed" | "differs" | "unseen" | "refused" | "unknown";

/** How the columns and numbers of a sheet were understood. */
export interface ReadingSettings {
  readonly decimal?: "comma" | "point" | undefined;
  /** Header to field, as the caller set it. */
  readonly columns?: readonly (readonly [header: string, field: string])[];
  /** Field to the text that stands for its empty cells. */
  readonly constants?: readonly (readonly [field: string, text: string])[];
  /** Field to the text that new products without a value take. @default none */
  readonly defaults?: readonly (readonly [field: string, text: string])[];
  /** Names of the source for price rules. @default those of its file */
  readonly suppliers?: readonly string[] | undefined;
  /** The row of machine keys below the headers, where there is one. */
  readonly keyRow?: readonly CellValue[] | undefined;
  /**
   * Name of the platform whose profile was used, or `none`. @default none, as no profile was known
   */
  readonly platform?: string | undefined;
  /** How descriptions were sent. @default "html" */
  readonly descriptions?: "html" | "text" | undefined;
  /** Pattern for the titles of variants. @default the pattern of the mapping package */
  readonly variantTitle?: string | undefined;
  /** How numbers are written, by column index. */
  readonly notations?: readonly (readonly [index: number, notation: StoredNotation])[];
  readonly pictures?: ImageSettings | undefined;
}

/** How the images of a sheet were checked. */
export interface ImageSettings {
  /**
   * Whether a broken image blocked its row (`strict`), was reported (`warn`) or was not checked
   * (`off`).
   */
  readonly mode: "strict" | "warn" | "off";
  /** Absolute path of the folder or zip that holds the images named by file names. */
  readonly source?: string | undefined;
  /** Internal hosts that images may be fetched from. */
  readonly allowHosts?: readonly string[] | undefined;
}

/** Number notation of a column. */
interface StoredNotation {
  readonly decimal: "comma" | "point" | undefined;
  readonly isMixed: boolean;
}

/** A person for whom something is made. */
export interface NamedPerson {
  readonly name: string;
  /**
   * Id at a server of several people, of whom two may have one name, and each may change it.
   * @default the person has none
   */
  readonly id?: number | undefined;
}

/** Who made a run, and for which store. */
export interface RunMaker {
  /** The page, a person or a program at a terminal, or a schedule. */
  readonly origin: "page" | "terminal" | "schedule";
  /** Name of the person at the system; `null` where it is not known. */
  readonly user: string | null;
  /** Id of the person at a server of several. @default the person has none */
  readonly person?: number | undefined;
  /** Name of the store when the run was made. @default it had none */
  readonly store?: string | undefined;
}

/** A run without its rows. */
export interface RunRecord {
  readonly id: string;
  /** The command that made it, such as `plan` or `retry`. */
  readonly command: string;
  /** Derived from the command. */
  readonly kind: RunKind;
  readonly state: RunState;
  readonly file: RunFile;
  readonly mode: RunMode;
  readonly lang: Lang;
  /** Set once the run is planned. */
  readonly facts: PlanFacts | null;
  readonly requests: RequestCounts;
  readonly reportDir: string;
  /** Warnings about the file as a whole. */
  readonly warnings: readonly RunWarning[];
  readonly settings: RunSettings;
  readonly progress: RunProgress;
  /** @default not known */
  readonly maker?: RunMaker | undefined;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** When its rows were deleted, in milliseconds since 1970. @default they are kept */
  readonly prunedAtMs?: number | undefined;
}

/** A run that is about to be planned. */
export interface NewRun extends Pick<
  RunRecord,
  "id" | "command" | "file" | "mode" | "lang" | "reportDir" | "warnings"
> {
  /** @default none */
  readonly settings?: RunSettings;
}

/** Which runs are listed. */
interface RunListOptions {
  /** @default runs of both kinds */
  readonly kind?: RunKind | undefined;
  /** Only runs of the feed with this key. @default runs of any file */
  readonly feed?: string | undefined;
  /** Only runs that are older than this one. @default from the newest on */
  readonly before?: Pick<RunRecord, "id" | "createdAtMs"> | undefined;
}

/** The runs of one store. Each method that writes is one synced commit. */
export interface RunRepository {
  /** Creates a run in the state `planning`; `false` where a run of any store has the id. */
  create(run: NewRun): Promise<boolean>;
  /** Reads a run; `undefined` where the store has none with this id. */
  read(id: string): Promise<RunRecord | undefined>;
  /** Finds the store that has a run, whichever it is; `undefined` where none has one with this id. */
  findStore(
    id: string,
  ): Promise<{ readonly baseUrl: string; readonly storeId: string } | undefined>;
  /** Reads the latest runs, newest first. */
  list(limit: number, options?: RunListOptions): Promise<readonly RunRecord[]>;
  /**
   * Reads the runs that undo a run or rows of it, newest first; those that were only planned, too.
   */
  listUndos(id: string): Promise<readonly RunRecord[]>;
  /** Replaces the given fields only. Rejects when the store has no such run. */
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

/** Runs are created in one database, which counts time with this clock. */
interface RunIdTools {
  readonly runs: Pick<RunRepository, "create">;
  readonly clock: Pick<Clock, "now">;
}

/** A minute has 65,536 ids; even with half of them taken, this many tries find a free one. */
const MAX_TRIES = 64;

/**
 * Creates a run in the state `planning` under an id that no run has, and returns the id. `toRun` is
 * called again with another id where one is taken.
 */
export async function createRun(
  { runs, clock }: RunIdTools,
  toRun: (id: string) => NewRun | Promise<NewRun>,
): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const run = await toRun(createRunId(clock.now()));
    if (await runs.create(run)) return run.id;
  }
  throw new Error(`no id of a run was free in ${MAX_TRIES} tries`);
}

/**
 * Creates an id such as `r-261121-0930-4f2a`: it begins with the day and the minute in Turkish time,
 * as people read every time, so that ids sort by time; it is short enough to type. Ids of
 * one minute may be repeated. `nowMs` is in milliseconds since 1970.
 */
export function createRunId(nowMs: number): string {
  const shown = formatDateTime(nowMs, "en", { dateStyle: "short", timeStyle: "short" });
  const stamp = shown.replaceAll(/[-:]/gu, "").replace(" ", "-").slice(2);
  return `r-${stamp}-${randomBytes(2).toString("hex")}`;
}

/** Whether a text has the form of an id that {@link createRunId} creates. */
export const isRunId = (text: string): boolean => /^r-\d{6}-\d{4}-[0-9a-f]{4}$/u.test(text);
