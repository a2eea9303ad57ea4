/**
 * Tables of exports, feeds, drafts and schedules in PostgreSQL, and all indexes; types as
 * `toPostgres` reads them.
 */

import { CODE_TAKING_STATES } from "@catalog/runs";

import { inList } from "./sql-lists.ts";

export const OTHER_TABLES: readonly string[] = [
  `CREATE TABLE export_job (
     id SERIAL PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL,
     checkpoint_json TEXT, begun_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL,
     UNIQUE (store, key)
   )`,
  `CREATE TABLE export_item (
     seq SERIAL PRIMARY KEY, job INTEGER NOT NULL REFERENCES export_job (id) ON DELETE CASCADE,
     item_id TEXT NOT NULL, rank REAL NOT NULL, item_json TEXT NOT NULL, UNIQUE (job, item_id)
   )`,
  `CREATE TABLE export_seen (
     store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL, item_id TEXT NOT NULL,
     PRIMARY KEY (store, key, item_id)
   )`,
  `CREATE TABLE export_mark (
     store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL, mark_json TEXT NOT NULL,
     saved_at_ms INTEGER NOT NULL, PRIMARY KEY (store, key)
   )`,
  `CREATE TABLE picture_memo (
     key TEXT PRIMARY KEY, written_at_ms INTEGER NOT NULL, memo_json TEXT NOT NULL
   )`,
  `CREATE TABLE feed_product (
     store INTEGER NOT NULL REFERENCES store (id), product_id TEXT NOT NULL,
     code_key TEXT NOT NULL, status TEXT NOT NULL, shown_json TEXT NOT NULL,
     sent_json TEXT NOT NULL, sweep INTEGER NOT NULL, PRIMARY KEY (store, product_id)
   )`,
  `CREATE TABLE feed_note (
     store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL, note_json TEXT NOT NULL,
     PRIMARY KEY (store, key)
   )`,
  `CREATE TABLE verification (
     run_id TEXT NOT NULL, row_no INTEGER NOT NULL, status TEXT NOT NULL,
     fields_json TEXT NOT NULL, looks INTEGER NOT NULL, looked_at_ms INTEGER NOT NULL,
     PRIMARY KEY (run_id, row_no),
     FOREIGN KEY (run_id, row_no) REFERENCES run_row (run_id, row_no)
   )`,
  `CREATE TABLE capability (
     base_url TEXT NOT NULL, action TEXT NOT NULL, field TEXT NOT NULL, state TEXT NOT NULL,
     found_at_ms INTEGER NOT NULL, PRIMARY KEY (base_url, action, field)
   )`,
  `CREATE TABLE row_cells (
     run_id TEXT NOT NULL, row_no INTEGER NOT NULL, cells_json TEXT NOT NULL, traits_json TEXT,
     formats_json TEXT, PRIMARY KEY (run_id, row_no)
   )`,
  `CREATE TABLE run_call_minute (
     run_id TEXT NOT NULL REFERENCES run (id), minute INTEGER NOT NULL, calls INTEGER NOT NULL,
     per_hour INTEGER, PRIMARY KEY (run_id, minute)
   )`,
  `CREATE TABLE filter_proof (
     store INTEGER NOT NULL REFERENCES store (id), filter TEXT NOT NULL,
     works INTEGER NOT NULL, found_at_ms INTEGER NOT NULL, PRIMARY KEY (store, filter)
   )`,
  `CREATE TABLE copy (
     id INTEGER PRIMARY KEY CHECK (id = 1), database_id TEXT NOT NULL, line TEXT NOT NULL,
     doubted_seq INTEGER NOT NULL DEFAULT 0
   )`,
  `CREATE TABLE code_way (
     store INTEGER PRIMARY KEY REFERENCES store (id), way_json TEXT NOT NULL,
     found_at_ms INTEGER NOT NULL
   )`,
  `CREATE TABLE row_piece (
     id SERIAL PRIMARY KEY, run_id TEXT NOT NULL REFERENCES run (id),
     first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, rows INTEGER NOT NULL,
     stored_at_ms INTEGER NOT NULL, codes_json TEXT NOT NULL, cells BLOB NOT NULL,
     UNIQUE (run_id, last_row)
   )`,
  `CREATE TABLE before_value (
     run_id TEXT NOT NULL REFERENCES run (id), row_no INTEGER NOT NULL,
     product_json TEXT NOT NULL, PRIMARY KEY (run_id, row_no)
   )`,
  `CREATE TABLE seen_product (
     id SERIAL PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id),
     product_id TEXT NOT NULL, code_key TEXT NOT NULL, suspect_key TEXT, status TEXT NOT NULL,
     price REAL, product_json TEXT NOT NULL, UNIQUE (product_id, store)
   )`,
  `CREATE TABLE run_archive (
     run_id TEXT PRIMARY KEY REFERENCES run (id), store INTEGER NOT NULL REFERENCES store (id),
     stage TEXT NOT NULL, archived_to INTEGER NOT NULL, states_json TEXT NOT NULL,
     verified_json TEXT NOT NULL, finished_at_ms INTEGER NOT NULL, pruned_at_ms INTEGER
   )`,
  `CREATE TABLE archive_piece (
     id SERIAL PRIMARY KEY, run_id TEXT NOT NULL REFERENCES run_archive (run_id),
     last_row INTEGER NOT NULL, piece BLOB NOT NULL, UNIQUE (run_id, last_row)
   )`,
  `CREATE TABLE final_piece (
     id SERIAL PRIMARY KEY, run_id TEXT NOT NULL REFERENCES run (id),
     first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, decided_at_ms INTEGER NOT NULL,
     states_json TEXT NOT NULL, rows_json TEXT NOT NULL, decisions_json TEXT NOT NULL,
     UNIQUE (run_id, last_row)
   )`,
  `CREATE TABLE draft (
     id TEXT PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id), name TEXT NOT NULL,
     path TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, state TEXT NOT NULL,
     version INTEGER NOT NULL, done_batch INTEGER NOT NULL, reading_json TEXT NOT NULL,
     columns_json TEXT NOT NULL, source_json TEXT, check_json TEXT, created_by TEXT,
     created_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL, run_id TEXT,
     run_version INTEGER
   )`,
  `CREATE TABLE draft_row (
     draft TEXT NOT NULL REFERENCES draft (id), row_no INTEGER NOT NULL, status TEXT NOT NULL,
     code_key TEXT, alike_key TEXT, folded TEXT NOT NULL, cells_json TEXT NOT NULL,
     traits_json TEXT, formats_json TEXT, joined_json TEXT, edits_json TEXT,
     is_edited INTEGER NOT NULL, issues_json TEXT NOT NULL, PRIMARY KEY (draft, row_no)
   )`,
  `CREATE TABLE draft_issue (
     draft TEXT NOT NULL, code TEXT NOT NULL, severity TEXT NOT NULL, row_no INTEGER NOT NULL,
     PRIMARY KEY (draft, row_no, code, severity)
   )`,
  `CREATE TABLE draft_name (
     draft TEXT NOT NULL, name_key TEXT NOT NULL, row_no INTEGER NOT NULL,
     PRIMARY KEY (draft, row_no, name_key)
   )`,
  `CREATE TABLE draft_edit (
     draft TEXT NOT NULL REFERENCES draft (id), seq INTEGER NOT NULL, batch INTEGER NOT NULL,
     row_no INTEGER NOT NULL, col INTEGER NOT NULL, before_json TEXT NOT NULL,
     after_json TEXT NOT NULL, by_user TEXT, at_ms INTEGER NOT NULL, PRIMARY KEY (draft, seq)
   )`,
  `CREATE TABLE schedule (
     id TEXT NOT NULL, store INTEGER NOT NULL REFERENCES store (id), feed TEXT NOT NULL,
     options_json TEXT NOT NULL, cron TEXT NOT NULL, time_zone TEXT NOT NULL,
     state TEXT NOT NULL, made_by TEXT NOT NULL, is_spread INTEGER NOT NULL,
     progress_json TEXT, result_json TEXT, succeeded_at_ms INTEGER,
     created_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL, PRIMARY KEY (store, id)
   )`,
];

export const INDEXES: readonly string[] = [
  `CREATE INDEX run_row_state ON run_row (run_id, state, row_no)`,
  `CREATE UNIQUE INDEX one_add_per_code ON op (store, code_key)
     WHERE kind = 'add' AND state IN (${inList(CODE_TAKING_STATES)})`,
  `CREATE UNIQUE INDEX one_update_in_flight ON op (store, product_id)
     WHERE kind = 'update' AND state IN ('sending', 'ambiguous')`,
  `CREATE INDEX op_product ON op (product_id, store, state)`,
  `CREATE INDEX op_open ON op (store, state) WHERE state IN ('sending', 'ambiguous')`,
  `CREATE INDEX event_row ON event (run_id, row_no)`,
  `CREATE INDEX export_item_order ON export_item (job, rank, seq)`,
  `CREATE INDEX picture_memo_age ON picture_memo (written_at_ms)`,
  `CREATE INDEX feed_product_code ON feed_product (code_key, store)`,
  `CREATE INDEX verification_open ON verification (looked_at_ms) WHERE status <> 'visible'`,
  `CREATE INDEX op_alike ON op (suspect_key, store) WHERE suspect_key IS NOT NULL`,
  `CREATE INDEX op_unkeyed ON op (store) WHERE suspect_key IS NULL AND kind = 'add'`,
  `CREATE INDEX run_row_waiting_add ON run_row (run_id, code_key)
     WHERE action = 'add' AND state IN ('ready', 'held')`,
  `CREATE INDEX seen_product_code ON seen_product (store, code_key)`,
  `CREATE INDEX seen_product_alike ON seen_product (suspect_key, store)`,
  `CREATE INDEX run_to_archive ON run (store, archive_at_ms) WHERE archive_at_ms IS NOT NULL`,
  `CREATE INDEX run_newest ON run (store, created_at_ms, id)`,
  `CREATE INDEX run_by_state ON run (store, state)`,
  `CREATE INDEX op_held_add ON op (store) WHERE kind = 'add' AND state = 'held'`,
  `CREATE INDEX run_archive_stage ON run_archive (store, stage, finished_at_ms)
     WHERE stage <> 'pruned'`,
  `CREATE INDEX op_ended ON op (store, ended_seq) WHERE ended_seq IS NOT NULL`,
  `CREATE INDEX op_archived ON op (product_id, store) WHERE ended_seq IS NOT NULL`,
  `CREATE INDEX draft_store ON draft (store, updated_at_ms)`,
  `CREATE INDEX draft_row_status ON draft_row (draft, status)`,
  `CREATE INDEX draft_row_code ON draft_row (draft, code_key) WHERE code_key IS NOT NULL`,
  `CREATE INDEX draft_row_alike ON draft_row (draft, alike_key, code_key)
     WHERE alike_key IS NOT NULL`,
  `CREATE INDEX draft_row_edited ON draft_row (draft, is_edited)`,
  `CREATE INDEX draft_issue_code ON draft_issue (draft, code, severity)`,
  `CREATE INDEX draft_name_key ON draft_name (draft, name_key)`,
  `CREATE INDEX draft_edit_batch ON draft_edit (draft, batch)`,
];
