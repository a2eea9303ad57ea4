import { type Terminal } from "@catalog/toolkit";
import { confirm, isCancel } from "@clack/prompts";

/** The parts of `process` that a terminal is made of. */
export type Streams = Pick<NodeJS.Process, "stdin" | "stdout" | "stderr" | "env">;

const DEFAULT_COLUMNS = 80;

/** The streams of the process; `argv` is searched for `--no-color`. */
export function createTerminal(
  { stdin, stdout, stderr, env }: Streams,
  argv: readonly string[],
): Terminal {
  const isPlain = Boolean(env["NO_COLOR"]) || env["TERM"] === "dumb" || argv.includes("--no-color");
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    // A line is drawn again only where the terminal understands it.
    isTerminal: stderr.isTTY && env["TERM"] !== "dumb",
    canAsk: stdin.isTTY && stderr.isTTY,
    hasColor: stderr.isTTY && !isPlain,
    columns: stderr.columns || DEFAULT_COLUMNS,
    outColumns: stdout.isTTY ? stdout.columns || DEFAULT_COLUMNS : Number.POSITIVE_INFINITY,
    async ask(question, { yes, no }) {
      const answer = await confirm({
        message: question,
        active: yes,
        inactive: no,
        input: stdin,
        output: stderr,
      });
      return !isCancel(answer) && answer;
    },
  };
}
