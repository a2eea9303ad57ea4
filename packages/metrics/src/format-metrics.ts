import { Counter, Gauge, type OpenMetricsContentType, Registry } from "prom-client";

import { METRICS } from "./metric-list.ts";
import type { StoreFacts } from "./read-facts.ts";

/** Writes facts as OpenMetrics text. */
export async function formatMetrics(facts: StoreFacts): Promise<string> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  registry.setDefaultLabels({ store: facts.store });
  for (const { name, type, help, labels, read } of METRICS) {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    const samples = read(facts);
    if (type === "counter") {
      const counter = new Counter(options);
      for (const sample of samples) counter.inc({ ...sample.labels }, sample.value);
    } else {
      const gauge = new Gauge(options);
      // A gauge without labels begins with 0, which would say that nothing is left.
      if (samples.length === 0) registry.removeSingleMetric(name);
      for (const sample of samples) gauge.set({ ...sample.labels }, sample.value);
    }
  }
  return await registry.metrics();
}
