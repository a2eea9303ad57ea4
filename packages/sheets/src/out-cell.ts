/** A value to be written: a text stays a text, a number a number, and `null` is an empty cell. */
export type OutCell = string | number | boolean | null;

/** Rows to be written, at hand or still coming. */
export type Rows<Row> = AsyncIterable<Row> | Iterable<Row>;
