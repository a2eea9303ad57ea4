import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { createRefusalTrust } from "../../src/reconcile/refusal-trust.ts";
import { sendRow } from "../../src/send/send-row.ts";
import { createFakeMarketplace, createMemoryJournal } from "../../src/testing.ts";
import { recheckOf } from "../helpers/apply-fixture.ts";
import { listed, RUN, SHEET } from "../helpers/products.ts";
import { plan, readRow, toUpdate } from "../helpers/rows.ts";

describe("a claim whose request has not left", () => {
  it("is given back where the database is away when it is about to leave, and is sent later", async () => {
    const journal = createMemoryJournal();
    const marketplace = createFakeMarketplace({ products: [listed("p1", "B1")] });
    await plan(journal, [toUpdate(3, "p1", { title: "Mug" }), toUpdate(4, "p1", { title: "Cup" })]);
    const [claim] = await journal.claim([{ runId: RUN, row: 3, evidence: {} }]);
    const send = async (row: number): Promise<unknown> => {
      const start = row === 3 ? "unconfirmed" : "away";
      const options = {
        runId: RUN,
        journal: { ...journal, beginSending: () => start } as const,
        marketplace,
        sheet: SHEET,
        recheck: recheckOf(journal),
        trust: createRefusalTrust({ journal, clock: createFakeClock() }),
        claim: row === 3 ? claim : undefined,
      };
      const { sent, written } = await sendRow(options, await readRow(journal, row));
      await written;
      return [sent.state, sent.isDeferred, (await readRow(journal, row)).state];
    };

    const ends = [await send(3), await send(4)];

    expect(ends).toEqual([
      ["ready", true, "ready"],
      ["ready", true, "ready"],
    ]);
    expect(marketplace.log.filter((request) => request.startsWith("UPDATE"))).toEqual([]);
  });

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
