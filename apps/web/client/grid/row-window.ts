/**
 * The rows of a long list that are in memory. They are read in pages of the view when they are first
 * asked for, and those that were not shown for the longest time are forgotten.
 */

import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";

import type { RowView } from "../../src/api/index.ts";
import type { Lang } from "../lib/format.ts";
import { usePage } from "../lib/page.tsx";
import { isTeamServer } from "../lib/place.ts";
import { draftQuery, meQuery, orderPath, orderQuery, rowsPath } from "../lib/queries.ts";
import { NoAnswerError, readWriteKey, requestJson } from "../lib/requests.ts";
import { parseRoute } from "../lib/route.ts";

// Limits of the server for one change and one reading. They are repeated, as the client takes only
// types from it; a test compares them.
export const MAX_CELLS = 5_000;
export const MAX_ROWS = 500;

const RETRY_MS = 1_000;

const PAGE_ROWS = 200;

interface RowWindowOptions<Row> {
  readonly read: (rows: readonly number[]) => Promise<readonly Row[]>;
  /** The number that names a row in the order. */
  readonly numberOf: (row: Row) => number;
  /** @default {@link PAGE_ROWS} */
  readonly pageRows?: number;
  /** @default 200 */
  readonly maxPages?: number;
}

export class RowWindow<Row> {
  readonly #options: Required<RowWindowOptions<Row>>;
  readonly #listeners = new Set<() => void>();
  readonly #asked = new Set<number>();
  /** In the order in which they were last used. */
  #fresh = new Map<number, Row>();
  #old = new Map<number, Row>();
  #epoch = 0;
  /** Numbers of the rows of the view. */
  order = new Uint32Array(0);
  /** Why rows could not be read the last time; they are asked for again. */
  error: Error | null = null;

  constructor(options: RowWindowOptions<Row>) {
    this.#options = { pageRows: PAGE_ROWS, maxPages: 200, ...options };
  }

  /** Shows other rows; rows that are in memory stay. */
  setOrder(order: Uint32Array): void {
    this.order = Uint32Array.from(order);
    this.#asked.clear();
    this.#tell();
  }

  /** The row where it is in memory; otherwise its page is asked for, and `undefined`. */
  get(row: number, position: number): Row | undefined {
    const view = this.#fresh.get(row);
    if (view !== undefined) {
      this.#touch(row, view);
      return view;
    }
    // Another order is drawn shortly before it is told here.
    if (this.order[position] === row) this.#ask(Math.floor(position / this.#options.pageRows));
    return this.#old.get(row);
  }

  peek(row: number): Row | undefined {
    return this.#fresh.get(row) ?? this.#old.get(row);
  }

  /** Takes rows that the server has announced. */
  put(rows: readonly Row[]): void {
    for (const view of rows) {
      const row = this.#options.numberOf(view);
      this.#fresh.delete(row);
      this.#fresh.set(row, view);
      this.#old.delete(row);
    }
    this.#forget();
    this.#tell();
  }

  /** Every row is read anew when it is shown next; until then it is shown as it was. */
  invalidate(): void {
    this.#old = new Map([...this.#old, ...this.#fresh]);
    this.#fresh = new Map();
    this.#asked.clear();
    this.#epoch += 1;
    this.#tell();
  }

  /** Reads rows that are not in memory, and answers all of them. */
  async load(rows: readonly number[]): Promise<readonly Row[]> {
    const missing = rows.filter((row) => !this.#fresh.has(row));
    for (let at = 0; at < missing.length; at += MAX_ROWS) {
      const epoch = this.#epoch;
      const read = await this.#options.read(missing.slice(at, at + MAX_ROWS));
      if (epoch === this.#epoch) this.put(read);
    }
    return rows.map((row) => this.peek(row)).filter((view) => view !== undefined);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #touch(row: number, view: Row): void {
    const max = this.#options.pageRows * this.#options.maxPages;
    if (this.#fresh.size * 2 < max) return;
    this.#fresh.delete(row);
    this.#fresh.set(row, view);
  }

  #ask(page: number): void {
    if (this.#asked.has(page)) return;
    this.#asked.add(page);
    const { pageRows } = this.#options;
    const rows = [...this.order.subarray(page * pageRows, (page + 1) * pageRows)];
    void this.#read(page, rows);
  }

  async #read(page: number, rows: readonly number[]): Promise<void> {
    try {
      await this.load(rows);
      this.#asked.delete(page);
      this.#setError(null);
    } catch (error) {
      this.#setError(error instanceof Error ? error : new Error(String(error)));
      // What is drawn then asks for the page again.
      setTimeout(() => {
        this.#asked.delete(page);
        this.#tell();
      }, RETRY_MS);
    }
  }

  #setError(error: Error | null): void {
    if (error === this.error) return;
    this.error = error;
    this.#tell();
  }

  #forget(): void {
    const max = this.#options.pageRows * this.#options.maxPages;
    for (const row of this.#fresh.keys()) {
      if (this.#fresh.size <= max) break;
      this.#fresh.delete(row);
    }
    if (this.#old.size > max) this.#old.clear();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The row at a position; `undefined` until it is read. */
export const useRowAt = <Row>(
  rows: RowWindow<Row>,
  row: number,
  position: number,
): Row | undefined =>
  useSyncExternalStore(
    (listener) => rows.subscribe(listener),
    () => rows.get(row, position),
  );

/** Why rows that are on the screen could not be read. The banner says that nothing answers. */
export const useUnreadRows = <Row>(rows: RowWindow<Row>): Error | null => {
  const error = useSyncExternalStore(
    (listener) => rows.subscribe(listener),
    () => rows.error,
  );
  return error instanceof NoAnswerError ? null : error;
};

/** The screen takes what was read within this time. */
const KEPT_MS = 60_000;

/**
 * Asks for everything that the screen of a reloaded page waits for at once, before it is drawn; drawn
 * part by part, each would be asked for after the one before.
 */
export const readAhead = (client: QueryClient, lang: Lang): void => {
  // A link has to open its session first.
  if (readWriteKey() === null || location.hash !== "") return;
  // On a server it is known only then whose stores these are.
  if (isTeamServer()) return;
  void client.prefetchQuery(meQuery(lang));
  const route = parseRoute(location.pathname);
  if (route.page !== "draft") return;
  void client.prefetchQuery(draftQuery(route.id, lang));
  if (route.step !== "fix") return;
  void import("../steps/fix/fix.tsx");
  const order = orderQuery(orderPath(route.id, {}), lang, 0);
  void readFirstRows(client, { ...order, gcTime: KEPT_MS }, { draft: route.id, lang });
};

let isWanted = true;

/** Drops rows that were read ahead, where the table is not drawn before they may change. */
export const forgetRowsAhead = (): void => {
  isWanted = false;
  rowsAhead.clear();
};

/** Rows that were asked for before the table is drawn, by language and path. */
const rowsAhead = new Map<string, Promise<readonly RowView[]>>();

const keyOf = (path: string, lang: Lang): string => `${lang} ${path}`;

/** The table asks for its first rows only once it is drawn, which takes longer than reading them. */
const readFirstRows = async (
  client: QueryClient,
  order: ReturnType<typeof orderQuery> & { readonly gcTime: number },
  { draft, lang }: { readonly draft: string; readonly lang: Lang },
): Promise<void> => {
  await client.prefetchQuery(order);
  const numbers = client.getQueryData(order.queryKey);
  if (numbers === undefined || numbers.length === 0) {
    // Its rows may not be stored yet, so the table asks again once it is drawn.
    void client.invalidateQueries({ queryKey: order.queryKey, exact: true });
    return;
  }
  if (!isWanted) return;
  const path = rowsPath(draft, [...numbers.subarray(0, PAGE_ROWS)]);
  const key = keyOf(path, lang);
  const rows = requestJson<readonly RowView[]>(path, { lang });
  // Whoever takes them is told; where nobody does, nothing is lost.
  rows.catch(() => undefined);
  rowsAhead.set(key, rows);
  setTimeout(() => rowsAhead.delete(key), KEPT_MS);
};

/**
 * Takes rows that were asked for ahead; `undefined` where these were not. They are taken once, as
 * they may have changed when they are asked for again.
 */
export const takeRowsAhead = (
  path: string,
  lang: Lang,
): Promise<readonly RowView[]> | undefined => {
  const key = keyOf(path, lang);
  const rows = rowsAhead.get(key);
  rowsAhead.delete(key);
  return rows;
};

/** Rows of a list that each have a number, read anew when its version has changed. */
export const useListedRows = <Row extends { readonly number: number }>(
  version: number | string,
  read: (numbers: readonly number[], lang: Lang) => Promise<readonly Row[]>,
): RowWindow<Row> => {
  const { lang } = usePage();
  const rows = useMemo(
    () =>
      new RowWindow<Row>({
        numberOf: ({ number }) => number,
        read: (numbers) => read(numbers, lang),
      }),
    [lang, read],
  );
  const shown = useRef(version);
  useEffect(() => {
    if (shown.current !== version) rows.invalidate();
    shown.current = version;
  }, [rows, version]);
  return rows;
};
