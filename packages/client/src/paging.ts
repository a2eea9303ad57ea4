/**
 * Reads a listing as one stream of pages, or of the items in them. Pages that a total promises are
 * asked for side by side, and passed in their order.
 */

import { hash } from "node:crypto";
import { setMaxListeners } from "node:events";

import type { Page, PagedEndpoint, PageQuery } from "@catalog/contract";

import { isNoSuchPage, ShapeError } from "./errors.ts";

export interface PagingOptions<Input> {
  /** Name of the call, such as `product.list`. */
  readonly name: string;
  readonly paging: PagedEndpoint<PageQuery, unknown>["paging"];
  readonly input: Input & PageQuery;
  /** Whether earlier listings of the call had correct totals. @default nothing is known */
  readonly totals?: ListingTotals;
  /**
   * Maximum number of pages that are asked for and not yet passed, at least 1; the client's gate
   * limits how many of them are under way. @default 1
   */
  readonly width?: (() => number) | undefined;
  /**
   * Called at the end of the listing; not where the reading fails or the caller ends it. With it, a
   * page after a full one that is refused as one that may not exist ends the listing.
   */
  readonly onEnd?: ((end: ListingEnd) => void) | undefined;
}

/** Whether the totals of a call are correct; kept from one of its listings to the next. */
export interface ListingTotals {
  /**
   * A listing of several pages stated on each page the number of elements that it turned out to
   * have.
   */
  areProven: boolean;
  /**
   * The totals of another call of the marketplace are proven, and those of none were wrong.
   * @default nothing is known
   */
  readonly areProvenElsewhere?: boolean | undefined;
  /** Number of elements in the largest page that the call has given. */
  largestPage?: number | undefined;
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
  /** Whether an element came again unchanged. */
  readonly hasRepeats: boolean;
  /**
   * The refusal of a page that a total had promised, with which the listing ended; `undefined`
   * where it did not. Elements may have left, or be on that page.
   */
  readonly refusal: Error | undefined;
}

/**
 * Pages in a row that may show only what was passed before, besides those that elements move on
 * which are entered while the listing is read.
 */
const MAX_REPEATED_PAGES = 1;

/**
 * Reads pages as large as the specification allows unless `input` has a `limit`, from page 1 unless
 * it has a `page`. The first page is asked for alone, and then those that its total promises, as
 * many at a time as `width` says. A listing ends where the page after it is empty, is refused, or
 * shows nothing new; a `total` can only say that more pages must follow, unless the last page is not
 * full and the totals of the call are proven. For a listing of one page it is enough that those of
 * another call are, where the page is shorter than an earlier one of the call, so that it was not
 * cut off. After a first page that is shorter than its limit, the next pages are asked for in
 * that size, since the marketplace may give no more at a time and nothing must be skipped. An
 * element that is repeated unchanged is passed once. Pages that repeat one after the other before
 * the total is reached are a `ShapeError`, since the listing would never end; a single one may repeat,
 * and as many more as the total has grown by, because elements were entered before them.
 */
export async function* readPages<Input, Item>(
  fetchPage: (input: Input & PageQuery, signal: AbortSignal) => Promise<Page<Item>>,
  { name, paging, input, width, onEnd, totals }: PagingOptions<Input>,
): AsyncGenerator<Page<Item> & PagePosition, void, undefined> {
  const count = createCount(totals);
  const takeNew = createNovelty();
  using asked = createAskedPages(fetchPage, { input, width });
  let { limit, page, position } = toPosition(input, paging);
  let repeatedPages = 0;
  for (;;) {
    const isPromised = count.isPromised(position);
    asked.ask({ limit, page, last: page + count.pagesAhead(position, limit) });
    const answer = await takePage(asked, { count, isPromised, isTold: onEnd !== undefined });
    if (answer === undefined) break;
    const { result, total } = answer;
    const fresh = takeNew(result);
    if (fresh.length === 0 && !isPromised) break;
    repeatedPages = fresh.length > 0 ? 0 : repeatedPages + 1;
    if (repeatedPages > MAX_REPEATED_PAGES + Math.ceil(count.growth() / limit)) {
      throw createRepeatError(name);
    }
    yield { ...answer, result: fresh, page, pageSize: limit };
    position += result.length;
    const elements = result.length;
    const isFull = elements >= limit;
    const hasRepeats = fresh.length < elements;
    if (count.note({ total, position, elements, isFull, hasRepeats })) break;
    // A marketplace that caps the page may count its pages in its own size or in the requested one.
    if (page === 1) limit = Math.min(limit, result.length);
    page += 1;
  }
  const end = count.end(position);
  onEnd?.(end);
}

interface TakeOptions {
  readonly count: Count;
  /** Whether a total has said that the page has elements. */
  readonly isPromised: boolean;
  /** Whether the caller learns of a promised page that was refused. */
  readonly isTold: boolean;
}

/** Waits for the next page; `undefined` where it is empty or refused, which ends the listing. */
async function takePage<Item>(
  asked: AskedPages<Item>,
  { count, isPromised, isTold }: TakeOptions,
): Promise<Page<Item> | undefined> {
  const { answer, refusal } = await asked.next();
  if (answer === undefined) {
    // After a full page, only a caller that learns of it can know that the listing may continue.
    if (isPromised && !isTold && count.wasFull()) throw refusal;
    if (isPromised) count.noteRefusal(refusal);
    return undefined;
  }
  if (answer.result.length > 0) return answer;
  if (isPromised) count.noteTotal(answer.total);
  return undefined;
}

interface Count {
  /**
   * Records the total of the page that ends at this position. Returns whether it is proven to be
   * the last one.
   */
  note(page: NotedPage): boolean;
  /** Records the total of an empty page that an earlier total had promised. */
  noteTotal(total: number): void;
  /** Whether the last page that was noted was full; `true` before the first one. */
  wasFull(): boolean;
  /** Records that a page was refused that a total had promised. */
  noteRefusal(refusal: Error): void;
  /** Number of elements by which the totals have grown since the first page. */
  growth(): number;
  /** Whether a total has said that elements follow this position. */
  isPromised(position: number): boolean;
  /**
   * Number of pages that will be needed after the one at this position: those that a total
   * promises, and the one that proves the end where totals are not proven or the last page is full.
   */
  pagesAhead(position: number, limit: number): number;
  /** Records that the listing has ended at this position. */
  end(position: number): ListingEnd;
}

interface NotedPage {
  readonly total: number;
  /** Number of elements up to the end of the page. */
  readonly position: number;
  /** Number of elements of the page. */
  readonly elements: number;
  /** Whether the page has as many elements as were asked for, so that a total may be cut off here. */
  readonly isFull: boolean;
  readonly hasRepeats: boolean;
}

/** Compares the totals of one listing with the number of elements that it turns out to have. */
function createCount(totals: ListingTotals = { areProven: false }): Count {
  const stated = new Set<number>();
  let latest = 0;
  let first: number | undefined;
  let pages = 0;
  let hasRepeats = false;
  let wasFull = true;
  let refusal: Error | undefined;
  return {
    note({ total, position, elements, isFull, ...page }) {
      stated.add(total);
      first ??= total;
      latest = total;
      pages += 1;
      hasRepeats ||= page.hasRepeats;
      wasFull = isFull;
      const { areProven, areProvenElsewhere = false, largestPage = 0 } = totals;
      totals.largestPage = Math.max(largestPage, elements);
      const isWhole = pages === 1 && position === elements && elements < largestPage;
      const mayEnd = areProven || (areProvenElsewhere && isWhole);
      return mayEnd && stated.size === 1 && total === position && !isFull;
    },
    wasFull: () => wasFull,
    noteTotal: (total) => void stated.add(total),
    noteRefusal: (error) => {
      refusal = error;
    },
    growth: () => (first !== undefined && latest > first ? latest - first : 0),
    isPromised: (position) => pages === 0 || position < latest,
    pagesAhead(position, limit) {
      if (pages === 0 || !(position < latest)) return 0;
      const left = latest - position;
      // A full page proves nothing about the end, even where totals are proven.
      const needsProof = !totals.areProven || left % limit === 0;
      return Math.ceil(left / limit) - (needsProof ? 0 : 1);
    },
    end(position) {
      const isSteady = stated.size === 1 && refusal === undefined;
      if (pages > 1) totals.areProven = isSteady && stated.has(position);
      return {
        elements: position,
        maxTotal: Math.max(0, ...stated),
        isSteady,
        hasRepeats,
        refusal,
      };
    },
  };
}

interface AskedPages<Item> extends Disposable {
  /** Asks for this page if it was not asked for, and for as many of the next ones as are allowed. */
  ask(pages: PageRange): void;
  /** Waits for the first page that was not passed. */
  next(): Promise<NextPage<Item>>;
}

/** A page, or the refusal of a page after the first one, which may not exist. */
type NextPage<Item> =
  | { readonly answer: Page<Item>; readonly refusal?: undefined }
  | { readonly answer?: undefined; readonly refusal: Error };

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
  // Every page that waits listens to it, and Node 20 warns of more than ten listeners.
  setMaxListeners(0, closing.signal);
  const waiting: { readonly page: number; readonly settled: Promise<Settled<Item>> }[] = [];
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
        waiting.push({ page: next, settled: settle({ limit, page: next }) });
        next += 1;
      }
    },
    async next() {
      const asked = waiting.shift();
      if (asked === undefined) throw new Error("no page was asked for");
      const { page, settled } = asked;
      const outcome = await settled;
      if ("answer" in outcome) return outcome;
      if (page === 1 || !isNoSuchPage(outcome.error)) throw outcome.error;
      return { refusal: outcome.error };
    },
    [Symbol.dispose]: () => closing.abort(new Error("the listing is not read any further")),
  };
}

interface Position {
  readonly limit: number;
  readonly page: number;
  /** Number of elements before the page. */
  readonly position: number;
}

function toPosition(
  { limit: asked, page = 1 }: PageQuery,
  { maxSize, defaultSize }: PagingOptions<unknown>["paging"],
): Position {
  const limit = asked ?? maxSize ?? defaultSize;
  return { limit, page, position: (page - 1) * limit };
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
