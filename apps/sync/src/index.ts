export { createScheduleCommand, type ScheduleParts } from "./commands/schedule/index.ts";
export { createSyncCommand, type SyncParts } from "./commands/sync/index.ts";
