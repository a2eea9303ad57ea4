/** The words of a command line, and the flags that every command accepts. */

import type { FlagDefinition } from "@catalog/console";

export interface CommandWords {
  /** The name of the command, its flags and its arguments. */
  readonly words: readonly string[];
  /** Arguments behind `--`, each a value whatever it looks like. */
  readonly values: readonly string[];
}

export function splitValues(argv: readonly string[]): CommandWords {
  const at = argv.indexOf("--");
  return at < 0
    ? { words: argv, values: [] }
    : { words: argv.slice(0, at), values: argv.slice(at + 1) };
}

type GlobalFlags = Readonly<Record<string, Pick<FlagDefinition, "type" | "choices">>>;

/** The flags that every command accepts, with their types; `store` only those that open a store. */
export const GLOBAL_FLAGS: GlobalFlags = {
  store: { type: "string" },
  json: { type: "boolean" },
  lang: { type: "string", choices: ["tr", "en"] },
  quiet: { type: "boolean" },
  "no-color": { type: "boolean" },
  help: { type: "boolean" },
};

/** Commands that open no stored store, so that naming one would mean nothing. */
const STORELESS: ReadonlySet<string> = new Set([
  "completion",
  "db",
  "demo",
  "mcp",
  "sandbox",
  "trust",
]);

/** Whether a command works on a store that can be named. */
export const isOfStore = (command: string): boolean => !STORELESS.has(command);

/** The flags of every command that this one accepts. */
export function globalFlagsOf(command: string): GlobalFlags {
  const { store: _store, ...others } = GLOBAL_FLAGS;
  return isOfStore(command) ? GLOBAL_FLAGS : others;
}
