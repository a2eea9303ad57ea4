/** Opens everything that a command needs, and closes it again. */

import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import {
  type CallRecord,
  type Client,
  createClient,
  type Credentials,
  type TokenCache,
} from "@catalog/client";
import { type Clock } from "@catalog/clock";
import { storeId as storeIdSchema } from "@catalog/contract";
import { type Journal, type Marketplace, type RequestCounts, type RunLog } from "@catalog/runs";
import {
  checkDatabase,
  createBudget,
  createJournal,
  createNameCache,
  createPictureMemory,
  createRunLog,
  createTokenCache,
  type Database,
  lockStore,
  type NameCache,
  type PictureMemory,
  openDatabase,
  StoreError,
} from "@catalog/store";

import { createMarketplace } from "./marketplace.ts";

/** Which store of which marketplace, and how it may be called. */
export interface ToolkitOptions {
  /** Where the database is kept; made when it is missing. */
  readonly home: string;
  readonly baseUrl: string;
  readonly storeId: string;
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** Numbers from 0 up to 1, for spreading out retries. */
  readonly random: () => number;
  /** Calls under way at a time. @default 4 */
  readonly concurrency?: number | undefined;
  /** @default unlimited */
  readonly requestsPerHour?: number | undefined;
  /** Asks for a new token even where one is kept, which proves the credentials. @default false */
  readonly freshToken?: boolean | undefined;
}

/** One store of one marketplace, with everything that is remembered about it. */
export interface Toolkit extends AsyncDisposable {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly concurrency: number;
  /** Most calls in an hour; `undefined` is unlimited. */
  readonly requestsPerHour: number | undefined;
  readonly client: Client;
  readonly marketplace: Marketplace;
  readonly journal: Journal;
  readonly runLog: RunLog;
  readonly names: NameCache;
  readonly pictureMemory: PictureMemory;
  /** Where prepared pictures are kept; made when the first is. */
  readonly pictureFolder: string;
  /** Calls made since the toolkit was opened. */
  readonly calls: CallMeter;
  /** Keeps other processes off the store; throws `StoreError` `E_STORE_BUSY`. */
  lock(holder: string): Disposable;
  /** Reads the whole database and says what is wrong with it; empty when it is sound. */
  checkDatabase(): readonly string[];
}

/** Counts calls and their time. */
export interface CallMeter {
  counts(): RequestCounts;
  /** Mean time of one call, in milliseconds. */
  meanMs(): number;
}

const DEFAULT_CONCURRENCY = 4;

/** Opens the database and the client. Makes no call. */
export async function openToolkit(options: ToolkitOptions): Promise<Toolkit> {
  makeHome(options.home);
  const database = await openDatabase(join(options.home, "catalog.db"));
  try {
    return createToolkit(options, database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function createToolkit(options: ToolkitOptions, database: Database): Toolkit {
  const { home, baseUrl, clock, concurrency = DEFAULT_CONCURRENCY } = options;
  const store = { baseUrl, storeId: options.storeId };
  const meter = createMeter();
  const client = openClient(options, database, meter.note);

  return {
    baseUrl,
    clock,
    concurrency,
    requestsPerHour: options.requestsPerHour,
    client,
    marketplace: createMarketplace(client),
    journal: createJournal({ database, clock, store }),
    runLog: createRunLog({ database, clock, store }),
    names: createNameCache(database, clock),
    pictureMemory: createPictureMemory(database, clock),
    pictureFolder: join(home, "pictures"),
    calls: meter,
    lock: (holder) => {
      const name = createHash("sha256").update(`${baseUrl} ${options.storeId}`).digest("hex");
      return lockStore({ path: join(home, `store-${name.slice(0, 16)}.lock`), holder });
    },
    checkDatabase: () => checkDatabase(database),
    async [Symbol.asyncDispose]() {
      try {
        await client.close();
      } finally {
        database.close();
      }
    },
  };
}

function makeHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StoreError("E_DATABASE", home, { cause: error });
  }
}

function openClient(
  options: ToolkitOptions,
  database: Database,
  onCall: (call: CallRecord) => void,
): Client {
  const { baseUrl, credentials, clock, requestsPerHour } = options;
  const budget =
    requestsPerHour === undefined
      ? undefined
      : createBudget({
          database,
          clock,
          key: `${baseUrl} ${credentials.clientKey}`,
          requestsPerHour,
        });
  return createClient({
    baseUrl,
    credentials,
    storeId: storeIdSchema.parse(options.storeId),
    tokens: openTokens(options, database),
    clock,
    concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
    random: options.random,
    onCall,
    ...(budget === undefined ? {} : { pace: budget }),
  });
}

function openTokens({ clock, freshToken = false }: ToolkitOptions, database: Database): TokenCache {
  const tokens = createTokenCache(database, clock);
  if (!freshToken) return tokens;
  // What is acquired is kept for the others all the same.
  return { ...tokens, read: async () => undefined };
}

function createMeter(): CallMeter & { readonly note: (call: CallRecord) => void } {
  const counts = { token: 0, read: 0, write: 0 };
  let totalMs = 0;
  return {
    counts: () => ({ ...counts }),
    meanMs: () => totalMs / Math.max(1, counts.token + counts.read + counts.write),
    note(call) {
      // What never left this machine was no call, and is in no one else's count.
      if (call.phase === "none") return;
      counts[call.kind] += 1;
      totalMs += call.durationMs;
    },
  };
}
