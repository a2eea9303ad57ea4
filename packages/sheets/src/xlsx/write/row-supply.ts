import type { Rows } from "../../out-cell.ts";

/** Rows that are taken one by one, by several sheets in turn. */
export interface RowSupply<Row> extends AsyncDisposable {
  /** Whether there is a row to take; requests it. */
  hasMore(): Promise<boolean>;
  /** The requested row. */
  take(): Row;
  /** The next rows, at most so many, which are still to be taken. */
  peek(count: number): Promise<readonly Row[]>;
}

/** Disposing of the supply ends the rows, as leaving a loop over them does. */
export function createRowSupply<Row>(rows: Rows<Row>): RowSupply<Row> {
  const source =
    Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  let requested: Row[] = [];
  let isDone = false;
  const request = async (count: number): Promise<void> => {
    while (!isDone && requested.length < count) {
      const next = await source.next();
      if (next.done === true) isDone = true;
      else requested.push(next.value);
    }
  };
  return {
    async hasMore() {
      if (requested.length === 0) await request(1);
      return requested.length > 0;
    },
    take() {
      const [row] = requested.splice(0, 1);
      if (row === undefined) throw new RangeError("no row was requested");
      return row;
    },
    async peek(count) {
      await request(count);
      return requested.slice(0, count);
    },
    async [Symbol.asyncDispose]() {
      requested = [];
      if (!isDone) await source.return?.();
    },
  };
}
