import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { beforeEach, describe, expect, it } from "vitest";

import { type ListingFilter } from "../../../src/ports/filter-proofs.ts";
import { type RowRecord } from "../../../src/row/row-record.ts";
import {
  type AddLooks,
  type AddLooksOptions,
  createAddLooks,
} from "../../../src/send/recheck/add-rechecks.ts";
import {
  createFakeMarketplace,
  createMemoryJournal,
  type FakeMarketplace,
  type MemoryJournal,
} from "../../../src/testing.ts";
import { addBody, codeKey, id } from "../../helpers/products.ts";
import { plan, readRow, toAdd } from "../../helpers/rows.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe("createAddLooks", () => {
  let clock: FakeClock;
  let market: FakeMarketplace;
  let journal: MemoryJournal;
  let record: RowRecord;
  beforeEach(async () => {
    clock = createFakeClock(HOUR_MS);
    market = createFakeMarketplace({ serverTimeMs: () => clock.now() });
    journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A2")]);
    record = await readRow(journal, 2);
  });

  /** Opens rechecks for which these filters are proven. */
  const open = (
    more: Partial<AddLooksOptions> = {},
    trusted: readonly ListingFilter[] = ["start_date", "product_code"],
  ): AddLooks => {
    const mayTrust = async (filter: ListingFilter): Promise<boolean> => trusted.includes(filter);
    const ports = { clock, marketplace: { ...market, mayTrust }, journal, codeKey };
    const looks = createAddLooks({ ...ports, ...more });
    looks.noteRead({ atMs: clock.now(), serverMs: clock.now() });
    return looks;
  };
  /** Another program adds a product. */
  const appear = async (code: string): Promise<void> => {
    await market.addProduct(addBody(code), { beforeSend: () => undefined });
  };
  const listings = (): readonly string[] => market.log.filter((call) => call.startsWith("LIST"));

  it("makes no call within ten seconds of the reading, and one after that", async () => {
    const looks = open();
    await clock.advance(10_000);
    const isFresh = looks.isFresh(record);
    await clock.advance(1);

    expect([isFresh, looks.isFresh(record)]).toEqual([true, false]);
    await looks.look([record]);
    expect(looks.isFresh(record)).toBe(true);
  });

  it("lists in each status what was added since ten minutes before the reading", async () => {
    const looks = open();
    await clock.advance(2 * MINUTE_MS);
    await appear(" a2");

    await looks.look([record]);

    const since = `since ${HOUR_MS - 10 * MINUTE_MS}`;
    expect(looks.readShown(record)).toEqual([id("new-1")]);
    expect(listings()).toEqual(["approved", "passive", "veto"].map((at) => `LIST ${at} ${since}`));
  });

  it("continues from the last recheck, less the delay with which products were listed", async () => {
    const looks = open();
    await journal.watchLag(id("ours"), clock.now() - 90_000);
    await journal.noteLagSample(id("ours"), { shown: true, serverMs: clock.now() });
    await clock.advance(2 * MINUTE_MS);
    await looks.look([record]);
    looks.expire();

    await looks.look([record]);

    expect(listings().at(-1)).toBe(`LIST veto since ${HOUR_MS + 2 * MINUTE_MS - 2 * 90_000}`);
  });

  it("keeps a recheck valid for up to ten minutes while fewer than five adds have left for each of its calls", async () => {
    const looks = open();
    await looks.look([record]);
    await clock.advance(9 * MINUTE_MS);
    for (let left = 0; left < 14; left += 1) looks.noteLeft();
    const isFresh = looks.isFresh(record);
    looks.noteLeft();
    const isFreshAfter = looks.isFresh(record);

    expect([isFresh, isFreshAfter]).toEqual([true, false]);
    await looks.look([record]);
    await clock.advance(10 * MINUTE_MS + 1);
    expect(looks.isFresh(record)).toBe(false);
  });

  it("makes no call where no filter is proven", async () => {
    const looks = open({ mayAskByCode: () => true }, []);
    await clock.advance(2 * MINUTE_MS);

    await looks.look([record]);

    expect(await looks.lookByDate()).toBe(false);
    expect(looks.isFresh(record)).toBe(true);
    expect(listings()).toEqual([]);
  });

  it("asks for each code where the filter by date is unproven and the store shows new products", async () => {
    const looks = open({ mayAskByCode: () => true }, ["product_code"]);
    await journal.watchLag(id("ours"), clock.now());
    await journal.noteLagSample(id("ours"), { shown: true, serverMs: clock.now() });
    await clock.advance(2 * MINUTE_MS);
    await appear("A2");

    await looks.look([record]);

    expect(looks.readShown(record)).toEqual([id("new-1")]);
    expect(listings()).toEqual(["LIST approved A2", "LIST passive A2", "LIST veto A2"]);
    expect(looks.isFresh(record)).toBe(true);
  });

  it("makes no call in a blind store", async () => {
    const looks = open({ mayAskByCode: () => true });
    await journal.watchLag(id("ours"), clock.now() - HOUR_MS);
    await journal.noteLagSample(id("ours"), { shown: false, serverMs: clock.now() });
    await clock.advance(2 * MINUTE_MS);

    await looks.look([record]);

    expect([listings(), looks.isFresh(record)]).toEqual([[], true]);
  });

  it("rechecks again once the clock was put back", () => {
    const looks = createAddLooks({
      clock,
      marketplace: market,
      journal,
      codeKey,
    });
    looks.noteRead({ atMs: clock.now() + 1, serverMs: clock.now() });

    expect(looks.isFresh(record)).toBe(false);
  });

  it("makes one listing for all callers that wait for one", async () => {
    const looks = open();
    await clock.advance(2 * MINUTE_MS);

    await Promise.all([looks.look([record]), looks.look([record]), looks.look([record])]);

    expect(listings()).toHaveLength(3);
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
    const looks = open();
    const broken = looks.lookByDate().catch(() => "broken off");
    const whole = looks.lookByDate();

    expect([await broken, await whole]).toEqual(["broken off", true]);
  });
});
