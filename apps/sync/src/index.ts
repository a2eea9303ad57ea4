export { createSyncCommand, type SyncParts } from "./commands/sync.ts";
