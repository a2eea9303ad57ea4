import { type ActionName, ACTIONS, type RowKey, subjectKey } from "@catalog/runs";
import { begin, moveRow, readState } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import type { CreateJournal, JournalUnderTest } from "./journal-under-test.ts";

type Journal = JournalUnderTest["journal"];

interface Planned extends RowKey {
  readonly action: ActionName;
  readonly subject: string;
}

/** Plans a row that is ready to do something to a subject. */
async function planAction(journal: Journal, planned: Planned): Promise<RowKey> {
  const { runId, row, action, subject } = planned;
  const codeKey = subjectKey(action, subject);
  await journal.appendRows(runId, [{ row, cells: [subject], code: subject, codeKey }]);
  await journal.saveDecisions(runId, [
    {
      row,
      state: "ready",
      action,
      productId: null,
      payload: null,
      call: { package_id: subject },
      changes: [{ field: "status", old: 1, new: undefined }],
      issues: [],
    },
  ]);
  return { runId, row };
}

const names = Object.keys(ACTIONS).filter((name): name is ActionName => name in ACTIONS);
const isOnce = (action: ActionName): boolean => ACTIONS[action].isOnce;

/** Contract tests of rows that are about a subject and no product. */
export function testActions(create: CreateJournal): void {
  describe("an action", () => {
    it("is read back with its body, and counts as an update", async () => {
      const { journal } = await create();
      await planAction(journal, { runId: "run-1", row: 4, action: "accept", subject: "p1" });

      const [record] = await journal.readRows("run-1", { limit: 1 });
      expect(record).toMatchObject({
        state: "ready",
        action: "accept",
        payload: null,
        call: { package_id: "p1" },
      });
      expect(await journal.countRows("run-1")).toEqual([
        { state: "ready", action: "update", rows: 1 },
      ]);
      expect(await journal.readRows("run-1", { action: "update", limit: 1 })).toEqual([]);
    });

    it.each(names)("%s is under way once for its subject, over all runs", async (action) => {
      const { journal } = await create();
      const first = await planAction(journal, { runId: "run-1", row: 1, action, subject: "s" });
      const second = await planAction(journal, { runId: "run-2", row: 1, action, subject: "s" });
      const other = await planAction(journal, { runId: "run-2", row: 2, action, subject: "t" });

      expect(await begin(journal, first)).toBe("begun");
      expect(await begin(journal, second)).toBe("taken");
      expect(await begin(journal, other)).toBe("begun");
      await moveRow(journal, first, { from: "sending", to: "ambiguous" });
      expect(await begin(journal, second)).toBe("taken");

      expect(await journal.readActions([subjectKey(action, "s")])).toMatchObject([
        { action, state: "ambiguous", runId: "run-1", row: 1 },
      ]);
    });

    it.each(names)("%s is repeated only where a subject may take it again", async (action) => {
      const { journal } = await create();
      const first = await planAction(journal, { runId: "run-1", row: 1, action, subject: "s" });
      await begin(journal, first);
      await moveRow(journal, first, { from: "sending", to: "done" });
      const second = await planAction(journal, { runId: "run-2", row: 1, action, subject: "s" });

      expect(await begin(journal, second)).toBe(isOnce(action) ? "taken" : "begun");
      expect(await readState(journal, second)).toBe(isOnce(action) ? "ready" : "sending");
    });

    it("keeps another action off a package while its own is under way", async () => {
      const { journal } = await create();
      const at = { runId: "run-1", subject: "p1" };
      const first = await planAction(journal, { ...at, row: 1, action: "accept" });
      const second = await planAction(journal, { ...at, row: 2, action: "postpone" });
      await begin(journal, first);

      expect(await begin(journal, second)).toBe("taken");

      await moveRow(journal, first, { from: "sending", to: "done" });
      expect(await begin(journal, second)).toBe("begun");
    });

    it("keeps another action off a package while it is held, as nobody knows what became of it", async () => {
      const { journal } = await create();
      const at = { runId: "run-1", subject: "p1" };
      const first = await planAction(journal, { ...at, row: 1, action: "accept" });
      const second = await planAction(journal, { ...at, row: 2, action: "postpone" });
      await begin(journal, first);
      await moveRow(journal, first, { from: "sending", to: "ambiguous" });
      await moveRow(journal, first, { from: "ambiguous", to: "held" });

      expect(await begin(journal, second)).toBe("taken");

      await moveRow(journal, first, { from: "held", to: "cancelled" });
      expect(await begin(journal, second)).toBe("begun");
    });

    it("that was refused frees its subject", async () => {
      const { journal } = await create();
      const at = { action: "accept", subject: "p1" } as const;
      const first = await planAction(journal, { ...at, runId: "run-1", row: 1 });
      await begin(journal, first);
      await moveRow(journal, first, { from: "sending", to: "rejected" });
      const second = await planAction(journal, { ...at, runId: "run-2", row: 1 });

      expect(await begin(journal, second)).toBe("begun");
    });

    it("of an unknown outcome is found once it is held, and an add is not", async () => {
      const { journal } = await create();
      const at = { action: "reply", subject: "q1", runId: "run-1", row: 1 } as const;
      const key = await planAction(journal, at);
      await begin(journal, key);
      await moveRow(journal, key, { from: "sending", to: "ambiguous" });
      await moveRow(journal, key, { from: "ambiguous", to: "held" });

      expect(await journal.readHeldActions(9)).toMatchObject([{ ...key, record: { row: 1 } }]);
      expect(await journal.readHeldAdds(9)).toEqual([]);
    });
  });
}
