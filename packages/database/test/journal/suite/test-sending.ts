import { type RowKey, STATE_TABLE } from "@catalog/runs";
import {
  appendRow,
  appendRowIn,
  begin,
  planToSend,
  readState,
  toDecision,
  moveRow,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import type { CreateJournal } from "./journal-under-test.ts";

const RUN = "run-1";
const at = (row: number): RowKey => ({ runId: RUN, row });

/** Contract tests of starting to send. */
export function testSending(create: CreateJournal): void {
  describe("beginSending", () => {
    it("moves a ready row to sending and counts the attempt", async () => {
      const { journal, clock } = await create();
      await planToSend(journal, at(7));
      await clock.advance(5);

      const outcome = await begin(journal, at(7));

      expect(outcome).toBe("begun");
      expect(await journal.readRows(RUN, { limit: 9 })).toMatchObject([
        { state: "sending", attempts: 1, updatedAtMs: 1_005 },
      ]);
    });

    it("starts an unsent row again and counts both attempts", async () => {
      const { journal } = await create();
      const key = await planToSend(journal, at(1));
      await begin(journal, key);
      await moveRow(journal, key, { from: "sending", to: "ready" });

      expect(await begin(journal, key)).toBe("begun");

      expect(await journal.readRows(RUN, { limit: 9 })).toMatchObject([{ attempts: 2 }]);
    });

    it("throws for a row that is not ready and changes nothing", async () => {
      const { journal } = await create();
      await appendRow(journal, at(1));
      await appendRowIn(journal, at(2), "done");
      await journal.appendRows(RUN, [{ row: 3, cells: [], code: null, codeKey: null }]);
      await journal.saveDecisions(RUN, [toDecision({ row: 3 }, "ready")]);

      // A row without a decision has nothing to send, or is no row to send at all.
      await expect(begin(journal, at(1))).rejects.toThrow("row 1 ");
      await expect(begin(journal, at(2))).rejects.toThrow("row 2 of run-1 is not ready");
      await expect(begin(journal, at(3))).rejects.toThrow("row 3 has no code");
      await expect(begin(journal, at(4))).rejects.toThrow("this store has no row 4 of a run run-1");

      const states = await Promise.all([1, 2, 3].map((row) => readState(journal, at(row))));
      expect(states).toEqual(["parsed", "done", "ready"]);
    });
  });

  describe("a product code", () => {
    it.each(STATE_TABLE.all)(
      "starts an add only where the state of another run's add frees the code: %s",
      async (state) => {
        const { journal } = await create();
        // A row that a guard holds has sent nothing; the next test is about rows held after sending.
        const isTaking = STATE_TABLE.takingCode.includes(state) && state !== "held";
        await appendRowIn(journal, { ...at(1), code: "A" }, state);
        const rival = await planToSend(journal, { runId: "run-2", row: 1, code: "A" });

        expect(await begin(journal, rival)).toBe(isTaking ? "taken" : "begun");

        expect(await readState(journal, rival)).toBe(isTaking ? "ready" : "sending");
      },
    );

    it("keeps the code of an add that is held with an unknown outcome", async () => {
      const { journal } = await create();
      await appendRowIn(journal, { ...at(1), code: "A" }, "ambiguous");
      const rival = await planToSend(journal, { runId: "run-2", row: 1, code: "A" });
      await moveRow(journal, at(1), { from: "ambiguous", to: "held" });

      expect(await begin(journal, rival)).toBe("taken");
      expect(await journal.readEvents(rival)).toHaveLength(1);

      await moveRow(journal, at(1), { from: "held", to: "cancelled" });
      expect(await begin(journal, rival)).toBe("begun");
    });

    it("keeps the code of another row of the same run", async () => {
      const { journal } = await create();
      await appendRowIn(journal, { ...at(1), code: "A" }, "done");
      const second = await planToSend(journal, { ...at(2), code: "A" });

      expect(await begin(journal, second)).toBe("taken");
    });

    it("does not give the code back to a row that never left", async () => {
      const { journal } = await create();
      const late = await planToSend(journal, { ...at(1), code: "A" });
      await begin(journal, late);
      await moveRow(journal, late, { from: "sending", to: "ready" });
      const first = await planToSend(journal, { runId: "run-2", row: 1, code: "A" });
      await begin(journal, first);
      expect(await begin(journal, late)).toBe("taken");

      await moveRow(journal, late, { from: "ready", to: "held" });
      await moveRow(journal, late, { from: "held", to: "done" });

      expect(await readState(journal, late)).toBe("done");
      expect(await journal.readKnownCodes(["A"])).toMatchObject([{ runId: "run-2" }]);
    });

    it("refuses a second update of a product under way, and allows one of another product", async () => {
      const { journal } = await create();
      await appendRowIn(journal, { ...at(1), productId: "p-1" }, "ambiguous");
      const second = await planToSend(journal, { runId: "run-2", row: 1, productId: "p-1" });
      const other = await planToSend(journal, { runId: "run-2", row: 2, productId: "p-2" });

      expect(await begin(journal, second)).toBe("taken");
      expect(await begin(journal, other)).toBe("begun");

      await moveRow(journal, at(1), { from: "ambiguous", to: "done" });
      expect(await begin(journal, second)).toBe("begun");
    });
  });

  describe("claim", () => {
    it("moves rows to sending, each with its evidence", async () => {
      const { journal } = await create();
      for (const row of [2, 3]) await planToSend(journal, at(row));

      const claims = await journal.claim([at(2), { ...at(3), evidence: { serverMs: 7 } }]);

      expect(claims).toEqual([
        { ...at(2), attempt: 1 },
        { ...at(3), attempt: 1 },
      ]);
      const events = await Promise.all([2, 3].map((row) => journal.readEvents(at(row))));
      expect(events.map((each) => each.at(-1))).toMatchObject([
        { to: "sending", cause: "begin", evidence: {} },
        { to: "sending", cause: "begin", evidence: { serverMs: 7 } },
      ]);
    });

    it("leaves rows that cannot be claimed as they are, and claims the others", async () => {
      const { journal } = await create();
      await planToSend(journal, { ...at(2), code: "A" });
      await planToSend(journal, { ...at(3), code: "A" });
      await appendRowIn(journal, at(4), "done");
      await appendRow(journal, at(5));
      await planToSend(journal, at(6));

      const claims = await journal.claim([2, 3, 4, 5, 6, 9].map(at));

      const none = undefined;
      expect(claims.map((one) => one?.row)).toEqual([2, none, none, none, 6, none]);
      const states = await Promise.all([2, 3, 4, 5, 6].map((row) => readState(journal, at(row))));
      expect(states).toEqual(["sending", "ready", "done", "parsed", "sending"]);
      await expect(begin(journal, at(4))).rejects.toThrow("row 4 of run-1 is not ready");
      expect(await begin(journal, at(3))).toBe("taken");
    });

    it("lets a request leave only for the attempt that was started", async () => {
      const { journal } = await create();
      await planToSend(journal, at(2));
      const [claim] = await journal.claim([at(2)]);
      if (claim === undefined) throw new Error("it was not claimed");
      const sending = { ...claim, from: "sending" } as const;

      // Another process recovers it, and claims it for itself.
      await journal.recordOutcome(sending, { to: "ready", cause: "recovery-unsent" });
      expect(await journal.claim([at(2)])).toEqual([{ ...at(2), attempt: 2 }]);

      await expect(begin(journal, claim)).rejects.toThrow("was recovered by another process");
      const takingBack = journal.recordOutcome(sending, { to: "ready", cause: "unsent" });
      await expect(takingBack).rejects.toThrow("row 2 of run-1 is not sending");
      expect(await begin(journal, { ...at(2), attempt: 2 })).toBe("begun");
      expect(await readState(journal, at(2))).toBe("sending");
    });
  });

  describe("recover", () => {
    it("makes every sending row of all runs ambiguous, and no other row", async () => {
      const { journal } = await create();
      for (const [index, state] of STATE_TABLE.all.entries()) {
        await appendRowIn(journal, at(index + 1), state);
      }
      const other = await appendRowIn(journal, { runId: "run-2", row: 1, code: "B" }, "sending");

      expect(await journal.recover()).toBe(2);

      const records = await journal.readRows(RUN, { limit: 100 });
      expect(records.map(({ state }) => state)).toEqual(
        STATE_TABLE.all.map((state) => (state === "sending" ? "ambiguous" : state)),
      );
      expect(await readState(journal, other)).toBe("ambiguous");
      const events = await journal.readEvents(other);
      expect(events.at(-1)).toMatchObject({ cause: "recovery" });
    });

    it("finds no row when it runs a second time", async () => {
      const { journal } = await create();
      await appendRowIn(journal, at(1), "sending");

      expect(await journal.recover()).toBe(1);
      expect(await journal.recover()).toBe(0);
    });
  });
}
