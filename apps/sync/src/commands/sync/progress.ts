/** Shows the progress of a sync on stderr. */

import { type Clock } from "@catalog/clock";
import { type Terminal, createProgressLine } from "@catalog/console";
import { type SyncEvent } from "@catalog/feed-sync";

import { type Texts } from "./texts.ts";

export interface WatchOptions {
  readonly terminal: Pick<Terminal, "err" | "redraw" | "isTerminal">;
  readonly clock: Clock;
  readonly texts: Texts;
  readonly isQuiet: boolean;
}

export interface Watch {
  note(event: SyncEvent): void;
  /** Ends the progress line. */
  end(): void;
}

export function createWatch(options: WatchOptions): Watch {
  const line = createProgressLine(options);
  return {
    note: (event) => line.show(() => describe(event, options.texts)),
    end: () => line.clear(),
  };
}

function describe(event: SyncEvent, texts: Texts): string {
  if (event.event === "reading-store") return texts.readingStore(event.products);
  return event.event === "planned"
    ? texts.planned(event.updates)
    : texts.sent(event.done, event.total);
}
