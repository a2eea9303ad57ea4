/**
 * Row-level security of PostgreSQL: a transaction sees and writes only rows of the store that it
 * names, also where a statement forgets the condition. A transaction that names no store sees none.
 * A superuser, or a role with BYPASSRLS, is not held to it.
 */

/**
 * What reads or writes rows of several stores on purpose, and what it is allowed:
 *
 * - `stores`: the numbers of stores by their addresses, and which of them has a run.
 * - `due`: schedules and periods of all stores that a worker serves; it only reads them.
 * - `restore`: marks the runs of an older copy, and reads the number of the newest event.
 * - `sizes`: counts rows, for the size of a mean one; it only reads them.
 * - `sharing`: writes rules that hold for all stores of a marketplace.
 * - `team`: the people of a server, which no store's own work sees, its stores, and which of them has
 *   a run that somebody comments on.
 */
export type Crossing = "stores" | "due" | "restore" | "sharing" | "sizes" | "team";

/** The rows that a transaction is allowed. */
export type RowScope = { readonly store: number } | { readonly crossing: Crossing };

/** The statement that allows a transaction its rows. They hold until it ends, so that a pooler passes nothing on. */
export const toScopeStatement = (scope: RowScope): string =>
  "store" in scope
    ? `SET LOCAL app.store TO '${scope.store}'`
    : `SET LOCAL app.crossing TO '${scope.crossing}'`;

/** As a subquery it is evaluated once for each statement. */
const OWN_STORE = "(SELECT nullif(current_setting('app.store', true), '')::bigint)";

const CROSSING = "(SELECT current_setting('app.crossing', true))";

/** Tables whose rows belong to a store and have rows of other tables, by the type of their ids. */
const PARENTS = { run: "text", draft: "text", export_job: "bigint" } as const;

/** How rows belong to a store. */
type Ownership =
  /** By a column with its number. */
  | { readonly column: string }
  /** By the address of its marketplace, in a column; a store sees them and writes none. */
  | { readonly market: string }
  /** By a row of another table, which a column names. */
  | { readonly parent: keyof typeof PARENTS; readonly key: string }
  /** They belong to none. */
  | "none";

/** The security of one table. */
export interface TableSecurity {
  readonly table: string;
  readonly owner: Ownership;
  /** What reads, or reads and writes, all rows. @default nothing */
  readonly open?: Readonly<Partial<Record<Crossing, "reads" | "writes">>> | undefined;
}

const byStore = (table: string, open?: TableSecurity["open"]): TableSecurity => ({
  table,
  owner: { column: "store" },
  open,
});

/** What the stores of a marketplace have in common. */
export const ofMarket = (table: string): TableSecurity => ({
  table,
  owner: { market: "base_url" },
  open: { sharing: "writes" },
});

const byRun = (table: string, open?: TableSecurity["open"]): TableSecurity => ({
  table,
  owner: { parent: "run", key: "run_id" },
  open,
});

const byDraft = (table: string): TableSecurity => ({
  table,
  owner: { parent: "draft", key: "draft" },
});

/** Of the people of a server, whatever store a row is about. */
export const ofTeam = (table: string): TableSecurity => ({
  table,
  owner: "none",
  open: { team: "writes" },
});

/** The tables as they were when row-level security came; a later migration secures its own. */
export const FIRST_SECURED: readonly TableSecurity[] = [
  { table: "store", owner: { column: "id" }, open: { stores: "writes", team: "writes" } },
  byStore("schedule", { due: "reads" }),
  byStore("run_period", { due: "reads" }),
  byStore("run", { restore: "writes", stores: "reads", team: "reads" }),
  byStore("run_archive", { sizes: "reads" }),
  ...[
    "alert",
    "alert_channel",
    "call_total",
    "code_way",
    "column_profile",
    "draft",
    "export_job",
    "export_mark",
    "export_seen",
    "feed_named",
    "feed_note",
    "feed_product",
    "filter_proof",
    "lag_sample",
    "op",
    "price_base",
    "price_rules",
    "product_cost",
    "raw_call",
    "rule_change",
    "seen_product",
    "signature",
    "store_change",
    "store_product",
    "store_product_json",
    "store_reading",
    "value_rule",
  ].map((table) => byStore(table)),
  byRun("event", { restore: "reads" }),
  byRun("run_row", { sizes: "reads" }),
  byRun("final_piece", { sizes: "reads" }),
  ...["archive_piece", "before_value", "row_piece", "run_call_minute", "verification"].map(
    (table) => byRun(table),
  ),
  { table: "export_item", owner: { parent: "export_job", key: "job" } },
  ...[
    "api_key",
    "audit",
    "audit_end",
    "invitation",
    "membership",
    "person",
    "person_session",
    "run_comment",
    "sign_in_try",
    "team_store",
  ].map(ofTeam),
  ...["draft_basis", "draft_edit", "draft_issue", "draft_name", "draft_row"].map(byDraft),
];

/** Tables that all stores of a database share, and why. A table that is neither here nor secured fails a test. */
export const SHARED_TABLES: ReadonlyMap<string, string> = new Map([
  ["budget", "calls per hour are counted for an application, which several stores may use"],
  ["call_minute", "the same"],
  ["capability", "what a marketplace can do, which all its stores find out for each other"],
  ["commit_mark", "random numbers of connections"],
  ["copy", "which copy of the database this is"],
  ["guarded_move", "constants"],
  ["lease", "who works on what, which workers must see of each other"],
  ["lease_take_over", "counts of leases"],
  ["legal_move", "constants"],
  ["name_list", "names of a marketplace; notes, each under a key that its reader makes"],
  ["picture_memo", "checks of images by the hash of their content"],
  ["schema_version", "the version of the tables"],
  ["token", "by application; a token opens all stores of it"],
]);

/** Returns the statements that secure tables, for a migration. */
export const secureTables = (tables: readonly TableSecurity[]): readonly string[] =>
  tables.flatMap(({ table, owner, open = {} }) => [
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    ...(owner === "none"
      ? []
      : [
          `CREATE POLICY own_store ON ${table}
           ${"market" in owner ? "FOR SELECT" : ""} USING (${toCondition(table, owner)})`,
        ]),
    // By their names they are asked first, as they cost less.
    ...(["reads", "writes"] as const).flatMap((does) => {
      const crossings = Object.entries(open).flatMap(([name, may]) => (may === does ? name : []));
      if (crossings.length === 0) return [];
      return [
        `CREATE POLICY across_${does} ON ${table} FOR ${does === "writes" ? "ALL" : "SELECT"}
         USING (${CROSSING} IN (${crossings.map((name) => `'${name}'`).join(", ")}))`,
      ];
    }),
  ]);

function toCondition(table: string, owner: Exclude<Ownership, "none">): string {
  if ("column" in owner) return `${owner.column} = ${OWN_STORE}`;
  if ("market" in owner) {
    return `${owner.market} = (SELECT base_url FROM store WHERE id = ${OWN_STORE})`;
  }
  const { parent, key } = owner;
  return `${table}.${key}::text = current_setting('app.own_${parent}', true)
    OR is_own_${parent}(${table}.${key})`;
}

/**
 * The functions that say whether a row of these tables is the store's. A statement is planned as if
 * there were no policy, and most are about one run or draft, which is looked up once in a transaction.
 */
export const OWNERS: readonly string[] = Object.entries(PARENTS).map(
  ([parent, type]) => `CREATE FUNCTION is_own_${parent}(named ${type}) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM ${parent} WHERE id = named
        AND store = nullif(current_setting('app.store', true), '')::bigint) THEN
        RETURN false;
      END IF;
      PERFORM set_config('app.own_${parent}', named::text, true);
      RETURN true;
    END $$`,
);

/**
 * The number of the newest event of all stores, 0 for none; nothing of what has happened. Only a
 * superuser may give a function such a setting of its own, so that it sets it and puts it back.
 */
export const NEWEST_EVENT = `CREATE FUNCTION newest_event() RETURNS bigint
  LANGUAGE plpgsql STABLE AS $$
  DECLARE
    before text := coalesce(current_setting('app.crossing', true), '');
    newest bigint;
  BEGIN
    PERFORM set_config('app.crossing', 'restore', true);
    SELECT coalesce(max(seq), 0) INTO newest FROM event;
    PERFORM set_config('app.crossing', before, true);
    RETURN newest;
  END $$`;

/**
 * Holds the owner of the tables to their policies as well. An owner lifts that while it migrates or
 * copies rows of all stores, in the same transaction.
 */
export const forceSecurity = (isForced: boolean): string =>
  `DO $$ DECLARE t regclass; BEGIN
     FOR t IN SELECT oid FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relrowsecurity
         AND relforcerowsecurity <> ${isForced} LOOP
       EXECUTE format('ALTER TABLE %s ${isForced ? "" : "NO "}FORCE ROW LEVEL SECURITY', t);
     END LOOP;
   END $$`;
