/**
 * The rows of a pass in the order of the sheet, each looked at before it is handed out. While rows
 * are sent the next ones are looked at, so that none waits for its look.
 */

import { MAX_PAGE_SIZE } from "@catalog/contract";

import { type RowRecord } from "../../row/row-record.ts";
import { type LookedRow, type Looks } from "./update-rechecks.ts";

export interface LookAheadOptions {
  readonly rows: AsyncIterable<RowRecord>;
  readonly looks: Looks;
  /** Rows that the caller takes at a time. */
  readonly batchRows: number;
  /** Rows to hand out; what is held by its look does not count. @default all */
  readonly most?: number | undefined;
  /** Waits until reading is allowed. */
  readonly mayRead: () => Promise<void>;
  /** A row that may not go, which is not handed out. */
  readonly hold: (row: LookedRow) => Promise<void>;
  readonly stop?: AbortSignal | undefined;
}

export interface LookAhead {
  /** The next row that may go; `undefined` after the last one. */
  next(): Promise<LookedRow | undefined>;
  /** Ends the looks that are under way. */
  close(): Promise<void>;
}

/** One look serves any number of adds, so a sheet of adds is not gathered for the sake of its updates. */
const MOST_GATHERED = 100;

export function createLookAhead(options: LookAheadOptions): LookAhead {
  const { looks, batchRows, most = Infinity, mayRead, stop } = options;
  const closing = new AbortController();
  const signal = stop === undefined ? closing.signal : AbortSignal.any([stop, closing.signal]);
  const parts = gather(options.rows, most);
  // A few rows must not cost the look of many.
  const depth = most === Infinity ? Math.ceil(batchRows / MAX_PAGE_SIZE) : 0;
  const pending: Promise<readonly LookedRow[] | undefined>[] = [];

  const load = async (): Promise<readonly LookedRow[] | undefined> => {
    const part = await parts.next();
    if (part.done === true) return undefined;
    await mayRead();
    signal.throwIfAborted();
    return await looks.open(part.value, signal);
  };
  const fill = (count: number): void => {
    while (pending.length < count) {
      const loading = load();
      // Whoever takes it up hears of a failure; nobody may be waiting at that moment.
      loading.catch(() => undefined);
      pending.push(loading);
    }
  };
  async function* rows(): AsyncGenerator<LookedRow> {
    for (;;) {
      fill(Math.max(depth, 1));
      // It stays among those that are waited for at the end until it has come.
      const part = await pending[0];
      void pending.shift();
      if (part === undefined) return;
      fill(depth);
      for (const row of part) {
        if (row.verdict.kind === "go") yield row;
        else await options.hold(row);
      }
    }
  }
  const handedOut = rows();
  let given = 0;

  return {
    async next() {
      if (given >= most) return undefined;
      given += 1;
      const next = await handedOut.next();
      return next.done === true ? undefined : next.value;
    },
    async close() {
      closing.abort(new Error("no more rows are sent"));
      await Promise.allSettled(pending);
    },
  };
}

/** Rows for one look: 50 updates and the adds between them, or fewer at the end. */
async function* gather(
  rows: AsyncIterable<RowRecord>,
  most: number,
): AsyncGenerator<readonly RowRecord[]> {
  let part: RowRecord[] = [];
  let updates = 0;
  for await (const row of rows) {
    part.push(row);
    if (row.action === "update") updates += 1;
    if (updates < MAX_PAGE_SIZE && part.length < Math.min(MOST_GATHERED, most)) continue;
    yield part;
    part = [];
    updates = 0;
  }
  if (part.length > 0) yield part;
}
