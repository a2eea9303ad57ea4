export { createSyncCommand, type SyncParts } from "./commands/sync/index.ts";
