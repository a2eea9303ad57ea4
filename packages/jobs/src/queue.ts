/**
 * The queue and the schedules of a store, as they are stored.
 */

import type { Connection } from "@catalog/connection";

export type JobQueue = Connection["memory"]["jobs"];

/** A job of the queue. */
export type JobRecord = NonNullable<Awaited<ReturnType<JobQueue["read"]>>>;

/** What a job is; a store has one of each. */
export type JobKey = Parameters<JobQueue["read"]>[0];

export type JobKind = JobKey["kind"];

/** How a job, or one attempt of it, ended. */
export type JobResult = NonNullable<JobRecord["result"]>;

/** A job that this process has taken; if disposed of without an end, it returns to the queue. */
export type TakenJob = Awaited<ReturnType<JobQueue["take"]>>[number];

/** When a job is tried again, and what became of it so far. */
export type JobAttempts = Parameters<TakenJob["postpone"]>[0];

/** A stored schedule. */
export type ScheduleRecord = Awaited<ReturnType<Connection["memory"]["schedules"]["list"]>>[number];

/** The time that was run last, or that is being run. */
export type ScheduleProgress = NonNullable<ScheduleRecord["progress"]>;

/** The person of a server who answers for a schedule. */
export type ScheduleOwner = NonNullable<ScheduleRecord["owner"]>;

/** What the last sync of a schedule came to. */
export type ScheduleResult = NonNullable<ScheduleRecord["result"]>;

/** A schedule to store. */
export type ScheduleSettings = Parameters<Connection["memory"]["schedules"]["save"]>[0];
