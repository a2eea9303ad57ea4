/** The rules that PostgreSQL enforces on rows, requests and events, as triggers of SQLite do. */

import {
  CODE_TAKING_STATES,
  FINAL_STATES,
  GUARDED_MOVES,
  LEGAL_MOVES,
  NEXT_STATES,
} from "@catalog/runs";

import { inList, toValues } from "./sql-lists.ts";

interface Rule {
  readonly name: string;
  readonly table: string;
  /** Such as `BEFORE DELETE`. */
  readonly on: string;
  /** Condition on `OLD` and `NEW` under which the change is refused. */
  readonly refuses: string;
  readonly message: string;
}

const IS_ARCHIVED = "EXISTS (SELECT 1 FROM run_archive WHERE run_id = OLD.run_id)";

const RULES: readonly Rule[] = [
  {
    name: "run_row_moves_legally",
    table: "run_row",
    on: "BEFORE UPDATE OF state",
    refuses: `NOT EXISTS (
      SELECT 1 FROM legal_move WHERE from_state = OLD.state AND to_state = NEW.state)`,
    message: "illegal move of a row",
  },
  {
    name: "row_is_kept",
    table: "run_row",
    on: "BEFORE DELETE",
    refuses: `NOT ${IS_ARCHIVED}
      OR (OLD.state NOT IN (${inList(FINAL_STATES)}) AND (
        OLD.attempts > 0
        OR EXISTS (SELECT 1 FROM run WHERE id = OLD.run_id AND state = 'finished')
        OR EXISTS (SELECT 1 FROM op WHERE run_id = OLD.run_id AND row_no = OLD.row_no)))`,
    message: "a row is kept until its run is archived",
  },
  {
    name: "event_has_a_legal_cause",
    table: "event",
    on: "BEFORE INSERT",
    refuses: `NEW.from_state IN (${inList(GUARDED_MOVES.map(([from]) => from))})
      AND EXISTS (
        SELECT 1 FROM guarded_move WHERE from_state = NEW.from_state AND to_state = NEW.to_state)
      AND NOT EXISTS (
        SELECT 1 FROM guarded_move
        WHERE from_state = NEW.from_state AND to_state = NEW.to_state AND cause = NEW.cause)`,
    message: "illegal cause of a move",
  },
  {
    name: "event_stays",
    table: "event",
    on: "BEFORE UPDATE",
    refuses: "TRUE",
    message: "events are only appended",
  },
  {
    name: "event_is_kept",
    table: "event",
    on: "BEFORE DELETE",
    refuses: `NOT ${IS_ARCHIVED}`,
    message: "events are kept until their run is archived",
  },
  {
    name: "newest_event_is_kept",
    table: "event",
    on: "BEFORE DELETE",
    refuses: "OLD.seq = (SELECT max(seq) FROM event)",
    message: "the newest event is kept",
  },
  {
    name: "add_is_kept",
    table: "op",
    on: "BEFORE DELETE",
    refuses: `OLD.kind = 'add' AND OLD.state IN (${inList(CODE_TAKING_STATES)})`,
    message: "an add that takes its code is kept",
  },
  {
    name: "request_is_kept",
    table: "op",
    on: "BEFORE DELETE",
    refuses: `OLD.state IN ('sending', 'ambiguous', 'held') OR NOT ${IS_ARCHIVED}`,
    message: "a request is kept until its run is archived",
  },
  {
    name: "archived_run_sends_nothing",
    table: "op",
    on: "BEFORE INSERT",
    refuses: "EXISTS (SELECT 1 FROM run_archive WHERE run_id = NEW.run_id)",
    message: "nothing is sent for a run that is archived",
  },
  {
    name: "pruned_run_does_not_finish",
    table: "run",
    on: "BEFORE UPDATE OF state",
    refuses: `NEW.state = 'finished' AND OLD.state <> 'finished' AND EXISTS (
      SELECT 1 FROM run_archive WHERE run_id = NEW.id AND pruned_at_ms IS NOT NULL)`,
    message: "a run whose rows are deleted does not finish",
  },
  {
    name: "final_row_stays",
    table: "final_piece",
    on: "BEFORE UPDATE",
    refuses: "TRUE",
    message: "a row in a final state never moves",
  },
  {
    name: "final_row_is_kept",
    table: "final_piece",
    on: "BEFORE DELETE",
    refuses: `NOT ${IS_ARCHIVED}`,
    message: "a row is kept until its run is archived",
  },
];

const toTrigger = ({ name, table, on, refuses, message }: Rule): readonly string[] => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF ${refuses} THEN RAISE EXCEPTION '${message}' USING ERRCODE = 'integrity_constraint_violation';
     END IF;
     RETURN ${on.endsWith("DELETE") ? "OLD" : "NEW"};
   END $$`,
  `CREATE TRIGGER ${name} ${on} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
];

/** The event of the plan comes with the row, whatever inserts it. */
const PLANNED = [
  `CREATE FUNCTION run_row_is_planned() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF EXISTS (SELECT 1 FROM planned WHERE state NOT IN (${inList(NEXT_STATES.parsed)})) THEN
       RAISE EXCEPTION 'a row starts with a decision'
         USING ERRCODE = 'integrity_constraint_violation';
     END IF;
     INSERT INTO event (run_id, row_no, from_state, to_state, cause, evidence_json, at_ms)
       SELECT run_id, row_no, 'parsed', state, 'plan', '{}', updated_at_ms FROM planned;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER run_row_is_planned AFTER INSERT ON run_row REFERENCING NEW TABLE AS planned
   FOR EACH STATEMENT EXECUTE FUNCTION run_row_is_planned()`,
];

/** Names of the triggers. */
export const POSTGRES_TRIGGERS: readonly string[] = [
  ...RULES.map(({ name }) => name),
  "run_row_is_planned",
];

/** Triggers, and the constants that they compare with. */
export const POSTGRES_RULES: readonly string[] = [
  `INSERT INTO legal_move (from_state, to_state) VALUES ${toValues(LEGAL_MOVES)}`,
  `INSERT INTO guarded_move (from_state, to_state, cause) VALUES ${toValues(
    GUARDED_MOVES.flatMap(([from, to, causes]) => causes.map((cause) => [from, to, cause])),
  )}`,
  `INSERT INTO copy (id, database_id, line)
     VALUES (1, replace(gen_random_uuid()::text, '-', ''), replace(gen_random_uuid()::text, '-', ''))`,
  ...RULES.flatMap(toTrigger),
  ...PLANNED,
];
