/** What an opened store consists of, in groups: a function takes the group that it uses. */

import { type Client } from "@catalog/client";
import { type Clock } from "@catalog/clock";
import {
  type CallLog,
  type DatedNoteRepository,
  type ExportStaging,
  type FeedState,
  type NameCache,
  type ImageCheckCache,
  type ProfileRepository,
  type RuleRepository,
  type StoreLock,
  type VisibilityLags,
} from "@catalog/database";
import {
  type CodeRegistry,
  type GuardLimits,
  type Journal,
  type Marketplace,
  type VerificationLog,
  type RunLog,
} from "@catalog/runs";

import { type CallCounter } from "./call-counter.ts";
import { type LongWaits } from "./long-waits.ts";
import { type OmittedFields } from "./omitted-fields.ts";
import { type Pacing } from "./pacing.ts";

/** Which store it is, and how it was asked to be worked with. */
export interface StoreFacts {
  /** In its one form, by which everything is remembered; calls go to the address as it was given. */
  readonly baseUrl: string;
  /** In its one form, too. */
  readonly storeId: string;
  readonly clock: Clock;
  readonly concurrency: number;
  /** Where guards hold a row, as far as that was changed. */
  readonly guardLimits: Partial<GuardLimits> | undefined;
  /** Unit of the listing's prices, as it was set. */
  readonly priceUnit: "minor" | "major" | undefined;
}

/** What makes calls: the client of the API, and the marketplace as runs see it. */
export interface StoreClient {
  readonly client: Client;
  readonly marketplace: Marketplace;
}

/** What is written down of runs and their rows. */
export interface StoreJournal {
  readonly journal: Journal;
  /** The journal as runs of feeds see it: what other runs left open is not theirs to settle. */
  readonly feedJournal: Journal;
  /** Codes that look the same, and how the store writes them. */
  readonly codes: CodeRegistry;
  readonly runLog: RunLog;
  /** What reading back has shown, and what updates have overwritten. */
  readonly verificationLog: VerificationLog;
  /** How long the products that a run added took to be seen. */
  readVisibilityLags(runId: string): VisibilityLags | undefined;
}

/** What is remembered from one run to the next, besides the runs. */
export interface StoreMemory {
  readonly names: NameCache;
  readonly notes: DatedNoteRepository;
  readonly imageChecks: ImageCheckCache;
  /** Where prepared pictures are kept; made when the first is. */
  readonly imageFolder: string;
  /** Where downloaded tables are kept; made when the first is. */
  readonly tableFolder: string;
  /** What a person said that texts mean. */
  readonly rules: RuleRepository;
  /** How the columns of known sheets are read. */
  readonly profiles: ProfileRepository;
  /** What exports have read and written. */
  readonly exportStaging: ExportStaging;
  /** What feeds know of the store's products. */
  readonly feedState: FeedState;
}

/** Locks against other processes; each throws `DatabaseError` `E_STORE_BUSY` where another holds it. */
export interface StoreLocks {
  /** Keeps other processes off the store. */
  store(command: string): StoreLock;
  /** Keeps other feeds off the store, and no other run. */
  feeds(command: string): StoreLock;
  /** Keeps a second timetable off a feed. */
  schedule(key: string): Disposable;
  /** Keeps other processes off one export of the store, which changes nothing in it. */
  export(key: string): Disposable;
}

/** How fast calls may be made, how many were, and what was missing in their answers. */
export interface StoreMeters {
  /** How fast calls may be made, over all processes that share the quota. */
  readonly pacing: Pacing;
  /** When calls have to wait for their turn. */
  readonly waits: Pick<LongWaits, "listen" | "isWaiting" | "report">;
  /** What was left out of answers since the store was opened. */
  readonly omittedFields: Pick<OmittedFields, "warnings">;
  /** Calls made since the store was opened. */
  readonly calls: CallCounter;
  /** When each run made its calls. */
  readonly callLog: CallLog;
}
