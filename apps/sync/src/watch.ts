/** Tells on stderr how a sync goes. */

import { type Clock } from "@catalog/clock";
import { type SyncEvent, type Terminal } from "@catalog/toolkit";

import { type Texts } from "./texts.ts";

export interface WatchOptions {
  readonly terminal: Pick<Terminal, "err" | "redraw" | "isTerminal">;
  readonly clock: Clock;
  readonly texts: Texts;
  readonly isQuiet: boolean;
}

export interface Watch {
  note(event: SyncEvent): void;
  /** Ends the line. */
  end(): void;
}

const REDRAW_MS = 100;
const PLAIN_LINE_MS = 10_000;

export function createWatch({ terminal, clock, texts, isQuiet }: WatchOptions): Watch {
  const everyMs = terminal.isTerminal ? REDRAW_MS : PLAIN_LINE_MS;
  let shownAt = terminal.isTerminal ? Number.NEGATIVE_INFINITY : clock.now();
  let isOpen = false;
  return {
    note(event) {
      if (isQuiet || clock.now() - shownAt < everyMs) return;
      shownAt = clock.now();
      const line = describe(event, texts);
      if (!terminal.isTerminal) return terminal.err(`${line}\n`);
      terminal.redraw(line);
      isOpen = true;
    },
    end() {
      if (isOpen) terminal.redraw("");
      isOpen = false;
    },
  };
}

function describe(event: SyncEvent, texts: Texts): string {
  if (event.event === "reading-store") return texts.readingStore(event.products);
  return event.event === "planned"
    ? texts.planned(event.updates)
    : texts.sent(event.done, event.total);
}
