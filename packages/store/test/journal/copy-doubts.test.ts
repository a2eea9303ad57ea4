import { describe, expect, it } from "vitest";

import { openStore } from "../helpers/open-store.ts";
import { appendRowIn, planToSend } from "../helpers/runs-and-rows.ts";

describe("readWaitingElsewhere", () => {
  it("names the adds whose code waits in another run that has sent something", async () => {
    const { journal } = await openStore({ runs: ["run-1", "run-2", "run-3"] });
    for (const code of ["A", "B", "C"]) {
      await planToSend(journal, { runId: "run-1", row: code.codePointAt(0) ?? 0, code });
    }
    journal.beginSending({ runId: "run-1", row: 65 }, { serverMs: 7_000 });
    await planToSend(journal, { runId: "run-2", row: 2, code: "B" });
    await planToSend(journal, { runId: "run-2", row: 3, code: "Z" });
    await appendRowIn(journal, { runId: "run-2", row: 4, code: "C" }, "held");
    // Of this one nothing has left.
    await planToSend(journal, { runId: "run-3", row: 2, code: "Z" });

    expect(await journal.readWaitingElsewhere("run-2")).toEqual([
      { row: 2, lastBegun: { atMs: 1_000, serverMs: 7_000 } },
    ]);
    expect(await journal.readWaitingElsewhere("run-1")).toEqual([]);
  });

  it("knows nothing of another store", async () => {
    const { path, journal } = await openStore();
    await planToSend(journal, { runId: "run-1", row: 2, code: "A" });
    await planToSend(journal, { runId: "run-1", row: 3, code: "B" });
    journal.beginSending({ runId: "run-1", row: 2 });
    const other = await openStore({ path, storeId: "store-2", runs: ["run-2"] });
    await planToSend(other.journal, { runId: "run-2", row: 2, code: "B" });

    expect(await other.journal.readWaitingElsewhere("run-2")).toEqual([]);
    expect(await other.journal.readDoubt("run-1")).toEqual({ restoredSeq: null, lastBegun: null });
  });
});
