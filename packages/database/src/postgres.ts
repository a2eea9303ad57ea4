/** What an administrator does to a PostgreSQL server, apart from the rest because its driver takes 30 ms to load. */

export {
  checkServer,
  type CopiedRows,
  copyToPostgres,
  migratePostgres,
  noteRestored,
  putAway,
  readServerSeparation,
} from "./postgres/administration.ts";
export { describeAddress } from "./postgres/pool.ts";
