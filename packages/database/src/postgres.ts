/** The database on a PostgreSQL server, apart from the rest because its driver takes 30 ms to load. */

export { type Migrated, migratePostgres } from "./postgres/migrate-postgres.ts";
export { type CopiedRows, copyToPostgres, putAway } from "./postgres/copy-database.ts";
export { type NotedRestore, noteRestored } from "./postgres/note-restored.ts";
export { checkServer } from "./postgres/check-postgres.ts";
export { openPostgres, type PostgresOptions } from "./postgres/open-postgres.ts";
export { openBossQueue } from "./postgres/boss-queue.ts";
export { openServerClock, type ServerClockOptions } from "./postgres/server-clock.ts";
export { describeAddress } from "./postgres/pool.ts";
