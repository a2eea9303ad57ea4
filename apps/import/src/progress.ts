/**
 * Shows how far a step is: one line that is drawn again on a terminal, and a plain line now and
 * then where the output is a file or a pipe.
 */

import { type Clock } from "@catalog/clock";
import { type Terminal } from "@catalog/toolkit";

import { type Texts } from "./texts.ts";

export interface Progress {
  /** Says that so many of `total` rows are done; `total` may be unknown. */
  update(done: number, total: number | undefined): void;
  /** Ends the line. */
  end(): void;
}

export interface ProgressOptions {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly texts: Texts;
  /** What is being done, such as "Gönderiliyor". */
  readonly label: string;
  readonly quiet: boolean;
}

const REDRAW_MS = 100;
const PLAIN_LINE_MS = 10_000;

/** Rates before this are noise. */
const SETTLED_MS = 500;

export function createProgress(options: ProgressOptions): Progress {
  const { terminal, clock, texts, label, quiet } = options;
  if (quiet) return { update: () => undefined, end: () => undefined };
  const startedAt = clock.now();
  const everyMs = terminal.isTerminal ? REDRAW_MS : PLAIN_LINE_MS;
  let shownAt = terminal.isTerminal ? Number.NEGATIVE_INFINITY : startedAt;
  let last: { done: number; total: number | undefined } | undefined;

  const show = (): void => {
    if (last === undefined) return;
    const line = describe({ ...last, elapsedMs: clock.now() - startedAt }, texts, label);
    if (terminal.isTerminal) terminal.redraw(line);
    else terminal.err(`${line}\n`);
    shownAt = clock.now();
  };

  return {
    update(done, total) {
      last = { done, total };
      if (clock.now() - shownAt >= everyMs) show();
    },
    end() {
      show();
      if (terminal.isTerminal && last !== undefined) terminal.err("\n");
    },
  };
}

interface Moment {
  readonly done: number;
  readonly total: number | undefined;
  readonly elapsedMs: number;
}

function describe({ done, total, elapsedMs }: Moment, texts: Texts, label: string): string {
  const { number } = texts;
  const parts = [total === undefined ? number(done) : `${number(done)}/${number(total)}`];
  if (elapsedMs >= SETTLED_MS && done > 0) {
    const perSecond = (done * 1000) / elapsedMs;
    parts.push(texts.rate(perSecond));
    if (total !== undefined && done < total) {
      parts.push(texts.remaining(Math.ceil((total - done) / perSecond)));
    }
  }
  return `${label} ${parts.join(" · ")}`;
}
