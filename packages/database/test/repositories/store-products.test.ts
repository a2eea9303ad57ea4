import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import type { Journal, ListedProductRow } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { createJournal } from "../../src/journal/journal.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import {
  createStoreProductRepository,
  type StoreProductFilter,
  type StoreProductRepository,
  type StoreProductSort,
} from "../../src/repositories/store-products.ts";
import type { ReadProduct } from "../../src/repositories/store-readings.ts";
import type { Database } from "../../src/sql/database.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { describeOnPostgres, openTestPostgres } from "../helpers/open-test-postgres.ts";
import {
  appendRowIn,
  newRun,
  OTHER_STORE,
  planToSend,
  STORE,
  toProductId,
} from "../helpers/runs-and-rows.ts";

type Fields = Partial<ListedProductRow["product"]>;

interface Shown extends Fields {
  readonly status?: ListedProductRow["status"];
}

const read = (id: string, atMs: number, { status = "approved", ...fields }: Shown = {}) => {
  const product = { id: toProductId(id), product_code: `C-${id}`, ...fields };
  const price = typeof product.price === "number" ? product.price : null;
  const amounts = (factor: number): { price: number | null; paid: number | null } => ({
    price: price === null ? null : price * factor,
    paid: price === null ? null : price * factor,
  });
  const title = product.title ?? "";
  const shown: ReadProduct = {
    status,
    product,
    atMs,
    index: {
      brand: product.brand_name ?? null,
      category: product.category_name ?? null,
      folded: title.toLowerCase(),
      sort: { code: `C-${id}`, title, brand: "", category: "" },
      amounts: { minor: amounts(1), major: amounts(100) },
      discount: product.has_discount === true ? 10 : null,
      images: product.images?.length ?? 0,
    },
  };
  return shown;
};

const withTemplate = (id: string): Shown =>
  JSON.parse(JSON.stringify({ shipping_template_id: id }));

interface Opened {
  readonly database: Database;
  readonly clock: FakeClock;
  readonly journal: Journal;
  readonly list: StoreProductRepository;
}

const UNIT = { priceUnit: "minor" } as const;

/** Reads the whole store, which has these products. */
async function readAll(
  { list, clock }: Pick<Opened, "list" | "clock">,
  products: Readonly<Record<string, Shown>>,
): Promise<void> {
  await clock.advance(1_000);
  const reading = await list.beginReading();
  const found = Object.entries(products).map(([id, shown]) => read(id, clock.now(), shown));
  await list.save(found, { ...UNIT, reading });
  await list.endReading(reading, 90 * 86_400_000);
}

const changesOf = async ({ list }: Opened, id: string): Promise<readonly unknown[]> =>
  (await list.readChanges(toProductId(id), 20)).map(({ field, before, after }) => [
    field,
    before,
    after,
  ]);

const idsOf = async (
  { list }: Opened,
  filter: StoreProductFilter,
  sort?: StoreProductSort,
): Promise<string> => {
  const found = await list.readByNumber([...(await list.order(filter, sort))]);
  return found.map(({ product }) => product.id).join(" ");
};

const SHELF: Readonly<Record<string, Shown>> = {
  a: { title: "red cup", price: 500, stock: 0, brand_name: "X", images: ["u"] },
  b: { title: "blue cup", price: 300, stock: 5, brand_name: "X", status: "passive" },
  c: { title: "red pot", price: 900, stock: 2, brand_name: "Y", has_discount: true, images: ["u"] },
  d: { title: "a lid", stock: 7, category_name: "Lids", status: "veto", images: ["u"] },
};

/** What products of the shelf each filter finds. */
const FILTERS: readonly (readonly [string, StoreProductFilter, string])[] = [
  ["everything", {}, "a b c d"],
  ["a text", { folded: "red" }, "a c"],
  ["a text and a brand", { folded: "cup", brand: "X" }, "a b"],
  ["a category", { category: "Lids" }, "d"],
  ["a status", { status: "passive" }, "b"],
  ["a price in minor units", { paid: { unit: "minor", min: 300, max: 500 } }, "a b"],
  ["a price in the major unit", { paid: { unit: "major", min: 50_000 } }, "a c"],
  ["a stock", { minStock: 2, maxStock: 5 }, "b c"],
  ["sold out", { marks: ["sold-out"] }, "a"],
  ["without an image", { marks: ["no-image"] }, "b"],
  ["with a discount", { marks: ["discount"] }, "c"],
  ["nothing", { folded: "red", marks: ["no-image"] }, ""],
];

const SORTS: readonly (readonly [StoreProductSort, string])[] = [
  [{ by: "title", isDescending: false }, "d b a c"],
  [{ by: "title", isDescending: true }, "c a b d"],
  // A product without a price comes last, whichever way they are sorted.
  [{ by: "price", isDescending: false }, "b a c d"],
  [{ by: "paid", isDescending: true }, "c a b d"],
  [{ by: "stock", isDescending: true }, "d b c a"],
  [{ by: "images", isDescending: false }, "b a c d"],
  [{ by: "status", isDescending: false }, "a c b d"],
];

function describeList(open: () => Promise<Opened>): void {
  it("finds and sorts products", async () => {
    const opened = await open();
    await readAll(opened, SHELF);

    for (const [name, filter, ids] of FILTERS) {
      expect(`${name}: ${await idsOf(opened, filter)}`).toBe(`${name}: ${ids}`);
    }
    for (const [sort, ids] of SORTS) expect(await idsOf(opened, {}, sort)).toBe(ids);
    expect(await opened.list.readFacets(1)).toEqual({
      brand: [{ value: "X", products: 2 }],
      category: [{ value: "Lids", products: 1 }],
      status: [{ value: "approved", products: 2 }],
    });
  });

  it("counts the products of each shipping template", async () => {
    const opened = await open();
    await readAll(opened, {
      a: withTemplate("1"),
      b: withTemplate("1"),
      c: withTemplate("2"),
      d: {},
    });

    expect(await opened.list.countByTemplate()).toEqual(
      new Map([
        ["1", 2],
        ["2", 1],
        ["", 1],
      ]),
    );
  });

  it("gives no product the number of another one, also of one that is gone", async () => {
    const opened = await open();
    const { list } = opened;
    await readAll(opened, { a: {}, b: {} });
    const [first] = await list.readById([toProductId("b")]);
    await readAll(opened, { a: {} });
    await readAll(opened, { a: {}, b: {}, c: {} });

    const numbers = (await list.readByNumber([1, 2, 3, 4])).map(({ product, number }) => [
      product.id,
      number,
    ]);

    expect(first?.number).toBe(2);
    expect(numbers).toEqual([
      ["a", 1],
      ["b", 3],
      ["c", 4],
    ]);
  });

  it("keeps what a reading that was cut off has not met, and says that it has begun", async () => {
    const opened = await open();
    const { list, clock } = opened;
    await readAll(opened, { a: { stock: 1 }, b: { stock: 1 } });
    const readAtMs = clock.now();
    await clock.advance(1);
    const cut = await list.beginReading();
    await list.save([read("a", clock.now(), { stock: 2 })], { ...UNIT, reading: cut });

    expect(await list.readState()).toMatchObject({
      total: 2,
      readAtMs,
      begun: { atMs: clock.now(), met: 1 },
    });
    expect(await list.readUnmet(cut)).toEqual(["b"]);

    await readAll(opened, { a: { stock: 2 } });
    // The one that was cut off ends later, and must not forget anything.
    await list.endReading(cut, 0);

    expect(await list.readState()).toMatchObject({ total: 1, begun: null });
  });

  it("tells what others changed from what our runs have sent", async () => {
    const opened = await open();
    const { list, journal } = opened;
    const before = { price: 500, stock: 9, title: "Cup" };
    await readAll(opened, { ours: before, others: before, both: before, late: before });
    const send = (id: string, row: number, fields: Readonly<Record<string, unknown>>) =>
      appendRowIn(journal, { runId: "run-1", row, productId: id, fields }, "done");
    await send("ours", 1, { price: 600, title: "Cup  of tea" });
    await send("both", 2, { price: 600 });
    await send("late", 3, { price: 600 });
    await planToSend(journal, {
      runId: "run-1",
      row: 4,
      productId: "others",
      fields: { price: 7 },
    });

    await readAll(opened, {
      // The store shows a text in its own form.
      ours: { ...before, price: 600, title: "Cup of tea" },
      others: { ...before, price: 550, stock: 8 },
      both: { ...before, price: 700 },
      late: before,
    });

    expect(await changesOf(opened, "ours")).toEqual([]);
    expect(await changesOf(opened, "others")).toEqual([
      ["stock_count", 9, 8],
      ["price", 500, 550],
    ]);
    // What was there before the change of others is what we sent.
    expect(await changesOf(opened, "both")).toEqual([["price", 600, 700]]);
    expect(await idsOf(opened, { marks: ["others"] })).toBe("others both");
    expect(await idsOf(opened, { marks: ["ours"] })).toBe("ours both late");
    expect(await list.readById([toProductId("late")])).toMatchObject([
      { unshownSinceMs: expect.any(Number) },
    ]);

    // The store shows the price late; then others change it, and then they change it back to ours.
    await readAll(opened, { late: { ...before, price: 600 } });
    expect(await changesOf(opened, "late")).toEqual([]);
    expect(await list.readById([toProductId("late")])).toMatchObject([{ unshownSinceMs: null }]);
    await readAll(opened, { late: { ...before, price: 500 } });
    await readAll(opened, { late: { ...before, price: 600 } });
    expect(await changesOf(opened, "late")).toEqual([
      ["price", 500, 600],
      ["price", 600, 500],
    ]);
  });

  it("takes what a request under way sends for ours", async () => {
    const opened = await open();
    const { journal } = opened;
    await readAll(opened, { a: { price: 500, stock: 3 } });
    const row = { runId: "run-1", row: 1, productId: "a", fields: { price: 600 } };
    await appendRowIn(journal, row, "sending");

    await readAll(opened, { a: { price: 600, stock: 3 } });

    expect(await changesOf(opened, "a")).toEqual([]);
  });

  it("does not take sold products for changed ones, though it records their stock", async () => {
    const opened = await open();
    await readAll(opened, { a: { stock: 5 }, b: { stock: 5 } });
    await readAll(opened, { a: { stock: 4 }, b: { stock: 50 } });

    expect(await changesOf(opened, "a")).toEqual([["stock_count", 5, 4]]);
    expect(await idsOf(opened, { marks: ["others"] })).toBe("b");
  });

  it("has a version that grows when it shows something else", async () => {
    const opened = await open();
    const { list, clock } = opened;
    await readAll(opened, { a: { stock: 5 } });
    const { version } = await list.readState();
    const meet = async (stock: number): Promise<number> => {
      await list.save([read("a", clock.now(), { stock })], UNIT);
      return (await list.readState()).version - version;
    };

    expect(await meet(5)).toBe(0);
    expect(await meet(6)).toBe(1);
    await list.forget([toProductId("a")]);
    expect([...(await list.order({}))]).toEqual([]);
  });
}

async function openFile(): Promise<Opened> {
  const { database, clock, journal, store } = await openTestJournal();
  const list = createStoreProductRepository({ database, clock, store });
  return { database, clock, journal, list };
}

describe("the list of the store's products", () => {
  describeList(openFile);

  it("is not seen from another store", async () => {
    const opened = await openFile();
    const other = createStoreProductRepository({ ...opened, store: OTHER_STORE });
    await readAll(opened, { a: { stock: 5 } });

    expect([...(await other.order({}))]).toEqual([]);
    expect(await other.readState()).toEqual({ total: 0, version: 0, readAtMs: null, begun: null });
  });
});

describeOnPostgres("the list of the store's products on a server", () => {
  describeList(async () => {
    const clock = createFakeClock(1_000);
    const { database, leases } = await openTestPostgres(clock);
    const given = { database, clock, store: STORE, leases };
    await leases.take("store", { command: "catalog import", pid: 1, sinceMs: 0 });
    await createRunRepository(given).create(newRun("run-1"));
    return {
      database,
      clock,
      journal: createJournal(given),
      list: createStoreProductRepository(given),
    };
  });
});
