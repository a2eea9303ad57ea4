/** A value to be written: a text stays a text, a number a number, and `null` is an empty cell. */
export type OutCell = string | number | boolean | null;

/** Rows to be written, available at once or as a stream. */
export type Rows<Row> = AsyncIterable<Row> | Iterable<Row>;
