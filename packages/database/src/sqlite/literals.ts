import { type RawBuilder, sql } from "kysely";

/**
 * A value that is written into the statement instead of bound to it. SQLite uses a partial index
 * only when the statement itself names the index's condition; only constants of ours belong here.
 */
export function toLiteral<const Value extends string>(value: Value): RawBuilder<Value> {
  return sql.lit(value);
}
