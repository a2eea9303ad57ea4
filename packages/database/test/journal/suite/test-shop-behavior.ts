import { toProductId } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import type { CreateJournal } from "./journal-under-test.ts";

/** Contract tests of the learnt behaviour of the store. */
export function testShopBehavior(create: CreateJournal): void {
  describe("the evidence about refusals", () => {
    it("counts refusals by kind, and dates those that left no product", async () => {
      const { journal, clock } = await create();

      await journal.recordSignature("422 a", "not-applied");
      await clock.advance(500);
      await journal.recordSignature("422 a", "not-applied");
      await clock.advance(500);
      await journal.recordSignature("422 a", "applied");

      expect(await journal.readSignature("422 a")).toEqual({
        applied: 1,
        notApplied: 2,
        lastSeenMs: 1_500,
      });
      const nothing = { applied: 0, notApplied: 0, lastSeenMs: null };
      expect(await journal.readSignature("422 b")).toEqual(nothing);
    });
  });

  describe("the visibility samples", () => {
    it("keeps the first times at which a product was added and seen", async () => {
      const { journal } = await create();
      const [p1, p2] = [toProductId("p1"), toProductId("p2")];
      await journal.startLagSample(p1, 100);
      await journal.startLagSample(p2, null);
      await journal.startLagSample(p1, 900);

      await journal.recordLagSample(p1, { shown: false, serverMs: 200 });
      await journal.recordLagSample(p1, { shown: true, serverMs: 300 });
      await journal.recordLagSample(p1, { shown: true, serverMs: 400 });
      await journal.recordLagSample(p1, { shown: false, serverMs: 500 });

      expect(await journal.readLagSamples()).toEqual([
        { productId: "p1", addedMs: 100, shownMs: 300, readMs: 300, isShown: true },
        { productId: "p2", addedMs: null, shownMs: null, readMs: null, isShown: false },
      ]);
    });

    it("keeps the longest time that a product was missing when the clock is put back", async () => {
      const { journal } = await create();
      await journal.startLagSample(toProductId("p1"), 100);

      for (const serverMs of [900, 300, null]) {
        await journal.recordLagSample(toProductId("p1"), { shown: false, serverMs });
      }

      expect(await journal.readLagSamples()).toMatchObject([{ readMs: 900, isShown: false }]);
    });

    it("reads the latest 200 samples", async () => {
      const { journal } = await create();
      for (let index = 0; index <= 200; index += 1) {
        await journal.startLagSample(toProductId(`p${index}`), index);
      }

      const samples = await journal.readLagSamples();

      expect(samples).toHaveLength(200);
      expect(samples.at(0)?.addedMs).toBe(1);
      expect(samples.at(-1)?.addedMs).toBe(200);
    });
  });
}
