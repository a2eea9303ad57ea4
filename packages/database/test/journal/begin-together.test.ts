import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { describe, expect, it } from "vitest";

import { openStore } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { appendRow, appendRowIn, planToSend, readState } from "../helpers/runs-and-rows.ts";

const RUN = "run-1";
const at = (row: number): { readonly runId: string; readonly row: number } => ({ runId: RUN, row });

describe("beginTogether", () => {
  it("has written all of them for everybody when it resolves, each with its evidence", async () => {
    const { journal, path } = await openStore();
    for (const row of [2, 3]) await planToSend(journal, at(row));

    const begun = await journal.beginTogether([at(2), { ...at(3), evidence: { serverMs: 7 } }]);

    expect(begun).toEqual([
      { ...at(2), attempt: 1 },
      { ...at(3), attempt: 1 },
    ]);
    const elsewhere = openRaw(path);
    expect(elsewhere.rows("SELECT row_no, state FROM op ORDER BY row_no")).toEqual([
      { row_no: 2, state: "sending" },
      { row_no: 3, state: "sending" },
    ]);
    expect(elsewhere.rows("SELECT evidence_json FROM event WHERE cause = 'begin'")).toEqual([
      { evidence_json: "{}" },
      { evidence_json: '{"serverMs":7}' },
    ]);
  });

  it("leaves rows that cannot begin as they are, and begins the others", async () => {
    const { journal, path } = await openStore();
    await planToSend(journal, { ...at(2), code: "A" });
    await planToSend(journal, { ...at(3), code: "A" });
    await appendRowIn(journal, at(4), "done");
    await appendRow(journal, at(5));
    await planToSend(journal, at(6));

    const begun = await journal.beginTogether([2, 3, 4, 5, 6, 9].map(at));

    expect(begun.map((one) => one?.row)).toEqual([
      2,
      undefined,
      undefined,
      undefined,
      6,
      undefined,
    ]);
    const states = await Promise.all([2, 3, 4, 5, 6].map((row) => readState(journal, at(row))));
    expect(states).toEqual(["sending", "ready", "done", "parsed", "sending"]);
    expect(openRaw(path).rows("SELECT row_no FROM op WHERE state = 'sending'")).toHaveLength(2);
    expect(() => journal.beginSending(at(4))).toThrow("row 4 of run-1 is not ready");
    expect(journal.beginSending(at(3))).toBe("taken");
  });

  it("undoes what a row has written that the database refuses half way", async () => {
    const { journal, path } = await openStore();
    for (const row of [2, 3]) await planToSend(journal, at(row));
    using raw = new DatabaseSync(path);
    raw.exec(`CREATE TRIGGER refused BEFORE INSERT ON op WHEN NEW.row_no = 2
      BEGIN SELECT RAISE(ABORT, 'no'); END`);

    const begun = await journal.beginTogether([at(2), at(3)]);

    expect(begun).toEqual([undefined, { ...at(3), attempt: 1 }]);
    expect(await readState(journal, at(2))).toBe("ready");
    expect(openRaw(path).rows("SELECT row_no FROM event WHERE cause = 'begin'")).toEqual([
      { row_no: 3 },
    ]);
  });

  it("lets a row go once, and only as the attempt that it was", async () => {
    const { journal } = await openStore();
    await planToSend(journal, at(2));
    const [begun] = await journal.beginTogether([at(2)]);
    if (begun === undefined) throw new Error("it did not begin");

    // Another process takes it over, and begins it for itself.
    await journal.settle({ ...begun, from: "sending" }, { to: "ready", cause: "recovery-unsent" });
    expect(await journal.beginTogether([at(2)])).toEqual([{ ...at(2), attempt: 2 }]);

    expect(() => journal.beginSending(begun)).toThrow("was recovered by another process");
    const takeBack = journal.settle(
      { ...begun, from: "sending" },
      { to: "ready", cause: "unsent" },
    );
    await expect(takeBack).rejects.toThrow("row 2 of run-1 is not sending");
    expect(journal.beginSending({ ...at(2), attempt: 2 })).toBe("begun");
    expect(await readState(journal, at(2))).toBe("sending");
  });
});

describe.runIf(existsSync("/proc/sys/kernel/random/boot_id"))("a process that dies", () => {
  it("has proven of what it wrote together which of it never left", async () => {
    const { path, journal } = await openStore();
    await journal.recover();
    for (const row of [2, 3]) await planToSend(journal, at(row));
    const [, second] = await journal.beginTogether([at(2), at(3)]);
    if (second === undefined) throw new Error("it did not begin");
    journal.beginSending(second);

    const { journal: next } = await openStore({ path, runs: [] });
    const recovered = await next.recover();

    expect(recovered).toBe(2);
    expect([await readState(next, at(2)), await readState(next, at(3))]).toEqual([
      "ready",
      "ambiguous",
    ]);
  });
});
