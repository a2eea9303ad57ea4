import { type RawBuilder, sql } from "kysely";

/**
 * A value that is written into the statement instead of bound to it. SQLite uses a partial index
 * only when the statement itself contains the index's condition (sqlite.org/partialindex.html,
 * section 3); pass constants only.
 */
export function toLiteral<const Value extends string>(value: Value): RawBuilder<Value> {
  return sql.lit(value);
}
