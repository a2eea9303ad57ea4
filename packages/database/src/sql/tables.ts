/**
 * The tables and indexes of version 1, in the dialect of SQLite. Columns that end in `_json` hold
 * JSON text; see `toPostgres` for what is written differently there.
 */

import { STATE_TABLE } from "@catalog/runs";

import { inList } from "./queries.ts";

/** Stores, what is learnt about them, and the calls made to them. */
const STORES: readonly string[] = [
  `CREATE TABLE store (
     id SERIAL PRIMARY KEY, base_url TEXT NOT NULL, store_id TEXT NOT NULL,
     UNIQUE (base_url, store_id)
   ) STRICT`,
  `CREATE TABLE token (
     key TEXT PRIMARY KEY, token TEXT NOT NULL, expires_at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE name_list (
     key TEXT PRIMARY KEY, fetched_at_ms INTEGER NOT NULL, entries_json TEXT NOT NULL
   ) STRICT`,
  `CREATE TABLE budget (
     key TEXT PRIMARY KEY, tat_ms REAL NOT NULL, blocked_until_ms REAL NOT NULL DEFAULT 0,
     strikes INTEGER NOT NULL DEFAULT 0, probe_until_ms REAL NOT NULL DEFAULT 0,
     struck_at_ms REAL NOT NULL DEFAULT 0, struck_calls INTEGER NOT NULL DEFAULT 0,
     learnt_per_hour INTEGER, learnt_at_ms REAL NOT NULL DEFAULT 0,
     urgent_until_ms REAL NOT NULL DEFAULT 0, bulk_until_ms REAL NOT NULL DEFAULT 0,
     streak INTEGER NOT NULL DEFAULT 0
   ) STRICT`,
  `CREATE TABLE call_minute (
     key TEXT NOT NULL, minute INTEGER NOT NULL, calls INTEGER NOT NULL,
     PRIMARY KEY (key, minute)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE call_total (
     store INTEGER NOT NULL REFERENCES store (id), kind TEXT NOT NULL, outcome TEXT NOT NULL,
     calls INTEGER NOT NULL, PRIMARY KEY (store, kind, outcome)
   ) STRICT`,
  `CREATE TABLE signature (
     store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL, applied INTEGER NOT NULL,
     not_applied INTEGER NOT NULL, last_seen_ms INTEGER, PRIMARY KEY (store, key)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE lag_sample (
     seq SERIAL PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id),
     product_id TEXT NOT NULL, added_ms INTEGER, shown_ms INTEGER, looked_ms INTEGER,
     is_shown INTEGER NOT NULL, UNIQUE (store, product_id)
   ) STRICT`,
  // Stored for the marketplace, because all its stores are served by the same program.
  `CREATE TABLE capability (
     base_url TEXT NOT NULL, action TEXT NOT NULL, field TEXT NOT NULL, state TEXT NOT NULL,
     found_at_ms INTEGER NOT NULL, PRIMARY KEY (base_url, action, field)
   ) STRICT, WITHOUT ROWID`,
  // Listing filters that were seen to find a known product, or to miss it.
  `CREATE TABLE filter_proof (
     store INTEGER NOT NULL REFERENCES store (id), filter TEXT NOT NULL, works INTEGER NOT NULL,
     found_at_ms INTEGER NOT NULL, PRIMARY KEY (store, filter)
   ) STRICT, WITHOUT ROWID`,
  // How each store rewrites codes.
  `CREATE TABLE code_way (
     store INTEGER PRIMARY KEY REFERENCES store (id), way_json TEXT NOT NULL,
     found_at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE value_rule (
     store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL, field TEXT NOT NULL,
     value TEXT NOT NULL, target TEXT NOT NULL, target_id TEXT, created_at_ms INTEGER NOT NULL,
     PRIMARY KEY (store, key)
   ) STRICT, WITHOUT ROWID`,
  // An empty name marks a profile that was learnt from a run without one.
  `CREATE TABLE column_profile (
     store INTEGER NOT NULL REFERENCES store (id), name TEXT NOT NULL, header_key TEXT NOT NULL,
     profile_json TEXT NOT NULL, updated_at_ms INTEGER NOT NULL,
     PRIMARY KEY (store, name, header_key)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE picture_memo (
     key TEXT PRIMARY KEY, written_at_ms INTEGER NOT NULL, memo_json TEXT NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX picture_memo_age ON picture_memo (written_at_ms)`,
  // The listing in the order in which it was read: a table that is ordered by ids, which have no
  // order of their own, moves products of 1 kB about with each new one.
  `CREATE TABLE seen_product (
     id SERIAL PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id),
     product_id TEXT NOT NULL, code_key TEXT NOT NULL, suspect_key TEXT, status TEXT NOT NULL,
     price REAL, product_json TEXT NOT NULL, UNIQUE (product_id, store)
   ) STRICT`,
  `CREATE INDEX seen_product_code ON seen_product (store, code_key)`,
  `CREATE INDEX seen_product_alike ON seen_product (suspect_key, store)`,
];

/** Runs with their rows, requests and events. */
const RUNS: readonly string[] = [
  `CREATE TABLE run (
     id TEXT PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id), command TEXT NOT NULL,
     state TEXT NOT NULL, file_json TEXT NOT NULL, mode TEXT NOT NULL, lang TEXT NOT NULL,
     facts_json TEXT, token_calls INTEGER NOT NULL DEFAULT 0,
     read_calls INTEGER NOT NULL DEFAULT 0, write_calls INTEGER NOT NULL DEFAULT 0,
     report_dir TEXT NOT NULL, warnings_json TEXT NOT NULL, created_at_ms INTEGER NOT NULL,
     updated_at_ms INTEGER NOT NULL, must_recheck INTEGER NOT NULL DEFAULT 0,
     settings_json TEXT NOT NULL DEFAULT '{}', archive_at_ms INTEGER DEFAULT 0, maker_json TEXT
   ) STRICT`,
  `CREATE INDEX run_to_archive ON run (store, archive_at_ms) WHERE archive_at_ms IS NOT NULL`,
  `CREATE INDEX run_newest ON run (store, created_at_ms, id)`,
  `CREATE INDEX run_by_state ON run (store, state)`,
  // The calls of each run by minute, and the hourly limit at that time.
  `CREATE TABLE run_call_minute (
     run_id TEXT NOT NULL REFERENCES run (id), minute INTEGER NOT NULL, calls INTEGER NOT NULL,
     per_hour INTEGER, PRIMARY KEY (run_id, minute)
   ) STRICT, WITHOUT ROWID`,
  // Rows as they were read, many to an entry.
  `CREATE TABLE row_piece (
     id SERIAL PRIMARY KEY, run_id TEXT NOT NULL REFERENCES run (id),
     first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, rows INTEGER NOT NULL,
     stored_at_ms INTEGER NOT NULL, codes_json TEXT NOT NULL, cells BLOB NOT NULL,
     UNIQUE (run_id, last_row)
   ) STRICT`,
  // Rows that a plan decides for good, many to an entry: they never move, and their only event is
  // that of the plan.
  `CREATE TABLE final_piece (
     id SERIAL PRIMARY KEY, run_id TEXT NOT NULL REFERENCES run (id),
     first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, decided_at_ms INTEGER NOT NULL,
     states_json TEXT NOT NULL, rows_json TEXT NOT NULL, decisions_json TEXT NOT NULL,
     UNIQUE (run_id, last_row)
   ) STRICT`,
  // The other rows, from their decision on.
  `CREATE TABLE run_row (
     run_id TEXT NOT NULL REFERENCES run (id), row_no INTEGER NOT NULL, state TEXT NOT NULL,
     action TEXT, code TEXT, code_key TEXT, product_id TEXT, payload_json TEXT,
     changes_json TEXT NOT NULL DEFAULT '[]', issues_json TEXT NOT NULL DEFAULT '[]',
     attempts INTEGER NOT NULL DEFAULT 0, note TEXT, updated_at_ms INTEGER NOT NULL,
     PRIMARY KEY (run_id, row_no)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX run_row_state ON run_row (run_id, state, row_no)`,
  // Only the codes of adds that wait are looked for.
  `CREATE INDEX run_row_waiting_add ON run_row (run_id, code_key)
     WHERE action = 'add' AND state IN ('ready', 'held')`,
  `CREATE TABLE op (
     run_id TEXT NOT NULL, row_no INTEGER NOT NULL, store INTEGER NOT NULL REFERENCES store (id),
     kind TEXT NOT NULL, state TEXT NOT NULL, code_key TEXT, product_id TEXT, price INTEGER,
     payload_json TEXT NOT NULL, begun_at_ms INTEGER NOT NULL, settled_at_ms INTEGER,
     suspect_key TEXT, ended_seq INTEGER,
     PRIMARY KEY (run_id, row_no),
     FOREIGN KEY (run_id, row_no) REFERENCES run_row (run_id, row_no)
   ) STRICT, WITHOUT ROWID`,
  // Keeps a product from being added twice, over all runs and processes.
  `CREATE UNIQUE INDEX one_add_per_code ON op (store, code_key)
     WHERE kind = 'add' AND state IN (${inList(STATE_TABLE.takingCode)})`,
  `CREATE UNIQUE INDEX one_update_in_flight ON op (store, product_id)
     WHERE kind = 'update' AND state IN ('sending', 'ambiguous')`,
  // Without statistics SQLite assumes that a store has about ten rows, and would read all of them
  // rather than look up a list of codes or ids; so only indexes with another selective column start
  // with the store.
  `CREATE INDEX op_product ON op (product_id, store, state)`,
  `CREATE INDEX op_open ON op (store, state) WHERE state IN ('sending', 'ambiguous')`,
  // Held adds are looked for before each run; without it all rows of all runs are visited.
  `CREATE INDEX op_held_add ON op (store) WHERE kind = 'add' AND state = 'held'`,
  `CREATE INDEX op_alike ON op (suspect_key, store) WHERE suspect_key IS NOT NULL`,
  `CREATE INDEX op_unkeyed ON op (store) WHERE suspect_key IS NULL AND kind = 'add'`,
  `CREATE INDEX op_ended ON op (store, ended_seq) WHERE ended_seq IS NOT NULL`,
  `CREATE INDEX op_archived ON op (product_id, store) WHERE ended_seq IS NOT NULL`,
  `CREATE TABLE event (
     seq SERIAL PRIMARY KEY, run_id TEXT NOT NULL, row_no INTEGER NOT NULL,
     from_state TEXT NOT NULL, to_state TEXT NOT NULL, cause TEXT NOT NULL,
     evidence_json TEXT NOT NULL, at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE INDEX event_row ON event (run_id, row_no)`,
  `CREATE TABLE verification (
     run_id TEXT NOT NULL, row_no INTEGER NOT NULL, status TEXT NOT NULL,
     fields_json TEXT NOT NULL, looks INTEGER NOT NULL, looked_at_ms INTEGER NOT NULL,
     PRIMARY KEY (run_id, row_no),
     FOREIGN KEY (run_id, row_no) REFERENCES run_row (run_id, row_no)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX verification_open ON verification (looked_at_ms) WHERE status <> 'visible'`,
  // Values before an update are stored before its row.
  `CREATE TABLE before_value (
     run_id TEXT NOT NULL REFERENCES run (id), row_no INTEGER NOT NULL,
     product_json TEXT NOT NULL, PRIMARY KEY (run_id, row_no)
   ) STRICT, WITHOUT ROWID`,
  // Rows up to `archived_to` are in `archive_piece`, or are deleted.
  `CREATE TABLE run_archive (
     run_id TEXT PRIMARY KEY REFERENCES run (id), store INTEGER NOT NULL REFERENCES store (id),
     stage TEXT NOT NULL, archived_to INTEGER NOT NULL, states_json TEXT NOT NULL,
     verified_json TEXT NOT NULL, finished_at_ms INTEGER NOT NULL, pruned_at_ms INTEGER
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX run_archive_stage ON run_archive (store, stage, finished_at_ms)
     WHERE stage <> 'pruned'`,
  `CREATE TABLE archive_piece (
     id SERIAL PRIMARY KEY, run_id TEXT NOT NULL REFERENCES run_archive (run_id),
     last_row INTEGER NOT NULL, piece BLOB NOT NULL, UNIQUE (run_id, last_row)
   ) STRICT`,
];

/** What exports have read so far, what they wrote before, and where they stopped. */
const EXPORTS: readonly string[] = [
  `CREATE TABLE export_job (
     id SERIAL PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL,
     checkpoint_json TEXT, begun_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL,
     UNIQUE (store, key)
   ) STRICT`,
  `CREATE TABLE export_item (
     seq SERIAL PRIMARY KEY, job INTEGER NOT NULL REFERENCES export_job (id) ON DELETE CASCADE,
     item_id TEXT NOT NULL, rank REAL NOT NULL, item_json TEXT NOT NULL, UNIQUE (job, item_id)
   ) STRICT`,
  `CREATE INDEX export_item_order ON export_item (job, rank, seq)`,
  `CREATE TABLE export_seen (
     store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL, item_id TEXT NOT NULL,
     PRIMARY KEY (store, key, item_id)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE export_mark (
     store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL, mark_json TEXT NOT NULL,
     saved_at_ms INTEGER NOT NULL, PRIMARY KEY (store, key)
   ) STRICT, WITHOUT ROWID`,
];

/** What feeds know of the store's products, schedules of feeds, and work handed to the workers. */
const FEEDS_AND_JOBS: readonly string[] = [
  `CREATE TABLE feed_product (
     store INTEGER NOT NULL REFERENCES store (id), product_id TEXT NOT NULL,
     code_key TEXT NOT NULL, status TEXT NOT NULL, shown_json TEXT NOT NULL,
     sent_json TEXT NOT NULL, sweep INTEGER NOT NULL, PRIMARY KEY (store, product_id)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX feed_product_code ON feed_product (code_key, store)`,
  `CREATE TABLE feed_note (
     store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL, note_json TEXT NOT NULL,
     PRIMARY KEY (store, key)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE schedule (
     id TEXT NOT NULL, store INTEGER NOT NULL REFERENCES store (id), feed TEXT NOT NULL,
     options_json TEXT NOT NULL, cron TEXT NOT NULL, time_zone TEXT NOT NULL, state TEXT NOT NULL,
     made_by TEXT NOT NULL, is_spread INTEGER NOT NULL, progress_json TEXT, result_json TEXT,
     succeeded_at_ms INTEGER, created_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL,
     PRIMARY KEY (store, id)
   ) STRICT`,
  `CREATE TABLE lease_take_over (
     scope TEXT NOT NULL, kind TEXT NOT NULL, take_overs INTEGER NOT NULL,
     PRIMARY KEY (scope, kind)
   ) STRICT`,
];

/**
 * Drafts. The cells of an uploaded file are stored once; corrections are laid over them and logged,
 * so that each batch of them can be undone.
 */
const DRAFTS: readonly string[] = [
  `CREATE TABLE draft (
     id TEXT PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id), name TEXT NOT NULL,
     path TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, state TEXT NOT NULL,
     version INTEGER NOT NULL, done_batch INTEGER NOT NULL, reading_json TEXT NOT NULL,
     columns_json TEXT NOT NULL, source_json TEXT, check_json TEXT, created_by TEXT,
     created_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL, run_id TEXT,
     run_version INTEGER
   ) STRICT`,
  `CREATE INDEX draft_store ON draft (store, updated_at_ms)`,
  // The folded text comes first, as a search reads no further.
  `CREATE TABLE draft_row (
     draft TEXT NOT NULL REFERENCES draft (id), row_no INTEGER NOT NULL, status TEXT NOT NULL,
     code_key TEXT, alike_key TEXT, folded TEXT NOT NULL, cells_json TEXT NOT NULL,
     traits_json TEXT, formats_json TEXT, joined_json TEXT, edits_json TEXT,
     is_edited INTEGER NOT NULL, issues_json TEXT NOT NULL,
     PRIMARY KEY (draft, row_no)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX draft_row_status ON draft_row (draft, status)`,
  `CREATE INDEX draft_row_code ON draft_row (draft, code_key) WHERE code_key IS NOT NULL`,
  `CREATE INDEX draft_row_alike ON draft_row (draft, alike_key, code_key)
     WHERE alike_key IS NOT NULL`,
  `CREATE INDEX draft_row_edited ON draft_row (draft, is_edited)`,
  `CREATE TABLE draft_issue (
     draft TEXT NOT NULL, code TEXT NOT NULL, severity TEXT NOT NULL, row_no INTEGER NOT NULL,
     PRIMARY KEY (draft, row_no, code, severity)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX draft_issue_code ON draft_issue (draft, code, severity)`,
  `CREATE TABLE draft_name (
     draft TEXT NOT NULL, name_key TEXT NOT NULL, row_no INTEGER NOT NULL,
     PRIMARY KEY (draft, row_no, name_key)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX draft_name_key ON draft_name (draft, name_key)`,
  `CREATE TABLE draft_edit (
     draft TEXT NOT NULL REFERENCES draft (id), seq INTEGER NOT NULL, batch INTEGER NOT NULL,
     row_no INTEGER NOT NULL, col INTEGER NOT NULL, before_json TEXT NOT NULL,
     after_json TEXT NOT NULL, by_user TEXT, at_ms INTEGER NOT NULL, PRIMARY KEY (draft, seq)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX draft_edit_batch ON draft_edit (draft, batch)`,
];

/** The moves that {@link RULES} allow, and which copy of the database this is. */
const RULES_AND_COPY: readonly string[] = [
  `CREATE TABLE legal_move (
     from_state TEXT NOT NULL, to_state TEXT NOT NULL, PRIMARY KEY (from_state, to_state)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE guarded_move (
     from_state TEXT NOT NULL, to_state TEXT NOT NULL, cause TEXT NOT NULL,
     PRIMARY KEY (from_state, to_state, cause)
   ) STRICT, WITHOUT ROWID`,
  // Copies share the id of the database, and not that of its line. `doubted_seq` is the first event
  // that was written after an older copy was put in place; 0 where none was, or where a person has
  // accepted what the lost copy may have sent. A file leaves place and generation as they are.
  `CREATE TABLE copy (
     id INTEGER PRIMARY KEY CHECK (id = 1), database_id TEXT NOT NULL, line TEXT NOT NULL,
     doubted_seq INTEGER NOT NULL DEFAULT 0, place TEXT NOT NULL DEFAULT '',
     generation INTEGER NOT NULL DEFAULT 0
   ) STRICT`,
];

/** What both databases have. */
export const TABLES: readonly string[] = [
  ...STORES,
  ...RUNS,
  ...EXPORTS,
  ...FEEDS_AND_JOBS,
  ...DRAFTS,
  ...RULES_AND_COPY,
];

/** Number of openings and closings of the file, compared with a copy of it beside the file. */
export const GENERATION =
  "CREATE TABLE generation (id INTEGER PRIMARY KEY CHECK (id = 1), n INTEGER NOT NULL) STRICT";

/** The queue of a file; a server has pg-boss. */
export const JOB = `CREATE TABLE job (
     store INTEGER NOT NULL REFERENCES store (id), kind TEXT NOT NULL, key TEXT NOT NULL,
     spec_json TEXT NOT NULL, asked_at_ms INTEGER NOT NULL, not_before_ms INTEGER NOT NULL,
     failures INTEGER NOT NULL, ended_at_ms INTEGER, result_json TEXT,
     PRIMARY KEY (store, kind, key)
   ) STRICT`;

/**
 * Locks over several machines; a file has locks of the system instead. `epoch` grows by one at each
 * change of owner, so that a late owner is noticed.
 */
export const LEASE = `CREATE TABLE lease (
    key TEXT PRIMARY KEY, holder TEXT NOT NULL, epoch INTEGER NOT NULL, until_ms INTEGER NOT NULL,
    note_json TEXT NOT NULL
  ) STRICT`;

/**
 * Mark of the last transaction of each connection to a server, which tells whether a commit was made
 * whose answer was lost.
 */
export const COMMIT_MARK = `CREATE TABLE commit_mark (
    connection uuid PRIMARY KEY, mark bigint NOT NULL, marked_at timestamptz NOT NULL DEFAULT now()
  )`;
