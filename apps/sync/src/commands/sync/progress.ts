/** Shows the progress of a sync on stderr. */

import type { Clock } from "@catalog/clock";
import { type Terminal, createProgressLine } from "@catalog/console";
import type { SyncEvent } from "@catalog/importer";

import type { Texts } from "./texts.ts";

export interface SyncProgressOptions {
  readonly terminal: Pick<Terminal, "err" | "redraw" | "isTerminal">;
  readonly clock: Clock;
  readonly texts: Texts;
  readonly isQuiet: boolean;
}

export interface SyncProgress {
  note(event: SyncEvent): void;
  /** Ends the progress line. */
  end(): void;
}

export function createSyncProgress(options: SyncProgressOptions): SyncProgress {
  const line = createProgressLine(options);
  return {
    note: (event) => line.show(() => describe(event, options.texts)),
    end: () => line.clear(),
  };
}

function describe(event: SyncEvent, texts: Texts): string {
  if (event.event === "retrying-download") {
    return texts.retryingDownload(event.attempt, Math.ceil(event.waitMs / 1000));
  }
  if (event.event === "reading-store") return texts.readingStore(event.products);
  return event.event === "planned"
    ? texts.planned(event.updates)
    : texts.sent(event.done, event.total);
}
