/**
 * Migrations of both databases after the tables of PostgreSQL were first made, written once; types as
 * `toPostgres` reads them. A released migration is never changed.
 */

/**
 * Keys of look-alike codes leave out more than before. Those of adds are filled again when codes
 * are first compared; the listing is read again before each plan.
 */
const WIDER_ALIKE_CODES = [`UPDATE op SET suspect_key = NULL`];

/**
 * Where a server keeps the rows, and how often an older copy was put in their place; a file has its
 * counter and its marker instead, and leaves both as they are.
 */
const RESTORED_SERVERS = [
  `ALTER TABLE copy ADD COLUMN place TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE copy ADD COLUMN generation INTEGER NOT NULL DEFAULT 0`,
];

export const SHARED_MIGRATIONS: readonly (readonly string[])[] = [
  WIDER_ALIKE_CODES,
  RESTORED_SERVERS,
];
