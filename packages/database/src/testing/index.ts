export {
  createMemoryMarkers,
  type MemoryDatabase,
  type MemoryDatabaseOptions,
  type MemoryJournal,
  type MemoryJournalOptions,
  type MemoryMarkers,
  openMemoryDatabase,
  openMemoryJournal,
} from "./memory-journal.ts";
export {
  createTestDatabase,
  hasPostgres,
  type TestDatabase,
  findPostgres,
  findServerParent,
  type PostgresServer,
  startPostgres,
  openTcpProxy,
  type TcpProxy,
} from "./postgres-server.ts";

// The parts of a store, for tests that put them together by hand.
export { createRunPruner, type RunPruner, pruneWhileIdle } from "../archive/run-pruner.ts";
export { createJournal, type JournalOptions } from "../journal/journal.ts";
export { createLeases, type Leases } from "../locks/leases.ts";
export { openFileLocks } from "../locks/store-locks.ts";
export { openPostgres, openServerClock } from "../postgres/open-postgres.ts";
export { createRateLimiter } from "../rate-limit/rate-limiter.ts";
export { createCallLog, createRunRepository } from "../repositories/runs.ts";
export { createCodeRegistry } from "../repositories/code-registry.ts";
export { createExportStaging } from "../repositories/export-staging.ts";
export { createFeedState } from "../repositories/feed-state.ts";
export { createFileQueue } from "../repositories/jobs.ts";
export { createNoteRepository } from "../repositories/memory.ts";
export { createPeriodRepository } from "../repositories/periods.ts";
export { createScheduleRepository } from "../repositories/schedules.ts";
export { createVerificationLog } from "../repositories/verification-log.ts";
export { type Database, type FileDatabase, type StoreAddress } from "../sql/database.ts";
export { openDatabase } from "../sqlite/sqlite.ts";
