/** What an opened store consists of, in groups: a function takes the group that it uses. */

import { type Client } from "@catalog/client";
import { type Clock } from "@catalog/clock";
import {
  type CallLog,
  type DatedNoteBook,
  type ExportSpool,
  type FeedMemory,
  type NameCache,
  type PictureMemory,
  type ProfileBook,
  type RuleBook,
  type StoreLock,
  type VisibleLags,
} from "@catalog/database";
import {
  type CodeBook,
  type GuardLimits,
  type Journal,
  type Marketplace,
  type ReadBackBook,
  type RunLog,
} from "@catalog/runs";

import { type CallMeter } from "./call-counter.ts";
import { type Waits } from "./long-waits.ts";
import { type LeftOutNotes } from "./omitted-fields.ts";
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
  readonly codes: CodeBook;
  readonly runLog: RunLog;
  /** What reading back has shown, and what updates have overwritten. */
  readonly readBack: ReadBackBook;
  /** How long the products that a run added took to be seen. */
  readVisibleLags(runId: string): VisibleLags | undefined;
}

/** What is remembered from one run to the next, besides the runs. */
export interface StoreMemory {
  readonly names: NameCache;
  readonly notes: DatedNoteBook;
  readonly pictureMemory: PictureMemory;
  /** Where prepared pictures are kept; made when the first is. */
  readonly pictureFolder: string;
  /** Where downloaded tables are kept; made when the first is. */
  readonly tableFolder: string;
  /** What a person said that texts mean. */
  readonly rules: RuleBook;
  /** How the columns of known sheets are read. */
  readonly profiles: ProfileBook;
  /** What exports have read and written. */
  readonly exports: ExportSpool;
  /** What feeds know of the store's products. */
  readonly feeds: FeedMemory;
}

/** Locks against other processes; each throws `StoreError` `E_STORE_BUSY` where another holds it. */
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
  readonly waits: Pick<Waits, "listen" | "isWaiting" | "tell">;
  /** What was left out of answers since the store was opened. */
  readonly leftOut: Pick<LeftOutNotes, "warnings">;
  /** Calls made since the store was opened. */
  readonly calls: CallMeter;
  /** When each run made its calls. */
  readonly callLog: CallLog;
}
