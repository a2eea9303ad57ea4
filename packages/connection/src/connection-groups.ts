/** The members of an opened store, in groups; a function takes the groups that it uses. */

import type { Client } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import type { Store } from "@catalog/database";
import type { GuardLimits, Marketplace } from "@catalog/runs";

import type { CallCounter, OmittedFields, Tracing } from "./calls.ts";
import type { LongWaits, Pacing } from "./pacing.ts";

/** A store that a person has given a name. */
export interface NamedStore {
  readonly name: string;
  readonly baseUrl: string;
  readonly storeId: string;
}

/** The store as people know it: its name, if it has one, and its id. */
export const shownStore = ({
  storeName,
  storeId,
}: Pick<StoreFacts, "storeName" | "storeId">): string =>
  storeName === undefined ? storeId : `${storeName} (${storeId})`;

/** A store that can be opened. */
export interface FoundStore {
  /** Its name on this machine; `undefined` where it has none. */
  readonly name: string | undefined;
  /**
   * Variables that open this store and no other one, whichever is the default later; an empty one
   * overrides that of the environment.
   */
  readonly environment: Readonly<Record<string, string>>;
}

/** The identity of the store, and the options that hold for its runs. */
export interface StoreFacts {
  /** Name of the store on this machine; `undefined` where it has none. */
  readonly storeName: string | undefined;
  /** The stores that have a name on this machine, by their canonical addresses and ids. */
  readonly namedStores: readonly NamedStore[];
  /** Canonical address, used as key in the database; calls use the address that was given. */
  readonly baseUrl: string;
  /** Canonical id, used as key in the database. */
  readonly storeId: string;
  readonly clock: Clock;
  /** Maximum number of writes under way at a time. */
  readonly concurrency: number;
  /** Limits of guards that a person has changed; the others are the guards' own. */
  readonly guardLimits: Partial<GuardLimits> | undefined;
  /** Unit of the listing's prices, if a person has set it. */
  readonly priceUnit: "minor" | "major" | undefined;
}

/** The client of the API, and its adapter to the port of runs. */
export interface StoreClient {
  readonly client: Client;
  readonly marketplace: Marketplace;
}

/** The records of runs and their rows. */
export interface StoreJournal extends Pick<
  Store,
  | "journal"
  | "feedJournal"
  | "codes"
  | "runs"
  | "verificationLog"
  | "readVisibilityLags"
  | "listOpenRuns"
  | "readsOf"
> {}

/** Data that is kept from run to run, besides the records of runs. */
export interface StoreMemory extends Pick<
  Store,
  | "names"
  | "notes"
  | "imageChecks"
  | "rules"
  | "prices"
  | "profiles"
  | "drafts"
  | "exportStaging"
  | "feedState"
  | "storeProducts"
  | "schedules"
  | "periods"
  | "alerts"
  | "jobs"
> {
  /** Folder of prepared images; created with the first one. */
  readonly imageFolder: string;
  /** Folder of downloaded tables; created with the first one. */
  readonly tableFolder: string;
}

/** The pace, waits, counts and spans of calls, and the fields left out of their answers. */
export interface StoreMeters extends Pick<Store, "callLog" | "outage" | "rawCalls"> {
  /** Pace of calls, over all processes that share the quota. */
  readonly pacing: Pacing;
  /** Long waits of calls. */
  readonly waits: Pick<LongWaits, "listen" | "isWaiting" | "report">;
  /** Fields left out of answers since the store was opened. */
  readonly omittedFields: Pick<OmittedFields, "warnings">;
  /** Calls made since the store was opened. */
  readonly calls: CallCounter;
  /** All calls of the store, over every process. */
  readonly callTotals: Pick<Store["callTotals"], "read">;
  /** Runs work as a span, of which its calls are children. */
  readonly span: Tracing["span"];
}
