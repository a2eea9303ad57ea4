/** The jobs of one store: work that was handed to the workers, until it has ended. */

import { z } from "zod";

import type { Database } from "../sql/database.ts";
import type { JobSchema } from "../sql/job-schema.ts";
import { fromJson, toJson } from "../sql/json.ts";
import { readStoreKey } from "../store-key.ts";
import type { RepositoryOptions } from "./rules.ts";

/** Kinds of jobs; `apply` sends the planned run whose id is the key. */
const JOB_KINDS = ["apply"] as const;

export type JobKind = (typeof JOB_KINDS)[number];

/** What a job is; a store has one of each. */
export interface JobKey {
  readonly kind: JobKind;
  readonly key: string;
}

/** A job to store. */
export interface NewJob extends JobKey {
  /** What the kind needs besides the key; the reader validates it. */
  readonly spec: unknown;
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

/** A stored job. */
export interface JobRecord extends NewJob {
  readonly askedAtMs: number;
  /** The job does not start earlier. */
  readonly notBeforeMs: number;
  /** Attempts in a row that have failed. */
  readonly failures: number;
  /** How the latest of them ended; `undefined` where there is none. */
  readonly failure: JobResult | undefined;
  /** `undefined` for a job that waits or that is under way. */
  readonly result: JobResult | undefined;
}

/** When a job is tried again, and what became of it so far. */
export type JobAttempts = Pick<JobRecord, "notBeforeMs" | "failures" | "failure">;

/** The jobs of one store. Each method that writes is one commit. */
export interface JobRepository {
  /** Number of the store in its database, by which reads of all stores name it. */
  readonly storeKey: number;
  /** Time by which jobs start: machines whose clocks differ must read the same. */
  nowMs(): number;
  /** Stores a job. One that has not ended stays as it is; one that has ended starts anew. */
  add(job: NewJob): Promise<void>;
  /** Returns the jobs that have not ended, the one that was asked for first at the beginning. */
  listOpen(): Promise<readonly JobRecord[]>;
  /** Returns those of every store of the database, by the number of the store. */
  listAllOpen(): Promise<ReadonlyMap<number, readonly JobRecord[]>>;
  read(job: JobKey): Promise<JobRecord | undefined>;
  /** Moves the start of a job that has not ended; returns whether there is one. */
  postpone(job: JobKey, to: JobAttempts): Promise<boolean>;
  /** Ends a job that has not ended, and deletes those that ended a week ago. */
  end(job: JobKey, result: JobResult): Promise<boolean>;
  /** Deletes a job; returns whether there was one. */
  remove(job: JobKey): Promise<boolean>;
}

/** Time after which nobody asks for the end of a job. */
const KEPT_MS = 7 * 86_400_000;

/** Creates the repository of a store; jobs of other stores are not visible. */
export function createJobRepository(options: RepositoryOptions): JobRepository {
  const { database, clock } = options;
  const { build } = database;
  const store = readStoreKey(database, options.store);
  const removals = build.deleteFrom("job").where("store", "=", store);
  const changeOpen = (
    { kind, key }: JobKey,
    columns: Partial<JobSchema["job"]>,
  ): Promise<number> => {
    const open = build.updateTable("job").set(columns).where("ended_at_ms", "is", null);
    const query = open.where("store", "=", store).where("kind", "=", kind).where("key", "=", key);
    return database.execute(database.run(query));
  };
  return {
    storeKey: store,
    nowMs: () => clock.now(),
    async add({ kind, key, spec }) {
      const fresh = { ...toFresh(clock.now()), spec_json: toJson(spec) };
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
    async postpone(job, { notBeforeMs, failures, failure }) {
      const result_json = failure === undefined ? null : toJson(failure);
      const columns = { not_before_ms: notBeforeMs, deaths: failures, result_json };
      return (await changeOpen(job, columns)) > 0;
    },
    async end(job, result) {
      const now = clock.now();
      const isEnded = await changeOpen(job, { result_json: toJson(result), ended_at_ms: now });
      await database.execute(database.run(removals.where("ended_at_ms", "<", now - KEPT_MS)));
      return isEnded > 0;
    },
    async remove({ kind, key }) {
      const one = removals.where("kind", "=", kind).where("key", "=", key);
      return (await database.execute(database.run(one))) > 0;
    },
  };
}

/** Columns of a job that nobody has begun. */
const toFresh = (nowMs: number) => ({
  asked_at_ms: nowMs,
  not_before_ms: nowMs,
  deaths: 0,
  ended_at_ms: null,
  result_json: null,
});

function createReads(
  database: Database,
  store: number,
): Pick<JobRepository, "listOpen" | "listAllOpen" | "read"> {
  const all = database.build.selectFrom("job").selectAll();
  const jobs = all.where("store", "=", store);
  const listOpen = async (of: typeof all): Promise<readonly JobSchema["job"][]> => {
    const open = of.where("ended_at_ms", "is", null);
    const query = open.orderBy("asked_at_ms").orderBy("kind").orderBy("key");
    return await database.execute(database.all(query));
  };
  return {
    listOpen: async () => (await listOpen(jobs)).map(toJobRecord),
    async listAllOpen() {
      const open = Map.groupBy(await listOpen(all), (row) => row.store);
      return new Map(Array.from(open, ([of, rows]) => [of, rows.map(toJobRecord)] as const));
    },
    async read({ kind, key }) {
      const query = jobs.where("kind", "=", kind).where("key", "=", key);
      const found = await database.execute(database.get(query));
      return found === undefined ? undefined : toJobRecord(found);
    },
  };
}

const resultSchema: z.ZodType<JobResult> = z.object({
  exit: z.number(),
  code: z.string().nullable(),
  message: z.string().nullable(),
});

const kindSchema = z.enum(JOB_KINDS);

/** An open job keeps the end of its latest attempt where an ended one keeps its own. */
function toJobRecord(row: JobSchema["job"]): JobRecord {
  const stored =
    row.result_json === null ? undefined : resultSchema.parse(fromJson(row.result_json));
  const isOpen = row.ended_at_ms === null;
  return {
    kind: kindSchema.parse(row.kind),
    key: row.key,
    spec: fromJson(row.spec_json),
    askedAtMs: row.asked_at_ms,
    notBeforeMs: row.not_before_ms,
    failures: row.deaths,
    failure: isOpen ? stored : undefined,
    result: isOpen ? undefined : stored,
  };
}
