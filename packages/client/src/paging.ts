/** Reads a listing as one stream of pages, or of the items in them. */

import { createHash } from "node:crypto";

import type { Page, PageQuery, Paging } from "@catalog/contract";

import { ApiError, ShapeError } from "./errors.ts";

export interface PagingOptions<Input> {
  /** Name of the call, such as `product.list`. */
  readonly name: string;
  readonly paging: Paging;
  readonly input: Input & PageQuery;
  /** Whether earlier listings of the call had correct totals. @default nothing is known */
  readonly totals?: Totals;
}

/** Whether the totals of a call are correct; kept from one of its listings to the next. */
export interface Totals {
  /**
   * A listing of several pages stated on each page the number of elements that it turned out to
   * have.
   */
  areProven: boolean;
}

/**
 * Asks for one page after the other, each as large as the specification allows unless `input` has a
 * `limit`, from page 1 unless it has a `page`. A listing ends where the page after it is empty, is
 * refused, or shows nothing new; until the totals of the call are proven, a `total` can only say
 * that more pages must follow. After a first page that is shorter than its limit, the next pages
 * are asked for in that size, since the marketplace may give no more at a time and nothing must be
 * skipped. An element that is repeated unchanged is passed once. Elements that repeat before the
 * total is reached are a `ShapeError`, since the listing would never end.
 */
export async function* readPages<Input, Item>(
  fetchPage: (input: Input & PageQuery) => Promise<Page<Item>>,
  { name, paging, input, totals = { areProven: false } }: PagingOptions<Input>,
): AsyncGenerator<Page<Item>, void, undefined> {
  const count = createCount(totals);
  const takeNew = createNovelty();
  let { limit, page, position } = toPosition(input, paging);
  for (;;) {
    const asked = fetchPage({ ...input, limit, page });
    const isPromised = count.isPromised(position);
    const answer: Page<Item> = await (isPromised ? asked : orNothing(asked));
    const { total, result } = answer;
    const fresh = takeNew(result);
    if (fresh.length === 0) {
      if (result.length > 0 && isPromised) throw createRepeatError(name);
      count.end(position);
      return;
    }
    yield { ...answer, result: fresh };
    position += result.length;
    if (count.note(total, position)) return;
    // A marketplace that caps the page may count its pages in its own size or in the requested one.
    if (page === 1) limit = Math.min(limit, result.length);
    page += 1;
  }
}

interface Count {
  /**
   * Records the total of the page that ends at this position. Returns whether it is proven to be
   * the last one.
   */
  note(total: number, position: number): boolean;
  /** Whether a total has said that elements follow this position. */
  isPromised(position: number): boolean;
  /** Records that the listing has ended at this position. */
  end(position: number): void;
}

/** Compares the totals of one listing with the number of elements that it turns out to have. */
function createCount(totals: Totals): Count {
  const stated = new Set<number>();
  let latest = 0;
  let pages = 0;
  return {
    note(total, position) {
      stated.add(total);
      latest = total;
      pages += 1;
      return totals.areProven && stated.size === 1 && total === position;
    },
    isPromised: (position) => pages === 0 || position < latest,
    end(position) {
      if (pages > 1) totals.areProven = stated.size === 1 && stated.has(position);
    },
  };
}

interface PagePosition {
  readonly limit: number;
  readonly page: number;
  /** Number of elements before the page. */
  readonly position: number;
}

function toPosition(
  { limit: asked, page = 1 }: PageQuery,
  { maxSize, defaultSize }: Paging,
): PagePosition {
  const limit = asked ?? maxSize ?? defaultSize;
  return { limit, page, position: (page - 1) * limit };
}

/** Statuses with which a marketplace may refuse a page after the last one. */
const NO_SUCH_PAGE: ReadonlySet<number> = new Set([400, 404, 416, 422]);

/** Turns the refusal of a page after the last one into an empty page. */
async function orNothing<Item>(asked: Promise<Page<Item>>): Promise<Page<Item>> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ApiError) || !NO_SUCH_PAGE.has(error.status)) throw error;
    return { total: 0, result: [] };
  }
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
      const fingerprint = createHash("sha256").update(JSON.stringify(item)).digest("base64");
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
