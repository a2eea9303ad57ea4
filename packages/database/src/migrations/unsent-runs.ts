/** Rows of a run that never sent anything may be deleted; nothing is sent for a run that is archived. */

import { FINAL_STATES } from "@catalog/runs";

import { inList } from "./sql-lists.ts";

export const UNSENT_RUNS: readonly string[] = [
  `DROP TRIGGER row_is_kept`,
  `CREATE TRIGGER row_is_kept BEFORE DELETE ON run_row
   WHEN NOT EXISTS (SELECT 1 FROM run_archive WHERE run_id = OLD.run_id)
     OR (OLD.state NOT IN (${inList(FINAL_STATES)}) AND (
       OLD.attempts > 0
       OR EXISTS (SELECT 1 FROM run WHERE id = OLD.run_id AND state = 'finished')
       OR EXISTS (SELECT 1 FROM op WHERE run_id = OLD.run_id AND row_no = OLD.row_no)))
   BEGIN SELECT RAISE(ABORT, 'a row is kept until its run is archived'); END`,
  `CREATE TRIGGER archived_run_sends_nothing BEFORE INSERT ON op
   WHEN EXISTS (SELECT 1 FROM run_archive WHERE run_id = NEW.run_id)
   BEGIN SELECT RAISE(ABORT, 'nothing is sent for a run that is archived'); END`,
  // Rows of a finished run are kept until they are final, and its deletion could not go on.
  `CREATE TRIGGER pruned_run_does_not_finish BEFORE UPDATE OF state ON run
   WHEN NEW.state = 'finished' AND OLD.state <> 'finished' AND EXISTS (
     SELECT 1 FROM run_archive WHERE run_id = NEW.id AND pruned_at_ms IS NOT NULL)
   BEGIN SELECT RAISE(ABORT, 'a run whose rows are deleted does not finish'); END`,
];
