/**
 * The versions of the tables, and the rules that triggers enforce on rows, requests and events. A
 * released version is never changed: a change of the tables is one more migration at the end of the
 * list, usually the same statements for both databases.
 */

import { ONCE_ACTIONS, STATE_TABLE } from "@catalog/runs";

import { inList, toValues } from "./queries.ts";
import {
  FIRST_SECURED,
  NEWEST_EVENT,
  ofMarket,
  ofTeam,
  OWNERS,
  secureTables,
} from "./row-security.ts";
import { COMMIT_MARK, GENERATION, JOB, LEASE, TABLES } from "./tables.ts";

interface Rule {
  readonly name: string;
  /** Such as `BEFORE DELETE ON event`. */
  readonly at: string;
  /** Condition on `OLD` and `NEW` under which the change is refused. */
  readonly refuses: string;
  readonly message: string;
}

const IS_ARCHIVED = "EXISTS (SELECT 1 FROM run_archive WHERE run_id = OLD.run_id)";

const RULES: readonly Rule[] = [
  {
    name: "run_row_moves_legally",
    at: "BEFORE UPDATE OF state ON run_row",
    refuses: `NOT EXISTS (
      SELECT 1 FROM legal_move WHERE from_state = OLD.state AND to_state = NEW.state)`,
    message: "illegal move of a row",
  },
  {
    // Rows of a run that never sent anything may be deleted.
    name: "row_is_kept",
    at: "BEFORE DELETE ON run_row",
    refuses: `NOT ${IS_ARCHIVED}
      OR (OLD.state NOT IN (${inList(STATE_TABLE.final)}) AND (
        OLD.attempts > 0
        OR EXISTS (SELECT 1 FROM run WHERE id = OLD.run_id AND state = 'finished')
        OR EXISTS (SELECT 1 FROM op WHERE run_id = OLD.run_id AND row_no = OLD.row_no)))`,
    message: "a row is kept until its run is archived",
  },
  {
    // The first condition spares a look into the table for each row of a plan.
    name: "event_has_a_legal_cause",
    at: "BEFORE INSERT ON event",
    refuses: `NEW.from_state IN (${inList(STATE_TABLE.guarded.map(([from]) => from))})
      AND EXISTS (
        SELECT 1 FROM guarded_move WHERE from_state = NEW.from_state AND to_state = NEW.to_state)
      AND NOT EXISTS (
        SELECT 1 FROM guarded_move
        WHERE from_state = NEW.from_state AND to_state = NEW.to_state AND cause = NEW.cause)`,
    message: "illegal cause of a move",
  },
  {
    name: "event_stays",
    at: "BEFORE UPDATE ON event",
    refuses: "TRUE",
    message: "events are only appended",
  },
  {
    name: "event_is_kept",
    at: "BEFORE DELETE ON event",
    refuses: `NOT ${IS_ARCHIVED}`,
    message: "events are kept until their run is archived",
  },
  {
    name: "newest_event_is_kept",
    at: "BEFORE DELETE ON event",
    refuses: "OLD.seq = (SELECT max(seq) FROM event)",
    message: "the newest event is kept",
  },
  {
    name: "add_is_kept",
    at: "BEFORE DELETE ON op",
    refuses: `OLD.kind = 'add' AND OLD.state IN (${inList(STATE_TABLE.takingCode)})`,
    message: "an add that takes its code is kept",
  },
  {
    name: "request_is_kept",
    at: "BEFORE DELETE ON op",
    refuses: `OLD.state IN ('sending', 'ambiguous', 'held') OR NOT ${IS_ARCHIVED}`,
    message: "a request is kept until its run is archived",
  },
  {
    name: "archived_run_sends_nothing",
    at: "BEFORE INSERT ON op",
    refuses: "EXISTS (SELECT 1 FROM run_archive WHERE run_id = NEW.run_id)",
    message: "nothing is sent for a run that is archived",
  },
  {
    // Rows of a finished run are kept until they are final, and its deletion could not continue.
    name: "pruned_run_does_not_finish",
    at: "BEFORE UPDATE OF state ON run",
    refuses: `NEW.state = 'finished' AND OLD.state <> 'finished' AND EXISTS (
      SELECT 1 FROM run_archive WHERE run_id = NEW.id AND pruned_at_ms IS NOT NULL)`,
    message: "a run whose rows are deleted does not finish",
  },
  {
    name: "final_row_stays",
    at: "BEFORE UPDATE ON final_piece",
    refuses: "TRUE",
    message: "a row in a final state never moves",
  },
  {
    name: "final_row_is_kept",
    at: "BEFORE DELETE ON final_piece",
    refuses: `NOT ${IS_ARCHIVED}`,
    message: "a row is kept until its run is archived",
  },
];

const DECIDED = inList(STATE_TABLE.next.parsed);

/** Since actions are rows. */
const ACTION_RULES: readonly Rule[] = [
  {
    name: "action_is_kept",
    at: "BEFORE DELETE ON op",
    refuses: `OLD.kind IN (${inList(ONCE_ACTIONS)})
      AND OLD.state IN (${inList(STATE_TABLE.takingCode)})`,
    message: "an action that a subject takes once is kept",
  },
];

/** Since servers have people. */
const AUDIT_RULES: readonly Rule[] = [
  {
    name: "audit_stays",
    at: "BEFORE UPDATE ON audit",
    refuses: "TRUE",
    message: "the audit is only appended to",
  },
  {
    name: "audit_is_kept",
    at: "BEFORE DELETE ON audit",
    refuses: "TRUE",
    message: "the audit is kept",
  },
];

/** Names of the triggers. */
export const TRIGGERS: readonly string[] = [
  ...[...RULES, ...ACTION_RULES, ...AUDIT_RULES].map(({ name }) => name),
  "run_row_is_planned",
];

/** The constants that the triggers compare with. */
const MOVES: readonly string[] = [
  `INSERT INTO legal_move (from_state, to_state) VALUES ${toValues(STATE_TABLE.moves)}`,
  `INSERT INTO guarded_move (from_state, to_state, cause) VALUES ${toValues(
    STATE_TABLE.guarded.flatMap(([from, to, causes]) => causes.map((cause) => [from, to, cause])),
  )}`,
];

/** The triggers of rules in both dialects. */
const toTriggers = (rules: readonly Rule[]): Migration => ({
  sqlite: rules.map(
    ({ name, at, refuses, message }) =>
      `CREATE TRIGGER ${name} ${at} WHEN ${refuses}
       BEGIN SELECT RAISE(ABORT, '${message}'); END`,
  ),
  postgres: rules.flatMap(({ name, at, refuses, message }) => [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF ${refuses} THEN RAISE EXCEPTION '${message}' USING ERRCODE = 'integrity_constraint_violation';
       END IF;
       RETURN ${at.includes("DELETE") ? "OLD" : "NEW"};
     END $$`,
    `CREATE TRIGGER ${name} ${at} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
  ]),
});

const SQLITE_RULES: readonly string[] = [
  ...toTriggers(RULES).sqlite,
  // A row enters the table with its decision, and the event of the plan with it.
  `CREATE TRIGGER run_row_is_planned AFTER INSERT ON run_row
   BEGIN
     SELECT RAISE(ABORT, 'a row starts with a decision')
       WHERE NEW.state NOT IN (${DECIDED});
     INSERT INTO event (run_id, row_no, from_state, to_state, cause, evidence_json, at_ms)
       VALUES (NEW.run_id, NEW.row_no, 'parsed', NEW.state, 'plan', '{}', NEW.updated_at_ms);
   END`,
];

const POSTGRES_RULES: readonly string[] = [
  ...toTriggers(RULES).postgres,
  // The same for all rows of a statement at once.
  `CREATE FUNCTION run_row_is_planned() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF EXISTS (SELECT 1 FROM planned WHERE state NOT IN (${DECIDED})) THEN
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

/** Brings the tables from one version to the next. */
export interface Migration {
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
}

/** Writes tables once for both databases. */
export const forBoth = (statements: readonly string[]): Migration => ({
  sqlite: statements.map(toSqlite),
  postgres: statements.map(toPostgres),
});

/** `SERIAL` is a number that the database assigns. */
const toSqlite = (statement: string): string => statement.replaceAll(/\bSERIAL\b/gu, "INTEGER");

/**
 * Writes the types of SQLite as those of PostgreSQL, whose tables are always strict. Texts compare
 * byte by byte, as in SQLite.
 */
const toPostgres = (statement: string): string =>
  statement
    .replace(/ STRICT(?:, WITHOUT ROWID)?$/u, "")
    .replaceAll(/\bSERIAL\b/gu, "bigint GENERATED BY DEFAULT AS IDENTITY")
    .replaceAll(/\bINTEGER\b/gu, "bigint")
    .replaceAll(/\bREAL\b/gu, "double precision")
    .replaceAll(/\bBLOB\b/gu, "bytea")
    .replaceAll(/\bTEXT\b/gu, 'text COLLATE "C"');

const tables = forBoth(TABLES);

const FIRST: Migration = {
  sqlite: [
    ...tables.sqlite,
    GENERATION,
    JOB,
    "INSERT INTO generation (id, n) VALUES (1, 0)",
    `INSERT INTO copy (id, database_id, line)
       VALUES (1, lower(hex(randomblob(16))), lower(hex(randomblob(16))))`,
    ...MOVES,
    ...SQLITE_RULES,
  ],
  postgres: [
    ...tables.postgres,
    toPostgres(LEASE),
    COMMIT_MARK,
    // Their rows are updated often; a new version of a row finds room on its page.
    ...["budget", "run_row", "op", "lease", "commit_mark"].map(
      (table) => `ALTER TABLE ${table} SET (fillfactor = 70)`,
    ),
    `INSERT INTO copy (id, database_id, line)
       VALUES (1, replace(gen_random_uuid()::text, '-', ''), replace(gen_random_uuid()::text, '-', ''))`,
    ...MOVES,
    ...POSTGRES_RULES,
  ],
};

/** Who is told of what goes wrong, and what each of them has been told of what. */
const ALERTS: Migration = forBoth([
  `CREATE TABLE alert_channel (
     store INTEGER NOT NULL REFERENCES store (id), name TEXT NOT NULL, kind TEXT NOT NULL,
     settings_json TEXT NOT NULL, delivery_json TEXT, created_at_ms INTEGER NOT NULL,
     PRIMARY KEY (store, name)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE alert (
     store INTEGER NOT NULL REFERENCES store (id), channel TEXT NOT NULL, subject TEXT NOT NULL,
     version INTEGER NOT NULL, state_json TEXT NOT NULL, updated_at_ms INTEGER NOT NULL,
     PRIMARY KEY (store, channel, subject)
   ) STRICT, WITHOUT ROWID`,
]);

/** The products that each feed has named, and how long they have been absent from it. */
const NAMED_BY_FEEDS: Migration = forBoth([
  `CREATE TABLE feed_named (
     store INTEGER NOT NULL REFERENCES store (id), feed TEXT NOT NULL, product_id TEXT NOT NULL,
     absences INTEGER NOT NULL, absent_since_ms INTEGER, is_emptied INTEGER NOT NULL,
     PRIMARY KEY (store, feed, product_id)
   ) STRICT, WITHOUT ROWID`,
]);

/** Price rules of a store, what its products cost, and the prices that rules began from. */
const PRICES: Migration = forBoth([
  `CREATE TABLE price_rules (
     store INTEGER PRIMARY KEY REFERENCES store (id), version INTEGER NOT NULL,
     costs_version INTEGER NOT NULL, rules_json TEXT NOT NULL, saved_at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE product_cost (
     store INTEGER NOT NULL REFERENCES store (id), code_key TEXT NOT NULL, code TEXT NOT NULL,
     cost INTEGER NOT NULL, saved_at_ms INTEGER NOT NULL, PRIMARY KEY (store, code_key)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE price_base (
     store INTEGER NOT NULL REFERENCES store (id), product_id TEXT NOT NULL,
     price INTEGER NOT NULL, at_ms INTEGER NOT NULL, made_json TEXT NOT NULL,
     PRIMARY KEY (store, product_id)
   ) STRICT, WITHOUT ROWID`,
]);

/** How the rules of a store were changed, so that a change can be undone. */
const RULE_CHANGES: Migration = forBoth([
  `CREATE TABLE rule_change (
     id SERIAL PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id), batch INTEGER NOT NULL,
     key TEXT NOT NULL, before_json TEXT, after_json TEXT, at_ms INTEGER NOT NULL,
     undone_at_ms INTEGER
   ) STRICT`,
  `CREATE INDEX rule_change_batch ON rule_change (store, batch)`,
]);

/** Further meanings of a text whose list differs by category. */
const RULE_MEANINGS: Migration = forBoth([`ALTER TABLE value_rule ADD COLUMN further_json TEXT`]);

/** The store's products as they were shown last, how they are found, and what others changed in them. */
const STORE_PRODUCTS: Migration = forBoth([
  // Clustered by store, so that a list is filtered and sorted by reading its rows in one stretch.
  `CREATE TABLE store_product (
     store INTEGER NOT NULL REFERENCES store (id), number INTEGER NOT NULL,
     product_id TEXT NOT NULL, code TEXT, status TEXT NOT NULL, brand TEXT, category TEXT,
     folded TEXT NOT NULL, code_sort TEXT NOT NULL, title_sort TEXT NOT NULL,
     brand_sort TEXT NOT NULL, category_sort TEXT NOT NULL,
     price_if_minor INTEGER, price_if_major INTEGER, paid_if_minor INTEGER, paid_if_major INTEGER,
     discount REAL, stock INTEGER, images INTEGER NOT NULL, reading INTEGER NOT NULL,
     read_at_ms INTEGER NOT NULL, ours_at_ms INTEGER, others_at_ms INTEGER, unshown_json TEXT,
     PRIMARY KEY (store, number)
   ) STRICT, WITHOUT ROWID`,
  `CREATE UNIQUE INDEX store_product_id ON store_product (product_id, store)`,
  `CREATE INDEX store_product_code ON store_product (code, store) WHERE code IS NOT NULL`,
  `CREATE TABLE store_product_json (
     store INTEGER NOT NULL REFERENCES store (id), number INTEGER NOT NULL,
     product_json TEXT NOT NULL, PRIMARY KEY (store, number)
   ) STRICT`,
  `CREATE TABLE store_change (
     id SERIAL PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id),
     product_id TEXT NOT NULL, field TEXT NOT NULL, before_json TEXT, after_json TEXT,
     since_ms INTEGER NOT NULL, at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE INDEX store_change_product ON store_change (product_id, store, at_ms)`,
  `CREATE INDEX store_change_time ON store_change (at_ms)`,
  `CREATE TABLE store_reading (
     store INTEGER PRIMARY KEY REFERENCES store (id), version INTEGER NOT NULL,
     reading INTEGER NOT NULL, last_number INTEGER NOT NULL, seq INTEGER NOT NULL,
     begun_at_ms INTEGER, read_at_ms INTEGER
   ) STRICT`,
]);

/** The products that a draft was made of, as they were shown then. */
const DRAFT_BASIS: Migration = forBoth([
  `ALTER TABLE draft ADD COLUMN basis_json TEXT`,
  `CREATE TABLE draft_basis (
     draft TEXT NOT NULL REFERENCES draft (id), row_no INTEGER NOT NULL,
     product_json TEXT NOT NULL, PRIMARY KEY (draft, row_no)
   ) STRICT`,
]);

/** When runs are sent and taken back by themselves, and what a draft wishes of that. */
const RUN_PERIODS: Migration = forBoth([
  `CREATE TABLE run_period (
     store INTEGER NOT NULL REFERENCES store (id), run_id TEXT NOT NULL REFERENCES run (id),
     version INTEGER NOT NULL, period_json TEXT NOT NULL, due_at_ms INTEGER,
     PRIMARY KEY (store, run_id)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX run_period_due ON run_period (due_at_ms) WHERE due_at_ms IS NOT NULL`,
  `ALTER TABLE draft ADD COLUMN period_json TEXT`,
]);

/**
 * Requests that are about a subject, not a product. The names of the actions stand here as they were
 * when the indexes were made.
 */
const ACTION_INDEXES: Migration = forBoth([
  // Keeps a subject from taking an action twice, over all runs and processes.
  `CREATE UNIQUE INDEX one_action_per_subject ON op (store, kind, code_key)
     WHERE kind IN ('reply', 'accept', 'shipping-code')
       AND state IN (${inList(STATE_TABLE.takingCode)})`,
  `CREATE UNIQUE INDEX one_action_in_flight ON op (store, code_key)
     WHERE kind NOT IN ('add', 'update') AND state IN ('sending', 'ambiguous')`,
  `CREATE INDEX op_subject ON op (code_key, store) WHERE kind NOT IN ('add', 'update')`,
  `CREATE INDEX op_held_action ON op (store)
     WHERE kind NOT IN ('add', 'update') AND state = 'held'`,
]);

const ACTION_TRIGGERS: Migration = toTriggers(ACTION_RULES);

const ACTIONS: Migration = {
  sqlite: [...ACTION_INDEXES.sqlite, ...ACTION_TRIGGERS.sqlite],
  postgres: [...ACTION_INDEXES.postgres, ...ACTION_TRIGGERS.postgres],
};

/** Single calls that people have sent by name, and the codes and subjects that they hold. */
const RAW_CALLS: Migration = forBoth([
  `CREATE TABLE raw_call (
     id SERIAL PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id), endpoint TEXT NOT NULL,
     body_json TEXT NOT NULL, kind TEXT, code_key TEXT, state TEXT NOT NULL, status INTEGER,
     detail TEXT, maker_json TEXT, begun_at_ms INTEGER NOT NULL, ended_at_ms INTEGER
   ) STRICT`,
  `CREATE INDEX raw_call_newest ON raw_call (store, id)`,
  `CREATE UNIQUE INDEX one_raw_call_per_key ON raw_call (store, kind, code_key)
     WHERE code_key IS NOT NULL AND state IN ('sending', 'done', 'unknown')`,
]);

/** People of a server, what each may do, and what they have done. */
const TEAM_TABLES: Migration = forBoth([
  `CREATE TABLE person (
     id SERIAL PRIMARY KEY, login TEXT NOT NULL UNIQUE, name TEXT NOT NULL, password_hash TEXT,
     is_active INTEGER NOT NULL, created_at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE team_store (
     store INTEGER PRIMARY KEY REFERENCES store (id), name TEXT NOT NULL UNIQUE,
     key_id TEXT NOT NULL, sealed TEXT NOT NULL, four_eyes_json TEXT,
     created_at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE membership (
     id SERIAL PRIMARY KEY, person INTEGER NOT NULL REFERENCES person (id),
     store INTEGER REFERENCES team_store (store), role TEXT NOT NULL
   ) STRICT`,
  // A membership of all stores has none.
  `CREATE UNIQUE INDEX one_membership ON membership (person, (coalesce(store, 0)))`,
  `CREATE TABLE invitation (
     person INTEGER PRIMARY KEY REFERENCES person (id), hash TEXT NOT NULL UNIQUE,
     created_at_ms INTEGER NOT NULL, ends_at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE person_session (
     id SERIAL PRIMARY KEY, person INTEGER NOT NULL REFERENCES person (id),
     cookie_hash TEXT NOT NULL UNIQUE, write_key_hash TEXT NOT NULL,
     created_at_ms INTEGER NOT NULL, seen_at_ms INTEGER NOT NULL, address TEXT NOT NULL,
     browser TEXT NOT NULL
   ) STRICT`,
  `CREATE INDEX person_session_person ON person_session (person)`,
  `CREATE TABLE sign_in_try (
     id SERIAL PRIMARY KEY, login_hash TEXT NOT NULL, network TEXT NOT NULL,
     at_ms INTEGER NOT NULL, is_refused INTEGER NOT NULL
   ) STRICT`,
  `CREATE INDEX sign_in_try_login ON sign_in_try (login_hash, at_ms)`,
  `CREATE INDEX sign_in_try_network ON sign_in_try (network, at_ms)`,
  `CREATE INDEX sign_in_try_time ON sign_in_try (at_ms)`,
  `CREATE TABLE api_key (
     id SERIAL PRIMARY KEY, person INTEGER NOT NULL REFERENCES person (id),
     store INTEGER NOT NULL REFERENCES team_store (store), name TEXT NOT NULL, role TEXT NOT NULL,
     hash TEXT NOT NULL UNIQUE, created_at_ms INTEGER NOT NULL, used_at_ms INTEGER,
     ended_at_ms INTEGER
   ) STRICT`,
  `CREATE INDEX api_key_store ON api_key (store)`,
  `CREATE TABLE run_comment (
     id SERIAL PRIMARY KEY, store INTEGER NOT NULL REFERENCES store (id),
     run_id TEXT NOT NULL REFERENCES run (id), row_no INTEGER,
     person INTEGER NOT NULL REFERENCES person (id), text TEXT NOT NULL, at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE INDEX run_comment_run ON run_comment (run_id, id)`,
  `CREATE TABLE audit (
     seq INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, store INTEGER, entry_json TEXT NOT NULL,
     hash TEXT NOT NULL
   ) STRICT`,
  `CREATE INDEX audit_store ON audit (store, seq)`,
  `CREATE TABLE audit_end (
     id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL
   ) STRICT`,
  `INSERT INTO audit_end (id, seq, hash) VALUES (1, 0, '${"0".repeat(64)}')`,
]);

const AUDIT_TRIGGERS: Migration = toTriggers(AUDIT_RULES);

const TEAM: Migration = {
  sqlite: [...TEAM_TABLES.sqlite, ...AUDIT_TRIGGERS.sqlite],
  postgres: [
    ...TEAM_TABLES.postgres,
    ...AUDIT_TRIGGERS.postgres,
    // Emptying a table deletes no row.
    `CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit
     FOR EACH STATEMENT EXECUTE FUNCTION audit_is_kept()`,
  ],
};

/** A store sees and writes only its own rows; a file belongs to one person, who may see all. */
const ROW_SECURITY: Migration = {
  sqlite: [],
  postgres: [
    ...OWNERS,
    ...secureTables(FIRST_SECURED),
    NEWEST_EVENT,
    // It compares with the events of all stores, which the store that deletes does not see.
    `CREATE OR REPLACE FUNCTION newest_event_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF OLD.seq = newest_event() THEN
         RAISE EXCEPTION 'the newest event is kept' USING ERRCODE = 'integrity_constraint_violation';
       END IF;
       RETURN OLD;
     END $$`,
  ],
};

/** Names of people may be alike, and change. */
const DRAFT_PERSONS: Migration = forBoth([
  `ALTER TABLE draft ADD COLUMN created_by_person INTEGER`,
]);

/** Files that were uploaded for several stores, and the draft of each store. */
const SHARED_FILE_TABLES: Migration = forBoth([
  `CREATE TABLE shared_file (
     id SERIAL PRIMARY KEY, name TEXT NOT NULL, person INTEGER NOT NULL REFERENCES person (id),
     created_at_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE shared_draft (
     shared_file INTEGER NOT NULL REFERENCES shared_file (id),
     store INTEGER NOT NULL REFERENCES team_store (store),
     draft TEXT NOT NULL UNIQUE REFERENCES draft (id) ON DELETE CASCADE,
     PRIMARY KEY (shared_file, store)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX shared_draft_store ON shared_draft (store, shared_file)`,
]);

const SHARED_FILES: Migration = {
  sqlite: SHARED_FILE_TABLES.sqlite,
  postgres: [
    ...SHARED_FILE_TABLES.postgres,
    ...secureTables([ofTeam("shared_file"), ofTeam("shared_draft")]),
  ],
};

/** A backup brings back sessions and keys that have ended since. */
const REVIVED_PEOPLE: Migration = forBoth([
  `ALTER TABLE copy ADD COLUMN people_doubted INTEGER NOT NULL DEFAULT 0`,
]);

/** Who answers for a schedule. */
const SCHEDULE_OWNERS: Migration = forBoth([`ALTER TABLE schedule ADD COLUMN owner_json TEXT`]);

/** Rules that an administrator has made for all stores of a marketplace. */
const SHARED_RULE_TABLES: Migration = forBoth([
  `CREATE TABLE shared_rule (
     base_url TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, value_json TEXT NOT NULL,
     version INTEGER NOT NULL, at_ms INTEGER NOT NULL,
     PRIMARY KEY (base_url, kind, key)
   ) STRICT, WITHOUT ROWID`,
]);

const SHARED_RULES: Migration = {
  sqlite: SHARED_RULE_TABLES.sqlite,
  postgres: [...SHARED_RULE_TABLES.postgres, ...secureTables([ofMarket("shared_rule")])],
};

/** The account at an identity provider that a person signs in with. */
const PERSON_ACCOUNTS: Migration = forBoth([
  `ALTER TABLE person ADD COLUMN account_issuer TEXT`,
  `ALTER TABLE person ADD COLUMN account_subject TEXT`,
  `CREATE UNIQUE INDEX person_account ON person (account_issuer, account_subject)`,
]);

/** Entry `n` brings the tables from version `n` to `n + 1`; version 0 has none. */
export const MIGRATIONS: readonly Migration[] = [
  FIRST,
  ALERTS,
  NAMED_BY_FEEDS,
  PRICES,
  RULE_CHANGES,
  RULE_MEANINGS,
  STORE_PRODUCTS,
  DRAFT_BASIS,
  RUN_PERIODS,
  ACTIONS,
  RAW_CALLS,
  TEAM,
  ROW_SECURITY,
  DRAFT_PERSONS,
  SHARED_FILES,
  REVIVED_PEOPLE,
  SCHEDULE_OWNERS,
  SHARED_RULES,
  PERSON_ACCOUNTS,
];

/** The statements that bring tables of a version to the newest one. */
export const statementsAfter = (
  version: number,
  dialect: keyof Migration,
  migrations: readonly Migration[],
): string =>
  migrations
    .slice(version)
    .flatMap((migration) => migration[dialect])
    .join(";\n");
