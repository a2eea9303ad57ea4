/**
 * The queue: work that a person has left to the workers. Where the database is a file, it is a table
 * and a lock for each job; on a server it is pg-boss (`postgres/boss-queue.ts`).
 */

import type { Clock } from "@catalog/clock";
import { z } from "zod";

import type { RepositoryOptions } from "../locks/leases.ts";
import type { LockHolder } from "../locks/processes.ts";
import { tryLock } from "../locks/store-locks.ts";
import { type Database, noSteps, type Steps, type StoreAddress } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/queries.ts";
import type { JobSchema } from "../sql/schema.ts";

/**
 * Kinds of jobs: `apply` sends the planned run whose id is the key; `start` does so as the period of the
 * run has begun, and `undo` takes the run back as it has ended; `sync` runs the schedule whose id is
 * the key, where the queue is shared.
 */
const JOB_KINDS = ["apply", "start", "undo", "sync"] as const;

export type JobKind = (typeof JOB_KINDS)[number];

export const jobKindSchema: z.ZodType<JobKind> = z.enum(JOB_KINDS);

/** What a job is; a store has one of each. */
export interface JobKey {
  readonly kind: JobKind;
  readonly key: string;
}

/** A job to leave to the workers. */
export interface NewJob extends JobKey {
  /** What the kind needs besides the key; the reader validates it. */
  readonly spec: unknown;
  /** Of jobs that are due, the one with the higher number comes first. @default that of the kind */
  readonly priority?: number | undefined;
}

/** How a job, or one attempt of it, ended. */
export interface JobResult {
  /** Exit code of its command. */
  readonly exit: number;
  /** Stable code of a failure; `null` for none. */
  readonly code: string | null;
  /** The failure in words, without secrets. */
  readonly message: string | null;
}

export const jobResultSchema: z.ZodType<JobResult> = z.object({
  exit: z.number(),
  code: z.string().nullable(),
  message: z.string().nullable(),
});

/** A job of the queue. */
export interface JobRecord extends Omit<NewJob, "priority"> {
  readonly askedAtMs: number;
  /** The job does not start earlier. */
  readonly notBeforeMs: number;
  /** Attempts in a row that have failed. */
  readonly failures: number;
  /** How the latest of them ended; `undefined` where there is none. */
  readonly failure: JobResult | undefined;
  /** Whether a worker has it. */
  readonly isTaken: boolean;
  /** `undefined` for a job that waits or that is under way. */
  readonly result: JobResult | undefined;
}

/** When a job is tried again, and what became of it so far. */
interface JobAttempts extends Pick<JobRecord, "failures" | "failure"> {
  /** Time until the next attempt, in milliseconds. */
  readonly pauseMs: number;
}

/**
 * - `removed`: no worker starts the job any more.
 * - `taken`: a worker is doing it, or may be.
 * - `none`: there is no such job, or it has ended.
 */
type JobRemoval = "removed" | "taken" | "none";

/** A job that this process has taken; if disposed of without an end, it returns to the queue. */
export interface TakenJob extends AsyncDisposable {
  /** Number of its store in the database. */
  readonly store: number;
  readonly job: JobRecord;
  /** Says whether no other worker has taken the job meanwhile. */
  isHeld(): Promise<boolean>;
  /** Throws `DatabaseError` `E_LEASE_LOST` where one has; within a transaction. */
  assertHeld(): Steps<void>;
  /** Ends the job; its end is kept for a week. */
  end(result: JobResult): Promise<void>;
  /** Leaves the job to a later attempt. */
  postpone(to: JobAttempts): Promise<void>;
}

/** The jobs that a worker does. */
export interface JobChoice {
  readonly kinds: ReadonlySet<JobKind>;
  /** Numbers of the stores, of a shared queue. */
  readonly stores: readonly number[];
}

/** Names a sync by the number of its store and the id of its schedule. */
export const toOpenSync = (store: number, schedule: string): string => `${store} ${schedule}`;

/**
 * The queue of one store. It may lose, double or delay a job: what was sent is for the journal to
 * say.
 */
export interface JobQueue {
  /** Number of the store in its database. */
  readonly storeKey: number;
  /**
   * Whether it is one queue for all stores of a database, which has the starts of schedules as
   * well.
   */
  readonly isShared: boolean;
  /** Returns the numbers of stores in the database; a new store gets one. */
  readStores(stores: readonly StoreAddress[]): Promise<readonly number[]>;
  /** Time by which jobs start: machines whose clocks differ must read the same. */
  nowMs(): number;
  /**
   * Adds a job of this store, or of another one of a shared queue. One that has not ended stays as
   * it is; one that has ended starts anew.
   */
  add(job: NewJob, store?: number): Promise<void>;
  /** Returns the jobs that have not ended, the one that was asked for first at the beginning. */
  listOpen(): Promise<readonly JobRecord[]>;
  read(job: JobKey): Promise<JobRecord | undefined>;
  /** Removes a job that no worker has taken. */
  remove(job: JobKey): Promise<JobRemoval>;
  /** Returns the open syncs of a shared queue, by {@link toOpenSync}. */
  listOpenSyncs(): Promise<ReadonlySet<string>>;
  /**
   * Takes due jobs: at most `max`, at most one of a kind and a store, and none of a store on which
   * another process does work of that kind.
   */
  take(max: number, of: JobChoice): Promise<readonly TakenJob[]>;
}

/** Time for which the end of a job is kept; after it nobody asks. */
export const ENDED_JOB_KEPT_MS: number = 7 * 86_400_000;

/** The locks by which processes of one machine share the queue of a file. */
export interface JobLocks {
  /** Rejects with `DatabaseError` `E_STORE_BUSY` while another process has the job. */
  job(job: JobKey): Promise<AsyncDisposable>;
  /** The process that has taken the job; `undefined` for none. */
  jobHolder(job: JobKey): Promise<LockHolder | undefined>;
  /** The process that works on the store; `undefined` for none. */
  storeHolder(): Promise<LockHolder | undefined>;
}

interface FileQueueOptions extends RepositoryOptions {
  readonly locks: JobLocks;
}

/** Creates the queue of a store whose database is a file. */
export function createFileQueue(options: FileQueueOptions): JobQueue {
  const { clock, locks } = options;
  const table = createJobTable(options);
  let hasOne = false;
  return {
    storeKey: table.store,
    isShared: false,
    readStores: async (stores) => stores.map((store) => options.database.storeKey(store)),
    listOpenSyncs: async () => new Set(),
    nowMs: () => clock.now(),
    add: (job) => table.add(job),
    async listOpen() {
      const open: JobRecord[] = [];
      for (const job of await table.listOpen()) open.push(await place(locks, job));
      return open;
    },
    async read(key) {
      const job = await table.read(key);
      return job && (job.result === undefined ? await place(locks, job) : job);
    },
    async remove(job) {
      // A worker reads the job again once it has this lock, so it starts none that was removed under it.
      await using lock = await tryLock(() => locks.job(job));
      const found = await table.read(job);
      // A worker that has stored the end gives its lock back a moment later.
      if (found === undefined || found.result !== undefined) return "none";
      if (lock === undefined) return "taken";
      return (await table.remove(job)) ? "removed" : "none";
    },
    async take(max, { kinds }) {
      if (max < 1 || hasOne || (await locks.storeHolder()) !== undefined) return [];
      const open = (await table.listOpen()).filter(
        ({ kind, notBeforeMs }) => kinds.has(kind) && notBeforeMs <= clock.now(),
      );
      // What was promised for a time does not wait for what may be sent at any time.
      const due = open.find(({ kind }) => kind === "undo" || kind === "start") ?? open[0];
      const lock = due && (await tryLock(() => locks.job(due)));
      if (due === undefined || lock === undefined) return [];
      // Another worker may have ended it before.
      const job = await table.read(due);
      if (job === undefined || job.result !== undefined) {
        await lock[Symbol.asyncDispose]();
        return [];
      }
      hasOne = true;
      return [
        {
          store: table.store,
          job: { ...job, isTaken: true },
          isHeld: async () => true,
          assertHeld: () => noSteps(undefined),
          end: (result) => table.end(job, result),
          postpone: (to) => table.postpone(job, to),
          async [Symbol.asyncDispose]() {
            hasOne = false;
            await lock[Symbol.asyncDispose]();
          },
        },
      ];
    },
  };
}

async function place(locks: JobLocks, job: JobRecord): Promise<JobRecord> {
  return { ...job, isTaken: (await locks.jobHolder(job)) !== undefined };
}

/** The rows of jobs; each method that writes is one commit. */
interface JobTable {
  readonly store: number;
  add(job: NewJob): Promise<void>;
  listOpen(): Promise<readonly JobRecord[]>;
  read(job: JobKey): Promise<JobRecord | undefined>;
  postpone(job: JobKey, to: JobAttempts): Promise<void>;
  /** Ends a job, and deletes those that ended a week ago. */
  end(job: JobKey, result: JobResult): Promise<void>;
  remove(job: JobKey): Promise<boolean>;
}

function createJobTable({ database, clock, ...options }: RepositoryOptions): JobTable {
  const { build } = database;
  const store = database.storeKey(options.store);
  const removals = build.deleteFrom("job").where("store", "=", store);
  const changeOpen = async (
    { kind, key }: JobKey,
    columns: Partial<JobSchema["job"]>,
  ): Promise<void> => {
    const open = build.updateTable("job").set(columns).where("ended_at_ms", "is", null);
    const query = open.where("store", "=", store).where("kind", "=", kind).where("key", "=", key);
    await database.execute(database.run(query));
  };
  return {
    store,
    async add({ kind, key, spec }) {
      const fresh = { ...toFresh(clock), spec_json: toJson(spec) };
      const query = build
        .insertInto("job")
        .values({ store, kind, key, ...fresh })
        .onConflict((conflict) =>
          conflict
            .columns(["store", "kind", "key"])
            .doUpdateSet(fresh)
            .where("job.ended_at_ms", "is not", null),
        );
      await database.execute(database.run(query));
    },
    ...createReads(database, store),
    async postpone(job, { pauseMs, failures, failure }) {
      const result_json = failure === undefined ? null : toJson(failure);
      await changeOpen(job, { not_before_ms: clock.now() + pauseMs, failures, result_json });
    },
    async end(job, result) {
      const now = clock.now();
      await changeOpen(job, { result_json: toJson(result), ended_at_ms: now });
      const old = removals.where("ended_at_ms", "<", now - ENDED_JOB_KEPT_MS);
      await database.execute(database.run(old));
    },
    async remove({ kind, key }) {
      const one = removals.where("kind", "=", kind).where("key", "=", key);
      return (await database.execute(database.run(one))) > 0;
    },
  };
}

/** Columns of a job that nobody has begun. */
function toFresh(clock: Clock): Omit<JobSchema["job"], "store" | "kind" | "key" | "spec_json"> {
  const now = clock.now();
  const none = { failures: 0, ended_at_ms: null, result_json: null };
  return { asked_at_ms: now, not_before_ms: now, ...none };
}

function createReads(database: Database, store: number): Pick<JobTable, "listOpen" | "read"> {
  const jobs = database.build.selectFrom("job").selectAll().where("store", "=", store);
  return {
    async listOpen() {
      const open = jobs.where("ended_at_ms", "is", null);
      const query = open.orderBy("asked_at_ms").orderBy("kind").orderBy("key");
      return (await database.execute(database.all(query))).map(toJobRecord);
    },
    async read({ kind, key }) {
      const query = jobs.where("kind", "=", kind).where("key", "=", key);
      const found = await database.execute(database.get(query));
      return found === undefined ? undefined : toJobRecord(found);
    },
  };
}

/** An open job keeps the end of its latest attempt where an ended one keeps its own. */
function toJobRecord(row: JobSchema["job"]): JobRecord {
  const stored =
    row.result_json === null ? undefined : jobResultSchema.parse(fromJson(row.result_json));
  const isOpen = row.ended_at_ms === null;
  return {
    kind: jobKindSchema.parse(row.kind),
    key: row.key,
    spec: fromJson(row.spec_json),
    askedAtMs: row.asked_at_ms,
    notBeforeMs: row.not_before_ms,
    failures: row.failures,
    failure: isOpen ? stored : undefined,
    isTaken: false,
    result: isOpen ? undefined : stored,
  };
}
