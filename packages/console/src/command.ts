/**
 * A command of a terminal program as data, from which help, parsing and registration are made; its
 * exit codes, and what has started the program.
 */

import type { Clock } from "@catalog/clock";
import type { Lang, Localized } from "@catalog/i18n";

import type { FlagDefinition, Flags } from "./flags.ts";
import type { Terminal } from "./terminal.ts";

/** The exit codes of a command. Other programs rely on them, so they must not change. */
export const EXIT = {
  done: 0,
  /** A bug of this program. */
  bug: 1,
  /** The command line or the settings are wrong. */
  usage: 2,
  /** The file was refused as a whole, or none of its rows was valid. */
  nothingSent: 3,
  /** The marketplace refused the login or has not granted a call. */
  login: 4,
  /** Done, except for some rows or records. */
  someFailed: 5,
  /** Ended early; the command can be resumed. */
  stopped: 6,
  /** Another process works on the same store. */
  busy: 75,
  /** Stopped by a signal. */
  interrupted: 130,
} as const;

/** What makes runs. */
type RunOrigin = "page" | "schedule" | "terminal";

/** Variable by which the page and the schedules tell the program that they have started it. */
export const ORIGIN_VARIABLE = "CATALOG_STARTED_BY";

/** Variable by which a server tells for which person it has started the program. */
export const PERSON_VARIABLE = "CATALOG_STARTED_FOR";

/** Variable by which it tells the id of that person. */
export const PERSON_ID_VARIABLE = "CATALOG_STARTED_FOR_ID";

/** Variable by which a server tells the names of its stores. */
export const STORE_NAMES_VARIABLE = "CATALOG_STORE_NAMES";

/** Variable by which a server tells in which folder the logins of a store's feeds are. */
export const FEED_LOGINS_VARIABLE = "CATALOG_FEED_LOGINS_FOLDER";

/** Reads the origin; a program that nobody has named was started at a terminal. */
export function readOrigin({
  [ORIGIN_VARIABLE]: origin,
}: Readonly<Record<string, string | undefined>>): RunOrigin {
  return origin === "page" || origin === "schedule" ? origin : "terminal";
}

/** Name, parameters and function of a command. */
export interface Command<Context extends CommandContext = CommandContext> {
  readonly name: string;
  /** Positionals as help shows them, such as `<file>` or `[run]`. */
  readonly positionals: readonly {
    readonly name: string;
    /** What help and messages call it. @default its name */
    readonly word?: Localized;
    readonly required: boolean;
    readonly describe: Localized;
    readonly choices?: readonly string[];
    /** Words that may stand there as well as other values. */
    readonly words?: readonly string[];
  }[];
  readonly describe: Localized;
  readonly flags: Readonly<Record<string, FlagDefinition>>;
  /**
   * Whether it waits ten minutes for a database that is away, and not 30 seconds, because its work
   * is long or nobody watches it. @default false
   */
  readonly isPatient?: boolean;
  /** Command lines without the program's name; localized where they name files. */
  readonly examples: readonly (string | Localized)[];
  /** What help shows in place of the command's own parts after these words. @default the command */
  helpFor?(words: readonly string[]): CommandHelp;
  /** What help adds for these words, such as the fields of what they name. @default nothing */
  moreHelp?(
    words: readonly string[],
    view: { readonly lang: Lang; readonly columns: number },
  ): Promise<string | undefined>;
  /**
   * Runs the command and returns the exit code. Its dependencies are loaded only when it is called.
   */
  run(context: Context, flags: Flags): Promise<number>;
  /**
   * Goes on with the run that was being sent when a replica took over the database; rejects with the
   * error of the take-over where it had not begun to be sent. @default the command ends with the error
   */
  goOn?(context: Context, flags: Flags, broken: BrokenRun): Promise<number>;
}

/** A run whose command was ended by an error. */
export interface BrokenRun {
  readonly command: string;
  readonly run: string;
  readonly error: unknown;
}

/** Parts of a command that its help shows for some of its words only. */
interface CommandHelp extends Partial<
  Pick<Command, "positionals" | "describe" | "flags" | "examples">
> {
  /** The words before the flags, such as `export products`. @default name and positionals */
  readonly usage?: string;
}

/** How far one phase of a command is. */
export interface StepProgress {
  readonly phase: string;
  readonly done: number;
  /** `null` where it is not known. */
  readonly total: number | null;
}

/** Everything that a command may use; it accesses nothing else. */
export interface CommandContext {
  readonly lang: Lang;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Makes a path absolute, relative to the folder in which the command was started. */
  readonly resolve: (path: string) => string;
  /** Aborts at the first Ctrl-C: no new calls are made, and those under way are finished. */
  readonly stop: AbortSignal;
  /** Takes the progress of the command, for a program that has started it. @default nobody asks */
  readonly onProgress?: ((progress: StepProgress) => void) | undefined;
  /** Whether the program that has started this one still runs. @default true */
  readonly hasParent?: (() => boolean) | undefined;
  /** Name of the person who decides. @default unknown */
  readonly user?: string | undefined;
}
