/** How the rows of runs and the listing are kept. */

import { GUARDED_MOVES, NEXT_STATES } from "@catalog/runs";

import { inList } from "./sql-lists.ts";

const DECIDED = inList(NEXT_STATES.parsed);
const GUARDED = inList(GUARDED_MOVES.map(([from]) => from));

/**
 * Rows as they were read, many to an entry; `row_cells` keeps those of older runs. A row enters
 * `run_row` with its decision, so that it may only start in a state that follows `parsed`. Values
 * before an update are stored before its row.
 */
export const ROW_PIECES: readonly string[] = [
  `CREATE TABLE row_piece (
     id INTEGER PRIMARY KEY, run_id TEXT NOT NULL REFERENCES run (id),
     first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, rows INTEGER NOT NULL,
     stored_at_ms INTEGER NOT NULL, codes_json TEXT NOT NULL, cells BLOB NOT NULL,
     UNIQUE (run_id, last_row)
   ) STRICT`,
  `DROP TRIGGER run_row_starts_parsed`,
  // The event of the plan comes with the row, whatever inserts it.
  `CREATE TRIGGER run_row_is_planned AFTER INSERT ON run_row
   BEGIN
     SELECT RAISE(ABORT, 'a row starts with a decision')
       WHERE NEW.state NOT IN (${DECIDED});
     INSERT INTO event (run_id, row_no, from_state, to_state, cause, evidence_json, at_ms)
       VALUES (NEW.run_id, NEW.row_no, 'parsed', NEW.state, 'plan', '{}', NEW.updated_at_ms);
   END`,
  // The same rule without a look into the table for each row of a plan.
  `DROP TRIGGER event_has_a_legal_cause`,
  `CREATE TRIGGER event_has_a_legal_cause BEFORE INSERT ON event
   WHEN NEW.from_state IN (${GUARDED}) AND EXISTS (
     SELECT 1 FROM guarded_move WHERE from_state = NEW.from_state AND to_state = NEW.to_state)
   AND NOT EXISTS (
     SELECT 1 FROM guarded_move
     WHERE from_state = NEW.from_state AND to_state = NEW.to_state AND cause = NEW.cause)
   BEGIN SELECT RAISE(ABORT, 'illegal cause of a move'); END`,
  `DROP INDEX run_row_code`,
  // Only the codes of adds that wait are looked for.
  `CREATE INDEX run_row_waiting_add ON run_row (run_id, code_key)
     WHERE action = 'add' AND state IN ('ready', 'held')`,
  `CREATE TABLE value_before (
     run_id TEXT NOT NULL REFERENCES run (id), row_no INTEGER NOT NULL,
     product_json TEXT NOT NULL, PRIMARY KEY (run_id, row_no)
   ) STRICT, WITHOUT ROWID`,
  `INSERT INTO value_before SELECT run_id, row_no, product_json FROM before_value`,
  `DROP TABLE before_value`,
  `ALTER TABLE value_before RENAME TO before_value`,
];

/**
 * The listing in the order in which it was read: a table that is ordered by ids, which have no
 * order of their own, moves products of 1 kB about with each new one.
 */
export const LISTING_AS_READ: readonly string[] = [
  `CREATE TABLE listed_product (
     id INTEGER PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id),
     product_id TEXT NOT NULL, code_key TEXT NOT NULL, suspect_key TEXT, status TEXT NOT NULL,
     price REAL, product_json TEXT NOT NULL, UNIQUE (product_id, store)
   ) STRICT`,
  `INSERT INTO listed_product
     (store, product_id, code_key, suspect_key, status, price, product_json)
     SELECT store, product_id, code_key, suspect_key, status, price, product_json
     FROM seen_product`,
  `DROP TABLE seen_product`,
  `ALTER TABLE listed_product RENAME TO seen_product`,
  `CREATE INDEX seen_product_code ON seen_product (store, code_key)`,
  `CREATE INDEX seen_product_alike ON seen_product (suspect_key, store)`,
];

/**
 * Rows that a plan decides for good, many to an entry: they never move, and their only event is that
 * of the plan. Such rows of older runs stay in `run_row`.
 */
export const FINAL_ROWS: readonly string[] = [
  `CREATE TABLE final_piece (
     id INTEGER PRIMARY KEY, run_id TEXT NOT NULL REFERENCES run (id),
     first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, decided_at_ms INTEGER NOT NULL,
     states_json TEXT NOT NULL, rows_json TEXT NOT NULL, decisions_json TEXT NOT NULL,
     UNIQUE (run_id, last_row)
   ) STRICT`,
  `CREATE TRIGGER final_row_stays BEFORE UPDATE ON final_piece
   BEGIN SELECT RAISE(ABORT, 'a row in a final state never moves'); END`,
  `CREATE TRIGGER final_row_is_kept BEFORE DELETE ON final_piece
   WHEN NOT EXISTS (SELECT 1 FROM run_archive WHERE run_id = OLD.run_id)
   BEGIN SELECT RAISE(ABORT, 'a row is kept until its run is archived'); END`,
];
