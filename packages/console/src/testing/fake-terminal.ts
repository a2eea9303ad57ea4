/** A terminal for tests that records what is written to it and answers questions. */

import type { Terminal } from "../terminal.ts";

/** Properties of the terminal and the person's answers. */
export interface FakeTerminalOptions {
  /** @default false */
  readonly isTerminal?: boolean;
  /** @default 80 */
  readonly columns?: number;
  /** The person's answer. @default no person can be asked */
  readonly answer?: boolean;
  /** Called while the question waits for its answer. */
  readonly whileAsked?: () => Promise<void> | void;
  /** The person's choices, one per question; later questions are cancelled. */
  readonly choices?: readonly string[];
}

export interface FakeTerminal extends Terminal {
  /** Everything written to `out` and `err` so far. */
  readonly written: { out: string; err: string };
  readonly questions: string[];
}

/** Creates a terminal for a test. */
export function createFakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const { isTerminal = false, columns = 80, answer } = options;
  const written = { out: "", err: "" };
  const questions: string[] = [];
  const choices = [...(options.choices ?? [])];
  return {
    written,
    questions,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    outFile: (text) => void (written.out += text),
    redraw: (line) => void (written.err += `\r\u001B[2K${line.slice(0, columns - 1)}`),
    isTerminal,
    canAsk: answer !== undefined,
    hasColor: false,
    shown: (text) => text,
    columns,
    outColumns: columns,
    async ask(question) {
      questions.push(question);
      await options.whileAsked?.();
      return answer === true;
    },
    async choose(question, offered) {
      questions.push(`${question} ${offered.map(({ label }) => label).join(" | ")}`);
      const choice = choices.shift();
      return offered.find(({ label }) => label === choice)?.value;
    },
  };
}
