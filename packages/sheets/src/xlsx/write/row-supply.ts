import type { Rows } from "../../out-cell.ts";

/** Rows that are taken one by one, by several sheets in turn. */
export interface RowSupply<Row> extends AsyncDisposable {
  /** Whether there is a row to take; requests it. */
  hasMore(): Promise<boolean>;
  /** The requested row. */
  take(): Row;
}

/** Disposing of the supply ends the rows, as leaving a loop over them does. */
export function createRowSupply<Row>(rows: Rows<Row>): RowSupply<Row> {
  const source =
    Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  let next: IteratorResult<Row, unknown> | undefined;
  return {
    async hasMore() {
      next ??= await source.next();
      return next.done !== true;
    },
    take() {
      if (next === undefined || next.done === true) throw new RangeError("no row was requested");
      const { value } = next;
      next = undefined;
      return value;
    },
    async [Symbol.asyncDispose]() {
      if (next?.done !== true) await source.return?.();
    },
  };
}
