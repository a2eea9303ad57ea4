/** A listing as one stream of pages, or of the items in them. */

import { createHash } from "node:crypto";

import { type Page, type PageQuery, type Paging } from "@catalog/contract";

import { ApiError, ShapeError } from "./errors.ts";

export interface PagingOptions<Input> {
  /** Name of the call, such as `product.list`. */
  readonly name: string;
  readonly paging: Paging;
  readonly input: Input & PageQuery;
}

/**
 * Asks for one page after the other, each as large as the specification allows unless `input` has a
 * `limit`, from page 1 unless it has a `page`. Ends at an empty page, and at a short page when
 * `total` elements were passed: a `total` alone may be too low. A page that comes a second time
 * before that is a `ShapeError`, since the listing would never end.
 */
export async function* readPages<Input, Item>(
  fetchPage: (input: Input & PageQuery) => Promise<Page<Item>>,
  { name, paging, input }: PagingOptions<Input>,
): AsyncGenerator<Page<Item>, void, undefined> {
  const limit = input.limit ?? largestPage(paging);
  const firstPage = input.page ?? 1;
  const isNew = createNovelty();
  let passed = (firstPage - 1) * limit;
  let isPastTotal = false;
  for (let page = firstPage; ; page += 1) {
    const asked = fetchPage({ ...input, limit, page });
    const answer: Page<Item> = await (isPastTotal ? orNothing(asked) : asked);
    if (answer.result.length === 0) return;
    if (!isNew(answer)) {
      if (isPastTotal) return;
      throw createRepeatError(name);
    }
    yield answer;
    passed += answer.result.length;
    isPastTotal = passed >= answer.total;
    if (isPastTotal && answer.result.length < limit) return;
  }
}

const largestPage = ({ maxSize, defaultSize }: Paging): number => maxSize ?? defaultSize;

/** Statuses with which a marketplace may refuse a page after the last one. */
const NO_SUCH_PAGE: ReadonlySet<number> = new Set([400, 404, 416, 422]);

/** An empty page where the marketplace says that there is no such page. */
async function orNothing<Item>(asked: Promise<Page<Item>>): Promise<Page<Item>> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ApiError) || !NO_SUCH_PAGE.has(error.status)) throw error;
    return { total: 0, result: [] };
  }
}

/** The elements of `pages`, in order. */
export async function* readItems<Item>(
  pages: AsyncIterable<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) yield* page.result;
}

/** Remembers pages, and says whether one came for the first time. */
function createNovelty(): (answer: Page<unknown>) => boolean {
  const fingerprints = new Set<string>();
  return ({ result }) => {
    const fingerprint = createHash("sha256").update(JSON.stringify(result)).digest("base64");
    const isNew = !fingerprints.has(fingerprint);
    fingerprints.add(fingerprint);
    return isNew;
  };
}

function createRepeatError(name: string): ShapeError {
  const message = `${name}: a page repeats an earlier one, so the listing would never end`;
  return new ShapeError(message, {
    endpoint: name,
    phase: "body",
    status: 200,
    reason: "mismatch",
    misfits: [{ path: "data.result", message: "repeats an earlier page" }],
  });
}
