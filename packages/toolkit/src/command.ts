/** A command of the `catalog` program, as data: help, parsing and registration come from it. */

import type { Versions } from "@catalog/client";
import type { Clock } from "@catalog/clock";
// Nothing of these remains at run time; with "type" inside the braces they would be loaded.
import { type Lang, type Localized, InputError } from "@catalog/i18n";

import type { Toolkit } from "./open-toolkit.ts";
import type { PictureOptions } from "./pictures/picture-options.ts";

/** A flag of a command. */
export interface FlagDefinition {
  readonly type: "string" | "number" | "boolean";
  readonly describe: Localized;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  /** May be given several times. */
  readonly many?: boolean;
}

/** What the command line said, by flag or positional name. Absent flags are `undefined`. */
export type Flags = Readonly<Record<string, unknown>>;

/** What a command is called, what it takes and what it does. */
export interface Command {
  readonly name: string;
  /** Positionals as help shows them, such as `<file>` or `[run]`. */
  readonly positionals: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly describe: Localized;
    readonly choices?: readonly string[];
  }[];
  readonly describe: Localized;
  readonly flags: Readonly<Record<string, FlagDefinition>>;
  /** Command lines without the program's name. */
  readonly examples: readonly string[];
  /** Returns the exit code. What it works with is loaded only when it is called. */
  run(context: CommandContext, flags: Flags): Promise<number>;
}

/**
 * Where texts go. The result goes to `out`; progress, questions and warnings go to `err`. Whatever a
 * text is made of, no control character of it but the line feed gets there: see `toVisibleText`.
 */
export interface Terminal {
  /** Text, or a JSON document, which stays equal to what it was. */
  out(text: string): void;
  err(text: string): void;
  /** A piece of a file as the result: as it is, except where a person looks at it. */
  outFile(text: string): void;
  /**
   * Draws the line on `err` that is drawn again and again; an empty one takes it away. Only where
   * `isTerminal`.
   */
  redraw(line: string): void;
  /** `err` is a terminal: lines may be drawn again. */
  readonly isTerminal: boolean;
  /** A person can be asked. */
  readonly canAsk: boolean;
  /** Colours are wanted on `out` and `err`. */
  readonly hasColor: boolean;
  /** Width of the terminal behind `err`, in columns. */
  readonly columns: number;
  /** Width of the terminal behind `out`; `Infinity` where it is a file or a pipe. */
  readonly outColumns: number;
  /**
   * Asks for yes or no, in the words given; `undefined` when the question was broken off. Enter
   * alone is a no, and keys that were typed before the question stood there answer nothing.
   */
  ask(
    question: string,
    words: { readonly yes: string; readonly no: string },
  ): Promise<boolean | undefined>;
  /**
   * Asks for one of several answers; `undefined` when the question was broken off. Absent where
   * only yes and no can be asked.
   */
  readonly choose?: (question: string, choices: readonly Choice[]) => Promise<string | undefined>;
  /**
   * Asks for a text, which comes without blanks around it; `undefined` when the question was broken
   * off. Absent where only yes and no can be asked.
   */
  readonly askText?: (question: string) => Promise<string | undefined>;
}

/** One of several answers. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Settings that a command may be given by flags. */
export interface ToolkitOverrides {
  readonly concurrency?: number | undefined;
  readonly requestsPerHour?: number | undefined;
  /** Unit of the listing's prices, where a person says it now. */
  readonly priceUnit?: "minor" | "major" | undefined;
  /** Settings by the names of their environment variables, stronger than the environment. */
  readonly given?: Readonly<Record<string, string>> | undefined;
  /** Asks for a new token even where one is kept, which proves the credentials. @default false */
  readonly freshToken?: boolean | undefined;
  /** Calls that would have to wait longer than this are not made. @default any wait */
  readonly patienceMs?: number | undefined;
  /** Version prefix by resource, stronger than the settings. */
  readonly versions?: Versions | undefined;
}

/** Everything a command works with; it reaches for nothing else. */
export interface CommandContext {
  readonly lang: Lang;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Makes a path absolute, from the folder in which the command was called. */
  readonly resolve: (path: string) => string;
  /** Aborts at the first Ctrl-C: no new calls, those under way are waited for. */
  readonly stop: AbortSignal;
  /** Name of the person, for what is decided by hand. @default unknown */
  readonly user?: string | undefined;
  /** What the configuration file says about pictures. */
  readonly pictures?: PictureOptions | undefined;
  /** Opens the store of the settings; throws `UsageError` when a setting is missing. */
  openToolkit(overrides?: ToolkitOverrides): Promise<Toolkit>;
}

/** The command line or the settings are wrong; nothing was done. */
export class UsageError extends InputError {
  override readonly name = "UsageError";
}
