/**
 * Lists of values for `in (…)`. Each length of list is a separate statement, and statements are
 * cached; so lists are cut into batches of a few lengths. A statement that runs for every row of a
 * file takes its list as one text instead, of any length.
 */

import { type RawBuilder, sql } from "kysely";

import { toJson } from "./json.ts";
import type { Compilable, Database } from "./sqlite.ts";

/** Far below the maximum number of parameters of SQLite and PostgreSQL. */
export const MAX_VALUES = 512;

/**
 * Reads rows for the values, each value once. A batch holds 1, 2, 4, … or {@link MAX_VALUES}
 * values; a shorter list is filled up with its first value, which finds no row twice.
 */
export function readInBatches<Value, Row>(
  values: readonly Value[],
  read: (batch: readonly Value[]) => readonly Row[],
): Row[] {
  const distinct = [...new Set(values)];
  const rows: Row[] = [];
  for (let start = 0; start < distinct.length; start += MAX_VALUES) {
    for (const row of read(fill(distinct.slice(start, start + MAX_VALUES)))) rows.push(row);
  }
  return rows;
}

function fill<Value>(values: readonly Value[]): readonly Value[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return [
    ...values,
    ...values.slice(0, 1).flatMap((first) => repeat(first, length - values.length)),
  ];
}

const repeat = <Value>(value: Value, times: number): Value[] =>
  Array.from({ length: times }, () => value);

/** A list that is given later, for `in`. */
type LaterList<Value> = RawBuilder<Value>;

/**
 * Compiles a query for rows with any of some values, and returns the function that runs it; each
 * value is looked for once.
 */
export function prepareLookup<Value extends string | number, Row>(
  database: Pick<Database, "prepareAll">,
  make: (values: LaterList<Value>) => Compilable<Row>,
): (values: readonly Value[]) => readonly Row[] {
  const read = database.prepareAll<{ readonly list: string }, Row>((arg) =>
    make(sql<Value>`(SELECT value FROM json_each(${arg("list")}))`),
  );
  return (values) => (values.length === 0 ? [] : read({ list: toJson([...new Set(values)]) }));
}
