import { describe, expect, it } from "vitest";

import { openTestJournal, type TestJournal } from "../helpers/open-test-journal.ts";
import { planToSend, toProductId } from "../helpers/runs-and-rows.ts";

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

describe("readLastSent", () => {
  it("orders requests by their events when the clock is put back", async () => {
    const store = await openTestJournal();
    await store.clock.advance(3_600_000);
    await sendPrice(store, { row: 1, price: 100 });
    const early = await openTestJournal({ path: store.path, runs: [] });
    expect(early.clock.now()).toBeLessThan(store.clock.now());

    await sendPrice(early, { row: 2, price: 200 });

    expect((await store.journal.readLastSent([P1])).get(P1)).toMatchObject({ price: 200 });
  });
});
