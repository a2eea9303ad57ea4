/**
 * Migrations of both databases after the tables of PostgreSQL were first made, written once; types as
 * `toPostgres` reads them. A released migration is never changed.
 */

/**
 * Keys of look-alike codes leave out more than before. Those of adds are filled again when codes
 * are first compared; the listing is read again before each plan.
 */
const WIDER_ALIKE_CODES = [`UPDATE op SET suspect_key = NULL`];

/** Work that is handed to the workers. */
const JOBS = [
  `CREATE TABLE job (
     store INTEGER NOT NULL REFERENCES store (id), kind TEXT NOT NULL, key TEXT NOT NULL,
     spec_json TEXT NOT NULL, asked_at_ms INTEGER NOT NULL, not_before_ms INTEGER NOT NULL,
     deaths INTEGER NOT NULL, ended_at_ms INTEGER, result_json TEXT,
     PRIMARY KEY (store, kind, key)
   ) STRICT`,
];

export const SHARED_MIGRATIONS: readonly (readonly string[])[] = [WIDER_ALIKE_CODES, JOBS];
