import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import type { ProductChanges } from "@catalog/contract";
import { type MemoryJournal, openMemoryJournal } from "@catalog/database/testing";
import {
  ALL_GUARDS,
  type CandidateRow,
  type GuardName,
  type ListingFilter,
  type RowRecord,
} from "@catalog/runs";
import {
  addBody,
  type AddRechecks,
  type AddRechecksOptions,
  codeKey,
  createAddRechecks,
  createFakeMarketplace,
  type FakeMarketplace,
  listed,
  lost,
  plan,
  price,
  readRow,
  readStates,
  refused,
  RUN,
  toAdd,
  toProductId,
  toUpdate,
  updateBody,
  countPlannedCalls,
} from "@catalog/runs/testing";
import { beforeEach, describe, expect, it } from "vitest";

import {
  adds,
  type ApplyFixture,
  openApplyFixture,
  recheckOf,
  writesOf,
} from "./helpers/apply-fixture.ts";
import { openPlanFixture, readAll } from "./helpers/plan-fixture.ts";

/** The statuses of the listing, in the order of a sweep. */
const STATUS_SWEEP = ["approved", "passive", "veto", "approved", "passive"] as const;

type Store = NonNullable<Parameters<typeof openApplyFixture>[1]>;

/** Opens updates of the titles of this number of products, with the listing of their plan. */
async function openUpdates(rows: number, store: Store = {}): Promise<ApplyFixture> {
  const numbers = Array.from({ length: rows }, (_, n) => n + 2);
  const products = numbers.map((n) => listed(`p${n}`, `B${n}`));
  const fixture = await openApplyFixture(
    numbers.map((n) => toUpdate(n, `p${n}`, { title: "Mug" })),
    { products, ...store },
  );
  await fixture.journal.saveBefore(
    RUN,
    products.map(({ product }, at) => ({ row: at + 2, product })),
  );
  return fixture;
}

/** Another program changes a product. */
async function edit(market: FakeMarketplace, product: string, to: ProductChanges): Promise<void> {
  await market.updateProduct(updateBody(product, to), { beforeSend: () => undefined });
}

const looksOf = ({ log }: FakeMarketplace): readonly string[] =>
  log.filter((request) => request.startsWith("LIST"));

const release = ({ journal }: ApplyFixture, row: number): Promise<void> =>
  journal.recordOutcome(
    { runId: RUN, row, from: "held" },
    { to: "ready", cause: "released-resend" },
  );

describe("applyRun, rechecking updates before it sends them", () => {
  it.each([600, 1_200, 3_600, 20_000])(
    "makes at most three calls fewer than the plan has counted, and none more, with %i calls an hour",
    async (perHour) => {
      const rows = 120;
      const fixture: ApplyFixture = await openUpdates(rows, {
        onRequest: () => fixture.clock.advance(3_600_000 / perHour),
      });

      await fixture.apply({
        concurrency: 1,
        recheck: { ...recheckOf(fixture.journal), callsPerHour: () => perHour },
      });

      const planned = countPlannedCalls(
        { add: 0, update: rows },
        { addSeconds: 0, callsPerHour: perHour },
      );
      expect(writesOf(fixture.marketplace)).toHaveLength(rows);
      const spare = planned - fixture.marketplace.log.length;
      expect(spare).toBeGreaterThanOrEqual(0);
      expect(spare).toBeLessThanOrEqual(3);
    },
  );

  it("rechecks 50 updates for each two workers together, and holds those that have changed", async () => {
    const fixture = await openUpdates(120);
    await edit(fixture.marketplace, "p70", { title: "Theirs" });

    expect(await fixture.apply({ concurrency: 4 })).toEqual({ end: "finished" });

    const [held] = await fixture.journal.readRows(RUN, { states: ["held"], limit: 9 });
    expect(looksOf(fixture.marketplace)).toHaveLength(2);
    expect(held).toMatchObject({ row: 70, issues: [{ code: "E_CHANGED" }] });
    expect(held?.changes).toEqual([]);
    expect(writesOf(fixture.marketplace)).toHaveLength(1 + 119);
  });

  it("rechecks again after a pause longer than a recheck is valid", async () => {
    const fixture = await openUpdates(3, {
      script: { "UPDATE p2": [refused(429, { retryAfterMs: 61_000 })] },
      onRequest: async (request) => {
        // Another program changes a product during the pause.
        if (request === "COUNT approved")
          await edit(fixture.marketplace, "p4", { title: "Theirs" });
      },
    });

    expect(await fixture.apply()).toEqual({ end: "finished" });

    expect(await readStates(fixture.journal)).toEqual(["2: done", "3: done", "4: held"]);
  });

  it("sends a row that a person has released, and holds it when its product has changed again", async () => {
    const fixture = await openUpdates(2);
    await edit(fixture.marketplace, "p2", { title: "Theirs" });
    await edit(fixture.marketplace, "p3", { title: "Theirs" });
    await fixture.apply();
    await edit(fixture.marketplace, "p3", { title: "Theirs again" });
    await release(fixture, 2);
    await release(fixture, 3);

    await fixture.apply();

    expect(await readStates(fixture.journal)).toEqual(["2: done", "3: held"]);
    expect((await fixture.journal.readBefore(RUN, [2])).get(2)).toMatchObject({ title: "Theirs" });
  });

  it("holds an update whose product is gone, until a person releases it", async () => {
    const fixture = await openUpdates(1);
    const [product] = fixture.marketplace.products;
    if (product === undefined) throw new Error("there is no product");
    fixture.marketplace.put(product.product.id, "hidden");

    await fixture.apply();
    const gone = await readStates(fixture.journal);
    await release(fixture, 2);
    await fixture.apply();

    expect([gone, await readStates(fixture.journal)]).toEqual([["2: held"], ["2: done"]]);
  });

  it("holds a lost update whose product was changed by another program since", async () => {
    const fixture = await openUpdates(1, {
      script: { "UPDATE p2": [lost("started", { effect: "now" })] },
      onRequest: async (request) => {
        if (request === "UPDATE p2" && writesOf(fixture.marketplace).length === 1) {
          await edit(fixture.marketplace, "p2", { title: "Theirs" });
        }
      },
    });

    await fixture.apply();

    expect(await readStates(fixture.journal)).toEqual(["2: held"]);
    expect(fixture.marketplace.products[0]?.product).toMatchObject({ title: "Theirs" });
  });
});

/** Another program adds a product. */
const addForeign = async (market: FakeMarketplace, code: string): Promise<void> => {
  await market.addProduct(addBody(code), { beforeSend: () => undefined });
};
/** Sends with a reading of the store that is `readAgoMs` old. */
const sendAdds = async (
  fixture: ApplyFixture,
  readAgoMs: number,
  concurrency = 1,
): Promise<unknown> => {
  const { journal, clock, marketplace } = fixture;
  const rechecks = createAddRechecks({ journal, clock, marketplace, codeKey });
  rechecks.noteRead({ atMs: clock.now() - readAgoMs, serverMs: clock.now() - readAgoMs });
  return await fixture.apply({ recheck: { ...recheckOf(journal), adds: rechecks }, concurrency });
};

describe("applyRun, rechecking the codes of adds before it sends them", () => {
  it("makes no further call where the store was read within five seconds", async () => {
    const fixture = await openApplyFixture(adds(120));

    await sendAdds(fixture, 4_900, 4);

    expect(looksOf(fixture.marketplace)).toEqual([]);
    expect(writesOf(fixture.marketplace)).toHaveLength(120);
  });

  it("makes one recheck for all adds of an older plan, and holds the one that is in the store", async () => {
    const fixture = await openApplyFixture(adds(250));
    await addForeign(fixture.marketplace, "A150");

    expect(await sendAdds(fixture, 11_000, 4)).toEqual({ end: "finished" });

    const held = await fixture.journal.readRows(RUN, { states: ["held"], limit: 9 });
    expect(looksOf(fixture.marketplace)).toHaveLength(STATUS_SWEEP.length);
    expect(held).toMatchObject([{ row: 150, attempts: 0, issues: [{ code: "E_APPEARED" }] }]);
    expect(writesOf(fixture.marketplace)).toHaveLength(1 + 249);
  });

  it("rechecks again after a pause, even one shorter than a recheck is valid", async () => {
    const fixture = await openApplyFixture(adds(3), {
      script: { "ADD A2": [refused(429, { retryAfterMs: 6_000 })] },
      onRequest: async (request) => {
        // Another program adds a product during the pause.
        if (request === "COUNT approved") await addForeign(fixture.marketplace, "A4");
      },
    });

    expect(await sendAdds(fixture, 0)).toEqual({ end: "finished" });

    expect(await readStates(fixture.journal)).toEqual(["2: done", "3: done", "4: held"]);
  });

  it("holds a started row when the recheck shows its code", async () => {
    const fixture = await openApplyFixture(adds(2), {
      onRequest: async (request) => {
        if (request === "ADD A2") await addForeign(fixture.marketplace, "A3");
      },
    });
    const { journal, clock, marketplace } = fixture;
    const rechecks = createAddRechecks({ journal, clock, marketplace, codeKey, maxAgeMs: -1 });
    rechecks.noteRead({ atMs: clock.now(), serverMs: clock.now() });
    const recheck = {
      ...recheckOf(journal),
      adds: { ...rechecks, noteLeft: () => rechecks.expire() },
    };

    await fixture.apply({ recheck });

    expect(await readStates(journal)).toEqual(["2: done", "3: held"]);
    expect(await journal.readKnownCodes(["a3"])).toEqual([]);
  });
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe("createAddRechecks", () => {
  let clock: FakeClock;
  let market: FakeMarketplace;
  let journal: MemoryJournal;
  let record: RowRecord;
  beforeEach(async () => {
    clock = createFakeClock(HOUR_MS);
    market = createFakeMarketplace({ serverTimeMs: () => clock.now() });
    journal = await openMemoryJournal();
    await plan(journal, [toAdd(2, "A2")]);
    record = await readRow(journal, 2);
  });

  /** Opens rechecks for which these filters are proven. */
  const open = (
    more: Partial<AddRechecksOptions> = {},
    trusted: readonly ListingFilter[] = ["start_date", "product_code"],
  ): AddRechecks => {
    const trustsFilter = async (filter: ListingFilter): Promise<boolean> =>
      trusted.includes(filter);
    const ports = { clock, marketplace: { ...market, trustsFilter }, journal, codeKey };
    const rechecks = createAddRechecks({ ...ports, ...more });
    rechecks.noteRead({ atMs: clock.now(), serverMs: clock.now() });
    return rechecks;
  };
  /** Another program adds a product. */
  const appear = async (code: string): Promise<void> => {
    await market.addProduct(addBody(code), { beforeSend: () => undefined });
  };
  const listings = (): readonly string[] => market.log.filter((call) => call.startsWith("LIST"));

  it("makes no call within ten seconds of the reading, and one after that", async () => {
    const rechecks = open();
    await clock.advance(10_000);
    const isFresh = rechecks.isFresh(record);
    await clock.advance(1);

    expect([isFresh, rechecks.isFresh(record)]).toEqual([true, false]);
    await rechecks.recheck([record]);
    expect(rechecks.isFresh(record)).toBe(true);
  });

  it("lists in each status what was added since ten minutes before the reading", async () => {
    const rechecks = open();
    await clock.advance(2 * MINUTE_MS);
    await appear(" a2");

    await rechecks.recheck([record]);

    const since = `since ${HOUR_MS - 10 * MINUTE_MS}`;
    expect(rechecks.readShown(record)).toEqual([toProductId("new-1")]);
    expect(listings()).toEqual(STATUS_SWEEP.map((status) => `LIST ${status} ${since}`));
  });

  it("finds a product that changes its status while its code is rechecked", async () => {
    market = createFakeMarketplace({
      placement: "veto",
      serverTimeMs: () => clock.now(),
      onRequest: (request) => {
        if (request.startsWith("LIST veto")) market.put(toProductId("new-1"), "approved");
      },
    });
    const rechecks = open();
    await clock.advance(2 * MINUTE_MS);
    await appear("A2");

    await rechecks.recheck([record]);

    expect(rechecks.readShown(record)).toEqual([toProductId("new-1")]);
  });

  it("continues from the last recheck, less the delay with which products were listed", async () => {
    const rechecks = open();
    await journal.startLagSample(toProductId("ours"), clock.now() - 90_000);
    await journal.recordLagSample(toProductId("ours"), { shown: true, serverMs: clock.now() });
    await clock.advance(2 * MINUTE_MS);
    await rechecks.recheck([record]);
    rechecks.expire();

    await rechecks.recheck([record]);

    expect(listings().at(-1)).toBe(`LIST passive since ${HOUR_MS + 2 * MINUTE_MS - 2 * 90_000}`);
  });

  it("keeps a recheck valid for up to ten minutes while fewer than five adds have left for each of its calls", async () => {
    const rechecks = open();
    await rechecks.recheck([record]);
    await clock.advance(9 * MINUTE_MS);
    for (let left = 0; left < 24; left += 1) rechecks.noteLeft();
    const isFresh = rechecks.isFresh(record);
    rechecks.noteLeft();
    const isFreshAfter = rechecks.isFresh(record);

    expect([isFresh, isFreshAfter]).toEqual([true, false]);
    await rechecks.recheck([record]);
    await clock.advance(10 * MINUTE_MS + 1);
    expect(rechecks.isFresh(record)).toBe(false);
  });

  it("makes no call where no filter is proven", async () => {
    const rechecks = open({ mayAskByCode: () => true }, []);
    await clock.advance(2 * MINUTE_MS);

    await rechecks.recheck([record]);

    expect(await rechecks.recheckByDate()).toBe(false);
    expect(rechecks.isFresh(record)).toBe(true);
    expect(listings()).toEqual([]);
  });

  it("asks for each code where the filter by date is unproven and the store shows new products", async () => {
    const rechecks = open({ mayAskByCode: () => true }, ["product_code"]);
    await journal.startLagSample(toProductId("ours"), clock.now());
    await journal.recordLagSample(toProductId("ours"), { shown: true, serverMs: clock.now() });
    await clock.advance(2 * MINUTE_MS);
    await appear("A2");

    await rechecks.recheck([record]);

    expect(rechecks.readShown(record)).toEqual([toProductId("new-1")]);
    expect(listings()).toEqual(STATUS_SWEEP.map((status) => `LIST ${status} A2`));
    expect(rechecks.isFresh(record)).toBe(true);
  });

  it("makes no call in a blind store", async () => {
    const rechecks = open({ mayAskByCode: () => true });
    await journal.startLagSample(toProductId("ours"), clock.now() - HOUR_MS);
    await journal.recordLagSample(toProductId("ours"), { shown: false, serverMs: clock.now() });
    await clock.advance(2 * MINUTE_MS);

    await rechecks.recheck([record]);

    expect([listings(), rechecks.isFresh(record)]).toEqual([[], true]);
  });

  it("rechecks again once the clock was put back", () => {
    const rechecks = createAddRechecks({
      clock,
      marketplace: market,
      journal,
      codeKey,
    });
    rechecks.noteRead({ atMs: clock.now() + 1, serverMs: clock.now() });

    expect(rechecks.isFresh(record)).toBe(false);
  });

  it("makes one listing for all callers that wait for one", async () => {
    const rechecks = open();
    await clock.advance(2 * MINUTE_MS);

    await Promise.all([
      rechecks.recheck([record]),
      rechecks.recheck([record]),
      rechecks.recheck([record]),
    ]);

    expect(listings()).toHaveLength(STATUS_SWEEP.length);
  });

  it("makes its own listing where the shared one fails", async () => {
    let failures = 0;
    market = createFakeMarketplace({
      serverTimeMs: () => clock.now(),
      onRequest: () => {
        failures += 1;
        if (failures === 1) throw new Error("the pass is over");
      },
    });
    const rechecks = open();
    const broken = rechecks.recheckByDate().catch(() => "broken off");
    const whole = rechecks.recheckByDate();

    expect([await broken, await whole]).toEqual(["broken off", true]);
  });
});

/** Opens a store of products with a stock of 5, and a sheet that sets the first of them to 0. */
async function openSale(products: number, emptied: number): ReturnType<typeof openPlanFixture> {
  const codes = Array.from({ length: products }, (_, n) => `B${n}`);
  const overrides: Record<number, Partial<CandidateRow>> = {};
  for (const n of codes.keys())
    overrides[n + 2] = { changes: { stock_count: n < emptied ? 0 : 5 } };
  const shelf = codes.map((code) => listed(`p-${code}`, code, { stock: 5 }));
  return await openPlanFixture(codes, shelf, overrides);
}

describe("planning a run that empties stocks", () => {
  it.each([
    { products: 20, emptied: 6, held: 0 },
    { products: 20, emptied: 7, held: 7 },
    { products: 19, emptied: 19, held: 0 },
  ])("holds $held of $emptied emptied stocks among $products", async (sale) => {
    const { journal, planAll } = await openSale(sale.products, sale.emptied);

    const { planned } = await planAll();

    const held = (await readAll(journal)).filter(({ state }) => state === "held");
    expect(planned).toMatchObject({
      held: sale.held,
      update: sale.emptied - sale.held,
      unchanged: sale.products - sale.emptied,
    });
    expect(held.map(({ issues }) => issues.map(({ code }) => code))).toEqual(
      Array.from({ length: sale.held }, () => ["E_GUARD_ZERO_STOCK"]),
    );
    expect(held.every(({ payload }) => payload !== null)).toBe(true);
  });

  it("counts rows that were held for their stock before, and names the reason once", async () => {
    const codes = Array.from({ length: 20 }, (_, n) => `B${n}`);
    const location = { sheet: "S", row: 2, column: "Satır Kaydı", cell: "F2", value: "r-1#2" };
    const issue = { ...location, code: "E_GUARD_ZERO_STOCK", message: { tr: "", en: "" } };
    const overrides = Object.fromEntries(
      codes.map((_, n) => [
        n + 2,
        { changes: { stock_count: n < 7 ? 0 : 5 }, heldBefore: n < 4 ? [issue] : [] },
      ]),
    );
    const shelf = codes.map((code) => listed(`p-${code}`, code, { stock: 5 }));
    const { journal, planAll } = await openPlanFixture(codes, shelf, overrides);

    const { planned } = await planAll();

    const held = (await readAll(journal)).filter(({ state }) => state === "held");
    expect(planned).toMatchObject({ held: 7, update: 0 });
    expect(held.map(({ issues }) => issues.map(({ message }) => message.en))).toEqual(
      Array.from({ length: 7 }, () => [expect.stringContaining("sets the stock of 7 of 20 rows")]),
    );
  });

  it("passes emptied stocks where the guard is allowed", async () => {
    const { planAll } = await openSale(20, 20);
    const allowed = new Set<GuardName>(["zero-stock"]);

    const { planned } = await planAll({ guards: { ...ALL_GUARDS, allowed } });

    expect(planned).toMatchObject({ held: 0, update: 20 });
  });

  it("counts emptied stocks of rows that are held for the unit of prices", async () => {
    const codes = Array.from({ length: 20 }, (_, n) => `B${n}`);
    const overrides = Object.fromEntries(
      codes.map((_, n) => [n + 2, { changes: { stock_count: 0, price: price(500) } }]),
    );
    const shelf = codes.map((code) => listed(`p-${code}`, code, { stock: 5, price: 400 }));
    const { journal, planAll } = await openPlanFixture(codes, shelf, overrides);

    await planAll();

    const [first] = await readAll(journal);
    expect([first?.state, first?.issues.map(({ code }) => code)]).toEqual([
      "held",
      ["E_GUARD_PRICE_UNIT", "E_GUARD_ZERO_STOCK"],
    ]);
    const events = await journal.readEvents({ runId: RUN, row: first?.row ?? 0 });
    expect(events.map(({ from, to, cause }) => [from, to, cause]).at(-1)).toEqual([
      "held",
      "held",
      "guard",
    ]);
  });
});
