/** A store whose products appear and change status while its listings are read. */

import { ApiError } from "@catalog/client/errors";
import { readPages } from "@catalog/client/paging";
import { createFakeClock } from "@catalog/clock/testing";
import type { Page, PageQuery } from "@catalog/contract";
import { createExportStaging, openDatabase } from "@catalog/database/testing";
import { onTestFinished } from "vitest";

import type { ExportJob, Listing, ListingPage, StagedItem } from "../../src/read-listings.ts";

export const STATUSES = ["approved", "passive", "veto"] as const;
type Status = (typeof STATUSES)[number];

interface Product {
  readonly sid: number;
  /** Number of calls before the product appears. */
  readonly bornAt: number;
  status: Status;
}

/** Numbers from 0 up to 1, the same sequence for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface ChangingShop {
  readonly listings: readonly Listing[];
  /** Number of pages requested. */
  readonly calls: () => number;
  /** Number of the last call to the listing in which new products appear. */
  readonly lastCallForNew: () => number;
  readonly products: () => readonly Product[];
  add(): void;
  /** Gives a product another status. */
  move(at: number, to: Status): void;
}

export interface ChangingShopOptions {
  readonly count: number;
  readonly pageSize: number;
  /** Maximum number of products on a page, whatever size is requested. @default no limit */
  readonly cap?: number;
  /** Total that a listing states. @default its number of products */
  readonly toTotal?: (listed: number, shown: number) => number;
  /** Pages asked for at a time. @default 1 */
  readonly width?: number;
  /** Called before a page is answered. */
  readonly onCall?: (store: ChangingShop, call: number) => void;
}

function statusOf(index: number): Status {
  if (index % 10 === 9) return "veto";
  return index % 5 === 3 ? "passive" : "approved";
}

export function createChangingShop(options: ChangingShopOptions): ChangingShop {
  const { count, pageSize, cap = Infinity, width = 1, onCall } = options;
  const { toTotal = (listed) => listed } = options;
  const products: Product[] = Array.from({ length: count }, (_, index) => ({
    sid: index + 1,
    bornAt: 0,
    status: statusOf(index),
  }));
  let calls = 0;
  let lastCallForNew = 0;
  const random = createRandom(count);
  const store: ChangingShop = {
    calls: () => calls,
    lastCallForNew: () => lastCallForNew,
    products: () => products,
    add: () => products.push({ sid: products.length + 1, bornAt: calls, status: "approved" }),
    move(at, to) {
      const product = products[at];
      if (product !== undefined) product.status = to;
    },
    listings: STATUSES.map((status) =>
      toListing({ name: status, pageSize, width }, async (page, size) => {
        // Pages that are asked for side by side are answered in any order.
        for (let turn = Math.floor(random() * width); turn > 0; turn -= 1) await Promise.resolve();
        calls += 1;
        onCall?.(store, calls);
        if (status === "approved") lastCallForNew = calls;
        const listed = products.filter((product) => product.status === status);
        const start = (page - 1) * size;
        const shown = listed.slice(start, start + Math.min(cap, size));
        return {
          total: toTotal(listed.length, shown.length),
          items: shown.map(({ sid }) => ({ id: `p-${sid}`, rank: sid, item: { sid, status } })),
        };
      }),
    ),
  };
  return store;
}

/** Reads a listing by its single pages, as the client does. */
export function toListing(
  { width = 1, name, pageSize }: Pick<Listing, "name" | "pageSize"> & { readonly width?: number },
  fetch: Listing["fetch"],
): Listing {
  return {
    name,
    pageSize,
    fetch,
    async *pages({ page, size, onEnd }) {
      const fetchPage = async (query: PageQuery): Promise<Page<StagedItem>> => {
        const { total, items } = await fetch(query.page ?? 1, query.limit ?? size);
        return { total, result: items };
      };
      const paging = { defaultSize: pageSize, maxSize: pageSize };
      const options = { name, paging, input: { page, limit: size } };
      for await (const { result, ...answer } of readPages(fetchPage, {
        ...options,
        width: () => width,
        onEnd,
      })) {
        yield { ...answer, items: result };
      }
    },
  };
}

/** A job in a database of its own. */
export async function openJob(): Promise<ExportJob> {
  const database = await openDatabase(":memory:");
  onTestFinished(() => database.close());
  const store = { baseUrl: "https://marketplace.test", storeId: "s-1" };
  const staging = createExportStaging({ database, clock: createFakeClock(), store });
  return await staging.open({ key: "products", scope: "products" }, 1000);
}

/** The numbers of the products in the job, in its order. */
export const sidsOf = (job: ExportJob): Promise<readonly number[]> =>
  Array.fromAsync(
    job.items<{ readonly sid: number }>({ isNotYetWritten: false }),
    ({ sid }) => sid,
  );

export const idsFrom = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${index}`);

/** A page of a listing with these ids, whose total is right. */
export const toPage = (ids: readonly string[], page: number, size: number): ListingPage => ({
  total: ids.length,
  items: ids.slice((page - 1) * size, page * size).map((id) => ({ id, rank: 0, item: { id } })),
});

/** The ids of the items in the job. */
export const idsOf = (job: ExportJob): Promise<readonly string[]> =>
  Array.fromAsync(job.items<{ readonly id: string }>({ isNotYetWritten: false }), ({ id }) => id);

export const noSuchPage = (): ApiError =>
  new ApiError("no such page", { endpoint: "product.list", phase: "body", status: 404 });
