import { type Journal, type RowKey, STATE_TABLE } from "@catalog/runs";
import {
  begin,
  appendRowIn,
  planToSend,
  type RowToSend,
  toProductId,
  toSeenProduct,
  moveRow,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import type { CreateJournal } from "./journal-under-test.ts";

const RUN = "run-1";
const at = (row: number): RowKey => ({ runId: RUN, row });

interface SentRow extends Omit<RowToSend, "runId"> {
  /** Id in the answer; for an update, the product that it was sent to. */
  readonly answeredId: string;
}

/** Plans and sends a row, and records its outcome. */
async function send(journal: Journal, { answeredId, ...row }: SentRow): Promise<void> {
  const key = await planToSend(journal, { runId: RUN, ...row });
  await begin(journal, key);
  await journal.recordOutcome(
    { ...key, from: "sending" },
    { to: "done", cause: "answer", productId: toProductId(answeredId) },
  );
}

const P1 = toProductId("p-1");
const OPEN = { isRefused: false } as const;

/** Contract tests of what the ledger reads over all runs. */
export function testRequests(create: CreateJournal): void {
  describe("readAmbiguous", () => {
    it("reads the requests in the order in which they started, over all runs", async () => {
      const { journal, clock } = await create();
      for (const key of [{ runId: "run-2", row: 9 }, at(5), at(3)]) {
        await appendRowIn(journal, key, "sending");
        await clock.advance(10);
      }
      await journal.recover();
      await appendRowIn(journal, at(1), "sending");

      const ambiguous = await journal.readAmbiguous(10);

      const keys = ambiguous.map(({ runId, row }) => `${runId} ${row}`);
      expect(keys).toEqual(["run-2 9", "run-1 5", "run-1 3"]);
      expect(ambiguous[0]?.record).toMatchObject({ row: 9, code: "C-9", state: "ambiguous" });
      expect(await journal.readAmbiguous(2)).toEqual(ambiguous.slice(0, 2));
    });

    it("orders requests of the same time by row number", async () => {
      const { journal } = await create();
      for (const row of [10, 2, 100]) await appendRowIn(journal, at(row), "ambiguous");

      const ambiguous = await journal.readAmbiguous(10);

      expect(ambiguous.map(({ row }) => row)).toEqual([2, 10, 100]);
    });
  });

  describe("readHeldAdds", () => {
    it("reads held adds that were sent, in the order in which they started, and no other held row", async () => {
      const { journal, clock } = await create();
      const hold = { to: "held", cause: "not-found" } as const;
      for (const row of [7, 4]) {
        const key = await appendRowIn(journal, at(row), "ambiguous");
        await journal.recordOutcome({ ...key, from: "ambiguous" }, hold);
        await clock.advance(10);
      }
      await appendRowIn(journal, at(1), "held");
      const update = await appendRowIn(journal, { ...at(2), productId: "p-1" }, "ambiguous");
      await journal.recordOutcome({ ...update, from: "ambiguous" }, hold);

      const held = await journal.readHeldAdds(10);

      expect(held.map(({ row }) => row)).toEqual([7, 4]);
      expect(held[0]?.record).toMatchObject({ row: 7, state: "held", action: "add" });
      expect(await journal.readHeldAdds(1)).toEqual(held.slice(0, 1));
    });
  });

  describe("readKnownCodes", () => {
    it("reads the codes of adds in the states that take a code, and of no others", async () => {
      const { journal } = await create();
      for (const [index, state] of STATE_TABLE.all.entries()) {
        await appendRowIn(journal, { ...at(index + 1), code: state }, state);
      }
      // Held after a request that may have been carried out, unlike a row that a guard holds.
      await appendRowIn(journal, { ...at(50), code: "unknown" }, "ambiguous");
      await moveRow(journal, at(50), { from: "ambiguous", to: "held" });

      const known = await journal.readKnownCodes([...STATE_TABLE.all, "unknown", "never seen"]);

      const rest = { productId: null, ...OPEN };
      expect(known).toHaveLength(STATE_TABLE.takingCode.length);
      expect(known).toEqual(
        expect.arrayContaining([
          { codeKey: "sending", state: "sending", ...at(8), ...rest },
          { codeKey: "ambiguous", state: "ambiguous", ...at(9), ...rest },
          { codeKey: "done", state: "done", ...at(10), ...rest },
          { codeKey: "unknown", state: "held", ...at(50), ...rest },
        ]),
      );
    });

    it("keeps the code of a refused add until it is freed", async () => {
      const { journal } = await create();
      await appendRowIn(journal, { ...at(1), code: "A" }, "ambiguous");
      const refused = { to: "rejected", cause: "refused-and-absent", keepsCode: true } as const;

      await journal.recordOutcome({ ...at(1), from: "ambiguous" }, refused);

      expect(await journal.readKnownCodes(["A"])).toMatchObject([{ ...at(1), isRefused: true }]);
      expect(await journal.readHeldAdds(10)).toEqual([]);

      await journal.freeCode(at(1));

      expect(await journal.readKnownCodes(["A"])).toEqual([]);
    });

    it("does not free the code of a held row", async () => {
      const { journal } = await create();
      await appendRowIn(journal, { ...at(1), code: "A" }, "ambiguous");
      await moveRow(journal, at(1), { from: "ambiguous", to: "held" });

      await journal.freeCode(at(1));

      expect(await journal.readKnownCodes(["A"])).toMatchObject([{ state: "held", ...OPEN }]);
    });

    it("reads the product id once it is known", async () => {
      const { journal } = await create();
      await send(journal, { row: 1, code: "A", answeredId: "p-1" });

      const known = await journal.readKnownCodes(["A"]);

      expect(known.map(({ productId }) => productId)).toEqual([P1]);
    });

    it("reads no code for an update", async () => {
      const { journal } = await create();
      await send(journal, { row: 1, code: "A", productId: "p-1", answeredId: "p-1" });

      expect(await journal.readKnownCodes(["A"])).toEqual([]);
    });
  });

  describe("readLastSent", () => {
    it("merges answered updates into the add in the order of their answers", async () => {
      const { journal } = await create();
      const added = { title: "Fincan", price: 100, stock_count: 1 };
      await send(journal, { row: 1, answeredId: "p-1", fields: added });
      const update = { productId: "p-1" };
      const fields = { price: 200, stock_count: 2 };
      const first = await planToSend(journal, { ...at(2), ...update, fields });
      const second = await planToSend(journal, { ...at(3), ...update, fields: { price: 300 } });

      // The row that is lower in the sheet is sent first, and the clock does not move.
      for (const key of [second, first]) {
        await begin(journal, key);
        await journal.recordOutcome({ ...key, from: "sending" }, { to: "done", cause: "answer" });
      }

      const sent = await journal.readLastSent([P1]);
      expect([...sent.keys()]).toEqual([P1]);
      expect(sent.get(P1)).toMatchObject({ title: "Fincan", price: 200, stock_count: 2 });
    });

    it("leaves out requests that were refused or lost", async () => {
      const { journal } = await create();
      await send(journal, { row: 1, answeredId: "p-1", fields: { price: 100 } });
      const update = { productId: "p-1", fields: { price: 200 } };
      await appendRowIn(journal, { ...at(2), ...update }, "rejected");
      await appendRowIn(journal, { ...at(3), ...update }, "ambiguous");

      expect((await journal.readLastSent([P1])).get(P1)).toMatchObject({ price: 100 });
    });

    it("reads several products at once, and nothing for an empty list", async () => {
      const { journal } = await create();
      for (const row of [1, 2]) {
        await send(journal, { row, answeredId: `p-${row}`, fields: { price: row } });
      }

      const sent = await journal.readLastSent(["p-1", "p-2", "p-3"].map(toProductId));

      expect(sent.size).toBe(2);
      expect(sent.get(P1)?.price).toBe(1);
      expect(sent.get(toProductId("p-2"))?.price).toBe(2);
      expect(await journal.readLastSent([])).toEqual(new Map());
    });
  });

  describe("findProductRows", () => {
    it("finds the rows of a product over all runs, the latest answer first", async () => {
      const { journal } = await create();
      await send(journal, { row: 1, code: "A", answeredId: "p-1" });
      const other = await planToSend(journal, { runId: "run-2", row: 4, productId: "p-1" });
      await send(journal, { row: 2, code: "A", productId: "p-1", answeredId: "p-1" });
      await send(journal, { row: 3, code: "B", productId: "p-2", answeredId: "p-2" });
      await begin(journal, other);
      await journal.recordOutcome({ ...other, from: "sending" }, { to: "done", cause: "answer" });

      const rows = await journal.findProductRows({ productId: P1, codeKeys: ["A"] });

      expect(rows).toEqual([{ runId: "run-2", row: 4 }, at(2), at(1)]);
      expect(await journal.findSentProducts("B")).toEqual([toProductId("p-2")]);
      expect(await journal.findSentProducts("C")).toEqual([]);
    });
  });

  describe("the request of a row that sends its stock alone", () => {
    it("has the stock, and keeps its place when the rest of the row moves on", async () => {
      const { journal } = await create();
      const fields = { price: 100, stock_count: 0 };
      const first = await planToSend(journal, { ...at(1), productId: "p-1", fields });
      const [price, stock] = [
        { field: "price", new: 100 },
        { field: "stock_count", new: 0 },
      ] as const;
      const waiting = [{ ...price, part: "waiting" as const }, stock];
      const sent = [price, { ...stock, part: "sent" as const }];
      await journal.recordOutcome({ ...first, from: "ready" }, { to: "held", cause: "guard" });
      await journal.recordOutcome(
        { ...first, from: "held" },
        { to: "ready", cause: "stock-first", changes: waiting },
      );
      await begin(journal, first);
      const carriedOut = { to: "held", cause: "stock-sent", changes: sent } as const;
      await journal.recordOutcome({ ...first, from: "sending" }, carriedOut);
      const alone = await journal.readLastSent([P1]);
      await send(journal, {
        ...at(2),
        productId: "p-1",
        fields: { stock_count: 7 },
        answeredId: "p-1",
      });

      await journal.recordOutcome(
        { ...first, from: "held" },
        { to: "cancelled", cause: "superseded-hold" },
      );

      expect(alone.get(P1)).toEqual({ product_id: "p-1", stock_count: 0 });
      expect((await journal.readLastSent([P1])).get(P1)).toEqual({
        product_id: "p-1",
        stock_count: 7,
      });
      const [row] = await journal.readRows(RUN, { limit: 1 });
      expect(row?.changes).toEqual([
        { field: "price", new: 100 },
        { field: "stock_count", new: 0, part: "sent" },
      ]);
    });
  });

  describe("readLatestAdded", () => {
    it("reads the add that was answered last", async () => {
      const { journal } = await create();
      expect(await journal.readLatestAdded()).toBeUndefined();

      await send(journal, { row: 2, code: "A", answeredId: "p-1" });
      await send(journal, { row: 1, code: "B", answeredId: "p-2" });
      await send(journal, { row: 3, productId: "p-1", answeredId: "p-1" });
      await appendRowIn(journal, at(4), "ambiguous");

      expect(await journal.readLatestAdded()).toEqual({ code: "B", productId: "p-2" });
    });

    it("skips an add without a product id", async () => {
      const { journal } = await create();
      await send(journal, { row: 1, code: "A", answeredId: "p-1" });
      await appendRowIn(journal, at(2), "done");

      expect(await journal.readLatestAdded()).toEqual({ code: "A", productId: "p-1" });
    });
  });

  describe("readAddedTitles", () => {
    it("reads the titles of adds that were answered, newest first, with what they name", async () => {
      const { journal } = await create();
      const cup = { title: "Fincan", category_id: "c-1", brand_id: "b-1", brand_model: "Zarif" };
      await send(journal, { row: 1, code: "A", answeredId: "p-1", fields: cup });
      await send(journal, { row: 2, code: "B", answeredId: "p-2", fields: { title: "Tabak" } });
      await send(journal, { row: 3, productId: "p-1", answeredId: "p-1", fields: { title: "X" } });
      await appendRowIn(journal, { ...at(4), fields: { title: "Kaşık" } }, "ambiguous");

      expect(await journal.readAddedTitles(9)).toEqual([
        { title: "Tabak", categoryId: null, categoryName: null, brandId: null, model: null },
        {
          title: "Fincan",
          categoryId: "c-1",
          categoryName: null,
          brandId: "b-1",
          model: "Zarif",
        },
      ]);
      expect(await journal.readAddedTitles(1)).toMatchObject([{ title: "Tabak" }]);
    });
  });

  describe("readPriceEvidence", () => {
    it("reads the price last sent beside the listed price, newest first", async () => {
      const { journal } = await create();
      const update = { productId: "p-1", answeredId: "p-1" };
      await send(journal, { row: 1, answeredId: "p-1", fields: { price: 100 } });
      await send(journal, { row: 2, answeredId: "p-2", fields: { price: 500 } });
      await send(journal, { row: 3, ...update, fields: { price: 200 } });
      await send(journal, { row: 4, ...update, fields: { title: "Fincan" } });
      await journal.saveSeen([
        toSeenProduct("p-1", { price: 2 }),
        toSeenProduct("p-2", { price: 5 }),
      ]);

      expect(await journal.readPriceEvidence(10)).toEqual([
        { sent: 200, seen: 2 },
        { sent: 500, seen: 5 },
      ]);
      expect(await journal.readPriceEvidence(1)).toEqual([{ sent: 200, seen: 2 }]);
    });

    it("reads no price that was not answered or is not listed", async () => {
      const { journal } = await create();
      await send(journal, { row: 1, answeredId: "not shown", fields: { price: 100 } });
      await send(journal, { row: 2, answeredId: "shown without", fields: { price: 100 } });
      await send(journal, { row: 3, answeredId: "sent without" });
      const unanswered = { productId: "unanswered", fields: { price: 100 } };
      await appendRowIn(journal, { ...at(4), ...unanswered }, "ambiguous");
      await journal.saveSeen([
        toSeenProduct("shown without"),
        toSeenProduct("sent without", { price: 1 }),
        toSeenProduct("unanswered", { price: 1 }),
      ]);

      expect(await journal.readPriceEvidence(10)).toEqual([]);
    });
  });
}
