/**
 * Shows the progress of a step: one line that is redrawn on a terminal, and a plain line at
 * intervals where the output is a file or a pipe.
 */

import type { Clock } from "@catalog/clock";

import type { Terminal } from "./terminal.ts";

/** The progress line of one step. */
export interface ProgressLine {
  /** Shows the line if the last one was shown long enough; it is made only then. */
  show(line: () => string): void;
  /** Removes the line from a terminal. */
  clear(): void;
  /** Shows the last line regardless of the interval, and leaves it there. */
  keep(): void;
}

/** Where the line is shown. */
export interface ProgressLineOptions {
  readonly terminal: Pick<Terminal, "err" | "redraw" | "isTerminal">;
  readonly clock: Clock;
  /** Whether nothing is shown. */
  readonly isQuiet: boolean;
}

const REDRAW_MS = 100;
const PLAIN_LINE_MS = 10_000;

/**
 * Creates a progress line: redrawn ten times a second on a terminal, written every ten seconds
 * elsewhere.
 */
export function createProgressLine(options: ProgressLineOptions): ProgressLine {
  const { terminal, clock, isQuiet } = options;
  const everyMs = terminal.isTerminal ? REDRAW_MS : PLAIN_LINE_MS;
  let shownAt = terminal.isTerminal ? Number.NEGATIVE_INFINITY : clock.now();
  let last: (() => string) | undefined;
  let isOpen = false;

  const draw = (line: () => string): void => {
    shownAt = clock.now();
    if (!terminal.isTerminal) return terminal.err(`${line()}\n`);
    terminal.redraw(line());
    isOpen = true;
  };

  return {
    show(line) {
      if (isQuiet) return;
      last = line;
      if (clock.now() - shownAt >= everyMs) draw(line);
    },
    clear() {
      if (isOpen) terminal.redraw("");
      isOpen = false;
    },
    keep() {
      if (last === undefined) return;
      draw(last);
      if (terminal.isTerminal) terminal.err("\n");
      isOpen = false;
    },
  };
}
