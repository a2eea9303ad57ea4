import { describe, expect, it } from "vitest";

import { openTestJournal } from "../helpers/open-test-journal.ts";
import { planToSend } from "../helpers/runs-and-rows.ts";

describe("readWaitingElsewhere", () => {
  it("does not read rows of another store", async () => {
    const { path, journal } = await openTestJournal();
    await planToSend(journal, { runId: "run-1", row: 2, code: "A" });
    await planToSend(journal, { runId: "run-1", row: 3, code: "B" });
    journal.beginSending({ runId: "run-1", row: 2 });
    const other = await openTestJournal({ path, storeId: "store-2", runs: ["run-2"] });
    await planToSend(other.journal, { runId: "run-2", row: 2, code: "B" });

    expect(await other.journal.readWaitingElsewhere("run-2")).toEqual([]);
    expect(await other.journal.readCopySuspicion("run-1")).toEqual({
      restoredSeq: null,
      lastBegun: null,
    });
  });
});
