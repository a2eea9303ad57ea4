import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { type MemoryJournal, openMemoryJournal } from "@catalog/database/testing";
import {
  type ListingFilter,
  type RowRecord,
  type AddRechecks,
  type AddRechecksOptions,
  createAddRechecks,
} from "@catalog/runs";
import {
  createFakeMarketplace,
  type FakeMarketplace,
  addBody,
  codeKey,
  id,
  plan,
  readRow,
  toAdd,
} from "@catalog/runs/testing";
import { beforeEach, describe, expect, it } from "vitest";

/** The statuses of the listing, in the order of a sweep. */
const STATUS_SWEEP = ["approved", "passive", "veto", "approved", "passive"] as const;

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
    expect(rechecks.readShown(record)).toEqual([id("new-1")]);
    expect(listings()).toEqual(STATUS_SWEEP.map((status) => `LIST ${status} ${since}`));
  });

  it("finds a product that changes its status while its code is rechecked", async () => {
    market = createFakeMarketplace({
      placement: "veto",
      serverTimeMs: () => clock.now(),
      onRequest: (request) => {
        if (request.startsWith("LIST veto")) market.put(id("new-1"), "approved");
      },
    });
    const rechecks = open();
    await clock.advance(2 * MINUTE_MS);
    await appear("A2");

    await rechecks.recheck([record]);

    expect(rechecks.readShown(record)).toEqual([id("new-1")]);
  });

  it("continues from the last recheck, less the delay with which products were listed", async () => {
    const rechecks = open();
    await journal.startLagSample(id("ours"), clock.now() - 90_000);
    await journal.recordLagSample(id("ours"), { shown: true, serverMs: clock.now() });
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
    await journal.startLagSample(id("ours"), clock.now());
    await journal.recordLagSample(id("ours"), { shown: true, serverMs: clock.now() });
    await clock.advance(2 * MINUTE_MS);
    await appear("A2");

    await rechecks.recheck([record]);

    expect(rechecks.readShown(record)).toEqual([id("new-1")]);
    expect(listings()).toEqual(STATUS_SWEEP.map((status) => `LIST ${status} A2`));
    expect(rechecks.isFresh(record)).toBe(true);
  });

  it("makes no call in a blind store", async () => {
    const rechecks = open({ mayAskByCode: () => true });
    await journal.startLagSample(id("ours"), clock.now() - HOUR_MS);
    await journal.recordLagSample(id("ours"), { shown: false, serverMs: clock.now() });
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
