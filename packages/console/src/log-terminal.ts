/** A terminal whose lines are those of a log: each one begins with its date and time. */

import type { Clock } from "@catalog/clock";

import type { FlagDefinition } from "./flags.ts";
import type { Terminal } from "./terminal.ts";

export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** How the lines of a command are written that is started by a program. */
export const LOG_FORMAT_FLAG: FlagDefinition = {
  type: "string",
  choices: LOG_FORMATS,
  describe: {
    tr: "Satırları tarih ve saatle başlat (text) ya da her birini JSON nesnesi yap (json) [sürekli çalışırken ve terminal yokken varsayılan: text]",
    en: "Begin lines with date and time (text), or make each one a JSON object (json) [default while it keeps running without a terminal: text]",
  },
};

export interface LogTerminalOptions {
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
