/** The stores of the bench of the queue, and what its workers tell. */

import { systemClock } from "@catalog/clock";
import { type Connection, openConnection } from "@catalog/connection";

export const STORES = 1_000;

export interface Place {
  readonly url: string;
  readonly home: string;
}

export const addressOf = (at: number): { readonly baseUrl: string; readonly storeId: string } => ({
  baseUrl: "http://127.0.0.1:9",
  storeId: `s-${at}`,
});

export const openStore = (at: number, { url, home }: Place): Promise<Connection> =>
  openConnection({
    ...addressOf(at),
    home,
    databaseUrl: url,
    credentials: { clientKey: "key", clientSecret: "secret" },
    clock: systemClock,
    random: Math.random,
  });

/** A job of this run never ends. */
export const ENDLESS = "r-endless";

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
