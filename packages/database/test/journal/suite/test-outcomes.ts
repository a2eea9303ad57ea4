import { type RowKey, STATE_TABLE } from "@catalog/runs";
import { appendRowIn, moveRow, planToSend, readState, toProductId } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import type { CreateJournal } from "./journal-under-test.ts";

const RUN = "run-1";
const at = (row: number): RowKey => ({ runId: RUN, row });

const ISSUE = {
  code: "E_REJECTED",
  sheet: "Ürünler",
  row: 1,
  column: "",
  cell: "",
  value: "C-1",
  message: { tr: "Reddedildi", en: "Rejected" },
};

/** Contract tests of moves and outcomes. */
export function testSettling(create: CreateJournal): void {
  describe("a move of a row", () => {
    it("makes a legal move and appends an event", async () => {
      const { journal } = await create();
      for (const [index, [from, to]] of STATE_TABLE.moves.entries()) {
        const key = await appendRowIn(journal, at(index + 1), from);

        await moveRow(journal, key, { from, to });

        const events = await journal.readEvents(key);
        expect(await readState(journal, key)).toBe(to);
        expect(events.at(-1)).toMatchObject({ from, to, atMs: 1_000 });
      }
    });

    it("refuses an illegal move and changes nothing", async () => {
      const { journal } = await create();
      const illegal = STATE_TABLE.all.flatMap((from) =>
        STATE_TABLE.all.filter((to) => !STATE_TABLE.isLegal(from, to)).map((to) => ({ from, to })),
      );
      for (const [index, { from, to }] of illegal.entries()) {
        const key = await appendRowIn(journal, at(index + 1), from);
        const events = await journal.readEvents(key);

        const move = journal.recordOutcome({ ...key, from }, { to, cause: "answer" });

        await expect(move).rejects.toThrow(
          to === "sending"
            ? `row ${key.row} of run-1 can only begin to be sent`
            : `row ${key.row} of run-1 may not go from ${from} to ${to}`,
        );
        expect(await readState(journal, key)).toBe(from);
        expect(await journal.readEvents(key)).toEqual(events);
      }
    });

    it("refuses to send a row again without a proven cause", async () => {
      const { journal } = await create();
      const sending = await appendRowIn(journal, at(1), "sending");
      const ambiguous = await appendRowIn(journal, at(2), "ambiguous");
      const cause = "answer";

      const unsent = journal.recordOutcome({ ...sending, from: "sending" }, { to: "ready", cause });
      await expect(unsent).rejects.toThrow();
      const again = journal.recordOutcome(
        { ...ambiguous, from: "ambiguous" },
        { to: "ready", cause },
      );
      await expect(again).rejects.toThrow();

      const states = [await readState(journal, sending), await readState(journal, ambiguous)];
      expect(states).toEqual(["sending", "ambiguous"]);
    });

    it("refuses a move when the row is in another state than the caller names", async () => {
      const { journal } = await create();
      const key = await appendRowIn(journal, at(1), "ambiguous");

      const move = journal.recordOutcome(
        { ...key, from: "sending" },
        { to: "done", cause: "answer" },
      );

      await expect(move).rejects.toThrow("row 1 of run-1 is not sending");
      expect(await readState(journal, key)).toBe("ambiguous");
    });

    it("refuses to record sending as an outcome", async () => {
      const { journal } = await create();
      const key = await planToSend(journal, at(1));

      const move = journal.recordOutcome(
        { ...key, from: "ready" },
        { to: "sending", cause: "answer" },
      );

      await expect(move).rejects.toThrow("can only begin to be sent");
      expect(await readState(journal, key)).toBe("ready");
    });
  });

  it("moves several rows in the order given, with an event for each move", async () => {
    const { journal } = await create();
    const keys = [await planToSend(journal, at(1)), await planToSend(journal, at(2))];
    const cause = "released-cancel";

    await journal.recordOutcomes(
      keys.flatMap((key) => [
        { key: { ...key, from: "ready" as const }, outcome: { to: "held" as const, cause } },
        { key: { ...key, from: "held" as const }, outcome: { to: "cancelled" as const, cause } },
      ]),
    );

    for (const key of keys) {
      const events = await journal.readEvents(key);
      expect(await readState(journal, key)).toBe("cancelled");
      expect(events.slice(-2).map(({ to }) => to)).toEqual(["held", "cancelled"]);
    }
  });

  it("moves no row where one of several is in another state than the caller names", async () => {
    const { journal } = await create();
    const [ready, done] = [
      await planToSend(journal, at(1)),
      await appendRowIn(journal, at(2), "done"),
    ];
    const outcome = { to: "held", cause: "set-aside" } as const;

    const moves = journal.recordOutcomes([
      { key: { ...ready, from: "ready" }, outcome },
      { key: { ...done, from: "ready" }, outcome },
    ]);

    await expect(moves).rejects.toThrow("row 2 of run-1 is not ready");
    expect([await readState(journal, ready), await readState(journal, done)]).toEqual([
      "ready",
      "done",
    ]);
  });

  describe("recordOutcome, after a request", () => {
    it("keeps the values of the outcome with its evidence", async () => {
      const { journal, clock } = await create();
      const key = await appendRowIn(journal, at(1), "sending");
      await clock.advance(250);

      await journal.recordOutcome(
        { ...key, from: "sending" },
        {
          to: "rejected",
          cause: "status-422",
          productId: toProductId("p-1"),
          note: "fiyat hatalı",
          issues: [ISSUE],
          evidence: { phase: "answered", status: 422 },
        },
      );

      expect(await journal.readRows(RUN, { limit: 1 })).toMatchObject([
        {
          state: "rejected",
          productId: "p-1",
          note: "fiyat hatalı",
          issues: [ISSUE],
          updatedAtMs: 1_250,
        },
      ]);
      const events = await journal.readEvents(key);
      expect(events.at(-1)).toMatchObject({
        cause: "status-422",
        evidence: { phase: "answered", status: 422 },
      });
    });

    it("keeps the product id, note and issues of a row when the outcome has none", async () => {
      const { journal } = await create();
      const key = await appendRowIn(journal, at(1), "sending");
      const lost = { productId: toProductId("p-1"), note: "zaman aşımı", issues: [ISSUE] };
      await journal.recordOutcome(
        { ...key, from: "sending" },
        { to: "ambiguous", cause: "lost", ...lost },
      );

      await moveRow(journal, key, { from: "ambiguous", to: "done" });

      expect(await journal.readRows(RUN, { limit: 1 })).toMatchObject([{ state: "done", ...lost }]);
    });

    it("keeps the changes of a row when the outcome has none", async () => {
      const { journal } = await create();
      const key = await planToSend(journal, at(1));
      const changes = [{ field: "price", old: 7_500, new: 7_000 }];
      const read = async (): Promise<unknown> =>
        (await journal.readRows(RUN, { limit: 1 })).map((row) => row.changes);

      await journal.recordOutcome(
        { ...key, from: "ready" },
        { to: "held", cause: "changed", changes },
      );
      const held = await read();
      await journal.recordOutcome(
        { ...key, from: "held" },
        { to: "ready", cause: "released-resend" },
      );

      expect([held, await read()]).toEqual([[changes], [changes]]);
    });
  });
}
