/**
 * The queue on PostgreSQL: pg-boss, with one queue for all stores of a database, each of which is a
 * group of jobs. It hands a job to one worker at a time, and to another one once its worker has been
 * silent. It decides nothing about what is sent: that is for the run's lease and its journal, so a
 * job that is lost, doubled or late is a delay and no more.
 */

import type { Clock } from "@catalog/clock";
import { type RawBuilder, sql } from "kysely";
import type { Pool } from "pg";
import type { ConstructorOptions, JobAttempt, JobWithMetadata, PgBoss, Queue } from "pg-boss";
import { z } from "zod";

import { DatabaseError, isAway, toLaterError, toServerError } from "../errors.ts";
import { readHeldLeases, toStoreScope } from "../locks/leases.ts";
import { createPatience, type DatabaseWait } from "../patience.ts";
import {
  ENDED_JOB_KEPT_MS,
  type JobChoice,
  type JobKey,
  type JobKind,
  jobKindSchema,
  type JobQueue,
  type JobRecord,
  type JobResult,
  jobResultSchema,
  type NewJob,
  type TakenJob,
} from "../repositories/jobs.ts";
import { type Database, eachStep, readStoreKey, type Steps } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/queries.ts";
import { describeAddress, openPool, share, type Sharing } from "./pool.ts";

/** Schema of pg-boss's tables. Its own default would be that of another program in the database. */
const SCHEMA = "catalog_queue";

const QUEUE = "work";

/** A worker that has been silent for so long counts as dead. */
const SILENT_SECONDS = 10;
const HEARTBEAT_MS = 3_000;

/** Workers that have died are looked for so often. */
const SUPERVISE_SECONDS = 5;

/** Ends that nobody asks for any more are deleted so often. */
const MAINTAIN_SECONDS = 600;

const TEN_YEARS_SECONDS = 10 * 365 * 86_400;

/** Only a person gives a job up, so that nothing limits its attempts or its age. */
const QUEUE_OPTIONS: Omit<Queue, "name"> = {
  policy: "exclusive",
  retryLimit: 1_000_000_000,
  // After a death; an attempt that ends tells its own pause.
  retryDelay: 0,
  heartbeatSeconds: SILENT_SECONDS,
  // The longest that there is; a run that takes longer continues, as another attempt waits for its lease.
  expireInSeconds: 86_400,
  retentionSeconds: TEN_YEARS_SECONDS,
  deleteAfterSeconds: ENDED_JOB_KEPT_MS / 1000,
};

/** What a job holds. */
type Work = Pick<JobRecord, "kind" | "key" | "spec" | "failures" | "failure">;

const workSchema: z.ZodType<Work> = z
  .object({
    kind: jobKindSchema,
    key: z.string(),
    spec: z.unknown(),
    failures: z.number(),
    failure: jobResultSchema.optional(),
  })
  .transform((work) => ({ ...work, failure: work.failure }));

/** The address of the server, and how its absence is waited for. */
interface BossOptions {
  readonly url: string;
  readonly clock: Clock;
  /** Name of the command, which the server lists. @default `catalog` */
  readonly command?: string | undefined;
  /** @default a server that is away is an error */
  readonly wait?: DatabaseWait | undefined;
}

/** pg-boss on one database, started when it is first used. */
interface Boss {
  start(): Promise<void>;
  /** Makes a call of pg-boss, and again while the server is away. */
  readonly call: <Result>(work: (boss: PgBoss) => Promise<Result>) => Promise<Result>;
  stop(): Promise<void>;
}

function openBoss(
  { url, clock, command = "catalog", wait }: BossOptions,
  options: Omit<ConstructorOptions, "db">,
): Boss {
  const address = describeAddress(url);
  // The connections of the database tell of an outage; it is the same server.
  const patience = createPatience({ ...wait, clock, onOutage: undefined }, isAway);
  let opened: Promise<{ readonly boss: PgBoss; readonly pool: Pool }> | undefined;
  let isStopped = false;
  const start = async (): Promise<{ readonly boss: PgBoss; readonly pool: Pool }> => {
    const { PgBoss } = await import("pg-boss");
    const pool = openPool({ url, command, maxConnections: 2, isForLibrary: true });
    const boss = new PgBoss({
      db: { executeSql: (text, values) => pool.query(text, values) },
      schema: SCHEMA,
      schedule: false,
      openTelemetry: { enabled: false },
      // What only the owner of the tables may do.
      reindex: false,
      monitorVacuum: false,
      ...options,
    });
    // What looks after the queue meets the same error as the next call, and tries again by itself.
    boss.on("error", () => undefined);
    try {
      await boss.start();
    } catch (error) {
      await pool.end();
      throw isAway(error) ? error : toStartError(error, address);
    }
    return { boss, pool };
  };
  const call = async <Result>(work: (boss: PgBoss) => Promise<Result>): Promise<Result> => {
    try {
      return await patience.outlast(async () => {
        // A call that has waited for the server must not open what was closed meanwhile.
        if (isStopped) throw new Error("the queue is closed");
        opened ??= start();
        const { boss } = await opened.catch((error: unknown) => {
          opened = undefined;
          throw error;
        });
        return await work(boss);
      });
    } catch (error) {
      throw toLaterError(toServerError(error, address));
    }
  };
  return {
    call,
    start: () => call(async () => undefined),
    async stop() {
      isStopped = true;
      const found = await opened?.catch(() => undefined);
      opened = undefined;
      if (found === undefined) return;
      await found.boss.stop({ graceful: false }).catch(() => undefined);
      await found.pool.end();
    },
  };
}

/** pg-boss throws errors without a code where its tables are missing, or of another version. */
const toStartError = (error: unknown, address: string): unknown =>
  error instanceof Error && !("code" in error)
    ? new DatabaseError("E_DATABASE_VERSION", address, { cause: error })
    : error;

/** A role that may make no tables. */
const WORKING_ROLE = { migrate: false, createSchema: false } as const;

/** Takes no jobs, and looks after none. */
const SENDER = { ...WORKING_ROLE, supervise: false, registerInstance: false } as const;

/** Makes the tables of the queue, or brings them to this version. */
export async function migrateQueue(options: BossOptions): Promise<void> {
  const owner = openBoss(options, { ...SENDER, migrate: true, createSchema: true });
  try {
    await owner.call(async (boss) => {
      await boss.createQueue(QUEUE, QUEUE_OPTIONS);
      const { policy: _fixed, ...changes } = QUEUE_OPTIONS;
      await boss.updateQueue(QUEUE, changes);
    });
  } finally {
    await owner.stop();
  }
}

/** A job of a store, by the number of the store. */
export interface StoreJob extends NewJob {
  readonly store: number;
}

/** Adds jobs of several stores. */
export async function addJobs(options: BossOptions, jobs: readonly StoreJob[]): Promise<void> {
  const sender = openBoss(options, SENDER);
  try {
    for (const job of jobs) await sender.call((boss) => send(boss, job));
  } finally {
    await sender.stop();
  }
}

async function send(boss: PgBoss, { store, kind, key, spec, priority }: StoreJob): Promise<void> {
  const work: Work = { kind, key, spec, failures: 0, failure: undefined };
  const singletonKey = toSingleton(store, { kind, key });
  const group = { id: toGroup(store, kind) };
  await boss.send(QUEUE, work, {
    group,
    singletonKey,
    priority: priority ?? PRIORITIES[kind],
    // The schedule itself keeps what its sync came to.
    ...(kind === "sync" && { deleteAfterSeconds: SYNC_KEPT_SECONDS }),
  });
}

const SYNC_KEPT_SECONDS = 60;

/** What was promised for a time comes first, then stock and prices, then products. */
const PRIORITIES: Readonly<Record<JobKind, number>> = { undo: 4, start: 3, sync: 1, apply: 0 };

/** The queue of one store, until it is closed. */
interface BossQueue extends JobQueue {
  close(): Promise<void>;
}

interface BossQueueOptions extends BossOptions {
  readonly database: Database;
  /** Number of the store. */
  readonly store: number;
  /** The server's clock. */
  readonly sharedClock: Pick<Clock, "now">;
}

/** Opens the queue of a store; nothing is asked of the server yet. */
export function openBossQueue(options: BossQueueOptions): BossQueue {
  const { store, sharedClock } = options;
  const { value, release } = shareBosses(options);
  const { sender, worker } = value;
  const reads = createReads(options);
  return {
    storeKey: store,
    isShared: true,
    nowMs: () => sharedClock.now(),
    readStores: (stores) => reads.readStores(stores),
    add: (job, of = store) => sender.call((boss) => send(boss, { ...job, store: of })),
    listOpenSyncs: () => reads.listOpenSyncs(),
    listOpen: async () => (await reads.listOpen()).map(toRecord),
    async read(job) {
      const found = await reads.read(job);
      return found && toRecord(found);
    },
    remove: (job) => reads.remove(job),
    take: (max, of) => take({ ...options, worker, reads }, max, of),
    close: release,
  };
}

/** The instances of pg-boss of this process: the stores of a worker share them. */
interface SharedBosses {
  /** Adds jobs. */
  readonly sender: Boss;
  /** Takes jobs, and looks after those of dead workers. */
  readonly worker: Boss;
}

const bosses: Sharing<SharedBosses> = new Map();

const shareBosses = (options: BossOptions): ReturnType<typeof share<SharedBosses>> =>
  share(bosses, JSON.stringify([options.url, options.command]), {
    open: () => ({
      sender: openBoss(options, SENDER),
      worker: openBoss(options, {
        ...WORKING_ROLE,
        instanceName: options.command ?? "catalog",
        superviseIntervalSeconds: SUPERVISE_SECONDS,
        monitorIntervalSeconds: SUPERVISE_SECONDS,
        maintenanceIntervalSeconds: MAINTAIN_SECONDS,
      }),
    }),
    close: ({ sender, worker }) => Promise.all([sender.stop(), worker.stop()]),
  });

const toSingleton = (store: number, { kind, key }: JobKey): string => `${store}/${kind}/${key}`;

/** A job as the table of pg-boss has it. */
interface FoundJob {
  readonly state: string;
  readonly data_json: string;
  readonly output_json: string | null;
  readonly asked_at_ms: number;
  readonly not_before_ms: number;
  readonly is_silent: number;
}

interface DueGroup {
  readonly due: string;
}

/** A job whose worker has been silent for so long waits for another one, whatever its state says. */
const MAX_SILENCE_SECONDS = 60;

const JOBS = sql`${sql.id(SCHEMA)}.job`;
const COLUMNS = sql`state::text AS state, data::text AS data_json, output::text AS output_json,
  floor(extract(epoch FROM created_on) * 1000)::bigint AS asked_at_ms,
  floor(extract(epoch FROM start_after) * 1000)::bigint AS not_before_ms,
  coalesce(heartbeat_on < now() - ${MAX_SILENCE_SECONDS} * interval '1 s', false)::int AS is_silent`;

interface Reads extends Pick<JobQueue, "listOpenSyncs" | "readStores" | "remove"> {
  listOpen(): Promise<readonly FoundJob[]>;
  read(job: JobKey): Promise<FoundJob | undefined>;
  /** Says whether the attempt is still the one under way, and keeps it so in a transaction. */
  isHeld(attempt: JobAttempt): Steps<boolean>;
  /** Lets the job of the attempt wait again; changes nothing where the attempt is over. */
  putBack(attempt: JobAttempt, work: Work, pauseMs: number): Promise<void>;
  /** The groups of the database for which something is due. */
  listDue(): Promise<readonly string[]>;
}

/** Reads and changes the table where pg-boss has no call that does so by group, or in one statement. */
function createReads({ database, store }: BossQueueOptions): Reads {
  const { build } = database;
  const steps = <Row>(text: RawBuilder<Row>): Steps<Row[]> =>
    database.all<Row>({ compile: () => text.compile(build) });
  const all = <Row>(text: RawBuilder<Row>): Promise<Row[]> => database.execute(steps(text));
  const read = async (job: JobKey): Promise<FoundJob | undefined> => {
    const [found] = await all(sql<FoundJob>`SELECT ${COLUMNS} FROM ${JOBS}
      WHERE name = ${QUEUE} AND singleton_key = ${toSingleton(store, job)}
      ORDER BY created_on DESC LIMIT 1`);
    return found;
  };
  return {
    read,
    listOpen: () =>
      all(sql<FoundJob>`SELECT ${COLUMNS} FROM ${JOBS}
        WHERE name = ${QUEUE} AND state <= 'active' AND group_id LIKE ${`%/${store}`}
        ORDER BY created_on, id`),
    async listOpenSyncs() {
      const found = await all(sql<{ readonly key: string }>`SELECT singleton_key AS key FROM ${JOBS}
        WHERE name = ${QUEUE} AND state <= 'active' AND group_id LIKE 'sync/%'`);
      return new Set(found.map(({ key }) => key.replace("/sync/", " ")));
    },
    *isHeld({ id, retryCount }) {
      const found = yield* steps(sql<object>`SELECT 1 FROM ${JOBS}
        WHERE name = ${QUEUE} AND id = ${id}::uuid AND state = 'active'
          AND retry_count = ${retryCount} FOR SHARE`);
      return found.length > 0;
    },
    // Two calls of pg-boss, to fail the attempt and to set the next time, would be two commits.
    async putBack({ id, retryCount }, work, pauseMs) {
      const change = sql`UPDATE ${JOBS} SET state = 'retry', data = ${toJson(work)}::jsonb,
          start_after = now() + ${pauseMs / 1000} * interval '1 s', heartbeat_on = NULL
        WHERE name = ${QUEUE} AND id = ${id}::uuid AND state = 'active'
          AND retry_count = ${retryCount}`;
      await database.execute(database.run({ compile: () => change.compile(build) }));
    },
    async listDue() {
      const found = await all(sql<DueGroup>`SELECT DISTINCT group_id AS due FROM ${JOBS}
        WHERE name = ${QUEUE} AND state < 'active' AND start_after <= now()`);
      return found.map(({ due }) => due);
    },
    readStores: (stores) =>
      database
        .across("stores")
        .transaction(() => eachStep(stores, (one) => readStoreKey(database, one))),
    async remove(job) {
      const deleteWhere = (state: RawBuilder<unknown>): Promise<number> => {
        const deletion = sql`DELETE FROM ${JOBS} WHERE name = ${QUEUE}
          AND singleton_key = ${toSingleton(store, job)} AND ${state}`;
        return database.execute(database.run({ compile: () => deletion.compile(build) }));
      };
      while ((await deleteWhere(sql`state < 'active'`)) === 0) {
        const found = await read(job);
        if (found === undefined || toRecord(found).result !== undefined) return "none";
        // A worker may have put it back in between.
        if (found.state === "active") return "taken";
      }
      // The ends of the same job, which was asked for before.
      await deleteWhere(sql`state > 'active'`);
      return "removed";
    },
  };
}

function toRecord(found: FoundJob): JobRecord {
  const work = workSchema.parse(fromJson(found.data_json));
  const output = found.output_json === null ? undefined : fromJson(found.output_json);
  return {
    ...work,
    askedAtMs: found.asked_at_ms,
    notBeforeMs: found.not_before_ms,
    isTaken: found.state === "active" && found.is_silent === 0,
    result: found.state === "completed" ? jobResultSchema.parse(output) : GIVEN_UP[found.state],
  };
}

const STOPPED: JobResult = { exit: 130, code: "E_INTERRUPTED", message: null };

/** States into which only a person brings a job, by pg-boss's own dashboard. */
const GIVEN_UP: Readonly<Partial<Record<string, JobResult>>> = {
  cancelled: STOPPED,
  failed: STOPPED,
};

interface Worker extends BossQueueOptions {
  readonly worker: Boss;
  readonly reads: Reads;
}

async function take(
  options: Worker,
  max: number,
  { kinds, stores }: JobChoice,
): Promise<readonly TakenJob[]> {
  const { database, worker, reads } = options;
  // From its start on it looks for the jobs of workers that have died.
  await worker.start();
  if (max < 1) return [];
  const chosen = new Map(
    [...kinds].flatMap((kind) =>
      stores.map((store) => [toGroup(store, kind), toLease(store, kind)] as const),
    ),
  );
  const due = await reads.listDue();
  const leases = due.flatMap((group) => chosen.get(group) ?? []);
  const held = await readHeldLeases(database, leases);
  // pg-boss takes jobs of all groups but those that it is told to leave out.
  const others = due.filter((group) => {
    const lease = chosen.get(group);
    return lease === undefined || held.has(lease);
  });
  if (others.length === due.length) return [];
  const fetched = await worker.call((boss) =>
    boss.fetch<object>(QUEUE, {
      batchSize: max,
      includeMetadata: true,
      groupConcurrency: 1,
      ignoreGroups: others,
    }),
  );
  const taken = fetched.map((job) => toTaken(options, job));
  // A job that is for another worker may have come since.
  const isOwn = ({ store, job }: TakenJob): boolean => chosen.has(toGroup(store, job.kind));
  for (const job of taken) if (!isOwn(job)) await job[Symbol.asyncDispose]();
  return taken.filter(isOwn);
}

/** Key of the lease of a process that does work of the kind. */
const toLease = (store: number, kind: JobKind): string =>
  `${toStoreScope(store)} ${kind === "sync" ? "feed" : "store"}`;

/**
 * Group of the jobs of which one is under way at a time; a sync may run beside an import. What is due
 * at a set time is a group of its own, as the page does it and leaves other runs to the workers.
 */
const toGroup = (store: number, kind: JobKind): string =>
  `${kind === "start" || kind === "undo" ? "period" : kind}/${store}`;

function toTaken({ clock, database, worker, reads }: Worker, job: JobWithMetadata): TakenJob {
  const work = workSchema.parse(job.data);
  const settled = new AbortController();
  void keepAlive({ clock, worker }, job, settled.signal);
  const again = async (to: Pick<Work, "failures" | "failure">, pauseMs: number): Promise<void> => {
    settled.abort();
    await reads.putBack(job, { ...work, ...to }, pauseMs);
  };
  return {
    store: Number(job.groupId?.split("/")[1]),
    job: {
      ...work,
      askedAtMs: job.createdOn.getTime(),
      notBeforeMs: job.startAfter.getTime(),
      isTaken: true,
      result: undefined,
    },
    isHeld: () => database.execute(reads.isHeld(job)),
    *assertHeld() {
      if (!(yield* reads.isHeld(job))) throw new DatabaseError("E_LEASE_LOST", job.id);
    },
    async end(result) {
      settled.abort();
      await worker.call((boss) => boss.complete(QUEUE, job, result));
    },
    postpone: ({ pauseMs, failures, failure }) => again({ failures, failure }, pauseMs),
    async [Symbol.asyncDispose]() {
      // Where the server is away, the silence gives it back.
      if (!settled.signal.aborted) await again(work, 0).catch(() => undefined);
    },
  };
}

/** Tells that the worker lives, until the job is settled. */
async function keepAlive(
  { clock, worker }: Pick<Worker, "clock" | "worker">,
  job: JobWithMetadata,
  settled: AbortSignal,
): Promise<void> {
  while (!settled.aborted) {
    try {
      await clock.sleep(HEARTBEAT_MS, settled);
      await worker.call((boss) => boss.touch(QUEUE, job));
    } catch {
      // The end of the job, or a server that is away: another worker may take the job.
    }
  }
}
