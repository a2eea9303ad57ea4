/** Serves the metrics of the store beside the page. */

import type { Connection } from "@catalog/connection";
import { createStoreMetrics, METRICS_TYPE, type StoreMetrics } from "@catalog/metrics";
import type { FastifyInstance } from "fastify";

import type { Site } from "./site.ts";

/**
 * Adds `GET /metrics` at the root of the server. Needs no session, as a scraper has none: it tells
 * numbers, the id of the store and ids of schedules, and nothing of products, files or people.
 */
export function addMetricsRoute(server: FastifyInstance, { store }: Pick<Site, "store">): void {
  const known = new WeakMap<Connection, StoreMetrics>();
  const metricsOf = (connection: Connection): StoreMetrics => {
    const metrics =
      known.get(connection) ??
      createStoreMetrics({ clock: connection.clock, stores: [connection] });
    known.set(connection, metrics);
    return metrics;
  };
  server.get("/metrics", async (_request, reply) => {
    const text = await metricsOf(await store.connection()).read();
    await reply.header("cache-control", "no-store").type(METRICS_TYPE).send(text);
  });
}
