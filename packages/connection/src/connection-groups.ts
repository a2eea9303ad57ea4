/** The members of an opened store, in groups; a function takes the groups that it uses. */

import type { Client } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import type {
  CallLog,
  CallTotals,
  DraftRepository,
  ListedNoteRepository,
  ExportStaging,
  FeedState,
  NameCache,
  ImageCheckCache,
  JobQueue,
  LeaseTakeOvers,
  LockHolder,
  Outage,
  ProfileRepository,
  RuleRepository,
  ScheduleRepository,
  VisibilityLags,
} from "@catalog/database";
import type {
  CodeRegistry,
  GuardLimits,
  Journal,
  Marketplace,
  VerificationLog,
  RunRepository,
} from "@catalog/runs";

import type { CallCounter } from "./call-counter.ts";
import type { LongWaits } from "./long-waits.ts";
import type { OmittedFields } from "./omitted-fields.ts";
import type { Pacing } from "./pacing.ts";
import type { Tracing } from "./tracing.ts";

/** The identity of the store, and the options that hold for its runs. */
export interface StoreFacts {
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
export interface StoreJournal {
  readonly journal: Journal;
  /** The journal of feeds: it recovers and reconciles only open requests of feeds. */
  readonly feedJournal: Journal;
  /** Product codes of the store, for finding look-alike codes and code normalization. */
  readonly codes: CodeRegistry;
  readonly runs: RunRepository;
  /** Results of reading back, and values that updates have overwritten. */
  readonly verificationLog: VerificationLog;
  /**
   * Reads how long the products that a run added took to become visible; `undefined` where none of
   * them has been seen.
   */
  readVisibilityLags(runId: string): Promise<VisibilityLags | undefined>;
  /** Returns the ids of runs that are not finished, the last changed first. */
  listOpenRuns(max: number): Promise<readonly string[]>;
}

/** Data that is kept from run to run, besides the records of runs. */
export interface StoreMemory {
  readonly names: NameCache;
  readonly notes: ListedNoteRepository;
  readonly imageChecks: ImageCheckCache;
  /** Folder of prepared images; created with the first one. */
  readonly imageFolder: string;
  /** Folder of downloaded tables; created with the first one. */
  readonly tableFolder: string;
  /** Meanings of texts, as a person has set them. */
  readonly rules: RuleRepository;
  /** Column profiles of known sheets. */
  readonly profiles: ProfileRepository;
  /** Uploaded files that are corrected before they are planned. */
  readonly drafts: DraftRepository;
  /** Items that exports have read and written. */
  readonly exportStaging: ExportStaging;
  /** Products of the store and notes, as feeds have recorded them. */
  readonly feedState: FeedState;
  /** Which feed is synced at which times. */
  readonly schedules: ScheduleRepository;
  /** Work that was handed to the workers. */
  readonly jobs: JobQueue;
}

/** A lock that is held until it is disposed of or the process dies. */
export interface StoreLock extends AsyncDisposable {
  /** Writes the id of the holder's run into the note. */
  nameRun(runId: string): Promise<void>;
}

/**
 * Locks against other processes. Each rejects with `DatabaseError` `E_STORE_BUSY` while another
 * process holds the same lock.
 */
export interface StoreLocks {
  /** Excludes other processes from the store. */
  store(command: string): Promise<StoreLock>;
  /** Excludes other syncs of the store; imports may run. */
  feeds(command: string): Promise<StoreLock>;
  /** Excludes a second schedule of the feed `key`. */
  schedule(key: string): Promise<AsyncDisposable>;
  /** The process that runs the schedule `key` by itself; `undefined` for none. Locks nothing. */
  scheduleHolder(key: string): Promise<LockHolder | undefined>;
  /**
   * Says that this process starts what the store's schedules say, or those of these stores of a
   * server. Where the database is a file, it excludes other processes from it.
   */
  schedules(command: string, stores?: readonly number[]): Promise<AsyncDisposable>;
  /** A process that starts what the schedules say, a worker first; `undefined` for none. Locks nothing. */
  schedulesHolder(): Promise<LockHolder | undefined>;
  /** Excludes other processes from the export `key`; other work on the store may go on. */
  export(key: string): Promise<AsyncDisposable>;
  /** Ids of the runs on which a process is working now; locks nothing. */
  runsUnderWay(): Promise<ReadonlySet<string>>;
  /** The process that works on the store now; `undefined` for none. Locks nothing. */
  storeHolder(): Promise<LockHolder | undefined>;
  /** The process that works on the run now; `undefined` for none. Locks nothing. */
  holderOf(runId: string): Promise<LockHolder | undefined>;
  /**
   * Reads how often locks were taken that their holders had not given back; none where the database
   * is a file, whose locks end with their process.
   */
  takeOvers(): Promise<readonly LeaseTakeOvers[]>;
}

/** The pace, waits, counts and spans of calls, and the fields left out of their answers. */
export interface StoreMeters {
  /** Pace of calls, over all processes that share the quota. */
  readonly pacing: Pacing;
  /** Long waits of calls. */
  readonly waits: Pick<LongWaits, "listen" | "isWaiting" | "report">;
  /** Fields left out of answers since the store was opened. */
  readonly omittedFields: Pick<OmittedFields, "warnings">;
  /** Calls made since the store was opened. */
  readonly calls: CallCounter;
  /** Number of calls of each run in each minute. */
  readonly callLog: CallLog;
  /** All calls of the store, over every process. */
  readonly callTotals: Pick<CallTotals, "read">;
  /** The outage of the database that is under way; `undefined` for none. */
  readonly outage: () => Outage | undefined;
  /** Runs work as a span, of which its calls are children. */
  readonly span: Tracing["span"];
}
