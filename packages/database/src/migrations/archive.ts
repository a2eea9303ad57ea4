/** Finished runs are archived, and after a time only their line is kept. */

import { CODE_TAKING_STATES, FINAL_STATES } from "@catalog/runs";

import { inList } from "./sql-lists.ts";

export const ARCHIVE: readonly string[] = [
  // From this time on the run is looked at; null once it is archived.
  `ALTER TABLE run ADD COLUMN archive_at_ms INTEGER DEFAULT 0`,
  `CREATE INDEX run_to_archive ON run (store, archive_at_ms) WHERE archive_at_ms IS NOT NULL`,
  `CREATE INDEX run_newest ON run (store, created_at_ms, id)`,
  `CREATE INDEX run_by_state ON run (store, state)`,
  // Held adds are looked for before each run; without it all rows of all runs are visited.
  `CREATE INDEX op_held_add ON op (store) WHERE kind = 'add' AND state = 'held'`,
  // Rows up to `archived_to` are in `archive_piece`, or are deleted.
  `CREATE TABLE run_archive (
     run_id TEXT PRIMARY KEY REFERENCES run (id), store INTEGER NOT NULL REFERENCES store (id),
     stage TEXT NOT NULL, archived_to INTEGER NOT NULL, states_json TEXT NOT NULL,
     verified_json TEXT NOT NULL, finished_at_ms INTEGER NOT NULL, pruned_at_ms INTEGER
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX run_archive_stage ON run_archive (store, stage, finished_at_ms)
     WHERE stage <> 'pruned'`,
  `CREATE TABLE archive_piece (
     id INTEGER PRIMARY KEY, run_id TEXT NOT NULL REFERENCES run_archive (run_id),
     last_row INTEGER NOT NULL, piece BLOB NOT NULL, UNIQUE (run_id, last_row)
   ) STRICT`,
  // The last event of a request whose events are archived.
  `ALTER TABLE op ADD COLUMN ended_seq INTEGER`,
  `CREATE INDEX op_ended ON op (store, ended_seq) WHERE ended_seq IS NOT NULL`,
  `CREATE INDEX op_archived ON op (product_id, store) WHERE ended_seq IS NOT NULL`,
  `DROP TRIGGER event_is_kept`,
  `CREATE TRIGGER event_is_kept BEFORE DELETE ON event
   WHEN NOT EXISTS (SELECT 1 FROM run_archive WHERE run_id = OLD.run_id)
   BEGIN SELECT RAISE(ABORT, 'events are kept until their run is archived'); END`,
  `CREATE TRIGGER newest_event_is_kept BEFORE DELETE ON event
   WHEN OLD.seq = (SELECT max(seq) FROM event)
   BEGIN SELECT RAISE(ABORT, 'the newest event is kept'); END`,
  `CREATE TRIGGER row_is_kept BEFORE DELETE ON run_row
   WHEN OLD.state NOT IN (${inList(FINAL_STATES)})
     OR NOT EXISTS (SELECT 1 FROM run_archive WHERE run_id = OLD.run_id)
   BEGIN SELECT RAISE(ABORT, 'a row is kept until its run is archived'); END`,
  `CREATE TRIGGER add_is_kept BEFORE DELETE ON op
   WHEN OLD.kind = 'add' AND OLD.state IN (${inList(CODE_TAKING_STATES)})
   BEGIN SELECT RAISE(ABORT, 'an add that takes its code is kept'); END`,
  `CREATE TRIGGER request_is_kept BEFORE DELETE ON op
   WHEN OLD.state IN ('sending', 'ambiguous', 'held')
     OR NOT EXISTS (SELECT 1 FROM run_archive WHERE run_id = OLD.run_id)
   BEGIN SELECT RAISE(ABORT, 'a request is kept until its run is archived'); END`,
];
