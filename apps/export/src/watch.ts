/** Tells people on stderr how an export goes. */

import { type Clock } from "@catalog/clock";
import { type ExportEvent, type Terminal } from "@catalog/toolkit";

import { type Texts } from "./texts.ts";
import { wrapFor } from "./wrap.ts";

export interface Watch {
  note(event: ExportEvent): void;
  /** Takes the line of progress away. */
  end(): void;
}

export interface WatchOptions {
  readonly terminal: Pick<Terminal, "err" | "redraw" | "isTerminal" | "columns">;
  readonly clock: Clock;
  readonly texts: Texts;
  /** Shows no progress; plans are told all the same. */
  readonly isQuiet: boolean;
  readonly estimateSeconds: (calls: number) => number;
}

const REDRAW_MS = 100;
const PLAIN_LINE_MS = 10_000;

export function createWatch(options: WatchOptions): Watch {
  const { terminal, clock, texts, isQuiet, estimateSeconds } = options;
  const everyMs = terminal.isTerminal ? REDRAW_MS : PLAIN_LINE_MS;
  let shownAt = terminal.isTerminal ? Number.NEGATIVE_INFINITY : clock.now();
  let isOpen = false;

  const end = (): void => {
    if (isOpen) terminal.redraw("");
    isOpen = false;
  };
  const say = (line: string): void => {
    end();
    terminal.err(`${wrapFor(terminal, line)}\n`);
  };
  const draw = (line: string): void => {
    if (isQuiet || clock.now() - shownAt < everyMs) return;
    shownAt = clock.now();
    if (!terminal.isTerminal) return say(line);
    terminal.redraw(line);
    isOpen = true;
  };

  return {
    end,
    note(event) {
      if (event.event === "resumed") say(texts.resumed(event.items));
      else if (event.event === "planned") {
        say(texts.planned(event.calls, estimateSeconds(event.calls)));
      } else {
        const { items, expected, callsLeft } = event;
        draw(`${texts.reading} ${texts.pages(items, expected, callsLeft)}`);
      }
    },
  };
}
