/**
 * Reads a listing as one stream of pages, or of the items in them. Pages that a total promises are
 * asked for side by side, and passed in their order.
 */

import { hash } from "node:crypto";

import type { Page, PageQuery, Paging } from "@catalog/contract";

import { isNoSuchPage, ShapeError } from "./errors.ts";

export interface PagingOptions<Input> {
  /** Name of the call, such as `product.list`. */
  readonly name: string;
  readonly paging: Paging;
  readonly input: Input & PageQuery;
  /** Whether earlier listings of the call had correct totals. @default nothing is known */
  readonly totals?: ListingTotals;
  /** Maximum number of pages that are asked for and not yet passed, at least 1. @default 1 */
  readonly width?: (() => number) | undefined;
  /** Called at the end of the listing; not where the reading fails or the caller ends it. */
  readonly onEnd?: ((end: ListingEnd) => void) | undefined;
}

/** Whether the totals of a call are correct; kept from one of its listings to the next. */
export interface ListingTotals {
  /**
   * A listing of several pages stated on each page the number of elements that it turned out to
   * have.
   */
  areProven: boolean;
}

/** Where a page stands in its listing. */
export interface PagePosition {
  /** Number of the page, from 1 on. */
  readonly page: number;
  /** Number of elements in a full page. */
  readonly pageSize: number;
}

/** What a listing turned out to be. */
export interface ListingEnd {
  /** Number of elements, with those of full pages before the first page that was asked for. */
  readonly elements: number;
  /** The largest total that its pages stated. */
  readonly maxTotal: number;
  /** Whether every page stated the same total. */
  readonly isSteady: boolean;
  /** Whether an element came again, changed or not. */
  readonly hasRepeats: boolean;
}

/** Pages in a row that may show only what was passed before. */
const MAX_REPEATED_PAGES = 1;

/**
 * Reads pages as large as the specification allows unless `input` has a `limit`, from page 1 unless
 * it has a `page`. The first page is asked for alone, and then those that its total promises, as
 * many at a time as `width` says. A listing ends where the page after it is empty, is refused, or
 * shows nothing new; until the totals of the call are proven, a `total` can only say that more pages
 * must follow. After a first page that is shorter than its limit, the next pages are asked for in
 * that size, since the marketplace may give no more at a time and nothing must be skipped. An
 * element that is repeated unchanged is passed once. Pages that repeat one after the other before
 * the total is reached are a `ShapeError`, since the listing would never end; a single one may repeat
 * because an element was entered before it.
 */
export async function* readPages<Input, Item>(
  fetchPage: (input: Input & PageQuery, signal: AbortSignal) => Promise<Page<Item>>,
  { name, paging, input, width, onEnd, totals = { areProven: false } }: PagingOptions<Input>,
): AsyncGenerator<Page<Item> & PagePosition, void, undefined> {
  const count = createCount(totals);
  const takeNew = createNovelty();
  using asked = createAskedPages(fetchPage, { input, width });
  let { limit, page, position } = toPosition(input, paging);
  let total = 0;
  let repeatedPages = 0;
  for (;;) {
    const isPromised = count.isPromised(position);
    asked.ask({ limit, page, last: page + count.pagesAhead(position, limit) });
    const answer = await asked.next(isPromised);
    const { result } = answer;
    total = answer.total;
    const fresh = takeNew(result);
    if (fresh.length > 0) repeatedPages = 0;
    else if (result.length === 0 || !isPromised) break;
    else repeatedPages += 1;
    if (repeatedPages > MAX_REPEATED_PAGES) throw createRepeatError(name);
    yield { ...answer, result: fresh, page, pageSize: limit };
    position += result.length;
    if (count.note({ total, position, hasRepeats: fresh.length < result.length })) break;
    // A marketplace that caps the page may count its pages in its own size or in the requested one.
    if (page === 1) limit = Math.min(limit, result.length);
    page += 1;
  }
  const end = count.end(position, total);
  onEnd?.(end);
}

interface Count {
  /**
   * Records the total of the page that ends at this position. Returns whether it is proven to be
   * the last one.
   */
  note(page: NotedPage): boolean;
  /** Whether a total has said that elements follow this position. */
  isPromised(position: number): boolean;
  /**
   * Number of pages that will be needed after the one at this position: those that a total
   * promises, and the one that proves the end while totals are not proven.
   */
  pagesAhead(position: number, limit: number): number;
  /** Records that the listing has ended at this position; `total` counts where it is the first. */
  end(position: number, total: number): ListingEnd;
}

interface NotedPage {
  readonly total: number;
  /** Number of elements up to the end of the page. */
  readonly position: number;
  readonly hasRepeats: boolean;
}

/** Compares the totals of one listing with the number of elements that it turns out to have. */
function createCount(totals: ListingTotals): Count {
  const stated = new Set<number>();
  let latest = 0;
  let pages = 0;
  let hasRepeats = false;
  return {
    note({ total, position, ...page }) {
      stated.add(total);
      latest = total;
      pages += 1;
      hasRepeats ||= page.hasRepeats;
      return totals.areProven && stated.size === 1 && total === position;
    },
    isPromised: (position) => pages === 0 || position < latest,
    pagesAhead: (position, limit) =>
      pages === 0 || !(position < latest)
        ? 0
        : Math.ceil((latest - position) / limit) - (totals.areProven ? 1 : 0),
    end(position, total) {
      if (pages === 0) stated.add(total);
      if (pages > 1) totals.areProven = stated.size === 1 && stated.has(position);
      const isSteady = stated.size === 1;
      return { elements: position, maxTotal: Math.max(...stated), isSteady, hasRepeats };
    },
  };
}

interface AskedPages<Item> extends Disposable {
  /** Asks for this page if it was not asked for, and for as many of the next ones as are allowed. */
  ask(pages: PageRange): void;
  /** Waits for the first page that was not passed; an empty one where an unpromised page is refused. */
  next(isPromised: boolean): Promise<Page<Item>>;
}

interface PageRange {
  readonly limit: number;
  /** The page to pass next. */
  readonly page: number;
  /** The last page that will be needed. */
  readonly last: number;
}

/** An answer or a failure, which is thrown only when its page is due. */
type Settled<Item> = { readonly answer: Page<Item> } | { readonly error: unknown };

/** Disposing of it ends the calls whose pages will not be passed. */
function createAskedPages<Input, Item>(
  fetchPage: (input: Input & PageQuery, signal: AbortSignal) => Promise<Page<Item>>,
  { input, width = () => 1 }: Pick<PagingOptions<Input>, "input" | "width">,
): AskedPages<Item> {
  const closing = new AbortController();
  const waiting: Promise<Settled<Item>>[] = [];
  let next = 0;
  const settle = async (query: PageQuery): Promise<Settled<Item>> => {
    try {
      return { answer: await fetchPage({ ...input, ...query }, closing.signal) };
    } catch (error) {
      return { error };
    }
  };
  return {
    ask({ limit, page, last }) {
      next = Math.max(next, page);
      while (next === page || (next <= last && waiting.length < width())) {
        waiting.push(settle({ limit, page: next }));
        next += 1;
      }
    },
    async next(isPromised) {
      const settled = await waiting.shift();
      if (settled === undefined) throw new Error("no page was asked for");
      if ("answer" in settled) return settled.answer;
      return isPromised ? rethrow(settled.error) : toNothing(settled.error);
    },
    [Symbol.dispose]: () => closing.abort(new Error("the listing is not read any further")),
  };
}

function rethrow(error: unknown): never {
  throw error;
}

interface Position {
  readonly limit: number;
  readonly page: number;
  /** Number of elements before the page. */
  readonly position: number;
}

function toPosition(
  { limit: asked, page = 1 }: PageQuery,
  { maxSize, defaultSize }: Paging,
): Position {
  const limit = asked ?? maxSize ?? defaultSize;
  return { limit, page, position: (page - 1) * limit };
}

/** Turns the refusal of a page after the last one into an empty page. */
function toNothing<Item>(error: unknown): Page<Item> {
  if (!isNoSuchPage(error)) throw error;
  return { total: 0, result: [] };
}

/** Passes the elements of `pages`, in order. */
export async function* readItems<Item>(
  pages: AsyncIterable<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) yield* page.result;
}

/** Creates a filter that passes each element the first time that it comes. */
function createNovelty(): <Item>(result: readonly Item[]) => readonly Item[] {
  const fingerprints = new Set<string>();
  return (result) =>
    result.filter((item) => {
      const fingerprint = hash("sha256", JSON.stringify(item), "base64");
      const isNew = !fingerprints.has(fingerprint);
      fingerprints.add(fingerprint);
      return isNew;
    });
}

function createRepeatError(name: string): ShapeError {
  const message = `${name}: a page repeats what came before, so the listing would never end`;
  return new ShapeError(message, {
    endpoint: name,
    phase: "body",
    status: 200,
    reason: "mismatch",
    misfits: [{ path: "data.result", message: "repeats earlier elements" }],
  });
}
