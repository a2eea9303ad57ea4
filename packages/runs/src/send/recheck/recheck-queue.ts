/**
 * The rows of a pass in the order of the sheet, each rechecked before it is handed out. The next
 * rows are rechecked while rows are sent, so that no row waits for its recheck.
 */

import { MAX_PAGE_SIZE } from "@catalog/contract";

import type { RowRecord } from "../../row/row-record.ts";
import type { RecheckedRow, Rechecks } from "./update-rechecks.ts";

export interface RecheckQueueOptions {
  readonly rows: AsyncIterable<RowRecord>;
  readonly rechecks: Rechecks;
  /** Rows that the caller takes at a time. */
  readonly batchRows: number;
  /** Updates that are rechecked together. @default 50, which take one call */
  readonly updatesAtOnce?: number | undefined;
  /** Number of rows to hand out; rows held by their recheck do not count. @default all */
  readonly max?: number | undefined;
  /** Resolves once reading is allowed. */
  readonly mayRead: () => Promise<void>;
  /** Holds a row that must not be sent; it is not handed out. */
  readonly hold: (row: RecheckedRow) => Promise<void>;
  readonly stop?: AbortSignal | undefined;
}

export interface RecheckQueue {
  /** Returns the next row that may be sent; `undefined` after the last one. */
  next(): Promise<RecheckedRow | undefined>;
  /** Ends the rechecks under way. */
  close(): Promise<void>;
}

/**
 * One recheck serves any number of adds, so rows are not gathered further for the sake of updates.
 */
const MAX_GATHERED = 100;

export function createRecheckQueue(options: RecheckQueueOptions): RecheckQueue {
  const { rechecks, mayRead, stop, max = Infinity } = options;
  const { batchRows, updatesAtOnce = MAX_PAGE_SIZE } = options;
  const closing = new AbortController();
  const signal = stop === undefined ? closing.signal : AbortSignal.any([stop, closing.signal]);
  const parts = gather(options.rows, options);
  // A small number of rows must not cost the recheck of many.
  const depth = max === Infinity ? Math.ceil(batchRows / updatesAtOnce) : 0;
  const pending: Promise<readonly RecheckedRow[] | undefined>[] = [];

  const load = async (): Promise<readonly RecheckedRow[] | undefined> => {
    const part = await parts.next();
    if (part.done === true) return undefined;
    await mayRead();
    signal.throwIfAborted();
    return await rechecks.open(part.value, signal);
  };
  const fill = (count: number): void => {
    while (pending.length < count) {
      const loading = load();
      // The caller of `next` gets the rejection; without a caller it must not count as unhandled.
      loading.catch(() => undefined);
      pending.push(loading);
    }
  };
  async function* rows(): AsyncGenerator<RecheckedRow> {
    for (;;) {
      fill(Math.max(depth, 1));
      // It stays in `pending` until it is done, so that `close` waits for it.
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
      if (given >= max) return undefined;
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

/**
 * Rows for one recheck: a number of updates and the adds between them, or fewer at the end. The
 * first has the updates of one call, so that sending begins soon.
 */
async function* gather(
  rows: AsyncIterable<RowRecord>,
  { updatesAtOnce = MAX_PAGE_SIZE, max = Infinity }: RecheckQueueOptions,
): AsyncGenerator<readonly RowRecord[]> {
  let part: RowRecord[] = [];
  let updates = 0;
  let wanted = Math.min(updatesAtOnce, MAX_PAGE_SIZE);
  for await (const row of rows) {
    part.push(row);
    if (row.action === "update") updates += 1;
    const most = Math.min(Math.max(MAX_GATHERED, wanted), max);
    if (updates < wanted && part.length < most) continue;
    yield part;
    part = [];
    updates = 0;
    wanted = updatesAtOnce;
  }
  if (part.length > 0) yield part;
}
