export { ALERT_CAUSES, CHANNEL_KINDS } from "./alerts/alert-names.ts";
export { type Alerts, createAlerts } from "./alerts/alerts.ts";
export { type Post, resolvePostAddress } from "./alerts/channels.ts";
export { createWebhooks, type HookFact, type HookPost, type Webhooks } from "./hooks/webhooks.ts";
export { openCommandSchedule } from "./command-schedule.ts";
export { createPlanTurns, type PlanTurns, startPlansInTurn } from "./fair-queue.ts";
export { createStoreMetrics, serveMetrics } from "./metrics.ts";
export { createTimetable, describeTimes } from "./timetable.ts";
export { type QueuedRunState, readQueuedRuns } from "./read-queues.ts";
export {
  type JobKey,
  type JobQueue,
  type JobRecord,
  type ScheduleOwner,
  type ScheduleRecord,
  type TakenJob,
} from "./queue.ts";
export {
  addSchedule,
  changeSchedule,
  goLive,
  handOverSchedule,
  noteOwners,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
} from "./edit-schedules.ts";
export { runSchedules } from "./run-schedules.ts";
export { judgeAttempt, needsPerson, runWork, type WorkEvent, type WorkTools } from "./run-work.ts";
export { readNextStart, recordOwnSync, recordSync, startSync } from "./run-store-schedules.ts";
export {
  isShadow,
  readScheduleHealth,
  type ScheduleHealth,
  parseSyncOptions,
  readScheduleWord,
  type SyncOptions,
  toSyncOptions,
  toSyncFlags,
} from "./schedule-health.ts";
export {
  createStartCommand,
  type EndedCommand,
  type StartCommand,
  type StartedCommand,
  leaveToWorkers,
  readStopRequest,
  removeFromQueue,
  type SendingStop,
  stopSending,
  watchStopRequest,
} from "./start-command.ts";
