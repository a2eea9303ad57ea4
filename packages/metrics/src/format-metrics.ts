import { Counter, Gauge, type OpenMetricsContentType, Registry } from "prom-client";

import { METRICS } from "./metric-list.ts";
import type { StoreFacts } from "./read-facts.ts";

/** Writes the facts of stores as OpenMetrics text. */
export async function formatMetrics(stores: readonly StoreFacts[]): Promise<string> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const { name, type, help, labels, read } of METRICS) {
    const options = { name, help, labelNames: [...labels, "store"], registers: [registry] };
    const samples = stores.flatMap((facts) =>
      read(facts).map(({ labels: own, value }) => ({
        labels: { ...own, store: facts.store },
        value,
      })),
    );
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
