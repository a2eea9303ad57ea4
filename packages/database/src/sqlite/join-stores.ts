/**
 * Joins the stores of a home that are the same store under several spellings of its address. The
 * store of the latest run stays and gets the rows of the others. Of two contradicting facts the
 * safer one is kept: of a product code the add that went furthest, of a request with an unknown
 * outcome the unknown. Only what can be read again from the marketplace is deleted.
 */

import type { DatabaseSync } from "node:sqlite";

import { canonicalAddress, canonicalStoreId } from "@catalog/client/market-address";
import { CODE_TAKING_STATES } from "@catalog/runs";

/** Registers the functions that the statements below call. */
export function addAddressFunctions(sqlite: DatabaseSync): void {
  const define = (name: string, convert: (text: string) => string): void =>
    sqlite.function(name, { deterministic: true }, (text) => convert(String(text)));
  define("canonical_address", canonicalAddress);
  define("canonical_store_id", canonicalStoreId);
  define("canonical_key", canonicalKey);
}

/**
 * Normalises a key that starts with an address: `https://Shop.example/ prices` ->
 * `https://shop.example prices`.
 */
function canonicalKey(key: string): string {
  const [address = "", ...rest] = key.trimStart().split(" ");
  return [canonicalAddress(address), ...rest].join(" ");
}

const joined = "(SELECT old FROM store_join)";
const group = "(SELECT old FROM store_join UNION SELECT keep FROM store_join)";
const keepOf = (table: string): string =>
  `coalesce((SELECT keep FROM store_join WHERE old = ${table}.store), ${table}.store)`;

/**
 * Gives the rows of a table to the store that stays, and deletes those for which it has its own.
 */
const handOver = (table: string): readonly string[] => [
  `UPDATE OR IGNORE ${table} SET store = ${keepOf(table)} WHERE store IN ${joined}`,
  `DELETE FROM ${table} WHERE store IN ${joined}`,
];

/** Does the same, but of rows with equal `columns` the last by `order` stays. */
const handOverLatest = (table: string, columns: string, order: string): readonly string[] => [
  `DELETE FROM ${table} WHERE store IN ${group} AND (store, ${columns}) NOT IN (
     SELECT store, ${columns} FROM (
       SELECT store, ${columns}, row_number() OVER (
         PARTITION BY ${keepOf(table)}, ${columns} ORDER BY ${order} DESC, store DESC) AS place
       FROM ${table} WHERE store IN ${group})
     WHERE place = 1)`,
  ...handOver(table),
];

const FIND_STORES = [
  `CREATE TEMP TABLE store_join AS
     SELECT id AS old, keep FROM (
       SELECT id, first_value(id) OVER (
         PARTITION BY canonical_address(base_url), canonical_store_id(store_id)
         ORDER BY (SELECT max(updated_at_ms) FROM run WHERE run.store = store.id) DESC, id
       ) AS keep FROM store)
     WHERE id <> keep`,
];

/**
 * A request that is found `sending` belongs to a dead process. Its markers are kept under the
 * number of its store, so a joined store has none that prove it unsent.
 */
const CALL_UNKNOWN = [
  `CREATE TEMP TABLE sending_row AS
     SELECT run_id, row_no FROM op JOIN run_row USING (run_id, row_no)
     WHERE op.state = 'sending' AND run_row.state = 'sending' AND op.store IN ${group}`,
  `UPDATE run_row SET state = 'ambiguous'
     WHERE (run_id, row_no) IN (SELECT run_id, row_no FROM sending_row)`,
  `INSERT INTO event (run_id, row_no, from_state, to_state, cause, evidence_json, at_ms)
     SELECT run_id, row_no, 'sending', 'ambiguous', 'recovery',
       '{"rule":"the store was joined from several spellings of its address"}',
       (SELECT updated_at_ms FROM run_row
        WHERE run_row.run_id = sending_row.run_id AND run_row.row_no = sending_row.row_no)
     FROM sending_row`,
  `UPDATE op SET state = 'ambiguous' WHERE state = 'sending' AND store IN ${group}`,
  `DROP TABLE sending_row`,
];

const codeTaking = CODE_TAKING_STATES.map((state) => `'${state}'`).join(", ");

/**
 * Of several live adds of a code one keeps it: the one that is done, else one that may be. The
 * others keep their state without the code, and can be sent again only once it is free.
 */
const RECORD_CODES = [
  `UPDATE op SET code_key = NULL WHERE (run_id, row_no) IN (
     SELECT run_id, row_no FROM (
       SELECT run_id, row_no, row_number() OVER (
         PARTITION BY ${keepOf("op")}, code_key
         ORDER BY CASE state WHEN 'done' THEN 0 WHEN 'ambiguous' THEN 1 ELSE 2 END,
           product_id IS NULL, begun_at_ms, run_id, row_no) AS place
       FROM op
       WHERE store IN ${group} AND kind = 'add' AND code_key IS NOT NULL
         AND state IN (${codeTaking}))
     WHERE place > 1)`,
];

/**
 * Of several updates of a product with an unknown outcome the first is read back; the others are
 * held for a person.
 */
const RECORD_UPDATES = [
  `CREATE TEMP TABLE rival AS
     SELECT run_id, row_no FROM (
       SELECT run_id, row_no, row_number() OVER (
         PARTITION BY ${keepOf("op")}, product_id ORDER BY begun_at_ms, run_id, row_no) AS place
       FROM op WHERE store IN ${group} AND kind = 'update' AND state = 'ambiguous')
     WHERE place > 1`,
  `INSERT INTO event (run_id, row_no, from_state, to_state, cause, evidence_json, at_ms)
     SELECT run_id, row_no, 'ambiguous', 'held', 'address-joined',
       '{"rule":"another update of the product was under way at another spelling of the address"}',
       (SELECT updated_at_ms FROM run_row
        WHERE run_row.run_id = rival.run_id AND run_row.row_no = rival.row_no)
     FROM rival`,
  `UPDATE run_row SET state = 'held',
     note = 'Another update of the product was under way at another spelling of the address.'
     WHERE (run_id, row_no) IN (SELECT run_id, row_no FROM rival)`,
  `UPDATE op SET state = 'held' WHERE (run_id, row_no) IN (SELECT run_id, row_no FROM rival)`,
  `DROP TABLE rival`,
];

const HAND_OVER = [
  `UPDATE run SET store = ${keepOf("run")} WHERE store IN ${joined}`,
  `UPDATE op SET store = ${keepOf("op")} WHERE store IN ${joined}`,
  ...handOver("seen_product"),
  `CREATE TEMP TABLE learnt AS
     SELECT ${keepOf("signature")} AS store, key, sum(applied) AS applied,
       sum(not_applied) AS not_applied, max(last_seen_ms) AS last_seen_ms
     FROM signature WHERE store IN ${group} GROUP BY 1, key`,
  `DELETE FROM signature WHERE store IN ${group}`,
  `INSERT INTO signature (store, key, applied, not_applied, last_seen_ms)
     SELECT store, key, applied, not_applied, last_seen_ms FROM learnt`,
  `DROP TABLE learnt`,
  ...handOverLatest("lag_sample", "product_id", "is_shown"),
  ...handOverLatest("value_rule", "key", "created_at_ms"),
  ...handOverLatest("column_profile", "name, header_key", "updated_at_ms"),
  ...handOverLatest("export_job", "key", "updated_at_ms"),
  ...handOver("export_seen"),
  ...handOverLatest("export_mark", "key", "saved_at_ms"),
  // A proof counts for one store, so the filter must be proven again.
  `DELETE FROM filter_proof WHERE store IN ${group}`,
];

/**
 * What feeds know of the products is read again at the next sync, and rebuilt from the events of
 * all runs. Released changes of all spellings are kept; no feed counts as processed.
 */
const JOIN_FEEDS = [
  `DELETE FROM feed_product WHERE store IN ${group}`,
  `DELETE FROM feed_note WHERE store IN ${group} AND key IN ('progress', 'note store')`,
  `UPDATE feed_note SET note_json = (
     SELECT json_group_array(json(value)) FROM (
       SELECT DISTINCT released.value
       FROM feed_note AS other, json_each(other.note_json) AS released
       WHERE ${keepOf("other")} = ${keepOf("feed_note")} AND other.key = 'note released'))
     WHERE store IN ${group} AND key = 'note released'`,
  `UPDATE feed_note SET note_json = json_set(note_json, '$.isSettled', json('false'))
     WHERE store IN ${group} AND key LIKE 'note feed %'`,
  ...handOver("feed_note"),
];

const NAME_STORES = [
  `DELETE FROM store WHERE id IN ${joined}`,
  `UPDATE store SET base_url = canonical_address(base_url), store_id = canonical_store_id(store_id)`,
  `DROP TABLE store_join`,
];

interface Keyed {
  readonly table: string;
  /** The column that starts with an address, and the function that normalises it. */
  readonly column: "key" | "base_url";
  readonly form: "canonical_key" | "canonical_address";
  /** Further columns of the key, each after a comma. */
  readonly more?: string;
  /** The first row in this order stays. */
  readonly order: string;
}

/** Keeps one of the rows whose keys are equal when normalised, and normalises its key. */
const joinKeys = ({ table, column, form, more = "", order }: Keyed): readonly string[] => [
  `DELETE FROM ${table} WHERE (${column}${more}) NOT IN (
     SELECT ${column}${more} FROM (
       SELECT ${column}${more}, row_number() OVER (
         PARTITION BY ${form}(${column})${more} ORDER BY ${order}, ${column}) AS place
       FROM ${table})
     WHERE place = 1)`,
  `UPDATE ${table} SET ${column} = ${form}(${column}) WHERE ${column} <> ${form}(${column})`,
];

const KEY = { column: "key", form: "canonical_key" } as const;
const ADDRESS = { column: "base_url", form: "canonical_address" } as const;

const sameKey = (table: string): string =>
  `FROM ${table} AS other WHERE canonical_key(other.key) = canonical_key(${table}.key)`;

/** Values that are kept under a text that starts with an address. */
const JOIN_KEYS = [
  // A price unit in which the spellings differ is not known.
  `DELETE FROM name_list WHERE key LIKE '% price-unit' AND (
     SELECT count(DISTINCT entries_json) ${sameKey("name_list")}) > 1`,
  ...joinKeys({ table: "name_list", ...KEY, order: "fetched_at_ms DESC" }),
  `UPDATE budget SET (tat_ms, blocked_until_ms, strikes, probe_until_ms, learnt_per_hour) = (
     SELECT max(tat_ms), max(blocked_until_ms), max(strikes), max(probe_until_ms),
       min(learnt_per_hour)
     ${sameKey("budget")})`,
  ...joinKeys({ table: "budget", ...KEY, order: "struck_at_ms DESC, learnt_at_ms DESC" }),
  `CREATE TEMP TABLE minute AS
     SELECT canonical_key(key) AS key, minute, sum(calls) AS calls FROM call_minute GROUP BY 1, 2`,
  `DELETE FROM call_minute`,
  `INSERT INTO call_minute (key, minute, calls) SELECT key, minute, calls FROM minute`,
  `DROP TABLE minute`,
  ...joinKeys({
    table: "capability",
    ...ADDRESS,
    more: ", action, field",
    order: "found_at_ms DESC",
  }),
];

/** The statements; they need {@link addAddressFunctions}. */
export const JOIN_STORES: readonly string[] = [
  ...FIND_STORES,
  ...CALL_UNKNOWN,
  ...RECORD_CODES,
  ...RECORD_UPDATES,
  ...HAND_OVER,
  ...JOIN_FEEDS,
  ...NAME_STORES,
  ...JOIN_KEYS,
];
