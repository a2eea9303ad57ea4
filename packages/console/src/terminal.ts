/**
 * What a command writes to: a terminal, whose progress is one line that is redrawn, a file or a
 * pipe, which gets a plain line at intervals, or a log, whose lines begin with date and time.
 */

import type { Clock } from "@catalog/clock";

/**
 * Output for people and programs. The result goes to `out`; progress, questions and warnings go to
 * `err`. No control character of a text but the line feed is written: see `toVisibleText`.
 */
export interface Terminal {
  /** Writes text, or a JSON document, whose value is not changed. */
  out(text: string): void;
  err(text: string): void;
  /**
   * The text as `out` and `err` write it: commands as the person's shell knows the program, paths
   * without the shell's folder. A text is made so before it is wrapped, so that its lines do not
   * depend on where the folder is.
   */
  readonly shown: (text: string) => string;
  /** Writes a piece of a file as the result: unchanged, except on a terminal. */
  outFile(text: string): void;
  /** Draws the progress line on `err`; an empty one removes it. Only where `isTerminal`. */
  redraw(line: string): void;
  /** Whether `err` is a terminal, on which lines can be redrawn. */
  readonly isTerminal: boolean;
  /** Words that start the program, for commands in files. @default "catalog" */
  readonly program?: string | undefined;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  /** Whether `out` and `err` should have colours. */
  readonly hasColor: boolean;
  /** Width of the terminal behind `err`, in columns. */
  readonly columns: number;
  /** Width of the terminal behind `out`, in columns; `Infinity` for a file or a pipe. */
  readonly outColumns: number;
  /**
   * Asks for yes or no, in the given words; `undefined` when the question was cancelled. Enter
   * alone means no, and keys that were typed before the question was shown are ignored.
   */
  ask(
    question: string,
    words: { readonly yes: string; readonly no: string },
  ): Promise<boolean | undefined>;
  /**
   * Asks for one of several answers; `undefined` when the question was cancelled. Absent where only
   * yes and no can be asked.
   */
  readonly choose?: (question: string, choices: readonly Choice[]) => Promise<string | undefined>;
  /**
   * Asks for a text and returns it without blanks around it; `undefined` when the question was
   * cancelled. Absent where only yes and no can be asked.
   */
  readonly askText?: (question: string) => Promise<string | undefined>;
}

/** One of several answers. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Prints a document as one line of JSON, for a program that reads the result. */
export function printJson(terminal: Pick<Terminal, "out">, document: object): void {
  terminal.out(`${JSON.stringify(document)}\n`);
}

/** The output that a text is made for; a {@link Terminal} is one. Without a width no line is wrapped. */
export type TextView = Partial<Pick<Terminal, "shown" | "outColumns">>;

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
interface ProgressLineOptions {
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

type LogFormat = "text" | "json";

interface LogTerminalOptions {
  readonly format: LogFormat;
  readonly clock: Pick<Clock, "now">;
  /** Whether `out` carries JSON documents, which stay as they are. */
  readonly json: boolean;
}

/** Wraps a terminal. Lines are not broken at a width, and empty ones are left out. */
export function createLogTerminal(terminal: Terminal, options: LogTerminalOptions): Terminal {
  const { format, clock, json } = options;
  const toLines = (text: string): string =>
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const time = toLogTime(clock.now());
        if (format === "text") return `${time} ${line}\n`;
        return `${JSON.stringify({ time, message: line.trim() })}\n`;
      })
      .join("");
  return {
    ...terminal,
    out: (text) => terminal.out(json ? text : toLines(text)),
    err: (text) => terminal.err(toLines(text)),
    redraw: () => undefined,
    isTerminal: false,
    hasColor: false,
    columns: Infinity,
    outColumns: Infinity,
  };
}

const OFFSET_MS = 3 * 3_600_000;
const SECONDS_LENGTH = "2026-11-27T12:45:03".length;

/** Türkiye's time, which has not changed its offset since 2016, such as `2026-11-27T12:45:03+03:00`. */
const toLogTime = (ms: number): string =>
  `${new Date(ms + OFFSET_MS).toISOString().slice(0, SECONDS_LENGTH)}+03:00`;
