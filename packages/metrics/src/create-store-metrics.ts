/** The metrics of one store. Facts are read when they are asked for, and kept for some seconds. */

import { type MetricTools, readFacts } from "./read-facts.ts";

export type { MetricTools } from "./read-facts.ts";

/** The metrics of a store, as a scraper reads them. */
export interface StoreMetrics {
  /** Returns the metrics as OpenMetrics text, some seconds old at most. */
  read(): Promise<string>;
}

/** The media type of the text (OpenMetrics 1.0). */
export const METRICS_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** How long facts are kept at least, in milliseconds. */
const KEEP_MS = 5_000;

/** Reading takes at most one part in so many of the time, however often it is asked for. */
const SHARE = 50;

interface Kept {
  readonly text: Promise<string>;
  untilMs: number;
}

/** Creates the metrics; nothing is read yet. */
export function createStoreMetrics(tools: MetricTools): StoreMetrics {
  const { clock } = tools;
  let kept: Kept | undefined;
  const readAnew = (): Kept => {
    const startedAtMs = clock.now();
    const anew: Kept = { text: readText(tools), untilMs: Infinity };
    void anew.text.then(
      () => {
        const tookMs = clock.now() - startedAtMs;
        anew.untilMs = clock.now() + Math.max(KEEP_MS, tookMs * SHARE);
      },
      () => {
        // The next question tries again.
        anew.untilMs = -Infinity;
      },
    );
    return anew;
  };
  return {
    read() {
      if (kept === undefined || clock.now() >= kept.untilMs) kept = readAnew();
      return kept.text;
    },
  };
}

async function readText(tools: MetricTools): Promise<string> {
  // Loaded with the first question, as most processes are never asked.
  const { formatMetrics } = await import("./format-metrics.ts");
  return await formatMetrics(await readFacts(tools));
}
