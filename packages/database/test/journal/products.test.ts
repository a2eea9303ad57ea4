import { describe, expect, it } from "vitest";

import { readVisibilityLags } from "../../src/journal/shop-behavior.ts";
import { createVerificationLog } from "../../src/repositories/verification-log.ts";
import { openTestJournal, type TestJournal } from "../helpers/open-test-journal.ts";
import { planToSend, sendDone, toProductId, STORE } from "../helpers/runs-and-rows.ts";

const P1 = toProductId("p-1");

interface SentPrice {
  readonly row: number;
  readonly price: number;
}

/** Updates the price of a product. */
async function sendPrice({ journal }: TestJournal, { row, price }: SentPrice): Promise<void> {
  const update = { runId: "run-1", row, productId: "p-1", fields: { price } };
  const key = await planToSend(journal, update);
  journal.beginSending(key);
  await journal.recordOutcome({ ...key, from: "sending" }, { to: "done", cause: "answer" });
}

it("readLastSent orders requests by their events when the clock is put back", async () => {
  const store = await openTestJournal();
  await store.clock.advance(3_600_000);
  await sendPrice(store, { row: 1, price: 100 });
  const early = await openTestJournal({ path: store.path, runs: [] });
  expect(early.clock.now()).toBeLessThan(store.clock.now());

  await sendPrice(early, { row: 2, price: 200 });

  expect((await store.journal.readLastSent([P1])).get(P1)).toMatchObject({ price: 200 });
});

it("the learnt behaviour of a store keeps the behaviour of two stores in one file apart", async () => {
  const { path, journal } = await openTestJournal();
  const other = await openTestJournal({ path, storeId: "store-2", runs: [] });

  await journal.recordSignature("422 a", "not-applied");
  await journal.startLagSample(toProductId("p1"), 100);

  const nothing = { applied: 0, notApplied: 0, lastSeenMs: null };
  expect(await other.journal.readSignature("422 a")).toEqual(nothing);
  expect(await other.journal.readLagSamples()).toEqual([]);
});

describe("readVisibilityLags", () => {
  it("returns the times within which 50 % and 99 % of the added products were seen", async () => {
    const { database, clock, journal } = await openTestJournal();
    const repository = createVerificationLog({ database, clock, store: STORE });
    const rows = Array.from({ length: 200 }, (_, index) => index + 2);
    for (const row of rows) {
      await sendDone(journal, { runId: "run-1", row }, `p-${row}`);
    }
    const see = (some: readonly number[], status: "visible" | "not-visible"): Promise<void> =>
      repository.saveVerifications(
        "run-1",
        some.map((row) => ({ row, status, looks: 1, fields: [] })),
      );
    await clock.advance(2_000);
    await see(rows.slice(0, 150), "visible");
    await clock.advance(7_000);
    await see(rows.slice(150, 198), "visible");
    await clock.advance(60_000);
    await see(rows.slice(198, 199), "visible");
    await see(rows.slice(199), "not-visible");

    expect(await readVisibilityLags(database, "run-1")).toEqual({
      products: 199,
      p50Ms: 2_000,
      p99Ms: 9_000,
    });
  });

  it("returns nothing for a run without adds", async () => {
    const { database } = await openTestJournal();

    expect(await readVisibilityLags(database, "run-1")).toBeUndefined();
  });
});
