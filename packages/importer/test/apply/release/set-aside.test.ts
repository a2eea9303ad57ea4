import { createTestConnection, CUP, RUN_ID, storeRun } from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { setAside } from "../../../src/apply/release/set-aside.ts";

describe("setAside", () => {
  it("gives up the named rows that are ready, and frees their codes", async () => {
    const { connection } = await createTestConnection();
    const { journal } = connection;
    const rows = ["A-1", "A-2", "A-3"].map((code) => ({
      cells: [code],
      action: "add" as const,
      payload: { ...CUP, product_code: code },
    }));
    const run = await storeRun(connection, { header: ["Ürün Kodu"], rows });
    const sent = { runId: RUN_ID, row: 4 };
    journal.beginSending(sent);

    const given = await setAside(connection, { run, rows: [2, 4, 99], by: "ayşe" });

    const states = (await journal.readRows(RUN_ID, { limit: 9 })).map(({ state }) => state);
    const events = await journal.readEvents({ runId: RUN_ID, row: 2 });
    expect([given, states]).toEqual([1, ["cancelled", "ready", "sending"]]);
    expect(events.slice(-2)).toMatchObject([
      { from: "ready", to: "held", cause: "set-aside", evidence: { by: "ayşe" } },
      { from: "held", to: "cancelled", cause: "released-cancel", evidence: { by: "ayşe" } },
    ]);
    expect(await journal.readKnownCodes(["a-1"])).toEqual([]);
  });
});
