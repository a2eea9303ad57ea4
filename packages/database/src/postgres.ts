/** The database on a PostgreSQL server, apart from the rest because its driver takes 30 ms to load. */

export {
  type Migrated,
  migratePostgres,
  type CopiedRows,
  copyToPostgres,
  putAway,
  type NotedRestore,
  noteRestored,
  checkServer,
} from "./postgres/administration.ts";
export {
  openPostgres,
  type PostgresOptions,
  openServerClock,
  type ServerClockOptions,
} from "./postgres/open-postgres.ts";
export { openBossQueue } from "./postgres/boss-queue.ts";
export { describeAddress } from "./postgres/pool.ts";
