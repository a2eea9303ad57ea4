import type { FakeClock } from "@catalog/clock/testing";
import type { Connection } from "@catalog/connection";
import { createTestConnection, RUN_ID, storeRun } from "@catalog/connection/testing";
import {
  appendRowIn,
  createFakeMarketplace,
  type FakeMarketplace,
  type FakeProduct,
  toPayload,
  toProductId,
  updateBody,
} from "@catalog/runs/testing";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { openStoreList } from "../../src/store/store-list.ts";

type List = ReturnType<typeof openStoreList>;

interface World {
  readonly connection: Connection;
  readonly clock: FakeClock;
  readonly market: FakeMarketplace;
  readonly list: List;
  /** Opens the list as another process would, with this in place of the marketplace. */
  readonly open: (
    market?: Partial<Connection["marketplace"]>,
    memory?: Connection["memory"],
  ) => List;
  /** Sends fields as a run does. */
  readonly send: (id: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Changes fields as another program does. */
  readonly edit: (id: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
}

const FIELDS = { title: "Cup", price: 500, stock: 9, currency: "TL", has_discount: false };

const product = (id: string): FakeProduct => ({
  placement: "approved",
  product: { id: toProductId(id), product_code: `C-${id}`, ...FIELDS },
});

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `p-${at + 1}`);

async function openWorld(
  ids: readonly string[],
  settings: Parameters<typeof createTestConnection>[0] = { priceUnit: "minor" },
): Promise<World> {
  const { connection, clock } = await createTestConnection(settings);
  const market = createFakeMarketplace({ products: ids.map(product) });
  await storeRun(connection, { header: ["Kod"], rows: [] });
  let rows = 1;
  const edit: World["edit"] = async (id, fields) => {
    await clock.advance(1_000);
    const body = { ...updateBody(id, {}), ...toPayload(fields) };
    await market.updateProduct(body, { beforeSend: () => undefined });
  };
  const open: World["open"] = (other = {}, memory = connection.memory) => {
    const marketplace = { ...connection.marketplace, ...market, ...other };
    const list = openStoreList({ ...connection, marketplace, memory });
    onTestFinished(() => list[Symbol.asyncDispose]());
    return list;
  };
  return {
    connection,
    clock,
    market,
    list: open(),
    open,
    edit,
    async send(id, fields) {
      await edit(id, fields);
      rows += 1;
      await appendRowIn(
        connection.journal,
        { runId: RUN_ID, row: rows, productId: id, fields },
        "done",
      );
    },
  };
}

/** Reads the whole store to the end of the reading. */
async function readAll({ clock }: Pick<World, "clock">, list: List): Promise<void> {
  await clock.advance(1_000);
  await list.start();
  while ((await list.state()).reading !== null) await clock.advance(1);
}

const idsOf = async (list: List): Promise<readonly string[]> =>
  (await list.rows([...(await list.order({}))])).map((row) => row.product.id).toSorted();

const changesOf = async ({ connection }: World, id: string): Promise<readonly unknown[]> =>
  (await connection.memory.storeProducts.readChanges(toProductId(id), 100))
    .map(({ field, before, after }) => [field, before, after])
    .toReversed();

/** A marketplace that fails, or waits for good, after it has listed so many products. */
const listingUntil = (
  { market }: World,
  max: number,
  then: (signal: AbortSignal | undefined) => Promise<void>,
): Partial<Connection["marketplace"]> => {
  let listed = 0;
  return {
    async *listProducts(query) {
      for await (const each of market.listProducts(query)) {
        if (listed === max) await then(query.signal);
        listed += 1;
        yield each;
      }
    },
  };
};

const untilStopped = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

describe("reading the whole store", () => {
  it("forgets what is gone, and keeps what only slipped from page to page", async () => {
    const world = await openWorld(names(3));
    await readAll(world, world.list);
    world.market.put(toProductId("p-3"), "hidden");
    const slipping = world.open({
      async *listProducts(query) {
        for await (const each of world.market.listProducts(query)) {
          // The whole listing does not show it; by its id it is there.
          if (query.ids !== undefined || each.id !== "p-2") yield each;
        }
      },
    });

    await readAll(world, slipping);

    expect(await idsOf(slipping)).toEqual(["p-1", "p-2"]);
    expect(await slipping.state()).toMatchObject({ total: 2, cutOffAt: null, error: undefined });
  });

  it("leaves the list as it was where its process dies, says so, and is whole the next time", async () => {
    const world = await openWorld(names(450));
    await readAll(world, world.list);
    const { readAtMs } = await world.list.state();
    await world.edit("p-1", { stock_count: 77 });
    await world.edit("p-440", { stock_count: 66 });
    for (const at of [0, 199, 200, 201, 449]) {
      const dying = world.open(
        listingUntil(world, at, () => Promise.reject(new Error("the process is gone"))),
      );
      await readAll(world, dying);
      const next = world.open();

      const state = await next.state();
      expect(state).toMatchObject({ total: 450, readAtMs, reading: null });
      expect(state.cutOffAt).toBe(Math.floor(at / 200) * 200);
    }
    const last = world.open();

    await readAll(world, last);

    expect(await last.state()).toMatchObject({ total: 450, cutOffAt: null });
    const stock = async (id: string): Promise<unknown> =>
      (await world.connection.memory.storeProducts.readById([toProductId(id)]))[0]?.product.stock;
    expect([await stock("p-1"), await stock("p-440")]).toEqual([77, 66]);
    // What the cut-off readings have met is recorded once.
    expect(await changesOf(world, "p-1")).toEqual([["stock_count", 9, 77]]);
  });

  it("stops when a person stops it, and runs once at a time over all processes", async () => {
    const world = await openWorld(names(250));
    const waiting = world.open(listingUntil(world, 210, untilStopped));
    await waiting.start();
    while ((await waiting.state()).reading?.done !== 200) await world.clock.advance(1);

    await world.list.start();
    expect(await world.list.state()).toMatchObject({ reading: { done: 200, total: null } });
    await waiting.stop();

    expect(await waiting.state()).toMatchObject({ total: 200, reading: null, error: undefined });
    await readAll(world, world.list);
    expect(await world.list.state()).toMatchObject({ total: 250, cutOffAt: null });
  });

  it.each(["this", "another"])(
    "is not cut off where %s process ends it just now",
    async (whose) => {
      const world = await openWorld(names(250));
      const { memory } = world.connection;
      const { storeProducts } = memory;
      const gate = Promise.withResolvers<void>();
      let beforeAnswer: (() => Promise<void>) | undefined;
      const readState = async (): ReturnType<typeof storeProducts.readState> => {
        const state = await storeProducts.readState();
        await beforeAnswer?.();
        return state;
      };
      const market = listingUntil(world, 210, () => gate.promise);
      const asked = world.open(market, {
        ...memory,
        storeProducts: { ...storeProducts, readState },
      });
      const reader = whose === "this" ? asked : world.open(market);
      await reader.start();
      while ((await reader.state()).reading?.done !== 200) await world.clock.advance(1);
      beforeAnswer = async () => {
        beforeAnswer = undefined;
        gate.resolve();
        while ((await storeProducts.readState()).begun !== null) await world.clock.advance(1);
        for (let turn = 0; turn < 50; turn += 1) await world.clock.advance(1);
      };

      const { cutOffAt } = await asked.state();

      expect(cutOffAt).toBeNull();
      expect(await asked.state()).toMatchObject({ total: 250, reading: null, cutOffAt: null });
    },
  );

  it("finds nothing by signs alone, and everything by blanks", async () => {
    const world = await openWorld(names(3));
    await readAll(world, world.list);

    const found = [];
    for (const text of ["%", "_", "  ", "cup"])
      found.push((await world.list.order({ text })).length);

    expect(found).toEqual([0, 0, 3, 3]);
  });

  it("learns the unit of prices from one that we sent; until then no amount is known", async () => {
    const world = await openWorld(names(2), {});
    await readAll(world, world.list);
    expect(await world.list.rows([1])).toMatchObject([{ price: null, paid: null }]);
    await expect(world.list.order({ minPaid: 1 })).rejects.toThrow(/kuruş/u);
    await world.send("p-1", { price: 700 });

    await readAll(world, world.list);

    expect(await world.list.state()).toMatchObject({ priceUnit: "minor" });
    expect(await world.list.rows([1, 2])).toMatchObject([{ price: 700 }, { price: 500 }]);
    expect([...(await world.list.order({ minPaid: 600, maxPaid: 700 }))]).toEqual([1]);
  });

  it("says that a page was refused, after everything else was stored", async () => {
    const world = await openWorld(names(2));
    const refusal = new Error("page 2 was refused");
    const refusing = world.open({
      async *listProducts(query) {
        yield* world.market.listProducts(query);
        query.onEnd?.({ isStill: false, refusal });
      },
    });

    await readAll(world, refusing);

    expect(await refusing.state()).toMatchObject({ total: 2, error: refusal, cutOffAt: null });
  });
});

describe("products that our runs have changed", () => {
  it("are read again when they are shown, 50 a call", async () => {
    const world = await openWorld(names(120));
    await readAll(world, world.list);
    for (const id of names(60)) await world.send(id, { stock_count: 3 });
    const asked: number[] = [];
    const list = world.open({
      listProducts(query) {
        asked.push(query.ids?.length ?? 0);
        return world.market.listProducts(query);
      },
    });

    const rows = await list.rows(names(120).map((_, at) => at + 1));

    expect(rows.map(({ product: { stock } }) => stock).filter((stock) => stock === 3)).toHaveLength(
      60,
    );
    expect(asked).toEqual([50, 10]);
    expect(await list.rows([1])).toMatchObject([{ unshownSinceMs: null }]);
    expect(asked).toHaveLength(2);
  });

  it("are shown as they were where the marketplace does not answer in time", async () => {
    const world = await openWorld(names(1));
    await readAll(world, world.list);
    await world.send("p-1", { stock_count: 3 });
    const list = world.open(listingUntil(world, 0, untilStopped));
    const reading = list.rows([1]);
    // Longer than a person should look at an empty table.
    for (let at = 0; at < 20; at += 1) await world.clock.advance(100);

    expect(await reading).toMatchObject([{ product: { stock: 9 }, price: 500, paid: 500 }]);
  });
});

/** What happens to one product between two readings. */
const EVENTS = fc.array(
  fc.record({
    by: fc.constantFrom("ours", "others", "reading"),
    field: fc.constantFrom("price", "stock_count"),
    value: fc.constantFrom(100, 200, 300),
  }),
  { minLength: 1, maxLength: 25 },
);

it("tells our changes from those of others, whatever comes between two readings", async () => {
  const world = await openWorld(names(12));
  let next = 0;
  await fc.assert(
    fc.asyncProperty(EVENTS, async (events) => {
      next += 1;
      const id = `p-${next}`;
      await readAll(world, world.list);
      const expected: unknown[] = [];
      const shown: Record<string, number> = { price: 500, stock_count: 9 };
      const now = { ...shown };
      let sent: Record<string, number> = {};
      for (const { by, field, value } of [...events, { ...READING, value: 0 }]) {
        if (by === "reading") {
          await readAll(world, world.list);
          for (const name of ["price", "stock_count"]) {
            const [was, is, ours] = [shown[name], now[name], sent[name]];
            // Nobody can tell who has set what we have sent as well.
            if (was !== is && is !== ours) expected.push([name, ours ?? was, is]);
          }
          Object.assign(shown, now);
          sent = {};
          continue;
        }
        await (by === "ours" ? world.send : world.edit)(id, { [field]: value });
        now[field] = value;
        if (by === "ours") sent[field] = value;
      }
      expect(await changesOf(world, id)).toEqual(expected);
    }),
    { numRuns: 12 },
  );
}, 60_000);

const READING = { by: "reading", field: "price" } as const;
