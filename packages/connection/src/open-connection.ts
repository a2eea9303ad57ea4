/** Opens one store of one marketplace: its database, client, journal, memory, locks and meters. */

import { join } from "node:path";

import {
  type CallRecord,
  type Client,
  type ClientOptions,
  createClient,
  type Credentials,
  type TokenCache,
  type Versions,
} from "@catalog/client";
import type { Clock } from "@catalog/clock";
import { storeId as storeIdSchema } from "@catalog/contract";
import {
  type RateLimiter,
  checkDatabase,
  createCallLog,
  createCodeRegistry,
  createDraftRepository,
  createExportStaging,
  createFeedState,
  createFilterProofs,
  createJournal,
  createNameCache,
  createNoteRepository,
  createImageCheckCache,
  createProfileRepository,
  createVerificationLog,
  createRuleRepository,
  createRunRepository,
  createScheduleRepository,
  createTokenCache,
  type Database,
  type JournalOptions,
  openDatabase,
  readVisibilityLags,
  DatabaseError,
  toStoreAddress,
} from "@catalog/database";
import { makeFolder } from "@catalog/i18n";
import { lookAlikeCodeKey } from "@catalog/mapping";
import {
  createProvenFilters,
  type GuardLimits,
  type Journal,
  type Marketplace,
  type RunMaker,
} from "@catalog/runs";

import { createCallCounter } from "./call-counter.ts";
import {
  type Concurrency,
  maxWrites,
  readConcurrency,
  saveConcurrency,
} from "./concurrency-setting.ts";
import type {
  StoreClient,
  StoreFacts,
  StoreJournal,
  StoreLocks,
  StoreMemory,
  StoreMeters,
} from "./connection-groups.ts";
import { createLongWaits } from "./long-waits.ts";
import { createMarketplaceAdapter } from "./marketplace-adapter.ts";
import { createOmittedFields, type OmittedFields } from "./omitted-fields.ts";
import { openLocks } from "./open-locks.ts";
import { openPacing } from "./pacing.ts";
import { openProvenTotals } from "./proven-totals.ts";
import {
  effectiveSettings,
  openStoreSettings,
  type StoreSettingsAccess,
} from "./store-settings.ts";
import { openStoreStorage, type StoreStorage } from "./store-storage.ts";

/**
 * Reads the pace of a continued run from the opened database. A returned value overrides the option
 * of the same name; `undefined` keeps the option.
 */
export type ReadPace = (
  opened: Pick<Connection, "runs">,
) => Promise<Pick<ConnectionOptions, "concurrency" | "requestsPerHour">>;

/** The options of a connection that the flags of a command override. */
export interface ConnectionOverrides {
  /** Calls under way at a time. */
  readonly concurrency?: Concurrency | undefined;
  readonly requestsPerHour?: number | undefined;
  readonly readPace?: ReadPace | undefined;
  /** Unit of the listing's prices, as a person states it for this command. */
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
  /** Time limit of one attempt of a call, in milliseconds, at least 1. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /** Version prefix by resource; it overrides the settings. */
  readonly versions?: Versions | undefined;
  /** What makes the runs of this command. @default what has started the program */
  readonly origin?: RunMaker["origin"] | undefined;
}

/** The store to open, and how its marketplace may be called. */
export interface ConnectionOptions {
  /** Folder of the database; created when it is missing. */
  readonly home: string;
  /**
   * Folder outside the home for the marks by which an older copy of the home is detected.
   * @default no marks are kept
   */
  readonly markFolder?: string | undefined;
  readonly baseUrl: string;
  readonly storeId: string;
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** Numbers from 0 up to 1, for spreading out retries. */
  readonly random: () => number;
  /** Calls under way at a time. @default "auto" */
  readonly concurrency?: Concurrency | undefined;
  /** @default what is saved, else unlimited */
  readonly requestsPerHour?: number | undefined;
  /** @default the pace of these options holds */
  readonly readPace?: ReadPace | undefined;
  /** Requests a new token although one is cached, which proves the credentials. @default false */
  readonly freshToken?: boolean | undefined;
  /**
   * Longest wait for a slot of the rate limit; a call that would wait longer is not made.
   * @default any wait
   */
  readonly patienceMs?: number | undefined;
  /** Further attempts of a call that only reads. @default 4 */
  readonly retries?: number | undefined;
  /** Time limit of one attempt of a call, in milliseconds, at least 1. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /** Unit of the listing's prices, as a person has set it. @default learned from the store */
  readonly priceUnit?: "minor" | "major" | undefined;
  /** Limits beyond which guards hold a row. @default what is saved, else the guards' own limits */
  readonly guardLimits?: Partial<GuardLimits> | undefined;
  /** Version prefix by resource. @default the first one that the contract names */
  readonly versions?: Versions | undefined;
  /** How long rows of runs are kept that are over, in days. @default 90 */
  readonly keepDays?: number | undefined;
  /** The command, such as `catalog sync`, for messages of other processes. @default `catalog` */
  readonly command?: string | undefined;
  /** Who makes the runs. @default unknown */
  readonly maker?: RunMaker | undefined;
}

/** An opened store, in groups of members. Disposing of it closes the client and the database. */
export interface Connection extends StoreFacts, StoreClient, StoreJournal, AsyncDisposable {
  readonly memory: StoreMemory;
  readonly locks: StoreLocks;
  readonly meters: StoreMeters;
  readonly storage: StoreStorage;
  readonly settings: StoreSettingsAccess;
  /** Checks the whole database and returns its faults, none for a sound one. */
  checkDatabase(): readonly string[];
}

/**
 * Opens the database and creates the client. Makes no call. Throws `DatabaseError` where the
 * database cannot be opened.
 */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  makeHome(options.home);
  const { home, markFolder, command, clock } = options;
  const note = { markFolder, command, sinceMs: clock.now() };
  const database = await openDatabase(join(home, "catalog.db"), note);
  try {
    return createConnection({ ...options, ...(await readPaceOf(options, database)) }, database);
  } catch (error) {
    database.close();
    throw error;
  }
}

async function readPaceOf(
  { readPace, clock, ...set }: ConnectionOptions,
  database: Database,
): ReturnType<ReadPace> {
  const runs = createRunRepository({ database, clock, store: toStoreAddress(set) });
  const { concurrency, requestsPerHour } = (await readPace?.({ runs })) ?? {};
  return {
    concurrency: concurrency ?? set.concurrency,
    requestsPerHour: requestsPerHour ?? set.requestsPerHour,
  };
}

function createConnection(options: ConnectionOptions, database: Database): Connection {
  const { clock, concurrency = "auto", priceUnit } = options;
  const store = toStoreAddress(options);
  const settings = openSettings(options, database);
  const { guardLimits, requestsPerHour } = effectiveSettings(settings);
  const waits = createLongWaits(clock);
  const { rateLimiter, pace, retryClock, pacing } = openPacing(
    { ...options, ...store, requestsPerHour },
    { database, waits },
  );
  const calls = createCallCounter(clock, () => pacing.callsPerHour());
  const onCall = (call: CallRecord): void => {
    calls.note(call);
    if (call.phase !== "none") rateLimiter.note(call);
  };
  const omittedFields = createOmittedFields();
  const limits = { ...store, notes: createNoteRepository(database, clock), clock };
  const client = openClient(options, {
    database,
    retryClock,
    pace,
    onCall,
    omittedFields,
    concurrency: readConcurrency(limits, concurrency),
    totalsOf: openProvenTotals(limits),
  });
  const marketplace = createMarketplaceAdapter(client, calls.serverTimeMs);
  return {
    ...store,
    clock,
    concurrency: maxWrites(concurrency),
    guardLimits,
    priceUnit,
    client,
    ...openJournal(marketplace, { database, clock, store, maker: options.maker }),
    memory: openMemory(options, { database, clock, store }),
    locks: openLocks({ ...options, ...store }),
    meters: { pacing, waits, omittedFields, calls, callLog: createCallLog(database) },
    storage: openStoreStorage({ ...options, database, store }),
    settings,
    checkDatabase: () => checkDatabase(database),
    async [Symbol.asyncDispose]() {
      saveQuietly(() => saveConcurrency(limits, concurrency, client));
      await closeAll({ client, rateLimiter, database });
    },
  };
}

function openSettings(options: ConnectionOptions, database: Database): StoreSettingsAccess {
  const { credentials, clock, guardLimits = {}, requestsPerHour } = options;
  const { clientKey } = credentials;
  const notes = createNoteRepository(database, clock);
  const context = { ...toStoreAddress(options), clientKey, notes };
  return openStoreSettings(context, { guards: guardLimits, requestsPerHour });
}

interface OpenedParts {
  readonly client: Client;
  readonly rateLimiter: RateLimiter;
  readonly database: Database;
}

/** Limits that cannot be stored are found out again. */
function saveQuietly(save: () => void): void {
  try {
    save();
  } catch {
    // A full disk must not hide the result of the command.
  }
}

async function closeAll({ client, rateLimiter, database }: OpenedParts): Promise<void> {
  try {
    await client.close();
    rateLimiter.flush();
  } finally {
    database.close();
  }
}

/**
 * Opens the journal. The marketplace that it returns trusts a filter of the listing only after the
 * filter has found a product that is known to be there.
 */
function openJournal(
  marketplace: Marketplace,
  options: JournalOptions & Pick<ConnectionOptions, "maker">,
): StoreJournal & Pick<StoreClient, "marketplace"> {
  const { database, clock } = options;
  const journal = createJournal(options);
  const proofs = createFilterProofs(options);
  return {
    marketplace: createProvenFilters({ marketplace, proofs, journal, clock }),
    journal,
    feedJournal: openFeedJournal(options),
    codes: createCodeRegistry({ ...options, suspectKey: lookAlikeCodeKey }),
    runs: createRunRepository(options),
    verificationLog: createVerificationLog(options),
    readVisibilityLags: (runId) => readVisibilityLags(database, runId),
  };
}

function openMemory({ home }: ConnectionOptions, options: JournalOptions): StoreMemory {
  const { database, clock } = options;
  return {
    names: createNameCache(database, clock),
    notes: createNoteRepository(database, clock),
    imageChecks: createImageCheckCache(database, clock),
    imageFolder: join(home, "pictures"),
    tableFolder: join(home, "tables"),
    rules: createRuleRepository(options),
    profiles: createProfileRepository(options),
    drafts: createDraftRepository(options),
    exportStaging: createExportStaging(options),
    feedState: createFeedState(options),
    schedules: createScheduleRepository(options),
  };
}

/** Opens the journal of feeds, which samples no visibility: only runs that add products do. */
function openFeedJournal(options: JournalOptions): Journal {
  return { ...createJournal({ ...options, runKind: "feeds" }), readLagSamples: async () => [] };
}

function makeHome(home: string): void {
  try {
    makeFolder(home);
  } catch (error) {
    throw new DatabaseError("E_DATABASE", home, { cause: error });
  }
}

interface ClientParts {
  readonly database: Database;
  readonly retryClock: Clock;
  readonly pace: (signal?: AbortSignal) => Promise<void>;
  readonly onCall: (call: CallRecord) => void;
  readonly omittedFields: OmittedFields;
  readonly concurrency: NonNullable<ClientOptions["concurrency"]>;
  readonly totalsOf: NonNullable<ClientOptions["totalsOf"]>;
}

function openClient(options: ConnectionOptions, parts: ClientParts): Client {
  const { database, retryClock, pace, onCall, omittedFields, concurrency, totalsOf } = parts;
  const { baseUrl, credentials, clock } = options;
  return createClient({
    baseUrl,
    credentials,
    storeId: storeIdSchema.parse(options.storeId.trim()),
    tokens: openTokens(options, database),
    clock,
    waitClock: retryClock,
    patienceMs: options.patienceMs,
    timeoutMs: options.timeoutMs,
    ...(options.retries !== undefined && { retries: options.retries }),
    concurrency,
    totalsOf,
    random: options.random,
    onCall,
    onLeftOut: (left) => omittedFields.note(left),
    versions: options.versions ?? {},
    pace,
  });
}

function openTokens(
  { clock, freshToken = false }: ConnectionOptions,
  database: Database,
): TokenCache {
  const tokens = createTokenCache(database, clock);
  if (!freshToken) return tokens;
  // A new token is still written to the cache, where other processes read it.
  return { ...tokens, read: async () => undefined };
}
