/** Shows the progress of an export on stderr. */

import type { Clock } from "@catalog/clock";
import { type Terminal, createProgressLine } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import type { ExportEvent } from "@catalog/exporter";
import type { ExportKind } from "@catalog/exporter/kinds";
import { formatDateTime, type Lang } from "@catalog/i18n";

import type { Texts } from "./texts.ts";

export interface ExportProgress {
  note(event: ExportEvent): void;
  /** Clears the progress line. */
  end(): void;
}

export interface ExportProgressOptions {
  readonly terminal: Pick<Terminal, "err" | "redraw" | "isTerminal" | "columns">;
  readonly clock: Clock;
  readonly texts: Texts;
  readonly kind: ExportKind;
  readonly lang: Lang;
  /** Shows no progress; other messages are shown all the same. */
  readonly isQuiet: boolean;
  /** Estimates how long calls take. */
  readonly estimateSeconds: (calls: number) => Promise<number>;
}

/** Earlier, the first pages would make the remaining time many times too long. */
const REMAINING_MS = 2_000;

export function createExportProgress(options: ExportProgressOptions): ExportProgress {
  const { terminal, clock, texts, estimateSeconds } = options;
  let line = createProgressLine(options);
  const startedAt = clock.now();
  let callsAtStart: number | undefined;
  /** Seconds that the calls still take, by the rate of those that were made. */
  const toSecondsLeft = (callsLeft: number | undefined): number | undefined => {
    callsAtStart ??= callsLeft;
    const made = (callsAtStart ?? 0) - (callsLeft ?? 0);
    if (callsLeft === undefined || callsLeft === 0 || made <= 0) return undefined;
    const elapsedMs = clock.now() - startedAt;
    if (elapsedMs < REMAINING_MS) return undefined;
    return Math.ceil((elapsedMs / made / 1000) * callsLeft);
  };
  let isEnded = false;
  /** Says what was estimated; nothing where it cannot be. */
  const sayPlanned = async (calls: number): Promise<void> => {
    const seconds = await estimateSeconds(calls);
    if (!isEnded) textOf(texts.planned(calls, seconds));
  };
  const textOf = (text: string): void => {
    line.clear();
    terminal.err(`${fitTerminal(terminal, text)}\n`);
  };

  return {
    end() {
      isEnded = true;
      line.clear();
    },
    note(event) {
      if (event.event === "resumed") textOf(texts.resumed(event.items));
      else if (event.event === "since") textOf(sinceText(options, event.atMs));
      else if (event.event === "period") textOf(texts.period(event));
      else if (event.event === "planned") {
        // The calls continue meanwhile, and end with the error that prevents an estimate.
        sayPlanned(event.calls).catch(() => undefined);
      } else if (event.event === "writing") {
        line.clear();
        line = createProgressLine(options);
        line.show(() => texts.writing);
      } else {
        const secondsLeft = toSecondsLeft(event.callsLeft);
        line.show(() => `${texts.reading} ${texts.pages(event, secondsLeft)}`);
      }
    },
  };
}

/** In the zone of the marketplace, as the times in the file. */
const ZONE = { dateStyle: "short", timeStyle: "short", timeZone: "Europe/Istanbul" } as const;

const sinceText = (
  { texts, kind, lang }: ExportProgressOptions,
  atMs: number | undefined,
): string =>
  atMs === undefined ? texts.sinceNothing : texts.since(kind, formatDateTime(atMs, lang, ZONE));

/** Wraps a line between words on a terminal; otherwise it stays one line. */
export const fitTerminal = (
  { isTerminal, columns }: Pick<Terminal, "isTerminal" | "columns">,
  line: string,
): string => (isTerminal ? wrapText(line, { columns: columns - 1 }) : line);
