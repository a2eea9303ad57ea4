/** Shows the progress of an export on stderr. */

import type { Clock } from "@catalog/clock";
import { type Terminal, createProgressLine } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import type { ExportEvent } from "@catalog/exporter";

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
  /** Shows no progress; other messages are shown all the same. */
  readonly isQuiet: boolean;
  readonly estimateSeconds: (calls: number) => number;
}

export function createExportProgress(options: ExportProgressOptions): ExportProgress {
  const { terminal, texts, estimateSeconds } = options;
  const line = createProgressLine(options);
  const textOf = (text: string): void => {
    line.clear();
    terminal.err(`${fitTerminal(terminal, text)}\n`);
  };

  return {
    end: () => line.clear(),
    note(event) {
      if (event.event === "resumed") textOf(texts.resumed(event.items));
      else if (event.event === "planned") {
        textOf(texts.planned(event.calls, estimateSeconds(event.calls)));
      } else {
        const { items, expected, callsLeft } = event;
        line.show(() => `${texts.reading} ${texts.pages(items, expected, callsLeft)}`);
      }
    },
  };
}

/** Wraps a line between words on a terminal; otherwise it stays one line. */
export const fitTerminal = (
  { isTerminal, columns }: Pick<Terminal, "isTerminal" | "columns">,
  line: string,
): string => (isTerminal ? wrapText(line, { columns: columns - 1 }) : line);
