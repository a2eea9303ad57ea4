export { createStoreMetrics, serveMetrics } from "./metrics.ts";
export { describeTimes, createTimetable, listNext, type Timetable } from "./timetable.ts";
export {
  type QueuedRunTools,
  type QueuedRunState,
  type QueuePlace,
  readQueuedRuns,
} from "./read-queues.ts";
export {
  type JobKey,
  type JobQueue,
  type JobRecord,
  type JobResult,
  type ScheduleRecord,
  type TakenJob,
} from "./queue.ts";
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
  runWork,
  type WorkOptions,
  type WorkStore,
  type WorkTools,
  judgeAttempt,
  needsPerson,
  createWorkSlots,
  type WorkKind,
  type WorkSlots,
} from "./run-work.ts";
export {
  readNextStart,
  recordSync,
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
  parseSyncOptions,
  readScheduleWord,
  type SyncOptions,
  toSyncFlags,
  toSyncOptions,
} from "./schedule-health.ts";
export {
  type CommandOptions,
  type CommandProgress,
  createStartCommand,
  type EndedCommand,
  type StartCommand,
  type StartedCommand,
  type LeaveOptions,
  leaveToWorkers,
  readStopRequest,
  type SendingStop,
  stopSending,
  type StopSendingTools,
  type StopTools,
  type StopWatch,
  watchStopRequest,
} from "./start-command.ts";
