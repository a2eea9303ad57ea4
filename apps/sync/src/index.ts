export { createAlertsCommand } from "./commands/alerts/index.ts";
export { createScheduleCommand } from "./commands/schedule/index.ts";
export { type ScheduleParts } from "./commands/schedule/flags.ts";
export { createSyncCommand, type SyncParts } from "./commands/sync/index.ts";
