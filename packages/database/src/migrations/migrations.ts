/**
 * The tables, as a list of migrations in the order of their release. A released migration is never
 * changed.
 */

import { CODE_TAKING_STATES, GUARDED_MOVES, LEGAL_MOVES } from "@catalog/runs";

import { JOIN_STORES } from "../sqlite/join-stores.ts";
import { ARCHIVE } from "./archive.ts";
import { DRAFTS } from "./drafts.ts";
import { FINAL_ROWS, LISTING_AS_READ, ROW_PIECES } from "./rows-and-listing.ts";
import { SCHEDULES } from "./schedules.ts";
import { SHARED_MIGRATIONS } from "./shared-migrations.ts";
import { inList, toValues } from "./sql-lists.ts";
import { UNSENT_RUNS } from "./unsent-runs.ts";

const FIRST = [
  `CREATE TABLE store (
     id INTEGER PRIMARY KEY, base_url TEXT NOT NULL, store_id TEXT NOT NULL,
     UNIQUE (base_url, store_id)
   ) STRICT`,
  `CREATE TABLE token (
     key TEXT PRIMARY KEY, token TEXT NOT NULL, expires_at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE name_list (
     key TEXT PRIMARY KEY, fetched_at_ms INTEGER NOT NULL, entries_json TEXT NOT NULL
   ) STRICT`,
  `CREATE TABLE budget (key TEXT PRIMARY KEY, tat_ms REAL NOT NULL) STRICT`,
  `CREATE TABLE run (
     id TEXT PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id), command TEXT NOT NULL,
     state TEXT NOT NULL, file_json TEXT NOT NULL, mode TEXT NOT NULL, lang TEXT NOT NULL,
     facts_json TEXT, token_calls INTEGER NOT NULL DEFAULT 0,
     read_calls INTEGER NOT NULL DEFAULT 0, write_calls INTEGER NOT NULL DEFAULT 0,
     report_dir TEXT NOT NULL, warnings_json TEXT NOT NULL,
     created_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE run_row (
     run_id TEXT NOT NULL REFERENCES run (id), row_no INTEGER NOT NULL, state TEXT NOT NULL,
     action TEXT, code TEXT, code_key TEXT, product_id TEXT, cells_json TEXT NOT NULL,
     traits_json TEXT, payload_json TEXT, changes_json TEXT NOT NULL DEFAULT '[]',
     issues_json TEXT NOT NULL DEFAULT '[]', attempts INTEGER NOT NULL DEFAULT 0, note TEXT,
     updated_at_ms INTEGER NOT NULL,
     PRIMARY KEY (run_id, row_no)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX run_row_state ON run_row (run_id, state, row_no)`,
  `CREATE INDEX run_row_code ON run_row (run_id, code_key)`,
  `CREATE TABLE op (
     run_id TEXT NOT NULL, row_no INTEGER NOT NULL, store INTEGER NOT NULL REFERENCES store (id),
     kind TEXT NOT NULL, state TEXT NOT NULL, code_key TEXT, product_id TEXT, price INTEGER,
     payload_json TEXT NOT NULL, begun_at_ms INTEGER NOT NULL, settled_at_ms INTEGER,
     PRIMARY KEY (run_id, row_no),
     FOREIGN KEY (run_id, row_no) REFERENCES run_row (run_id, row_no)
   ) STRICT, WITHOUT ROWID`,
  // Keeps a product from being added twice, over all runs and processes.
  `CREATE UNIQUE INDEX one_add_per_code ON op (store, code_key)
     WHERE kind = 'add' AND state IN (${inList(CODE_TAKING_STATES)})`,
  `CREATE UNIQUE INDEX one_update_in_flight ON op (store, product_id)
     WHERE kind = 'update' AND state IN ('sending', 'ambiguous')`,
  // Without statistics SQLite assumes that a store has about ten rows, and would read all of them
  // rather than look up a list of codes or ids; so only indexes with another selective column start
  // with the store.
  `CREATE INDEX op_product ON op (product_id, store, state)`,
  `CREATE INDEX op_open ON op (store, state) WHERE state IN ('sending', 'ambiguous')`,
  `CREATE TABLE event (
     seq INTEGER PRIMARY KEY, run_id TEXT NOT NULL, row_no INTEGER NOT NULL,
     from_state TEXT NOT NULL, to_state TEXT NOT NULL, cause TEXT NOT NULL,
     evidence_json TEXT NOT NULL, at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE INDEX event_row ON event (run_id, row_no)`,
  `CREATE TABLE seen_product (
     store INTEGER NOT NULL REFERENCES store (id), product_id TEXT NOT NULL,
     code_key TEXT NOT NULL, status TEXT NOT NULL, price REAL, product_json TEXT NOT NULL,
     PRIMARY KEY (product_id, store)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX seen_product_code ON seen_product (store, code_key)`,
  `CREATE TABLE legal_move (
     from_state TEXT NOT NULL, to_state TEXT NOT NULL, PRIMARY KEY (from_state, to_state)
   ) STRICT, WITHOUT ROWID`,
  `INSERT INTO legal_move (from_state, to_state) VALUES ${toValues(LEGAL_MOVES)}`,
  `CREATE TRIGGER run_row_starts_parsed BEFORE INSERT ON run_row WHEN NEW.state <> 'parsed'
   BEGIN SELECT RAISE(ABORT, 'a row starts as parsed'); END`,
  `CREATE TRIGGER run_row_moves_legally BEFORE UPDATE OF state ON run_row
   WHEN NOT EXISTS (
     SELECT 1 FROM legal_move WHERE from_state = OLD.state AND to_state = NEW.state)
   BEGIN SELECT RAISE(ABORT, 'illegal move of a row'); END`,
  `CREATE TRIGGER event_stays BEFORE UPDATE ON event
   BEGIN SELECT RAISE(ABORT, 'events are only appended'); END`,
  `CREATE TRIGGER event_is_kept BEFORE DELETE ON event
   BEGIN SELECT RAISE(ABORT, 'events are only appended'); END`,
];

/** Pauses, priorities and the learnt hourly limit; the command of a run. */
const PACING = [
  `ALTER TABLE budget ADD COLUMN blocked_until_ms REAL NOT NULL DEFAULT 0`,
  `ALTER TABLE budget ADD COLUMN strikes INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE budget ADD COLUMN probe_until_ms REAL NOT NULL DEFAULT 0`,
  `ALTER TABLE budget ADD COLUMN struck_at_ms REAL NOT NULL DEFAULT 0`,
  `ALTER TABLE budget ADD COLUMN struck_calls INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE budget ADD COLUMN learnt_per_hour INTEGER`,
  `ALTER TABLE budget ADD COLUMN learnt_at_ms REAL NOT NULL DEFAULT 0`,
  `ALTER TABLE budget ADD COLUMN urgent_until_ms REAL NOT NULL DEFAULT 0`,
  `ALTER TABLE budget ADD COLUMN bulk_until_ms REAL NOT NULL DEFAULT 0`,
  `ALTER TABLE budget ADD COLUMN streak INTEGER NOT NULL DEFAULT 0`,
  `CREATE TABLE call_minute (
     key TEXT NOT NULL, minute INTEGER NOT NULL, calls INTEGER NOT NULL,
     PRIMARY KEY (key, minute)
   ) STRICT, WITHOUT ROWID`,
  `ALTER TABLE run ADD COLUMN settings_json TEXT NOT NULL DEFAULT '{}'`,
];

/** The legal causes of guarded moves, and what is learnt about a store from its answers. */
const SECOND = [
  `INSERT OR IGNORE INTO legal_move (from_state, to_state) VALUES ${toValues(LEGAL_MOVES)}`,
  `CREATE TABLE guarded_move (
     from_state TEXT NOT NULL, to_state TEXT NOT NULL, cause TEXT NOT NULL,
     PRIMARY KEY (from_state, to_state, cause)
   ) STRICT, WITHOUT ROWID`,
  `INSERT INTO guarded_move (from_state, to_state, cause) VALUES ${toValues(
    GUARDED_MOVES.flatMap(([from, to, causes]) => causes.map((cause) => [from, to, cause])),
  )}`,
  `CREATE TRIGGER event_has_a_legal_cause BEFORE INSERT ON event
   WHEN EXISTS (
     SELECT 1 FROM guarded_move WHERE from_state = NEW.from_state AND to_state = NEW.to_state)
   AND NOT EXISTS (
     SELECT 1 FROM guarded_move
     WHERE from_state = NEW.from_state AND to_state = NEW.to_state AND cause = NEW.cause)
   BEGIN SELECT RAISE(ABORT, 'illegal cause of a move'); END`,
  `CREATE TABLE signature (
     store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL,
     applied INTEGER NOT NULL, not_applied INTEGER NOT NULL, last_seen_ms INTEGER,
     PRIMARY KEY (store, key)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE lag_sample (
     seq INTEGER PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id),
     product_id TEXT NOT NULL, added_ms INTEGER, shown_ms INTEGER, looked_ms INTEGER,
     is_shown INTEGER NOT NULL, UNIQUE (store, product_id)
   ) STRICT`,
  // Number of openings and closings of the file, compared with a copy of it beside the file.
  `CREATE TABLE generation (id INTEGER PRIMARY KEY CHECK (id = 1), n INTEGER NOT NULL) STRICT`,
  `INSERT INTO generation (id, n) VALUES (1, 0)`,
  // Runs whose rows may have been sent by a lost copy of this file.
  `ALTER TABLE run ADD COLUMN must_recheck INTEGER NOT NULL DEFAULT 0`,
];

const RULES_AND_PROFILES = [
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
];

/** What exports have read so far, what they wrote before, and where they stopped. */
const EXPORTS = [
  `CREATE TABLE export_job (
     id INTEGER PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL,
     checkpoint_json TEXT, begun_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL,
     UNIQUE (store, key)
   ) STRICT`,
  `CREATE TABLE export_item (
     seq INTEGER PRIMARY KEY, job INTEGER NOT NULL REFERENCES export_job (id) ON DELETE CASCADE,
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

const PICTURE_MEMO = [
  `CREATE TABLE picture_memo (
     key TEXT PRIMARY KEY, written_at_ms INTEGER NOT NULL, memo_json TEXT NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX picture_memo_age ON picture_memo (written_at_ms)`,
];

/** What feeds know of the store's products, and the records of feeds and schedules. */
const FEEDS = [
  `CREATE TABLE feed_product (
     store INTEGER NOT NULL REFERENCES store (id), product_id TEXT NOT NULL, code_key TEXT NOT NULL,
     status TEXT NOT NULL, shown_json TEXT NOT NULL, sent_json TEXT NOT NULL, sweep INTEGER NOT NULL,
     PRIMARY KEY (store, product_id)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX feed_product_code ON feed_product (code_key, store)`,
  `CREATE TABLE feed_note (
     store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL, note_json TEXT NOT NULL,
     PRIMARY KEY (store, key)
   ) STRICT, WITHOUT ROWID`,
];

/**
 * Results of reading back, values overwritten by updates, and fields that a marketplace accepts.
 */
const READ_BACK = [
  `CREATE TABLE verification (
     run_id TEXT NOT NULL, row_no INTEGER NOT NULL, status TEXT NOT NULL,
     fields_json TEXT NOT NULL, looks INTEGER NOT NULL, looked_at_ms INTEGER NOT NULL,
     PRIMARY KEY (run_id, row_no),
     FOREIGN KEY (run_id, row_no) REFERENCES run_row (run_id, row_no)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX verification_open ON verification (looked_at_ms) WHERE status <> 'visible'`,
  `CREATE TABLE before_value (
     run_id TEXT NOT NULL, row_no INTEGER NOT NULL, product_json TEXT NOT NULL,
     PRIMARY KEY (run_id, row_no),
     FOREIGN KEY (run_id, row_no) REFERENCES run_row (run_id, row_no)
   ) STRICT, WITHOUT ROWID`,
  // Stored for the marketplace, because all its stores are served by the same program.
  `CREATE TABLE capability (
     base_url TEXT NOT NULL, action TEXT NOT NULL, field TEXT NOT NULL, state TEXT NOT NULL,
     found_at_ms INTEGER NOT NULL, PRIMARY KEY (base_url, action, field)
   ) STRICT, WITHOUT ROWID`,
];

/**
 * The cells of a row in a table of their own: every move writes the whole row again, and would
 * write the cells with it.
 */
const CELLS_APART = [
  `CREATE TABLE row_cells (
     run_id TEXT NOT NULL, row_no INTEGER NOT NULL, cells_json TEXT NOT NULL, traits_json TEXT,
     PRIMARY KEY (run_id, row_no)
   ) STRICT, WITHOUT ROWID`,
  `INSERT INTO row_cells (run_id, row_no, cells_json, traits_json)
     SELECT run_id, row_no, cells_json, traits_json FROM run_row`,
  `ALTER TABLE run_row DROP COLUMN cells_json`,
  `ALTER TABLE run_row DROP COLUMN traits_json`,
];

/** The calls of each run by minute, and the hourly limit at that time. */
const CALL_LOG = [
  `CREATE TABLE run_call_minute (
     run_id TEXT NOT NULL REFERENCES run (id), minute INTEGER NOT NULL, calls INTEGER NOT NULL,
     per_hour INTEGER, PRIMARY KEY (run_id, minute)
   ) STRICT, WITHOUT ROWID`,
];

/** Number formats of cells, which may carry a currency or the letters of a code. */
const CELL_FORMATS = [`ALTER TABLE row_cells ADD COLUMN formats_json TEXT`];

/** Listing filters that were seen to find a known product, or to miss it. */
const FILTER_PROOFS = [
  `CREATE TABLE filter_proof (
     store INTEGER NOT NULL REFERENCES store (id), filter TEXT NOT NULL, works INTEGER NOT NULL,
     found_at_ms INTEGER NOT NULL, PRIMARY KEY (store, filter)
   ) STRICT, WITHOUT ROWID`,
];

/**
 * Id of the database, which copies share, and of its line, which they do not. `doubted_seq` is the
 * first event that was written after an older copy was put in place; 0 where none was, or where a
 * person has accepted what the lost copy may have sent.
 */
const COPIES = [
  `CREATE TABLE copy (
     id INTEGER PRIMARY KEY CHECK (id = 1), database_id TEXT NOT NULL, line TEXT NOT NULL,
     doubted_seq INTEGER NOT NULL DEFAULT 0
   ) STRICT`,
  `INSERT INTO copy (id, database_id, line)
     VALUES (1, lower(hex(randomblob(16))), lower(hex(randomblob(16))))`,
];

/** Allows `held` to `unchanged`: a row that waited for the unit of prices may match the store. */
const HELD_UNCHANGED = [
  `INSERT OR IGNORE INTO legal_move (from_state, to_state) VALUES ('held', 'unchanged')`,
];

/**
 * Older versions trusted the unit of prices that a sheet suggested, and did not record where a
 * remembered unit came from. Units that a run of the same marketplace had from a person or from
 * sent prices are kept; the others are found again. A feed, which asks nobody a question, then
 * reads its whole store once: prices that it sent before give the unit.
 */
const PROVEN_PRICE_UNITS = [
  `DELETE FROM name_list WHERE key LIKE '% price-unit' AND NOT EXISTS (
     SELECT 1 FROM run JOIN store ON store.id = run.store
     WHERE name_list.key = store.base_url || ' price-unit'
       AND json_extract(run.facts_json, '$.priceUnitBy') IN ('set', 'sent')
       AND json_extract(run.facts_json, '$.priceUnit') = json_extract(name_list.entries_json, '$[0]'))`,
  `UPDATE feed_note SET note_json = json_set(note_json, '$.reconciledAtMs', json('null'))
     WHERE key = 'note store' AND json_extract(note_json, '$.priceUnit') IN ('minor', 'major')
       AND NOT EXISTS (
         SELECT 1 FROM name_list JOIN store ON name_list.key = store.base_url || ' price-unit'
         WHERE store.id = feed_note.store)`,
];

/** Look-alike codes, and how each store rewrites codes. */
const ALIKE_CODES = [
  // Existing rows stay null, because the cache is read again before each plan.
  `ALTER TABLE seen_product ADD COLUMN suspect_key TEXT`,
  `CREATE INDEX seen_product_alike ON seen_product (suspect_key, store)`,
  // Filled for each add when codes are first compared, adds of older versions included.
  `ALTER TABLE op ADD COLUMN suspect_key TEXT`,
  `CREATE INDEX op_alike ON op (suspect_key, store) WHERE suspect_key IS NOT NULL`,
  `CREATE INDEX op_unkeyed ON op (store) WHERE suspect_key IS NULL AND kind = 'add'`,
  `CREATE TABLE code_way (
     store INTEGER PRIMARY KEY REFERENCES store (id), way_json TEXT NOT NULL,
     found_at_ms INTEGER NOT NULL
   ) STRICT`,
];

/** Allows `held` to `held`: the reasons of a row that waits may be found anew. */
const HELD_ANEW = [
  `INSERT OR IGNORE INTO legal_move (from_state, to_state) VALUES ('held', 'held')`,
];

/**
 * Each entry is a list of statements; a file's `user_version` is the number of entries it has run.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  FIRST,
  SECOND,
  PACING,
  RULES_AND_PROFILES,
  EXPORTS,
  PICTURE_MEMO,
  FEEDS,
  READ_BACK,
  CELLS_APART,
  CALL_LOG,
  CELL_FORMATS,
  FILTER_PROOFS,
  JOIN_STORES,
  COPIES,
  HELD_UNCHANGED,
  PROVEN_PRICE_UNITS,
  ALIKE_CODES,
  ROW_PIECES,
  LISTING_AS_READ,
  ARCHIVE,
  UNSENT_RUNS,
  FINAL_ROWS,
  HELD_ANEW,
  DRAFTS,
  SCHEDULES,
  ...SHARED_MIGRATIONS,
];
