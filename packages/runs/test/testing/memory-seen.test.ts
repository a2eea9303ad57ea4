import { describe, expect, it } from "vitest";

import { type SeenProduct } from "../../src/journal.ts";
import { createMemoryJournal } from "../../src/testing.ts";
import { id, price, RUN } from "../helpers/products.ts";
import { addBefore, plan, toUpdate } from "../helpers/rows.ts";

const seen = (product: string, codeKey: string, shown?: number): SeenProduct => ({
  codeKey,
  status: "approved",
  product: { id: id(product), price: shown },
});

describe("a memory journal's last listing", () => {
  it("finds products by code and by id", async () => {
    const journal = createMemoryJournal();
    const [p1, p2, p3] = [seen("p1", "a1"), seen("p2", "a1"), seen("p3", "a3")];

    await journal.saveSeen([p1, p2, p3]);

    expect(await journal.readSeenByCode(["a1", "a9"])).toEqual([p1, p2]);
    expect(await journal.readSeenById([id("p3")])).toEqual([p3]);
  });

  it("keeps a product once, as it was shown last", async () => {
    const journal = createMemoryJournal();

    await journal.saveSeen([seen("p1", "a1"), seen("p1", "a2")]);

    expect(await journal.readSeenById([id("p1")])).toEqual([seen("p1", "a2")]);
  });

  it("can be forgotten", async () => {
    const journal = createMemoryJournal();
    await journal.saveSeen([seen("p1", "a1")]);

    await journal.clearSeen();

    expect(await journal.readSeenById([id("p1")])).toEqual([]);
  });

  it("stands beside the prices that were sent, newest first", async () => {
    const journal = createMemoryJournal();
    await addBefore(journal, "A1", "p1");
    await plan(journal, [
      toUpdate(2, "p2", { title: "Mug" }),
      toUpdate(3, "p1", { price: price(300) }),
    ]);
    for (const row of [2, 3]) {
      journal.beginSending({ runId: RUN, row });
      await journal.settle({ runId: RUN, row, from: "sending" }, { to: "done", cause: "answer" });
    }

    await journal.saveSeen([seen("p1", "a1", 3), seen("p2", "a2", 7)]);

    expect(await journal.readPriceEvidence(9)).toEqual([
      { sent: 300, seen: 3 },
      { sent: 1990, seen: 3 },
    ]);
    expect(await journal.readPriceEvidence(1)).toEqual([{ sent: 300, seen: 3 }]);
  });
});
