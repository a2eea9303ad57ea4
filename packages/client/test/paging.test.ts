import type { Page, PageQuery } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { ApiError, NetworkError, ShapeError } from "../src/index.ts";
import { readItems, readPages } from "../src/paging.ts";
import { failureOf } from "./helpers/marketplace.ts";

const paging = { defaultSize: 20, maxSize: 50 };

/** A listing of the numbers below `size`. */
function createListing(size: number) {
  const asked: PageQuery[] = [];
  const fetchPage = async (query: PageQuery): Promise<Page<number>> => {
    asked.push(query);
    const { limit = 20, page = 1 } = query;
    const all = Array.from({ length: size }, (_, n) => n);
    return { total: size, result: all.slice((page - 1) * limit, page * limit) };
  };
  return { asked, fetchPage };
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

const range = (size: number): number[] => Array.from({ length: size }, (_, n) => n);

const refusal = (status: number): ApiError =>
  new ApiError(`refused with ${status}`, { endpoint: "n.list", phase: "body", status });

const allOf = (
  fetchPage: (query: PageQuery) => Promise<Page<number>>,
  input: PageQuery = {},
): Promise<number[]> => collect(readItems(readPages(fetchPage, { name: "n.list", paging, input })));

/** A listing whose pages are answered one after the other when the test says so. */
function createSlowListing(size: number) {
  const waiting: { readonly page: number; readonly answer: () => void }[] = [];
  const asked: number[] = [];
  const { fetchPage } = createListing(size);
  return {
    asked,
    /** Answers the pages that were asked for, the last one first. */
    answerAll() {
      for (const { answer } of waiting.splice(0).toReversed()) answer();
    },
    fetchPage: async (query: PageQuery): Promise<Page<number>> => {
      asked.push(query.page ?? 1);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ page: query.page ?? 1, answer: resolve });
      await promise;
      return await fetchPage(query);
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe("readPages", () => {
  for (const size of [0, 1, 49, 50, 51, 100, 149]) {
    it(`passes each of ${size} elements once, ending at an empty page`, async () => {
      const { asked, fetchPage } = createListing(size);

      const items = await allOf(fetchPage);

      expect(items).toEqual(Array.from({ length: size }, (_, n) => n));
      expect(asked).toHaveLength(Math.ceil(size / 50) + 1);
    });
  }

  it("asks for the largest page that the specification states", async () => {
    const { asked, fetchPage } = createListing(0);

    await allOf(fetchPage);
    const stated = { defaultSize: 20, maxSize: undefined };
    await collect(readPages(fetchPage, { name: "n.list", paging: stated, input: {} }));

    expect(asked).toEqual([
      { limit: 50, page: 1 },
      { limit: 20, page: 1 },
    ]);
  });

  it("uses the limit and the first page that the caller names", async () => {
    const { asked, fetchPage } = createListing(10);

    const items = await allOf(fetchPage, { limit: 4, page: 2 });

    expect(items).toEqual([4, 5, 6, 7, 8, 9]);
    expect(asked).toEqual([
      { limit: 4, page: 2 },
      { limit: 4, page: 3 },
      { limit: 4, page: 4 },
    ]);
  });

  describe("readPages from a marketplace that gives at most 20 elements", () => {
    const CAP = 20;
    // The second page of 50 could begin at 21 or at 51; the answers do not show which.
    const offsets = {
      "its own size": (page: number, limit: number) => (page - 1) * Math.min(limit, CAP),
      "the size asked for": (page: number, limit: number) => (page - 1) * limit,
    };
    const totals = {
      zero: () => 0,
      "the page's own": (_size: number, shown: number) => shown,
      half: (size: number) => Math.floor(size / 2),
      negative: () => -1,
      "not a number": () => Number.NaN,
      right: (size: number) => size,
    };
    const ends = {
      empty: (): number[] => [],
      refused: () => {
        throw refusal(404);
      },
      repeated: (_size: number, last: number[]) => last,
    };

    for (const [counted, offset] of Object.entries(offsets))
      for (const [stated, toTotal] of Object.entries(totals))
        for (const [behind, toEnd] of Object.entries(ends))
          it(`passes all elements where pages count by ${counted}, the total is ${stated} and the end is ${behind}`, async () => {
            for (const size of [7, 20, 33, 60, 100, 121]) {
              let last: number[] = [];
              const fetchPage = async ({ limit = CAP, page = 1 }: PageQuery) => {
                const from = offset(page, limit);
                const shown = range(size).slice(from, from + Math.min(limit, CAP));
                if (shown.length === 0)
                  return { total: toTotal(size, 0), result: toEnd(size, last) };
                last = shown;
                return { total: toTotal(size, shown.length), result: shown };
              };

              expect(await allOf(fetchPage)).toEqual(range(size));
            }
          });
  });

  it("skips no element where some elements of each page are hidden", async () => {
    const { fetchPage } = createListing(200);

    const items = await allOf(async (query) => {
      const { result } = await fetchPage(query);
      return { total: 0, result: result.filter((n) => n % 17 !== 3) };
    });

    expect(items).toEqual(Array.from({ length: 200 }, (_, n) => n).filter((n) => n % 17 !== 3));
  });

  it("does not ask for a page behind the end once totals were right for several pages", async () => {
    const { asked, fetchPage } = createListing(120);
    const few = createListing(7);
    const totals = { areProven: false };
    const listing = { name: "n.list", paging, input: {}, totals };

    await collect(readPages(fetchPage, listing));
    await collect(readPages(fetchPage, listing));
    await collect(readPages(few.fetchPage, listing));

    expect(asked).toHaveLength(4 + 3);
    expect(few.asked).toHaveLength(1);
  });

  it("asks for a page behind a single page, however right its total was before", async () => {
    const { asked, fetchPage } = createListing(7);
    const listing = { name: "n.list", paging, input: {}, totals: { areProven: false } };

    await collect(readPages(fetchPage, listing));
    await collect(readPages(fetchPage, listing));

    expect(asked).toHaveLength(4);
  });

  it.each([
    ["is shorter than an earlier one", 6, true, 1],
    ["is as long as an earlier one, so that it may be cut off", 7, true, 2],
    ["follows no proof elsewhere", 6, false, 2],
  ] as const)(
    "asks for nothing behind a single page that %s: %i",
    async (_what, elements, areProvenElsewhere, expected) => {
      const totals = { areProven: false, areProvenElsewhere };
      const listing = { name: "n.list", paging, input: {}, totals };
      const { asked, fetchPage } = createListing(elements);
      await collect(readPages(createListing(7).fetchPage, listing));

      await collect(readPages(fetchPage, listing));

      expect(asked).toHaveLength(expected);
    },
  );

  it("stops trusting proven totals once one of them was wrong", async () => {
    const totals = { areProven: true };
    const { fetchPage } = createListing(120);

    const pages = await collect(
      readPages(async (query) => ({ ...(await fetchPage(query)), total: 60 }), {
        name: "n.list",
        paging,
        input: {},
        totals,
      }),
    );

    expect(pages.flatMap(({ result }) => result)).toHaveLength(120);
    expect(totals.areProven).toBe(false);
  });

  it.each([50, 100, 10_000])(
    "reads past a total that ends at %i where pages go on",
    async (cap) => {
      const { fetchPage } = createListing(10_020);
      const totals = { areProven: true };
      const capped = async (query: PageQuery): Promise<Page<number>> => {
        const { total, result } = await fetchPage(query);
        return { total: Math.min(total, cap), result };
      };

      const pages = await collect(
        readPages(capped, { name: "n.list", paging, input: {}, totals, width: () => 4 }),
      );

      expect(pages.flatMap(({ result }) => result)).toHaveLength(10_020);
    },
  );

  it("ends at an empty page, whatever the total says", async () => {
    const pages = [[1, 2], [3], []];

    const items = await allOf(async () => ({ total: 99, result: pages.shift() ?? [] }));

    expect(items).toEqual([1, 2, 3]);
  });

  for (const total of [0, 50, 99, 100, -1, Number.NaN]) {
    it(`passes all of 120 elements although the total says ${total}`, async () => {
      const { fetchPage } = createListing(120);

      const items = await allOf(async (query) => ({ ...(await fetchPage(query)), total }));

      expect(items).toHaveLength(120);
    });
  }

  it("ends where the page after the last full one repeats it", async () => {
    const { fetchPage } = createListing(100);

    const items = await allOf((query) =>
      fetchPage({ ...query, page: Math.min(query.page ?? 1, 2) }),
    );

    expect(items).toHaveLength(100);
  });

  for (const status of [400, 404, 416, 422]) {
    it(`ends where the page after the last full one is refused with ${status}`, async () => {
      const { fetchPage } = createListing(100);

      const items = await allOf((query) =>
        query.page === 3 ? Promise.reject(refusal(status)) : fetchPage(query),
      );

      expect(items).toHaveLength(100);
    });
  }

  it.each([
    [refusal(404), 2],
    [refusal(503), 3],
    [new NetworkError("n.list: no answer came", { endpoint: "n.list", phase: "headers" }), 3],
  ])("rejects a listing with %s at page %i", async (error, page) => {
    const { fetchPage } = createListing(100);

    const reading = allOf(async (query) => {
      if (query.page === page) throw error;
      return fetchPage(query);
    });

    await expect(reading).rejects.toBe(error);
  });

  it("ends where a page is refused that a total promised after a short page", async () => {
    const { fetchPage } = createListing(70);

    const items = await allOf(async (query) => {
      if ((query.page ?? 1) > 2) throw refusal(404);
      return { ...(await fetchPage(query)), total: 140 };
    });

    expect(items).toHaveLength(70);
  });

  it("rejects a listing in which the same pages come again and again", async () => {
    let asked = 0;
    const fetchPage = async (): Promise<Page<number>> => {
      asked += 1;
      return { total: 1_000_000, result: [asked % 2] };
    };

    const error = await failureOf(allOf(fetchPage));

    expect(error).toBeInstanceOf(ShapeError);
    expect(error).toMatchObject({ endpoint: "n.list", reason: "mismatch" });
    expect(asked).toBe(4);
  });

  it("passes all elements of a short first page while many more are entered before them", async () => {
    const sizes = [3, 10, 10, 17, 17, 22];
    const newestFirst = ({ page = 1, limit = 50 }: PageQuery): Page<number> => {
      const total = sizes[page - 1] ?? 22;
      const all = range(total).toReversed();
      return { total, result: all.slice((page - 1) * limit, page * limit) };
    };

    const items = await allOf(async (query) => newestFirst(query));

    expect(items.toSorted((a, b) => a - b).slice(0, 3)).toEqual([0, 1, 2]);
  });

  it("fetches a page only when the caller asks for its elements", async () => {
    const { asked, fetchPage } = createListing(500);

    for await (const item of readItems(
      readPages(fetchPage, { name: "n.list", paging, input: {} }),
    )) {
      if (item === 50) break;
    }

    expect(asked).toHaveLength(2);
  });

  describe("readPages, several at a time", () => {
    it("asks for the first page alone, then for as many as are allowed, and passes them in order", async () => {
      const listing = createSlowListing(230);
      const reading = collect(
        readItems(
          readPages(listing.fetchPage, { name: "n.list", paging, input: {}, width: () => 3 }),
        ),
      );
      const steps: number[] = [];

      for (let step = 0; step < 6; step += 1) {
        await turn();
        steps.push(listing.asked.length);
        listing.answerAll();
      }

      expect(await reading).toEqual(range(230));
      // Five pages, and one that proves the end.
      expect(steps).toEqual([1, 4, 6, 6, 6, 6]);
      expect(listing.asked).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it.each([
      ["not beside the others where the last page is not full", 230, 5],
      ["beside the others where the last page is full", 250, 6],
    ])("asks for the page that proves the end %s", async (_, elements, pages) => {
      const listing = createSlowListing(elements);
      const totals = { areProven: true };
      const options = { name: "n.list", paging, input: {}, totals, width: () => 10 };
      const reading = collect(readItems(readPages(listing.fetchPage, options)));

      await turn();
      listing.answerAll();
      await turn();
      const asked = listing.asked.length;
      listing.answerAll();

      expect(await reading).toEqual(range(elements));
      expect(asked).toBe(pages);
      expect(listing.asked).toHaveLength(pages);
    });

    it("rejects at the page that failed, after the pages before it", async () => {
      const { fetchPage } = createListing(300);
      const passed: number[] = [];
      const failing = async (query: PageQuery): Promise<Page<number>> => {
        return query.page === 3 ? await Promise.reject(refusal(503)) : await fetchPage(query);
      };
      const read = async (): Promise<void> => {
        const options = { name: "n.list", paging, input: {}, width: () => 4 };
        for await (const { page } of readPages(failing, options)) passed.push(page);
      };

      await expect(read()).rejects.toMatchObject({ status: 503 });
      expect(passed).toEqual([1, 2]);
    });

    it("ends the calls under way where the caller needs no more pages", async () => {
      const { fetchPage } = createListing(500);
      const signals: AbortSignal[] = [];
      const watched = async (query: PageQuery, signal: AbortSignal): Promise<Page<number>> => {
        signals.push(signal);
        return await fetchPage(query);
      };

      for await (const { page } of readPages(watched, {
        name: "n.list",
        paging,
        input: {},
        width: () => 4,
      })) {
        if (page === 2) break;
      }

      expect(signals.length).toBeLessThanOrEqual(6);
      expect(signals.every(({ aborted }) => aborted)).toBe(true);
    });
  });
});

/** Answers the pages of the numbers below `size`. */
function createEndingListing(size: number) {
  const fetchPage = async ({ limit = 20, page = 1 }: PageQuery): Promise<Page<number>> => {
    const all = Array.from({ length: size }, (_, n) => n);
    return { total: size, result: all.slice((page - 1) * limit, page * limit) };
  };
  return { fetchPage };
}

describe("the end of readPages", () => {
  it.each([
    ["still", 230, (total: number) => total, { isSteady: true, maxTotal: 230, elements: 230 }],
    ["lying", 230, () => 7, { isSteady: true, maxTotal: 7, elements: 230 }],
  ])("tells at the end that a listing was %s", async (_, size, toTotal, expected) => {
    const { fetchPage } = createEndingListing(size);
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
    const { fetchPage } = createEndingListing(101);
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
    const { fetchPage } = createEndingListing(200);
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
    const { fetchPage } = createEndingListing(200);
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
