/** The options of a connection: the store to open, and how its marketplace may be called. */

import type { Credentials, Versions } from "@catalog/client";
import type { StoreOptions } from "@catalog/database";
import type { GuardLimits, RunRecord } from "@catalog/runs";

import type { Tracing } from "./calls.ts";
import type { NamedStore, StoreJournal } from "./connection-groups.ts";
import type { Concurrency } from "./settings.ts";
import type { LockWait } from "./wait-for-locks.ts";

/**
 * Reads the pace of a continued run from the opened database. A returned value overrides the option
 * of the same name; `undefined` keeps the option.
 */
export type ReadPace = (
  opened: Pick<StoreJournal, "runs">,
) => Promise<Pick<ConnectionOptions, "concurrency" | "requestsPerHour">>;

/** The options of a connection that the flags of a command override. */
export interface ConnectionOverrides {
  /** Calls under way at a time. @default "auto" */
  readonly concurrency?: Concurrency | undefined;
  /** @default what is saved, else unlimited */
  readonly requestsPerHour?: number | undefined;
  /** @default the pace of these options holds */
  readonly readPace?: ReadPace | undefined;
  /** Unit of the listing's prices, as a person states it. @default learned from the store */
  readonly priceUnit?: "minor" | "major" | undefined;
  /** Settings by the names of their environment variables; they override the environment. */
  readonly given?: Readonly<Record<string, string>> | undefined;
  /** Requests a new token although one is cached, which proves the credentials. @default false */
  readonly freshToken?: boolean | undefined;
  /**
   * Longest wait for a slot of the rate limit; a call that would wait longer is not made.
   * @default any wait
   */
  readonly patienceMs?: number | undefined;
  /** Further attempts of a call that only reads. @default 4 */
  readonly retries?: number | undefined;
  /**
   * Time limit of one attempt of a call, in milliseconds, at least 1; on PostgreSQL at most 30_000.
   * @default 60_000
   */
  readonly timeoutMs?: number | undefined;
  /** Version prefix by resource. @default the first one that the contract names */
  readonly versions?: Versions | undefined;
  /** What makes the runs of this command. @default what has started the program */
  readonly origin?: NonNullable<RunRecord["maker"]>["origin"] | undefined;
}

/** The store to open, and how its marketplace may be called. */
export interface ConnectionOptions
  extends Omit<StoreOptions, "suspectKey">, Omit<ConnectionOverrides, "given" | "origin"> {
  readonly credentials: Credentials;
  /**
   * The stores that have a name on this machine, this one among them or not; a function where they
   * come and go while the store is open. @default none
   */
  readonly namedStores?: readonly NamedStore[] | (() => readonly NamedStore[]) | undefined;
  /** Numbers from 0 up to 1, for spreading out retries. */
  readonly random: () => number;
  /** Limits beyond which guards hold a row. @default what is saved, else the guards' own limits */
  readonly guardLimits?: Partial<GuardLimits> | undefined;
  /** How to wait for the store while another process holds it. @default it is refused at once */
  readonly lockWait?: LockWait | undefined;
  /** Called with the id of each run that this connection plans or sends. */
  readonly onRun?: ((runId: string) => void) | undefined;
  /** Where spans of the work go. @default nothing is recorded */
  readonly tracing?: Tracing | undefined;
}
