/** What a store's operators measure, as OpenMetrics text. The names are a contract: dashboards and
 * alarms use them. Facts are read from the database when they are asked for, without a visit to the
 * rows of finished runs, and kept for some seconds. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import type { Connection } from "@catalog/connection";
import { STATE_TABLE } from "@catalog/runs";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { OpenMetricsContentType } from "prom-client";

import { type QueueState, readQueues } from "./read-queues.ts";
import { readScheduleHealth, type ScheduleHealth } from "./schedule-health.ts";

/** The value of a metric for one set of labels. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric. A counter never falls; its name ends in `_total`. */
interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: (facts: StoreFacts) => readonly Sample[];
}

const SECOND_MS = 1000;

const one = (value: number): readonly Sample[] => [{ labels: {}, value }];

/** The only metric of a store whose database is away. */
const AWAY_METRIC = "catalog_database_away_seconds";

const METRICS: readonly Metric[] = [
  {
    name: "catalog_store_info",
    type: "gauge",
    help: "1 for each store that has a name on this machine; the name may change.",
    labels: ["name"],
    read: ({ name }) => (name === "" ? [] : [{ labels: { name }, value: 1 }]),
  },
  {
    name: AWAY_METRIC,
    type: "gauge",
    help: "How long this process has waited for its database by now; 0 while it can be used. All else is missing meanwhile.",
    labels: [],
    read: () => one(0),
  },
  {
    name: "catalog_calls_total",
    type: "counter",
    help: "Calls to the marketplace by every process, by kind (token, read, write) and outcome (ok, limited, refused, failed, lost, aborted, unsent).",
    labels: ["kind", "outcome"],
    read: ({ calls }) =>
      calls.map(({ kind, outcome, calls: value }) => ({ labels: { kind, outcome }, value })),
  },
  {
    name: "catalog_calls_last_hour",
    type: "gauge",
    help: "Calls of the last hour that count against the hourly limit of the application.",
    labels: [],
    read: ({ callsLastHour }) => one(callsLastHour),
  },
  {
    name: "catalog_budget_calls_per_hour",
    type: "gauge",
    help: "Calls an hour that are allowed now, as set or as learnt from refusals; missing where no limit is known.",
    labels: [],
    read: ({ callsPerHour }) => (callsPerHour === undefined ? [] : one(callsPerHour)),
  },
  {
    name: "catalog_budget_calls_left",
    type: "gauge",
    help: "Calls that are left of the hourly limit; missing where no limit is known.",
    labels: [],
    read: ({ callsPerHour, callsLastHour }) =>
      callsPerHour === undefined ? [] : one(Math.max(0, callsPerHour - callsLastHour)),
  },
  {
    name: "catalog_calls_paused",
    type: "gauge",
    help: "1 while all calls wait, as the marketplace has refused some for being too many; else 0.",
    labels: [],
    read: ({ isPaused }) => one(isPaused ? 1 : 0),
  },
  {
    name: "catalog_open_runs",
    type: "gauge",
    help: "Runs that are not finished, 20 at most.",
    labels: [],
    read: ({ openRuns }) => one(openRuns),
  },
  {
    name: "catalog_rows",
    type: "gauge",
    help: "Rows of the runs that are not finished, by state.",
    labels: ["state"],
    read: ({ rows }) =>
      STATE_TABLE.all.map((state) => ({ labels: { state }, value: rows.get(state) ?? 0 })),
  },
  {
    name: "catalog_queue_length",
    type: "gauge",
    help: "Work that is due and not begun, by what starts it.",
    labels: ["kind"],
    read: ({ queues }) => queues.map(({ kind, waiting }) => ({ labels: { kind }, value: waiting })),
  },
  {
    name: "catalog_queue_age_seconds",
    type: "gauge",
    help: "How long the oldest work that is due and not begun has waited, by what starts it; 0 where none waits.",
    labels: ["kind"],
    read: ({ queues }) =>
      queues.map(({ kind, ageMs }) => ({ labels: { kind }, value: ageMs / SECOND_MS })),
  },
  {
    name: "catalog_queue_failing",
    type: "gauge",
    help: "Runs left to the workers whose latest attempt has failed; they are tried again until a person gives them up.",
    labels: [],
    read: ({ queues }) => one(queues.reduce((sum, { failing }) => sum + failing, 0)),
  },
  {
    name: "catalog_lease_takeovers_total",
    type: "counter",
    help: "Leases that were taken although their owner had not given them back, by what they lock; only on PostgreSQL.",
    labels: ["lease"],
    read: ({ takeOvers }) =>
      takeOvers.map(({ kind, takeOvers: value }) => ({ labels: { lease: kind }, value })),
  },
  {
    name: "catalog_feed_age_seconds",
    type: "gauge",
    help: "Time since a sync of this schedule last did its job, or since the schedule was added; paused ones are left out.",
    labels: ["feed"],
    read: ({ feeds }) =>
      feeds.map(({ id, ageMs }) => ({ labels: { feed: id }, value: ageMs / SECOND_MS })),
  },
  {
    name: "catalog_feed_healthy",
    type: "gauge",
    help: "1 while a sync of this schedule has done its job lately, within twice the time between syncs and 15 minutes; else 0.",
    labels: ["feed"],
    read: ({ feeds }) =>
      feeds.map(({ id, isHealthy }) => ({ labels: { feed: id }, value: isHealthy ? 1 : 0 })),
  },
  {
    name: "catalog_feed_failures_in_row",
    type: "gauge",
    help: "Syncs of this schedule since the last one that did its job.",
    labels: ["feed"],
    read: ({ feeds }) =>
      feeds.map(({ id, failuresInRow }) => ({ labels: { feed: id }, value: failuresInRow })),
  },
];

/** The members of a connection that are measured. */
interface MetricTools extends Pick<
  Connection,
  "baseUrl" | "storeId" | "storeName" | "clock" | "listOpenRuns"
> {
  readonly journal: Pick<Connection["journal"], "countRows">;
  readonly memory: Pick<Connection["memory"], "schedules" | "jobs">;
  readonly locks: Pick<Connection["locks"], "takeOvers">;
  readonly meters: Pick<Connection["meters"], "callTotals" | "pacing" | "outage">;
}

/** What is measured of one store at one moment. */
interface StoreFacts {
  readonly store: string;
  /** Empty where it has none. */
  readonly name: string;
  readonly calls: Awaited<ReturnType<MetricTools["meters"]["callTotals"]["read"]>>;
  readonly openRuns: number;
  /** Rows of the runs that are not finished. */
  readonly rows: ReadonlyMap<string, number>;
  readonly queues: readonly QueueState[];
  readonly takeOvers: Awaited<ReturnType<MetricTools["locks"]["takeOvers"]>>;
  readonly callsLastHour: number;
  /** `undefined` is unlimited. */
  readonly callsPerHour: number | undefined;
  readonly isPaused: boolean;
  readonly feeds: readonly FeedFacts[];
}

/** A store whose database is away, and for how long by now. */
interface AwayStore {
  readonly store: string;
  readonly awayMs: number;
}

/** How the schedule of a feed fares. */
interface FeedFacts extends Pick<ScheduleHealth, "isHealthy" | "failuresInRow"> {
  /** Id of its schedule; a path or an address could tell more than a number should. */
  readonly id: string;
  /** How old the data of the feed is in the store. */
  readonly ageMs: number;
}

/** Runs whose rows are counted: the last changed ones, as plans that nobody applies stay for months. */
const MAX_RUNS = 20;

/** Reads all facts of the store. */
async function readFacts(tools: MetricTools): Promise<StoreFacts> {
  const { storeId, storeName = "", locks, meters } = tools;
  const { pacing, callTotals } = meters;
  const runs = await tools.listOpenRuns(MAX_RUNS);
  return {
    store: storeId,
    name: storeName,
    calls: await callTotals.read(),
    openRuns: runs.length,
    rows: await countRows(tools, runs),
    queues: await readQueues(tools),
    takeOvers: await locks.takeOvers(),
    callsLastHour: await pacing.callsLastHour(),
    callsPerHour: await pacing.callsPerHour(),
    isPaused: (await pacing.pause()) !== undefined,
    feeds: await readFeeds(tools),
  };
}

async function countRows(
  { journal }: Pick<MetricTools, "journal">,
  runs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  for (const run of runs) {
    for (const { state, rows } of await journal.countRows(run)) {
      sums.set(state, rows + (sums.get(state) ?? 0));
    }
  }
  return sums;
}

/** Of each feed that is not paused; one that was never taken is as old as its schedule. */
async function readFeeds({
  memory,
  clock,
}: Pick<MetricTools, "memory" | "clock">): Promise<readonly FeedFacts[]> {
  const nowMs = clock.now();
  const schedules = await memory.schedules.list();
  return schedules
    .filter(({ state }) => state === "active")
    .map((schedule) => {
      const { isHealthy, failuresInRow, succeededAtMs } = readScheduleHealth(schedule, { nowMs });
      const ageMs = Math.max(0, nowMs - (succeededAtMs ?? schedule.createdAtMs));
      return { id: schedule.id, ageMs, isHealthy, failuresInRow };
    });
}

/** Writes the facts of stores, and for how long the others are away, as OpenMetrics text. */
async function formatMetrics(
  stores: readonly StoreFacts[],
  away: readonly AwayStore[],
): Promise<string> {
  // Loaded with the first question, as most processes are never asked.
  const { Counter, Gauge, Registry } = await import("prom-client");
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

/** The metrics of stores, as a scraper reads them. */
interface StoreMetrics {
  /** Media type of the text. */
  readonly type: string;
  /** Returns the metrics as OpenMetrics text, some seconds old at most. */
  read(): Promise<string>;
}

/** Of OpenMetrics 1.0. */
const TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** How long facts are kept at least, in milliseconds. */
const KEEP_MS = 5_000;

/** Reading takes at most one part in this many of the time, however often it is asked for. */
const SHARE = 50;

interface Kept {
  readonly text: Promise<string>;
  untilMs: number;
}

interface StoreMetricsOptions {
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
    type: TYPE,
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
  const away = stores.flatMap(({ storeId, clock, meters }) => {
    const outage = meters.outage();
    return outage === undefined ? [] : [{ store: storeId, awayMs: clock.now() - outage.sinceMs }];
  });
  const readable = stores.filter(({ meters }) => meters.outage() === undefined);
  return await formatMetrics(await Promise.all(readable.map((tools) => readFacts(tools))), away);
}

interface ServeMetricsOptions {
  readonly metrics: StoreMetrics;
  /** 0 for any free one. */
  readonly port: number;
  /** Takes the error of a reading that failed; its scraper does not see it. */
  readonly onError: (error: unknown) => void;
}

/** A server that listens; disposing of it ends its connections. */
interface ServedMetrics extends AsyncDisposable {
  readonly url: string;
}

const HOST = "127.0.0.1";

/** Path of the metrics on every server of the program. */
const PATH = "/metrics";

/** A scraper sends a few hundred bytes from this computer. */
const ARRIVAL_MS = 5_000;
const MAX_CONNECTIONS = 16;

/** Listens on 127.0.0.1. Rejects with the system's error where the port cannot be used. */
export async function serveMetrics(options: ServeMetricsOptions): Promise<ServedMetrics> {
  const server = createServer(
    { headersTimeout: ARRIVAL_MS, requestTimeout: ARRIVAL_MS, connectionsCheckingInterval: 1_000 },
    (request, response) => void answer(options, request, response),
  );
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, options.port);
  return {
    url: `http://${HOST}:${port}${PATH}`,
    async [Symbol.asyncDispose]() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      await promise;
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once("error", reject);
  server.listen({ host: HOST, port }, () => {
    server.off("error", reject);
    const address = server.address();
    resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
  });
  return promise;
}

async function answer(
  { metrics, onError }: ServeMetricsOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const status = judge(request);
  if (status !== 200) {
    send(request, response, { status, type: "text/plain", body: "" });
    return;
  }
  try {
    send(request, response, { status, type: metrics.type, body: await metrics.read() });
  } catch (error) {
    onError(error);
    send(request, response, { status: 503, type: "text/plain", body: "" });
  }
}

/** Names by which this computer reaches the server. */
const HOSTS: readonly string[] = ["127.0.0.1", "localhost"];

/**
 * Status of the answer. Another host than this computer would be a site whose name was bound to this
 * address anew (DNS rebinding); pages of other sites are refused, too.
 */
function judge({ method, url, headers, rawHeaders, socket }: IncomingMessage): number {
  const names = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  const host = headers.host?.toLowerCase() ?? "";
  const isOurs = HOSTS.some((name) => host === `${name}:${socket.localPort}`);
  if (names.length !== 1 || !isOurs) return 421;
  if (headers.origin !== undefined) return 403;
  if (url?.split("?")[0] !== PATH) return 404;
  return method === "GET" || method === "HEAD" ? 200 : 405;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, type, body }: Answer,
): void {
  response.writeHead(status, {
    "cache-control": "no-store",
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "x-content-type-options": "nosniff",
    ...(status !== 200 && { connection: "close" }),
  });
  response.end(method === "HEAD" ? undefined : body);
}
