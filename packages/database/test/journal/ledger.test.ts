import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import type { RowKey } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { appendRowIn, planToSend, readState, toProductId } from "../helpers/runs-and-rows.ts";

const at = (row: number): RowKey => ({ runId: "run-1", row });

describe("claim", () => {
  it("commits all claims before it resolves, each with its evidence", async () => {
    const { journal, path } = await openTestJournal();
    for (const row of [2, 3]) await planToSend(journal, at(row));
    const elsewhere = openRaw(path);

    await journal.claim([at(2), { ...at(3), evidence: { serverMs: 7 } }]);

    expect(elsewhere.rows("SELECT row_no, state FROM op ORDER BY row_no")).toEqual([
      { row_no: 2, state: "sending" },
      { row_no: 3, state: "sending" },
    ]);
    expect(elsewhere.rows("SELECT evidence_json FROM event WHERE cause = 'begin'")).toEqual([
      { evidence_json: "{}" },
      { evidence_json: '{"serverMs":7}' },
    ]);
  });

  it("undoes the writes of a claim that the database refuses, and keeps the other claims", async () => {
    const { journal, path } = await openTestJournal();
    for (const row of [2, 3]) await planToSend(journal, at(row));
    using raw = new DatabaseSync(path);
    raw.exec(`CREATE TRIGGER refused BEFORE INSERT ON op WHEN NEW.row_no = 2
      BEGIN SELECT RAISE(ABORT, 'no'); END`);

    const claims = await journal.claim([at(2), at(3)]);

    expect(claims).toEqual([undefined, { ...at(3), attempt: 1 }]);
    expect(await readState(journal, at(2))).toBe("ready");
    expect(openRaw(path).rows("SELECT row_no FROM event WHERE cause = 'begin'")).toEqual([
      { row_no: 3 },
    ]);
  });
});

// Markers are only used where the boot of the machine can be identified.
describe.runIf(existsSync("/proc/sys/kernel/random/boot_id"))("a process that dies", () => {
  it("proves at the next start which claims never left", async () => {
    const { path, journal } = await openTestJournal();
    await journal.recover();
    for (const row of [2, 3]) await planToSend(journal, at(row));
    const [, second] = await journal.claim([at(2), at(3)]);
    if (second === undefined) throw new Error("it was not claimed");
    journal.beginSending(second);

    const { journal: next } = await openTestJournal({ path, runs: [] });
    const recovered = await next.recover();

    expect(recovered).toBe(2);
    expect([await readState(next, at(2)), await readState(next, at(3))]).toEqual([
      "ready",
      "ambiguous",
    ]);
  });
});

describe("beginSending", () => {
  it("commits row, code and body before it returns", async () => {
    const { journal, path, clock } = await openTestJournal();
    const key = await planToSend(journal, {
      runId: "run-1",
      row: 7,
      code: "A",
      fields: { price: 1990 },
    });
    const elsewhere = openRaw(path);
    await clock.advance(5);

    expect(journal.beginSending(key)).toBe("begun");

    expect(elsewhere.rows("SELECT state, attempts, updated_at_ms FROM run_row")).toEqual([
      { state: "sending", attempts: 1, updated_at_ms: 1_005 },
    ]);
    expect(elsewhere.rows("SELECT * FROM op")).toEqual([
      {
        run_id: "run-1",
        row_no: 7,
        store: 1,
        kind: "add",
        state: "sending",
        code_key: "A",
        suspect_key: null,
        product_id: null,
        price: 1990,
        payload_json: '{"product_code":"A","price":1990}',
        begun_at_ms: 1_005,
        settled_at_ms: null,
        ended_seq: null,
      },
    ]);
  });
});

describe("recordOutcome", () => {
  it("commits the outcome and its request before it resolves", async () => {
    const { journal, path, clock } = await openTestJournal();
    const key = await appendRowIn(journal, { runId: "run-1", row: 1 }, "sending");
    const elsewhere = openRaw(path);
    await clock.advance(250);

    const evidence = { phase: "answered", status: 422 };
    await journal.recordOutcome(
      { ...key, from: "sending" },
      { to: "rejected", cause: "status-422", productId: toProductId("p-1"), evidence },
    );

    expect(elsewhere.rows("SELECT state, product_id, settled_at_ms FROM op")).toEqual([
      { state: "rejected", product_id: "p-1", settled_at_ms: 1_250 },
    ]);
    expect(elsewhere.rows("SELECT * FROM event").at(-1)).toMatchObject({
      cause: "status-422",
      evidence_json: '{"phase":"answered","status":422}',
    });
  });
});
