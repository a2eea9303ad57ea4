/** The metrics of stores. Facts are read when they are asked for, and kept for some seconds. */

import { type MetricTools, readFacts } from "./read-facts.ts";

export type { MetricTools } from "./read-facts.ts";

/** The metrics of stores, as a scraper reads them. */
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

export interface StoreMetricsOptions {
  readonly clock: MetricTools["clock"];
  /** Opened stores, each with another id. */
  readonly stores: readonly MetricTools[];
}

/** Creates the metrics; nothing is read yet. */
export function createStoreMetrics({ clock, stores }: StoreMetricsOptions): StoreMetrics {
  let kept: Kept | undefined;
  const readTimed = async (): Promise<string> => {
    const startedAtMs = clock.now();
    const text = await readText(stores);
    const tookMs = clock.now() - startedAtMs;
    if (kept !== undefined) kept.untilMs = clock.now() + Math.max(KEEP_MS, tookMs * SHARE);
    return text;
  };
  return {
    async read() {
      // A reading would wait until the database is back, and is not kept.
      if (stores.some(({ meters }) => meters.outage() !== undefined)) return await readText(stores);
      if (kept === undefined || clock.now() >= kept.untilMs) {
        // Questions that come meanwhile wait for the same text.
        kept = { text: readTimed(), untilMs: Infinity };
      }
      try {
        return await kept.text;
      } catch (error) {
        kept = undefined;
        throw error;
      }
    },
  };
}

async function readText(stores: readonly MetricTools[]): Promise<string> {
  // Loaded with the first question, as most processes are never asked.
  const { formatMetrics } = await import("./format-metrics.ts");
  const away = stores.flatMap(({ storeId, clock, meters }) => {
    const outage = meters.outage();
    return outage === undefined ? [] : [{ store: storeId, awayMs: clock.now() - outage.sinceMs }];
  });
  const readable = stores.filter(({ meters }) => meters.outage() === undefined);
  return await formatMetrics(await Promise.all(readable.map((tools) => readFacts(tools))), away);
}
