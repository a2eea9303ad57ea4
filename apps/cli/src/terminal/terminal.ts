/**
 * The only writer of the program. It adds only `CLEAR_LINE` itself; questions add their own control
 * codes.
 */

import { sep } from "node:path";
import type { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

import { breakLine, type Terminal } from "@catalog/console";
import { nameProgram } from "@catalog/i18n";
import { toVisibleLine, toVisibleText } from "@catalog/sheets/visible-text";

import type { Environment } from "../settings/settings.ts";
import { createQuestions, type KeyInput } from "./questions.ts";

/** The terminal behind a stream; undefined fields where there is none. */
interface Screen {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** The parts of `process` that a terminal is made of. */
export interface Streams {
  /**
   * The words that start the program; they take the place of `catalog` in the commands of a text.
   * @default catalog
   */
  readonly program?: string | undefined;
  /** Folder of the shell, in which paths are shown without it. @default none */
  readonly cwd?: string | undefined;
  readonly stdin: KeyInput;
  readonly stdout: Writable & Screen;
  readonly stderr: Writable & Screen;
  readonly env: Environment;
}

const DEFAULT_COLUMNS = 80;

const CLEAR_LINE = "\r\u001B[2K";

/** Maximum length of a line; an answer of the marketplace may be longer. */
const MAX_LINE_CHARS = 4_000;

/**
 * Uses the streams of the process; `argv` is searched for `--no-color`. `stop` cancels an open
 * question.
 */
export function createTerminal(
  { stdin, stdout, stderr, env, program, cwd }: Streams,
  argv: readonly string[],
  stop?: AbortSignal,
): Terminal {
  const isPlain = Boolean(env["NO_COLOR"]) || env["TERM"] === "dumb" || argv.includes("--no-color");
  const isSeen = stderr.isTTY === true;
  const columns = stderr.columns || DEFAULT_COLUMNS;
  const isRead = stdout.isTTY === true;
  const adapt = (text: string): string => adaptToShell(text, { program, cwd });
  // A document is read by a program, and its texts are parts of JSON strings.
  const isDocument = argv.includes("--json");
  const outColumns = isRead ? stdout.columns || DEFAULT_COLUMNS : Number.POSITIVE_INFINITY;
  const write = (text: string): void => void stdout.write(toVisibleText(text));
  const out = (text: string): void => {
    write(isDocument ? text : adaptLines(text, adapt, outColumns));
  };
  return {
    program,
    out,
    // stderr is for people, while stdout may be read by a program.
    err(text) {
      const shown = toVisibleText(adapt(shortenLines(text)));
      stderr.write(isSeen ? fitLines(shown, columns) : shown);
    },
    outFile(text) {
      if (isRead) write(text.replaceAll(/\r(?=\n|$)/gu, ""));
      else stdout.write(text);
    },
    redraw: (line) => void stderr.write(CLEAR_LINE + toVisibleLine(line).slice(0, columns - 1)),
    // A line is redrawn only on a terminal that supports it.
    isTerminal: isSeen && env["TERM"] !== "dumb",
    canAsk: stdin.isTTY === true && isSeen,
    hasColor: isSeen && !isPlain,
    shown: adapt,
    columns,
    outColumns,
    ...createQuestions({ stdin, stderr, stop }),
  };
}

function shortenLines(text: string): string {
  if (text.length <= MAX_LINE_CHARS) return text;
  return text
    .split("\n")
    .map((line) => (line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line))
    .join("\n");
}

/** Only lines that become too long are wrapped again. */
function adaptLines(text: string, adapt: (text: string) => string, columns: number): string {
  const adapted = adapt(text);
  if (adapted === text) return text;
  const lines = text.split("\n");
  return adapted
    .split("\n")
    .map((line, index) => (line === lines[index] ? line : fitLines(line, columns)))
    .join("\n");
}

/* Writes commands and paths of a text as they are typed in the person's shell. */

/** What the person types, and where. */
interface Shell {
  /** @default catalog */
  readonly program?: string | undefined;
  /** @default paths stay as they are */
  readonly cwd?: string | undefined;
}

/** Names the program in commands, and leaves the shell's folder out of paths. */
export function adaptToShell(text: string, { program = "catalog", cwd }: Shell): string {
  const named = nameProgram(text, program);
  if (cwd === undefined || cwd.endsWith(sep) || !named.includes(cwd)) return named;
  return named.replaceAll(insideOf(cwd), "");
}

/** The folder at the beginning of a path of a file in it; `file:///home/…` is no such path. */
const insideOf = (folder: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_./\\-])${escape(folder + sep)}(?=\S)`, "gu");

const escape = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`);

/* Wraps lines that are longer than the screen between words. */

/**
 * Indentation with the mark of a remark or a warning; wrapped lines are indented to the same
 * column.
 */
const START = /^ *(?:[!·✗→] +)?/u;

/** An entry of a list: an id, and what it stands for in a second column. */
const ENTRY = /^ +[^\s:]+ {2,}(?=\S)/u;

/** Where the second column has less than half of the screen, the first one is no indentation. */
const NARROW_INDENT = 4;

/** Wraps a text to `columns`; only longer words and commands exceed them. */
export function fitLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => (widthOf(line) > columns ? fitLine(line, columns) : line))
    .join("\n");
}

const fitLine = (line: string, columns: number): string =>
  breakLine(line, { columns, indent: indentOf(line, columns), widthOf });

function indentOf(line: string, columns: number): number {
  const entry = ENTRY.exec(line)?.[0].length;
  if (entry === undefined) return START.exec(line)?.[0].length ?? 0;
  return entry <= columns / 2 ? entry : NARROW_INDENT;
}

const widthOf = (line: string): number => Array.from(stripVTControlCharacters(line)).length;
