import { appendRowIn, begin, planToSend, moveRow } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import type { CreateJournal } from "./journal-under-test.ts";

/** Contract tests of the events of rows, and of the suspicion that another copy has sent rows. */
export function testEvents(create: CreateJournal): void {
  describe("readEvents", () => {
    it("reads all events of a row, lookups included", async () => {
      const { journal } = await create();
      const key = await planToSend(journal, { runId: "run-1", row: 2 });
      await planToSend(journal, { runId: "run-1", row: 3 });
      await begin(journal, key, { serverMs: 5 });
      const evidence = { phase: "started", signature: "422 …" };
      const lost = { to: "ambiguous", cause: "lost", evidence } as const;
      await journal.recordOutcome({ ...key, from: "sending" }, lost);
      await journal.recordLookup({ ...key, state: "ambiguous" }, { found: [], serverMs: 9 });

      const events = await journal.readEvents(key);

      const same = { ...key, atMs: 1_000, seq: expect.any(Number) };
      const [to, reading] = ["ambiguous", { found: [], serverMs: 9 }];
      expect(events).toEqual([
        { ...same, from: "parsed", to: "ready", cause: "plan", evidence: {} },
        { ...same, from: "ready", to: "sending", cause: "begin", evidence: { serverMs: 5 } },
        { ...same, from: "sending", to, cause: "lost", evidence },
        { ...same, from: to, to, cause: "look", evidence: reading },
      ]);
      expect(events.map(({ seq }) => seq)).toEqual(
        events.map(({ seq }) => seq).toSorted((a, b) => a - b),
      );
    });
  });

  describe("noteLook", () => {
    it("refuses a lookup of a row in another state", async () => {
      const { journal } = await create();
      const key = await planToSend(journal, { runId: "run-1", row: 2 });

      const noting = journal.recordLookup({ ...key, state: "ambiguous" }, {});

      await expect(noting).rejects.toThrow("row 2 of run-1 is not ambiguous");
      expect(await journal.readEvents(key)).toHaveLength(1);
    });
  });

  describe("readDoubt", () => {
    it("reads when a request of the run was last started, by both clocks", async () => {
      const { journal, clock } = await create();
      const nothing = await journal.readCopySuspicion("run-1");
      const [first, second] = [2, 3].map((row) => ({ runId: "run-1", row }));
      for (const key of [first, second]) if (key !== undefined) await planToSend(journal, key);
      await planToSend(journal, { runId: "run-2", row: 2 });

      if (first !== undefined) await begin(journal, first);
      await clock.advance(10);
      if (second !== undefined) await begin(journal, second, { serverMs: 7_000 });

      expect(nothing).toEqual({ restoredSeq: null, lastBegun: null });
      expect(await journal.readCopySuspicion("run-1")).toEqual({
        restoredSeq: null,
        lastBegun: { atMs: 1_010, serverMs: 7_000 },
      });
      expect(await journal.readCopySuspicion("run-2")).toEqual(nothing);
      expect(await journal.mustRecheck("run-1")).toBe(false);
    });
  });

  describe("readWaitingElsewhere", () => {
    it("reads the adds whose code waits in another run that has sent something", async () => {
      const { journal } = await create();
      for (const [row, code] of ["A", "B", "C"].entries()) {
        await planToSend(journal, { runId: "run-1", row: row + 1, code });
      }
      await begin(journal, { runId: "run-1", row: 1 }, { serverMs: 7_000 });
      await planToSend(journal, { runId: "run-2", row: 2, code: "B" });
      await planToSend(journal, { runId: "run-2", row: 3, code: "Z" });
      await appendRowIn(journal, { runId: "run-2", row: 4, code: "C" }, "held");
      // Nothing of this run has left.
      await planToSend(journal, { runId: "run-3", row: 2, code: "Z" });

      expect(await journal.readWaitingElsewhere("run-2")).toEqual([
        { row: 2, lastBegun: { atMs: 1_000, serverMs: 7_000 } },
      ]);
      expect(await journal.readWaitingElsewhere("run-1")).toEqual([]);
    });
  });

  describe("readDoubtedAdds", () => {
    it("reads adds that are done after an unknown outcome, in the order of the sheet", async () => {
      const { journal } = await create();
      for (const row of [9, 2, 5]) {
        const key = await appendRowIn(journal, { runId: "run-1", row }, "ambiguous");
        await moveRow(journal, key, { from: "ambiguous", to: "done" });
      }
      await appendRowIn(journal, { runId: "run-1", row: 3 }, "done");
      await appendRowIn(journal, { runId: "run-1", row: 4 }, "ambiguous");
      const update = { runId: "run-1", row: 6, productId: "p-1" };
      await appendRowIn(journal, update, "ambiguous");
      const updated = { runId: "run-1", row: 6, from: "ambiguous" } as const;
      await journal.recordOutcome(updated, { to: "done", cause: "read-back" });

      const suspect = await journal.readSuspectAdds("run-1", 9);

      expect(suspect.map(({ row }) => row)).toEqual([2, 5, 9]);
      expect(await journal.readSuspectAdds("run-1", 1)).toEqual(suspect.slice(0, 1));
    });
  });
}
