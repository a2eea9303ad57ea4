import type { Page, PageQuery } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { ApiError } from "../src/index.ts";
import { readItems, readPages } from "../src/paging.ts";

const paging = { defaultSize: 20, maxSize: 50 };

/** Answers the pages of the numbers below `size`. */
function createListing(size: number) {
  const fetchPage = async ({ limit = 20, page = 1 }: PageQuery): Promise<Page<number>> => {
    const all = Array.from({ length: size }, (_, n) => n);
    return { total: size, result: all.slice((page - 1) * limit, page * limit) };
  };
  return { fetchPage };
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

const refusal = (status: number): ApiError =>
  new ApiError(`refused with ${status}`, { endpoint: "n.list", phase: "body", status });

describe("the end of readPages", () => {
  it.each([
    ["still", 230, (total: number) => total, { isSteady: true, maxTotal: 230, elements: 230 }],
    ["lying", 230, () => 7, { isSteady: true, maxTotal: 7, elements: 230 }],
  ])("tells at the end that a listing was %s", async (_, size, toTotal, expected) => {
    const { fetchPage } = createListing(size);
    const ends: unknown[] = [];

    await collect(
      readPages(async (query) => ({ ...(await fetchPage(query)), total: toTotal(size) }), {
        name: "n.list",
        paging,
        input: {},
        width: () => 4,
        onEnd: (end) => ends.push(end),
      }),
    );

    expect(ends).toEqual([{ ...expected, hasRepeats: false, refusal: undefined }]);
  });

  it("tells the total of an empty page that an earlier total had promised", async () => {
    const { fetchPage } = createListing(101);
    const ends: unknown[] = [];
    // The last element leaves once the second page was answered.
    const shrinking = async (query: PageQuery): Promise<Page<number>> =>
      query.page === 3 ? { total: 100, result: [] } : fetchPage(query);

    await collect(
      readPages(shrinking, { name: "n.list", paging, input: {}, onEnd: (end) => ends.push(end) }),
    );

    expect(ends).toMatchObject([{ elements: 100, maxTotal: 101, isSteady: false }]);
  });

  it.each([1, 4])("tells of a promised page that was refused, %i at a time", async (width) => {
    const { fetchPage } = createListing(200);
    const ends: unknown[] = [];
    const error = refusal(404);
    const cut = async (query: PageQuery): Promise<Page<number>> => {
      if (query.page === 3) throw error;
      return fetchPage(query);
    };
    const options = { name: "n.list", paging, input: {}, width: () => width };

    const pages = await collect(readPages(cut, { ...options, onEnd: (end) => ends.push(end) }));

    expect(pages).toHaveLength(2);
    expect(ends).toMatchObject([{ elements: 100, maxTotal: 200, isSteady: false, refusal: error }]);
  });

  it("tells that elements moved over the pages while they were read", async () => {
    const { fetchPage } = createListing(200);
    const ends: unknown[] = [];
    const moving = async (query: PageQuery): Promise<Page<number>> => {
      const { total, result } = await fetchPage(query);
      return query.page === 3
        ? { total: total + 1, result: [99, ...result.slice(1)] }
        : { total, result };
    };

    const items = await collect(
      readItems(
        readPages(moving, { name: "n.list", paging, input: {}, onEnd: (end) => ends.push(end) }),
      ),
    );

    expect(items).toHaveLength(199);
    expect(ends).toEqual([
      { elements: 200, maxTotal: 201, isSteady: false, hasRepeats: true, refusal: undefined },
    ]);
  });
});
