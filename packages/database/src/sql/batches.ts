/**
 * Lists of values for `in (…)`. Each length of list is a separate statement, and statements are
 * cached; so lists are cut into batches of a few lengths. A statement that runs for every row of a
 * file takes its list as one text instead, of any length.
 */

import { type RawBuilder, sql } from "kysely";

import type { Compilable, Database } from "./database.ts";
import { dialectFunctions } from "./dialect-functions.ts";
import { toJson } from "./json.ts";
import { noSteps, type Steps } from "./steps.ts";
import { toStoredText } from "./stored-text.ts";

/** Far below the maximum number of parameters of SQLite and PostgreSQL. */
export const MAX_VALUES = 512;

/**
 * Reads rows for the values, each value once. A batch holds 1, 2, 4, … or {@link MAX_VALUES}
 * values; a shorter list is filled up with its first value, which finds no row twice.
 */
export function* readInBatches<Value, Row>(
  values: readonly Value[],
  read: (batch: readonly Value[]) => Steps<readonly Row[]>,
): Steps<Row[]> {
  const distinct = [...new Set(values)];
  const rows: Row[] = [];
  for (let start = 0; start < distinct.length; start += MAX_VALUES) {
    const batch = fill(distinct.slice(start, start + MAX_VALUES));
    for (const row of yield* read(batch)) rows.push(row);
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
 * Compiles a query for rows with any of some texts, and returns the function that runs it; each
 * text is looked for once.
 */
export function prepareLookup<Value extends string, Row>(
  database: Pick<Database, "prepareAll" | "dialect">,
  make: (values: LaterList<Value>) => Compilable<Row>,
): (values: readonly Value[]) => Steps<readonly Row[]> {
  const { listTexts } = dialectFunctions(database.dialect);
  const read = database.prepareAll<{ readonly list: string }, Row>((arg) =>
    make(sql<Value>`(${listTexts(arg("list"))})`),
  );
  return (values) =>
    values.length === 0
      ? noSteps([])
      : read({ list: toJson([...new Set<string>(values)].map(toStoredText)) });
}
