import { describe, expect, it } from "vitest";

import { openStore } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { appendRowIn, planToSend, toProductId } from "../helpers/runs-and-rows.ts";

describe("beginSending", () => {
  it("has written row, code and body when it returns", async () => {
    const { journal, path, clock } = await openStore();
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
      },
    ]);
  });
});

describe("settle", () => {
  it("has written the outcome and its request when it resolves", async () => {
    const { journal, path, clock } = await openStore();
    const key = await appendRowIn(journal, { runId: "run-1", row: 1 }, "sending");
    const elsewhere = openRaw(path);
    await clock.advance(250);

    const evidence = { phase: "answered", status: 422 };
    await journal.settle(
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
