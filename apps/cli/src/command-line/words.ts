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

/** The flags that every command accepts, with their types. */
export const GLOBAL_FLAGS: Readonly<Record<string, Pick<FlagDefinition, "type" | "choices">>> = {
  json: { type: "boolean" },
  lang: { type: "string", choices: ["tr", "en"] },
  quiet: { type: "boolean" },
  "no-color": { type: "boolean" },
  help: { type: "boolean" },
};
