/** The stores of the comparison of queues, and how pg-boss is run for them. */

export const STORES = 1_000;

export const storeOf = (at: number): { readonly baseUrl: string; readonly storeId: string } => ({
  baseUrl: "http://127.0.0.1:9",
  storeId: `s-${at}`,
});

/** Name of a store in pg-boss: its queue, or its group in the one queue of all stores. */
export const nameOf = (at: number): string => `store-${at}`;

/** The queue of all stores. */
export const ONE_QUEUE = "work";

/** A job of this run never ends. */
export const ENDLESS = "r-endless";

export const MODES = ["own reads", "shared reads", "queue per store", "one queue"] as const;

/**
 * - `own reads`: our queue, and each store asks for itself.
 * - `shared reads`: our queue, as the worker runs it.
 * - `queue per store`: pg-boss with a worker for the queue of each store.
 * - `one queue`: pg-boss with a group for each store; groups of other stores are left out.
 */
export type Mode = (typeof MODES)[number];

/** What a worker tells. */
export type Told =
  | { readonly is: "ready" }
  | {
      readonly is: "cost";
      readonly statements: number;
      readonly cpuMs: number;
      readonly rssMb: number;
    }
  | {
      readonly is: "started";
      readonly kind: "sync" | "run";
      readonly run: string;
      readonly atMs: number;
    };

/** Pauses of pg-boss that are as short as lateness and deaths need. */
export const BOSS_TIMES = {
  cronMonitorIntervalSeconds: 15,
  cronWorkerIntervalSeconds: 1,
  superviseIntervalSeconds: 10,
  monitorIntervalSeconds: 10,
} as const;
