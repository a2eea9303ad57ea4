/**
 * Tables of drafts. The cells of an uploaded file are stored once; corrections are laid over them
 * and logged, so that each batch of them can be undone.
 */
export const DRAFTS: readonly string[] = [
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
     code_key TEXT, alike_key TEXT, folded TEXT NOT NULL, cells_json TEXT NOT NULL, traits_json TEXT,
     formats_json TEXT, joined_json TEXT, edits_json TEXT, is_edited INTEGER NOT NULL,
     issues_json TEXT NOT NULL,
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
