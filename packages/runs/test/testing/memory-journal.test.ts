import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createMemoryJournal, ProcessDied } from "../../src/testing.ts";
import { parsedRow, plan, readStates, RUN, toAdd } from "../../src/testing/rows.ts";

describe("createMemoryJournal", () => {
  it("creates journals that share nothing", async () => {
    const one = createMemoryJournal();
    const other = createMemoryJournal();

    await one.appendRows(RUN, [parsedRow(2, "A1")]);

    expect(await other.readRows(RUN, { limit: 9 })).toEqual([]);
  });

  it("keeps every move with its cause", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1")]);
    const evidence = { phase: "started" };

    journal.beginSending({ runId: RUN, row: 2 });
    await journal.recordOutcome(
      { runId: RUN, row: 2, from: "sending" },
      { to: "ambiguous", cause: "lost", evidence },
    );

    const key = { runId: RUN, row: 2 };
    expect(journal.events).toEqual([
      { ...key, seq: 1, atMs: 0, from: "parsed", to: "ready", cause: "plan", evidence: {} },
      { ...key, seq: 2, atMs: 0, from: "ready", to: "sending", cause: "begin", evidence: {} },
      { ...key, seq: 3, atMs: 0, from: "sending", to: "ambiguous", cause: "lost", evidence },
    ]);
  });

  it("stamps a row with the time of its clock", async () => {
    const clock = createFakeClock(1_000);
    const journal = createMemoryJournal({ clock });
    await journal.appendRows(RUN, [parsedRow(2, "A1"), parsedRow(3, "A2")]);

    await clock.advance(500);
    await journal.saveDecisions(RUN, [toAdd(3, "A2")]);

    const rows = await journal.readRows(RUN, { limit: 9 });
    expect(rows.map(({ updatedAtMs }) => updatedAtMs)).toEqual([1_000, 1_500]);
  });

  it("dies before an operation, which then has not happened", async () => {
    const journal = createMemoryJournal({ death: { at: 2, when: "before" } });
    await journal.appendRows(RUN, [parsedRow(2, "A1")]);

    await expect(journal.appendRows(RUN, [parsedRow(3, "A2")])).rejects.toThrow(ProcessDied);

    expect(await readStates(journal.restart())).toEqual(["2: parsed"]);
  });

  it("dies after an operation, which then has happened", async () => {
    const journal = createMemoryJournal({ death: { at: 2, when: "after" } });
    await journal.appendRows(RUN, [parsedRow(2, "A1")]);

    await expect(journal.appendRows(RUN, [parsedRow(3, "A2")])).rejects.toThrow(ProcessDied);

    expect(await readStates(journal.restart())).toEqual(["2: parsed", "3: parsed"]);
  });

  it("throws at every call once it is dead", async () => {
    const journal = createMemoryJournal({ death: { at: 1, when: "before" } });
    await expect(journal.recover()).rejects.toThrow(ProcessDied);

    await expect(journal.countRows(RUN)).rejects.toThrow(ProcessDied);

    expect(() => journal.beginSending({ runId: RUN, row: 2 })).toThrow(ProcessDied);
  });

  it("ends the journal of the process that it replaces", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1")]);

    const next = journal.restart();

    expect(() => journal.beginSending({ runId: RUN, row: 2 })).toThrow(ProcessDied);
    expect(await readStates(next)).toEqual(["2: ready"]);
    expect(next.events).toHaveLength(1);
  });

  it("counts the operations of one process", async () => {
    const journal = createMemoryJournal();
    await plan(journal, [toAdd(2, "A1")]);

    const next = journal.restart();
    await next.recover();

    expect([journal.operations, next.operations]).toEqual([2, 1]);
  });
});
