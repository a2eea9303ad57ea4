import { Counter, Gauge, type OpenMetricsContentType, Registry } from "prom-client";

import { AWAY_METRIC, METRICS } from "./metric-list.ts";
import type { AwayStore, StoreFacts } from "./read-facts.ts";

const SECOND_MS = 1000;

/** Writes the facts of stores, and for how long the others are away, as OpenMetrics text. */
export async function formatMetrics(
  stores: readonly StoreFacts[],
  away: readonly AwayStore[] = [],
): Promise<string> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const { name, type, help, labels, read } of METRICS) {
    const options = { name, help, labelNames: [...labels, "store"], registers: [registry] };
    const samples: { labels: Record<string, string>; value: number }[] = stores.flatMap((facts) =>
      read(facts).map(({ labels: own, value }) => ({
        labels: { ...own, store: facts.store },
        value,
      })),
    );
    if (name === AWAY_METRIC) {
      for (const { store, awayMs } of away) {
        samples.push({ labels: { store }, value: awayMs / SECOND_MS });
      }
    }
    if (type === "counter") {
      const counter = new Counter(options);
      for (const sample of samples) counter.inc(sample.labels, sample.value);
    } else {
      const gauge = new Gauge(options);
      // A gauge without labels begins with 0, which would say that nothing is left.
      if (samples.length === 0) registry.removeSingleMetric(name);
      for (const sample of samples) gauge.set(sample.labels, sample.value);
    }
  }
  return await registry.metrics();
}
