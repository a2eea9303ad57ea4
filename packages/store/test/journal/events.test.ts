import { describe, expect, it } from "vitest";

import { createEventLog } from "../../src/journal/events.ts";
import { openStore } from "../helpers/open-store.ts";
import { openRaw } from "../helpers/raw.ts";
import { planToSend } from "../helpers/runs-and-rows.ts";

describe("createEventLog", () => {
  it("appends events in the order in which they happened, with their evidence", async () => {
    const { database, path } = await openStore();
    const append = createEventLog(database);
    const move = { runId: "run-1", row: 7, cause: "answer", atMs: 5 } as const;

    append({ ...move, from: "sending", to: "ambiguous", evidence: { phase: "sent", tries: [1] } });
    // A clock that was put back does not change the order.
    append({ ...move, from: "ambiguous", to: "held", evidence: {}, atMs: 1 });

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
  it("tells everything that happened to a row, looks included", async () => {
    const { journal } = await openStore();
    const key = { runId: "run-1", row: 2 };
    await planToSend(journal, key);
    await planToSend(journal, { runId: "run-1", row: 3 });
    journal.beginSending(key, { serverMs: 5 });
    const evidence = { phase: "started", signature: "422 …" };
    await journal.settle({ ...key, from: "sending" }, { to: "ambiguous", cause: "lost", evidence });
    await journal.noteLook({ ...key, state: "ambiguous" }, { found: [], serverMs: 9 });

    const events = await journal.readEvents(key);

    const rest = { ...key, atMs: 1_000, seq: expect.any(Number) as unknown };
    expect(events).toEqual([
      { ...rest, from: "parsed", to: "ready", cause: "plan", evidence: {} },
      { ...rest, from: "ready", to: "sending", cause: "begin", evidence: { serverMs: 5 } },
      { ...rest, from: "sending", to: "ambiguous", cause: "lost", evidence },
      {
        ...rest,
        from: "ambiguous",
        to: "ambiguous",
        cause: "look",
        evidence: { found: [], serverMs: 9 },
      },
    ]);
  });

  it("knows no row of another store", async () => {
    const { path, journal } = await openStore();
    await planToSend(journal, { runId: "run-1", row: 2 });
    const other = await openStore({ path, storeId: "store-2", runs: [] });

    expect(await other.journal.readEvents({ runId: "run-1", row: 2 })).toEqual([]);
  });
});

describe("noteLook", () => {
  it("is refused for a row in another state", async () => {
    const { journal } = await openStore();
    const key = await planToSend(journal, { runId: "run-1", row: 2 });

    const noting = journal.noteLook({ ...key, state: "ambiguous" }, {});

    await expect(noting).rejects.toThrow("row 2 of run-1 is not ambiguous");
  });
});
