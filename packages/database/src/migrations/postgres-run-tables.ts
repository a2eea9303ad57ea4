/** The tables of runs and requests in PostgreSQL; types as `toPostgres` reads them. */
export const RUN_TABLES: readonly string[] = [
  `CREATE TABLE store (
     id SERIAL PRIMARY KEY, base_url TEXT NOT NULL, store_id TEXT NOT NULL,
     UNIQUE (base_url, store_id)
   )`,
  `CREATE TABLE token (
     key TEXT PRIMARY KEY, token TEXT NOT NULL, expires_at_ms INTEGER NOT NULL
   )`,
  `CREATE TABLE name_list (
     key TEXT PRIMARY KEY, fetched_at_ms INTEGER NOT NULL, entries_json TEXT NOT NULL
   )`,
  `CREATE TABLE budget (
     key TEXT PRIMARY KEY, tat_ms REAL NOT NULL, blocked_until_ms REAL NOT NULL DEFAULT 0,
     strikes INTEGER NOT NULL DEFAULT 0, probe_until_ms REAL NOT NULL DEFAULT 0,
     struck_at_ms REAL NOT NULL DEFAULT 0, struck_calls INTEGER NOT NULL DEFAULT 0,
     learnt_per_hour INTEGER, learnt_at_ms REAL NOT NULL DEFAULT 0,
     urgent_until_ms REAL NOT NULL DEFAULT 0, bulk_until_ms REAL NOT NULL DEFAULT 0,
     streak INTEGER NOT NULL DEFAULT 0
   ) WITH (fillfactor = 70)`,
  `CREATE TABLE run (
     id TEXT PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id), command TEXT NOT NULL,
     state TEXT NOT NULL, file_json TEXT NOT NULL, mode TEXT NOT NULL, lang TEXT NOT NULL,
     facts_json TEXT, token_calls INTEGER NOT NULL DEFAULT 0,
     read_calls INTEGER NOT NULL DEFAULT 0, write_calls INTEGER NOT NULL DEFAULT 0,
     report_dir TEXT NOT NULL, warnings_json TEXT NOT NULL, created_at_ms INTEGER NOT NULL,
     updated_at_ms INTEGER NOT NULL, must_recheck INTEGER NOT NULL DEFAULT 0,
     settings_json TEXT NOT NULL DEFAULT '{}', archive_at_ms INTEGER DEFAULT 0, maker_json TEXT
   )`,
  `CREATE TABLE run_row (
     run_id TEXT NOT NULL REFERENCES run (id), row_no INTEGER NOT NULL, state TEXT NOT NULL,
     action TEXT, code TEXT, code_key TEXT, product_id TEXT, payload_json TEXT,
     changes_json TEXT NOT NULL DEFAULT '[]', issues_json TEXT NOT NULL DEFAULT '[]',
     attempts INTEGER NOT NULL DEFAULT 0, note TEXT, updated_at_ms INTEGER NOT NULL,
     PRIMARY KEY (run_id, row_no)
   ) WITH (fillfactor = 70)`,
  `CREATE TABLE op (
     run_id TEXT NOT NULL, row_no INTEGER NOT NULL,
     store INTEGER NOT NULL REFERENCES store (id), kind TEXT NOT NULL, state TEXT NOT NULL,
     code_key TEXT, product_id TEXT, price INTEGER, payload_json TEXT NOT NULL,
     begun_at_ms INTEGER NOT NULL, settled_at_ms INTEGER, suspect_key TEXT, ended_seq INTEGER,
     PRIMARY KEY (run_id, row_no),
     FOREIGN KEY (run_id, row_no) REFERENCES run_row (run_id, row_no)
   ) WITH (fillfactor = 70)`,
  `CREATE TABLE event (
     seq SERIAL PRIMARY KEY, run_id TEXT NOT NULL, row_no INTEGER NOT NULL,
     from_state TEXT NOT NULL, to_state TEXT NOT NULL, cause TEXT NOT NULL,
     evidence_json TEXT NOT NULL, at_ms INTEGER NOT NULL
   )`,
  `CREATE TABLE legal_move (
     from_state TEXT NOT NULL, to_state TEXT NOT NULL, PRIMARY KEY (from_state, to_state)
   )`,
  `CREATE TABLE guarded_move (
     from_state TEXT NOT NULL, to_state TEXT NOT NULL, cause TEXT NOT NULL,
     PRIMARY KEY (from_state, to_state, cause)
   )`,
  `CREATE TABLE signature (
     store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL, applied INTEGER NOT NULL,
     not_applied INTEGER NOT NULL, last_seen_ms INTEGER, PRIMARY KEY (store, key)
   )`,
  `CREATE TABLE lag_sample (
     seq SERIAL PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id),
     product_id TEXT NOT NULL, added_ms INTEGER, shown_ms INTEGER, looked_ms INTEGER,
     is_shown INTEGER NOT NULL, UNIQUE (store, product_id)
   )`,
  `CREATE TABLE call_minute (
     key TEXT NOT NULL, minute INTEGER NOT NULL, calls INTEGER NOT NULL,
     PRIMARY KEY (key, minute)
   )`,
  `CREATE TABLE value_rule (
     store INTEGER NOT NULL REFERENCES store (id), key TEXT NOT NULL, field TEXT NOT NULL,
     value TEXT NOT NULL, target TEXT NOT NULL, target_id TEXT, created_at_ms INTEGER NOT NULL,
     PRIMARY KEY (store, key)
   )`,
  `CREATE TABLE column_profile (
     store INTEGER NOT NULL REFERENCES store (id), name TEXT NOT NULL,
     header_key TEXT NOT NULL, profile_json TEXT NOT NULL, updated_at_ms INTEGER NOT NULL,
     PRIMARY KEY (store, name, header_key)
   )`,
];
