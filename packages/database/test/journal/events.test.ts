import { describe, expect, it } from "vitest";

import { createEventLog } from "../../src/journal/transitions.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { planToSend } from "../helpers/runs-and-rows.ts";

describe("createEventLog", () => {
  it("appends events in the order in which they happened, with their evidence", async () => {
    const { database, path } = await openTestJournal();
    const append = createEventLog(database);
    const move = { runId: "run-1", row: 7, cause: "answer", atMs: 5 } as const;

    database.executeNow(
      append({
        ...move,
        from: "sending",
        to: "ambiguous",
        evidence: { phase: "sent", tries: [1] },
      }),
    );
    // A clock that was put back does not change the order.
    database.executeNow(append({ ...move, from: "ambiguous", to: "held", evidence: {}, atMs: 1 }));

    const columns = { run_id: "run-1", row_no: 7, cause: "answer" };
    expect(openRaw(path).rows("SELECT * FROM event ORDER BY seq")).toEqual([
      {
        ...columns,
        seq: 1,
        from_state: "sending",
        to_state: "ambiguous",
        evidence_json: '{"phase":"sent","tries":[1]}',
        at_ms: 5,
      },
      {
        ...columns,
        seq: 2,
        from_state: "ambiguous",
        to_state: "held",
        evidence_json: "{}",
        at_ms: 1,
      },
    ]);
  });
});

describe("readEvents", () => {
  it("reads no event of a row of another store", async () => {
    const { path, journal } = await openTestJournal();
    await planToSend(journal, { runId: "run-1", row: 2 });
    const other = await openTestJournal({ path, storeId: "store-2", runs: [] });

    expect(await other.journal.readEvents({ runId: "run-1", row: 2 })).toEqual([]);
  });
});
