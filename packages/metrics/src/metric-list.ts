/** Every metric: its name, what it says, and its values. The labels of all have the store, too. */

import { ROW_STATES } from "@catalog/runs";

import type { StoreFacts } from "./read-facts.ts";

/** The value of a metric for one set of labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric. A counter never falls; its name ends in `_total`. */
export interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: (facts: StoreFacts) => readonly Sample[];
}

const SECOND_MS = 1000;

const one = (value: number): readonly Sample[] => [{ labels: {}, value }];

/** The only metric of a store whose database is away. */
export const AWAY_METRIC = "catalog_database_away_seconds";

/** The names are a contract: dashboards and alarms use them. */
export const METRICS: readonly Metric[] = [
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
      ROW_STATES.map((state) => ({ labels: { state }, value: rows.get(state) ?? 0 })),
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
