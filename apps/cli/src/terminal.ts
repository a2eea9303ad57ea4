import { type Writable } from "node:stream";

import { type Terminal } from "@catalog/toolkit/command";

import { type KeyInput } from "./drop-pending-keys.ts";
import { fitLines } from "./fit-lines.ts";
import { createQuestions } from "./questions.ts";
import { type Environment } from "./settings.ts";

/** What a stream tells of the terminal behind it; nothing where there is none. */
interface Screen {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** The parts of `process` that a terminal is made of. */
export interface Streams {
  readonly stdin: KeyInput;
  readonly stdout: Writable & Screen;
  readonly stderr: Writable & Screen;
  readonly env: Environment;
}

const DEFAULT_COLUMNS = 80;

/**
 * The streams of the process; `argv` is searched for `--no-color`. `stop` breaks a question off, as
 * a signal from outside does not.
 */
export function createTerminal(
  { stdin, stdout, stderr, env }: Streams,
  argv: readonly string[],
  stop?: AbortSignal,
): Terminal {
  const isPlain = Boolean(env["NO_COLOR"]) || env["TERM"] === "dumb" || argv.includes("--no-color");
  const isSeen = stderr.isTTY === true;
  const columns = stderr.columns || DEFAULT_COLUMNS;
  return {
    out: (text) => void stdout.write(text),
    // What goes there is for people, while the result may be for a program behind a terminal.
    err: (text) => void stderr.write(isSeen ? fitLines(text, columns) : text),
    // A line is drawn again only where the terminal understands it.
    isTerminal: isSeen && env["TERM"] !== "dumb",
    canAsk: stdin.isTTY === true && isSeen,
    hasColor: isSeen && !isPlain,
    columns,
    outColumns:
      stdout.isTTY === true ? stdout.columns || DEFAULT_COLUMNS : Number.POSITIVE_INFINITY,
    ...createQuestions({ stdin, stderr, stop }),
  };
}
