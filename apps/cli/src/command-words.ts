/** The words of a command line, split where flags end. */

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
