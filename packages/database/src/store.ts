/**
 * Everything that is kept for one store of one marketplace: opened from the file of the home, or from
 * a PostgreSQL server that several machines share.
 */

import { join } from "node:path";

import type { TokenCache } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import type {
  CodeRegistry,
  FilterProofs,
  Journal,
  RunRepository,
  VerificationLog,
  RunRecord,
} from "@catalog/runs";

import { createStorage, type StoreStorage } from "./archive/run-pruner.ts";
import { LEASE_OF } from "./journal/begin-sending.ts";
import { createJournal } from "./journal/journal.ts";
import { readVisibilityLags, type VisibilityLags } from "./journal/shop-behavior.ts";
import { createLeases, type Leases, MAX_REQUEST_MS, toStoreScope } from "./locks/leases.ts";
import type { LockHolder } from "./locks/processes.ts";
import { openFileLocks, openLeaseLocks, type StoreLocks } from "./locks/store-locks.ts";
import type { DatabaseWait, Outage } from "./patience.ts";
import {
  createRateLimiter,
  type RateLimiter,
  type RateLimiterOptions,
} from "./rate-limit/rate-limiter.ts";
import { type AlertRepository, createAlertRepository } from "./repositories/alerts.ts";
import { createCodeRegistry, createFilterProofs } from "./repositories/code-registry.ts";
import { createDraftRepository, type DraftRepository } from "./repositories/drafts.ts";
import { createExportStaging, type ExportStaging } from "./repositories/export-staging.ts";
import { createFeedState, type FeedState } from "./repositories/feed-state.ts";
import { createFileQueue, type JobQueue } from "./repositories/jobs.ts";
import {
  createImageCheckCache,
  createNameCache,
  createNoteRepository,
  createProfileRepository,
  type ImageCheckCache,
  type NameCache,
  type NoteRepository,
  type ProfileRepository,
} from "./repositories/memory.ts";
import { createPeriodRepository, type PeriodRepository } from "./repositories/periods.ts";
import { createPriceRepository, type PriceRepository } from "./repositories/prices.ts";
import { createRawCallLog, type RawCallLog } from "./repositories/raw-calls.ts";
import { createRuleRepository, type RuleRepository } from "./repositories/rules.ts";
import {
  type CallLog,
  type CallTotals,
  createCallLog,
  createCallTotals,
  createRunRepository,
  listOpenRuns,
} from "./repositories/runs.ts";
import { createScheduleRepository, type ScheduleRepository } from "./repositories/schedules.ts";
import {
  createStoreProductRepository,
  type StoreProductRepository,
} from "./repositories/store-products.ts";
import { createTokenCache } from "./repositories/tokens.ts";
import { createVerificationLog } from "./repositories/verification-log.ts";
import {
  type Database,
  isFileDatabase,
  type Separation,
  type StoreAddress,
  toStoreAddress,
} from "./sql/database.ts";
import { openDatabase } from "./sqlite/sqlite.ts";

/** The store, and the database that holds its data. */
export interface StoreOptions extends StoreAddress {
  /** Folder of the file; it exists. A server remembers there what this machine has sent. */
  readonly home: string;
  /**
   * Folder outside the home for the marks by which an older copy of the home is detected.
   * @default no marks are kept
   */
  readonly markFolder?: string | undefined;
  /** Address of a PostgreSQL database. @default the file of the home */
  readonly databaseUrl?: string | undefined;
  readonly clock: Clock;
  /** The command, such as `catalog sync`, for messages of other processes. @default `catalog` */
  readonly command?: string | undefined;
  /** How work waits for a database that is away, locked or full. @default 30 seconds */
  readonly databaseWait?: DatabaseWait | undefined;
  /** How long rows of runs are kept that are over, in days. @default 90 */
  readonly keepDays?: number | undefined;
  /** Who makes the runs. @default unknown */
  readonly maker?: RunRecord["maker"];
  /** Codes with the same key look alike. */
  readonly suspectKey: (code: string) => string;
}

/** The records of one store. Those of other stores in the same database are not visible. */
export interface StoreRecords {
  readonly journal: Journal;
  /**
   * The journal of feeds. It recovers and reconciles only open requests of feeds, and samples no
   * visibility: only runs that add products do.
   */
  readonly feedJournal: Journal;
  /** Product codes of the store, for finding look-alike codes and code normalization. */
  readonly codes: CodeRegistry;
  readonly runs: RunRepository;
  /** Results of reading back, and values that updates have overwritten. */
  readonly verificationLog: VerificationLog;
  /** Filters of the listing that were seen to find a known product, or to miss it. */
  readonly filterProofs: FilterProofs;
  /**
   * Reads how long the products that a run added took to become visible; `undefined` where none of
   * them has been seen.
   */
  readonly readVisibilityLags: (runId: string) => Promise<VisibilityLags | undefined>;
  /** Returns the ids of runs that are not finished, the last changed first. */
  readonly listOpenRuns: (max: number) => Promise<readonly string[]>;
  /** Number of calls of each run in each minute. */
  readonly callLog: CallLog;
  /** All calls of the store, over every process. */
  readonly callTotals: CallTotals;
  /** Calls that people have sent by name, outside of runs. */
  readonly rawCalls: RawCallLog;
  /** Lists of names and ids of the marketplace. */
  readonly names: NameCache;
  readonly notes: NoteRepository;
  readonly imageChecks: ImageCheckCache;
  /** Meanings of texts, as a person has set them. */
  readonly rules: RuleRepository;
  /** Price rules, costs, and the prices that rules began from. */
  readonly prices: PriceRepository;
  /** Column profiles of known sheets. */
  readonly profiles: ProfileRepository;
  /** Uploaded files that are corrected before they are planned. */
  readonly drafts: DraftRepository;
  /** Items that exports have read and written. */
  readonly exportStaging: ExportStaging;
  /** Products of the store and notes, as feeds have recorded them. */
  readonly feedState: FeedState;
  /** Products of the store as they were shown last. */
  readonly storeProducts: StoreProductRepository;
  /** Which feed is synced at which times. */
  readonly schedules: ScheduleRepository;
  /** When runs are sent and taken back by themselves. */
  readonly periods: PeriodRepository;
  /** Who is told of what goes wrong, and what each of them has been told. */
  readonly alerts: AlertRepository;
  /** What is kept of runs that are over. */
  readonly storage: StoreStorage;
  /** Reads of another store of the database, by its number. */
  readonly readsOf: (store: number) => StoreReads;
}

/** Reads of a store's runs, and of the rows of its feeds. */
export interface StoreReads {
  readonly runs: Pick<RunRepository, "read" | "list">;
  readonly feedJournal: Pick<Journal, "countRows">;
}

/** An opened store. */
export interface Store extends StoreRecords, AsyncDisposable {
  /** Checks the whole database and returns its faults, none for a sound one. */
  check(): Promise<readonly string[]>;
  /** Reads how stores of the same database are held apart. */
  readSeparation(): Promise<Separation>;
  readonly locks: StoreLocks;
  readonly tokens: TokenCache;
  /** Work that was handed to the workers. */
  readonly jobs: JobQueue;
  /** Time that all machines share which use the database. */
  readonly sharedClock: Clock;
  /** The outage of the database that is under way; `undefined` for none. */
  readonly outage: () => Outage | undefined;
  /** Longest time that a request may take, so that it ends with the lease of its sender. */
  readonly maxRequestMs: number | undefined;
  /** Creates a rate limiter whose limit all processes of the database share. */
  createRateLimiter(options: Omit<RateLimiterOptions, "database" | "ready">): RateLimiter;
}

/**
 * Opens the database, makes its tables where it is a file, and creates what is kept in it. Rejects with
 * `DatabaseError` where the database cannot be used.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { clock, home, databaseUrl, maker, suspectKey, keepDays } = options;
  let outage: Outage | undefined;
  const { maxMs = WAIT_MS, stop, onOutage } = options.databaseWait ?? {};
  const wait: DatabaseWait = {
    maxMs,
    stop,
    onOutage(now) {
      outage = now;
      onOutage?.(now);
    },
  };
  const store = toStoreAddress(options);
  const place = { ...options, store, wait };
  const { database, leases, close, ...opened } = await (databaseUrl === undefined
    ? openHomeFile(place)
    : openServer(place, databaseUrl));
  const markersFolder = join(home, "marks");
  const given = { database, clock, store, leases, maker, suspectKey, markersFolder };
  try {
    return {
      ...opened,
      ...createRecords({ ...given, home, keepDays }),
      check: () => database.check(),
      readSeparation: () => database.readSeparation(),
      outage: () => outage,
      maxRequestMs: leases && MAX_REQUEST_MS,
      createRateLimiter: (limit) =>
        createRateLimiter({ ...limit, database, ready: () => readyToWrite(database, leases) }),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Resolves once the file, or the lease under which this process sends, allows a write. */
async function readyToWrite(database: Database, leases: Leases | undefined): Promise<void> {
  if (isFileDatabase(database)) await database.ready();
  for (const name of Object.values(LEASE_OF)) await leases?.held(name)?.ready();
}

/** How long work waits for the database, in milliseconds, where nobody asks for more. */
const WAIT_MS = 30_000;

interface OpenedDatabase extends Pick<Store, "locks" | "tokens" | "jobs" | "sharedClock"> {
  readonly database: Database;
  /** `undefined` where the database is a file. */
  readonly leases: Leases | undefined;
  readonly close: () => Promise<void>;
}

interface Place extends StoreOptions {
  /** The canonical address. */
  readonly store: StoreAddress;
  readonly wait: DatabaseWait;
}

async function openHomeFile(place: Place): Promise<OpenedDatabase> {
  const { home, markFolder, command, clock, store, wait } = place;
  const database = await openDatabase(join(home, "catalog.db"), {
    markFolder,
    command,
    sinceMs: clock.now(),
    wait: { ...wait, clock },
  });
  const { locks, jobLocks } = openFileLocks({ home, store, clock });
  return {
    database,
    locks,
    jobs: createFileQueue({ database, clock, store, locks: jobLocks }),
    tokens: createTokenCache({ database, clock }),
    sharedClock: clock,
    leases: undefined,
    close: async () => database.close(),
  };
}

const monotonicMs = (): number => performance.now();

async function openServer(
  { home, clock, command = "catalog", store, wait }: Place,
  url: string,
): Promise<OpenedDatabase> {
  // Its driver takes 30 ms to load.
  const { openPostgres, openServerClock } = await import("./postgres/open-postgres.ts");
  const { openBossQueue } = await import("./postgres/boss-queue.ts");
  const database = await openPostgres({ url, clock, store, command, home, wait });
  const storeKey = database.storeKey(store);
  const leasesOf = (scope: string): Leases => createLeases({ database, clock, monotonicMs, scope });
  const leases = leasesOf(toStoreScope(storeKey));
  const holder: LockHolder = { command, pid: process.pid, sinceMs: clock.now() };
  const sharedClock = await openServerClock({ database, clock, monotonicMs });
  const jobs = openBossQueue({ url, clock, command, wait, database, store: storeKey, sharedClock });
  return {
    database,
    locks: openLeaseLocks({ leases, workers: leasesOf("workers"), storeKey, clock }),
    jobs,
    tokens: createTokenCache({ database, clock, leased: { leases: leasesOf("token"), holder } }),
    sharedClock,
    leases,
    async close() {
      await jobs.close();
      await database.close();
    },
  };
}

interface RecordsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: StoreAddress;
  readonly leases?: Leases | undefined;
  readonly maker?: RunRecord["maker"];
  readonly suspectKey: (code: string) => string;
  readonly markersFolder?: string | undefined;
  readonly home: string;
  readonly keepDays?: number | undefined;
}

function createRecords(options: RecordsOptions): StoreRecords {
  const { database, clock, store } = options;
  return {
    journal: createJournal(options),
    feedJournal: {
      ...createJournal({ ...options, runKind: "feeds" }),
      readLagSamples: async () => [],
    },
    codes: createCodeRegistry(options),
    runs: createRunRepository(options),
    verificationLog: createVerificationLog(options),
    filterProofs: createFilterProofs(options),
    readVisibilityLags: (runId) => readVisibilityLags(database, runId),
    listOpenRuns: (max) => listOpenRuns(database, store, max),
    callLog: createCallLog(database),
    callTotals: createCallTotals(options),
    rawCalls: createRawCallLog(options),
    names: createNameCache(database, clock),
    notes: createNoteRepository(database, clock),
    imageChecks: createImageCheckCache(database, clock),
    rules: createRuleRepository(options),
    prices: createPriceRepository(options),
    profiles: createProfileRepository(options),
    drafts: createDraftRepository(options),
    exportStaging: createExportStaging(options),
    feedState: createFeedState(options),
    storeProducts: createStoreProductRepository(options),
    schedules: createScheduleRepository(options),
    periods: createPeriodRepository(options),
    alerts: createAlertRepository(options),
    storage: createStorage(options),
    readsOf: (other) => createReads(options, other),
  };
}

/** Nothing is written for another store, as its leases are not those of this one. */
function createReads({ database, clock, store }: RecordsOptions, key: number): StoreReads {
  const of = { database: { ...database.forStore(key), storeKey: () => key }, clock, store };
  return {
    runs: createRunRepository(of),
    feedJournal: createJournal({ ...of, runKind: "feeds" }),
  };
}

interface RunIdsOptions extends StoreAddress {
  /** Path of a file that exists. */
  readonly path: string;
  readonly clock: Clock;
  readonly command: string;
  /** How long a statement waits for another process that writes, in milliseconds. */
  readonly busyTimeoutMs: number;
  readonly max: number;
}

/**
 * Lists the ids of the latest runs in a file, the newest first, without opening the rest of the
 * store.
 */
export async function listRunIds(options: RunIdsOptions): Promise<readonly string[]> {
  const { path, clock, command, busyTimeoutMs, max, ...store } = options;
  using database = await openDatabase(path, { command, sinceMs: clock.now(), busyTimeoutMs });
  const runs = await createRunRepository({ database, clock, store }).list(max);
  return runs.map(({ id }) => id);
}
