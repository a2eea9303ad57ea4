import { describe, expect, it } from "vitest";

import { createVerificationLog, readVisibilityLags } from "../../src/index.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { planToSend, toProductId } from "../helpers/runs-and-rows.ts";

const ADDRESS = { baseUrl: "https://marketplace.test", storeId: "store-1" };

describe("readVisibilityLags", () => {
  it("returns the times within which 50 % and 99 % of the added products were seen", async () => {
    const { database, clock, journal } = await openTestJournal();
    const repository = createVerificationLog({ database, clock, store: ADDRESS });
    const rows = Array.from({ length: 200 }, (_, index) => index + 2);
    for (const row of rows) {
      const key = await planToSend(journal, { runId: "run-1", row });
      journal.beginSending(key);
      const productId = toProductId(`p-${row}`);
      await journal.recordOutcome(
        { ...key, from: "sending" },
        { to: "done", cause: "answer", productId },
      );
    }
    const see = (some: readonly number[], status: "visible" | "not-visible"): Promise<void> =>
      repository.saveVerifications(
        "run-1",
        some.map((row) => ({ row, status, looks: 1, fields: [] })),
      );
    await clock.advance(2_000);
    await see(rows.slice(0, 150), "visible");
    await clock.advance(7_000);
    await see(rows.slice(150, 198), "visible");
    await clock.advance(60_000);
    await see(rows.slice(198, 199), "visible");
    await see(rows.slice(199), "not-visible");

    expect(await readVisibilityLags(database, "run-1")).toEqual({
      products: 199,
      p50Ms: 2_000,
      p99Ms: 9_000,
    });
  });

  it("returns nothing for a run without adds", async () => {
    const { database } = await openTestJournal();

    expect(await readVisibilityLags(database, "run-1")).toBeUndefined();
  });
});
