/** Shows how far a step over rows is, its rate, and the remaining time. */

import type { Clock } from "@catalog/clock";
import { type Terminal, createProgressLine } from "@catalog/console";

import type { Texts } from "./texts.ts";

export interface Progress {
  /** Shows that `done` of `total` rows are finished; `total` may be unknown. */
  update(done: number, total: number | undefined): void;
  /** Ends the progress line. */
  end(): void;
}

export interface ProgressOptions {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly texts: Texts;
  /** Name of the step, such as "Gönderiliyor". */
  readonly label: string;
  readonly quiet: boolean;
}

/** Earlier rates are too inaccurate to show. */
const STEADY_MS = 500;

export function createProgress(options: ProgressOptions): Progress {
  const { terminal, clock, texts, label, quiet } = options;
  const line = createProgressLine({ terminal, clock, isQuiet: quiet });
  const startedAt = clock.now();
  return {
    update(done, total) {
      line.show(() => describe({ done, total, elapsedMs: clock.now() - startedAt }, texts, label));
    },
    end: () => line.keep(),
  };
}

interface ProgressState {
  readonly done: number;
  readonly total: number | undefined;
  readonly elapsedMs: number;
}

function describe({ done, total, elapsedMs }: ProgressState, texts: Texts, label: string): string {
  const { number } = texts;
  const parts = [total === undefined ? number(done) : `${number(done)}/${number(total)}`];
  if (elapsedMs >= STEADY_MS && done > 0) {
    const perSecond = (done * 1000) / elapsedMs;
    parts.push(texts.rate(perSecond));
    if (total !== undefined && done < total) {
      parts.push(texts.remaining(Math.ceil((total - done) / perSecond)));
    }
  }
  return `${label} ${parts.join(" · ")}`;
}
