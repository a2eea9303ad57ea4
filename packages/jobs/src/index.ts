export { describeTimes } from "./describe-times.ts";
export {
  type QueuedRunTools,
  type QueuedRunState,
  type QueuePlace,
  type QueueState,
  type QueueTools,
  readQueuedRuns,
  readQueues,
} from "./read-queues.ts";
export {
  type JobRemoval,
  removeJob,
  type RemoveJobTools,
  type SendingStop,
  stopSending,
  type StopSendingTools,
} from "./remove-job.ts";
export {
  type NextStart,
  RETRY_MS,
  type RunnableSchedule,
  runSchedules,
  type RunSchedulesOptions,
  type StartedEnd,
} from "./run-schedules.ts";
export {
  type JobEvent,
  type JobTools,
  runStoreJobs,
  type RunStoreJobsOptions,
} from "./run-store-jobs.ts";
export {
  readNextStart,
  recordSync,
  runStoreSchedules,
  type RunStoreSchedulesOptions,
  type ScheduleEvent,
  type ScheduleStart,
  type ScheduleTools,
  startSync,
} from "./run-store-schedules.ts";
export {
  countFailures,
  hasDoneItsJob,
  rankOfFeed,
  readScheduleHealth,
  type ScheduleHealth,
} from "./schedule-health.ts";
export {
  type CommandOptions,
  type CommandProgress,
  createStartCommand,
  type EndedCommand,
  type StartCommand,
  type StartedCommand,
} from "./start-command.ts";
export {
  forgetStopRequest,
  readStopRequest,
  type StopTools,
  type StopWatch,
  watchStopRequest,
} from "./stop-request.ts";
export {
  parseSyncOptions,
  readScheduleWord,
  type SyncOptions,
  toSyncFlags,
  toSyncOptions,
} from "./sync-options.ts";
export { type SharedReads, shareReads, type ShareReadsOptions } from "./share-reads.ts";
export { createTimetable, listNext, type Timetable } from "./timetable.ts";
export { createWorkSlots, type WorkKind, type WorkSlots } from "./work-slots.ts";
