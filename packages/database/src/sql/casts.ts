/** Types of values for places where nothing else gives PostgreSQL their type. */

import { type RawBuilder, sql } from "kysely";

import type { Database } from "./database.ts";

type Cast = <Value>(value: Value) => RawBuilder<Value>;

/** Casts of a dialect; SQLite, whose values have types of their own, needs none. */
export function createCasts(dialect: Database["dialect"]): {
  readonly asInteger: Cast;
  readonly asText: Cast;
} {
  const cast =
    (type: string): Cast =>
    (value) =>
      dialect === "sqlite" ? sql`${value}` : sql`${value}::${sql.raw(type)}`;
  return { asInteger: cast("bigint"), asText: cast("text") };
}
