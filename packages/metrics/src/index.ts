export {
  createStoreMetrics,
  METRICS_TYPE,
  type MetricTools,
  type StoreMetrics,
  type StoreMetricsOptions,
} from "./create-store-metrics.ts";
export { serveMetrics, type ServedMetrics, type ServeMetricsOptions } from "./serve-metrics.ts";
