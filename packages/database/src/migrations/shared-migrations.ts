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

/** Counts that metrics show: the calls of each store, and leases that were not given back. */
const METRIC_COUNTS = [
  `CREATE TABLE call_total (
     store INTEGER NOT NULL REFERENCES store (id), kind TEXT NOT NULL, outcome TEXT NOT NULL,
     calls INTEGER NOT NULL, PRIMARY KEY (store, kind, outcome)
   ) STRICT`,
  `CREATE TABLE lease_take_over (
     scope TEXT NOT NULL, kind TEXT NOT NULL, take_overs INTEGER NOT NULL,
     PRIMARY KEY (scope, kind)
   ) STRICT`,
];

/**
 * Where a server keeps the rows, and how often an older copy was put in their place; a file has its
 * counter and its marker instead, and leaves both as they are.
 */
const RESTORED_SERVERS = [
  `ALTER TABLE copy ADD COLUMN place TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE copy ADD COLUMN generation INTEGER NOT NULL DEFAULT 0`,
];

/** A row whose price waits is held again once its stock was sent. */
const STOCK_APART = [
  `INSERT INTO legal_move (from_state, to_state) VALUES ('sending', 'held')
     ON CONFLICT DO NOTHING`,
  `INSERT INTO guarded_move (from_state, to_state, cause) VALUES ('sending', 'held', 'stock-sent')
     ON CONFLICT DO NOTHING`,
];

export const SHARED_MIGRATIONS: readonly (readonly string[])[] = [
  WIDER_ALIKE_CODES,
  JOBS,
  METRIC_COUNTS,
  RESTORED_SERVERS,
  STOCK_APART,
];
