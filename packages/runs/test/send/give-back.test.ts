import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createRefusalTrust } from "../../src/reconcile/refusal-trust.ts";
import { sendRow } from "../../src/send/send-row.ts";
import { createFakeMarketplace, createMemoryJournal } from "../../src/testing.ts";
import { recheckOf } from "../helpers/apply-fixture.ts";
import { listed, RUN, SHEET } from "../helpers/products.ts";
import { plan, readRow, toUpdate } from "../helpers/rows.ts";

describe("a claim whose request has not left", () => {
  it("tells that it could not be given back rather than why nothing was sent", async () => {
    const journal = createMemoryJournal();
    const marketplace = createFakeMarketplace({ products: [listed("p1", "B1")] });
    await plan(journal, [toUpdate(3, "p1", { title: "Mug" })]);
    const [claim] = await journal.claim([{ runId: RUN, row: 3, evidence: {} }]);
    const away = new Error("the database is away");

    const sending = sendRow(
      {
        runId: RUN,
        journal: { ...journal, recordOutcome: () => Promise.reject(away) },
        marketplace: { ...marketplace, updateProduct: () => Promise.reject(new Error("no login")) },
        sheet: SHEET,
        recheck: recheckOf(journal),
        trust: createRefusalTrust({ journal, clock: createFakeClock() }),
        claim,
      },
      await readRow(journal, 3),
    );

    await expect(sending).rejects.toBe(away);
  });
});
