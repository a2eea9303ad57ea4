/**
 * Lists of values for `in (…)`. Each length of list is a separate statement, and statements are
 * cached; so lists are cut into batches of a few lengths.
 */

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
