/** A command of a terminal program, as data: help, parsing and registration come from it. */

import { type Clock } from "@catalog/clock";
import { type Lang, type Localized } from "@catalog/i18n";

import { type FlagDefinition, type Flags } from "./flags.ts";
import { type Terminal } from "./terminal.ts";

/** What a command is called, what it takes and what it does. */
export interface Command<Context extends CommandContext = CommandContext> {
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
  run(context: Context, flags: Flags): Promise<number>;
}

/** Everything that any command works with; it reaches for nothing else. */
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
}
