import { type RawBuilder, sql } from "kysely";

/**
 * A value that is written into the statement instead of bound to it. SQLite uses a partial index
 * only when the statement itself contains the index's condition (sqlite.org/partialindex.html,
 * section 3); pass constants only.
 */
export function toLiteral<const Value extends string>(value: Value): RawBuilder<Value> {
  return sql.lit(value);
}

/** Constants as a list, such as `'done', 'held'`. */
export const inList = (values: Iterable<string>): string =>
  [...new Set(values)].map((value) => `'${value}'`).join(", ");

/** Constants as the rows of `VALUES`. */
export const toValues = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `(${row.map((value) => `'${value}'`).join(", ")})`).join(", ");
