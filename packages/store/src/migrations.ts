/** The tables, in the order in which they came to be. A migration that has been released stays. */

import { CODE_TAKING_STATES, LEGAL_MOVES } from "@catalog/runs";
import { type Kysely, sql } from "kysely";
import { type Migration } from "kysely/migration";

const inList = (values: readonly string[]): string =>
  values.map((value) => `'${value}'`).join(", ");

/** Statements without parameters, one after the other. */
const statements =
  (texts: readonly string[]): Migration["up"] =>
  async (db: Kysely<unknown>) => {
    for (const text of texts) await sql.raw(text).execute(db);
  };

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
  // The guard against a product added twice, over all runs and processes.
  `CREATE UNIQUE INDEX one_add_per_code ON op (store, code_key)
     WHERE kind = 'add' AND state IN (${inList(CODE_TAKING_STATES)})`,
  `CREATE UNIQUE INDEX one_update_in_flight ON op (store, product_id)
     WHERE kind = 'update' AND state IN ('sending', 'ambiguous')`,
  `CREATE INDEX op_product ON op (store, product_id, state)`,
  `CREATE INDEX op_state ON op (store, state)`,
  `CREATE TABLE event (
     seq INTEGER PRIMARY KEY, run_id TEXT NOT NULL, row_no INTEGER NOT NULL,
     from_state TEXT NOT NULL, to_state TEXT NOT NULL, cause TEXT NOT NULL,
     evidence_json TEXT NOT NULL, at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE INDEX event_row ON event (run_id, row_no)`,
  `CREATE TABLE seen_product (
     store INTEGER NOT NULL REFERENCES store (id), product_id TEXT NOT NULL,
     code_key TEXT NOT NULL, status TEXT NOT NULL, price REAL, product_json TEXT NOT NULL,
     PRIMARY KEY (store, product_id)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX seen_product_code ON seen_product (store, code_key)`,
  `CREATE TABLE legal_move (
     from_state TEXT NOT NULL, to_state TEXT NOT NULL, PRIMARY KEY (from_state, to_state)
   ) STRICT, WITHOUT ROWID`,
  `INSERT INTO legal_move (from_state, to_state) VALUES ${LEGAL_MOVES.map(
    ([from, to]) => `('${from}', '${to}')`,
  ).join(", ")}`,
  `CREATE TRIGGER run_row_starts_parsed BEFORE INSERT ON run_row WHEN NEW.state <> 'parsed'
   BEGIN SELECT RAISE(ABORT, 'a row starts as parsed'); END`,
  `CREATE TRIGGER run_row_moves_legally BEFORE UPDATE OF state ON run_row
   WHEN NOT EXISTS (
     SELECT 1 FROM legal_move WHERE from_state = OLD.state AND to_state = NEW.state)
   BEGIN SELECT RAISE(ABORT, 'illegal move of a row'); END`,
  `CREATE TRIGGER event_stays BEFORE UPDATE ON event
   BEGIN SELECT RAISE(ABORT, 'events are only appended'); END`,
];

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "2026-11-21-first": { up: statements(FIRST) },
};
