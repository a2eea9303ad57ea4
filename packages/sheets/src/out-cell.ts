/** A value to be written: a text stays a text, a number a number, and `null` is an empty cell. */
export type OutCell = string | number | boolean | null;

/** Money in whole currency: shown with two decimals, or with more where it has more. */
export interface Amount {
  readonly amount: number;
}

/** A cell of a long table. */
export type TableCell = OutCell | Amount;

export const isAmount = (cell: TableCell): cell is Amount =>
  typeof cell === "object" && cell !== null && "amount" in cell;

/** Rows to be written, available at once or as a stream. */
export type Rows<Row> = AsyncIterable<Row> | Iterable<Row>;
