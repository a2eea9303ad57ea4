/**
 * A second marketplace with manners of its own: short pages with the newest product first, prices in
 * whole currency, an exact filter by code, none by date, no server time, and it refuses a code twice.
 */

import { createFakeClock, elapse } from "@catalog/clock/testing";
import {
  idSchemas,
  LISTING_STATUSES,
  type ListingStatus,
  type ProductChanges,
  type ProductId,
  type StoreProduct,
} from "@catalog/contract";
import { openMemoryJournal } from "@catalog/database/testing";
import {
  type Answer,
  applyRun,
  type ListQuery,
  type Marketplace,
  type SendOptions,
} from "@catalog/runs";
import {
  addBody,
  candidate,
  codeKey,
  createFakeMarketplace,
  parsedRow,
  readStates,
  RUN,
  SHEET,
  updateBody,
  checkFakeUpdate,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { recheckOf } from "./helpers/apply-fixture.ts";
import { planAll } from "./helpers/plan-fixture.ts";

const PAGE_SIZE = 3;

interface Shelved {
  readonly status: ListingStatus;
  readonly product: StoreProduct;
}

/** Opens a shop in which new products wait for approval until the next listing is read. */
function createPlainShop(): Marketplace {
  const shelves = new Map<ProductId, Shelved>();
  let added = 0;
  const list = ({ status, code, ids }: Omit<ListQuery, "addedAfterMs">): readonly StoreProduct[] =>
    [...shelves.values()]
      .filter((one) => one.status === status)
      .map(({ product }) => product)
      .filter(({ id }) => ids === undefined || ids.includes(id))
      .filter(({ product_code }) => code === undefined || product_code === code)
      .toReversed();
  const approve = (): void => {
    for (const [id, { product }] of shelves) shelves.set(id, { status: "approved", product });
  };
  return {
    async countProducts(status, signal) {
      signal?.throwIfAborted();
      approve();
      return list({ status }).length;
    },
    async *listProducts(query) {
      query.signal?.throwIfAborted();
      approve();
      const found = list(query);
      const pages = Math.ceil(found.length / PAGE_SIZE);
      for (let page = 1; page <= pages; page += 1) {
        query.onPage?.({ page, pages });
        yield* found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
      }
      query.onEnd?.({ isStill: true });
    },
    trustsFilter: async (filter) => filter !== "start_date",
    async addProduct(body, options) {
      await depart(options);
      const taken = [...shelves.values()].some(
        (one) => one.product.product_code === body.product_code,
      );
      if (taken) return refuse(422, `${body.product_code} is on sale already`);
      added += 1;
      const id = idSchemas.product.parse(`sku/${added}`);
      const { product_code } = body;
      shelves.set(id, { status: "veto", product: { id, product_code, ...toShown(body) } });
      return answered({ status: true, product_id: id });
    },
    async updateProduct({ product_id: id, ...changes }, options) {
      await depart(options);
      const shelved = shelves.get(id);
      if (shelved === undefined) return refuse(404, "no such product");
      shelves.set(id, { ...shelved, product: { ...shelved.product, ...toShown(changes) } });
      return answered({ status: true });
    },
    checkUpdate: checkFakeUpdate,
  };
}

async function depart({ beforeSend, signal }: SendOptions): Promise<void> {
  signal?.throwIfAborted();
  await Promise.resolve();
  beforeSend();
  // The request is on its way.
  await Promise.resolve();
}

const answered = (data: unknown): Answer => ({ kind: "answered", data, phase: "body" });

const refuse = (status: number, message: string): Answer => ({
  kind: "refused",
  status,
  message,
  phase: "body",
  facts: { contentType: "application/json", excerpt: "{}" },
});

function toShown({ title, price, stock_count: stock }: ProductChanges): Partial<StoreProduct> {
  return {
    ...(title !== undefined && { title }),
    ...(price !== undefined && { price: price / 100 }),
    ...(stock !== undefined && { stock }),
  };
}

const listAll = async (
  marketplace: Marketplace,
  query: Omit<Parameters<Marketplace["listProducts"]>[0], "status"> = {},
): Promise<readonly StoreProduct[]> => {
  const found: StoreProduct[] = [];
  for (const status of LISTING_STATUSES) {
    found.push(...(await Array.fromAsync(marketplace.listProducts({ ...query, status }))));
  }
  return found;
};
const codesOf = (products: readonly StoreProduct[]): readonly string[] =>
  products.map((product) => product.product_code ?? "").toSorted();

/** What each marketplace port must do; the engine knows a marketplace by these five methods alone. */
function testMarketplace(create: () => Marketplace): void {
  const leave = { beforeSend: (): void => undefined };
  const open = async (...codes: readonly string[]) => {
    const marketplace = create();
    const ids: ProductId[] = [];
    for (const code of codes) {
      const answer = await marketplace.addProduct(addBody(code), leave);
      if (answer.kind !== "answered") throw new Error("the product was not added");
      ids.push(idSchemas.product.parse(Reflect.get(Object(answer.data), "product_id")));
    }
    return { marketplace, ids };
  };
  it("lists each product once, in the statuses whose counts add up to them", async () => {
    const { marketplace } = await open("A1", "A2", "A3", "A4", "A5");
    const counts = [];
    for (const status of LISTING_STATUSES) counts.push(await marketplace.countProducts(status));

    expect(codesOf(await listAll(marketplace))).toEqual(["A1", "A2", "A3", "A4", "A5"]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
  });

  it("tells its pages in order, and that the listing stood still", async () => {
    const { marketplace } = await open("A1", "A2", "A3", "A4");
    const pages: number[] = [];
    const ends: boolean[] = [];

    await listAll(marketplace, {
      onPage: ({ page, pages: all }) => {
        expect(all).toBeGreaterThanOrEqual(page);
        pages.push(page);
      },
      onEnd: ({ isStill }) => void ends.push(isStill),
    });

    expect(pages).toEqual(pages.toSorted((a, b) => a - b));
    expect(ends).toEqual(LISTING_STATUSES.map(() => true));
  });

  it("finds products by id and by code", async () => {
    const { marketplace, ids } = await open("A1", "B2");

    expect(codesOf(await listAll(marketplace, { ids: ids.slice(1) }))).toEqual(["B2"]);
    expect(codesOf(await listAll(marketplace, { code: "A1" }))).toEqual(["A1"]);
    expect(await listAll(marketplace, { code: "C3" })).toEqual([]);
  });

  it("calls back once before the first byte of a write", async () => {
    const { marketplace, ids } = await open("A1");
    const calls: string[] = [];
    const hooks = { beforeSend: () => void calls.push("send") };

    await marketplace.updateProduct(updateBody(ids[0] ?? "", { title: "Mug" }), hooks);
    await marketplace.addProduct(addBody("A2"), hooks);

    expect(calls).toEqual(["send", "send"]);
  });

  it.each([
    [
      "it may not be sent",
      {
        beforeSend() {
          throw new Error("stop");
        },
      },
    ],
    ["it was aborted before", { ...leave, signal: AbortSignal.abort(new Error("stop")) }],
  ])("sends nothing of a write where %s", async (_why, options) => {
    const { marketplace } = await open("A1");

    await expect(marketplace.addProduct(addBody("A2"), options)).rejects.toThrow("stop");

    expect(codesOf(await listAll(marketplace))).toEqual(["A1"]);
  });

  it("changes the fields that an update names, and no others", async () => {
    const { marketplace, ids } = await open("A1");
    const [before] = await listAll(marketplace);

    await marketplace.updateProduct(updateBody(ids[0] ?? "", { title: "Mug" }), leave);

    expect(await listAll(marketplace)).toEqual([{ ...before, title: "Mug" }]);
  });

  it("returns the body of an update to send, or what is wrong with it", () => {
    const { checkUpdate } = create();
    const body = { product_id: "p-1", title: "Mug" };

    expect(checkUpdate(body)).toEqual({ ok: true, body });
    expect(checkUpdate({ product_id: "p-1", has_discount: true })).toMatchObject({ ok: false });
  });

  it("answers an update of a product that it does not have with a refusal", async () => {
    const answer = await create().updateProduct(updateBody("none", { title: "Mug" }), leave);

    expect(answer.kind).toBe("refused");
  });

  it("collects the row results of a run once", async () => {
    const { marketplace, ids } = await open("A1", "A2");
    const journal = await openMemoryJournal();
    const codes = ["A1", "A2", "A3", "A4"];
    await journal.appendRows(
      RUN,
      codes.map((code, at) => parsedRow(at + 2, code)),
    );
    const toCandidate = ({ row }: { readonly row: number }) =>
      candidate(row, codes[row - 2] ?? null, { changes: { title: `Mug ${row}` } });
    const shared = { runId: RUN, journal, marketplace, codeKey, sheet: SHEET };
    const clock = createFakeClock();

    await planAll({ ...shared, toCandidate, before: journal });
    const { end } = await elapse(
      clock,
      applyRun({ ...shared, clock, recheck: recheckOf(journal) }),
    );

    expect(end).toBe("finished");
    expect(await readStates(journal)).toEqual(["2: done", "3: done", "4: done", "5: done"]);
    const products = await listAll(marketplace);
    expect(codesOf(products)).toEqual(codes);
    expect(products.find(({ id }) => id === ids[0])?.title).toBe("Mug 2");
  });
}

describe("the fake marketplace", () => testMarketplace(() => createFakeMarketplace()));

describe("a marketplace with other manners", () => testMarketplace(createPlainShop));
