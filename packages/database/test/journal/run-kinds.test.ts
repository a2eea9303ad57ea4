import { FEED_COMMAND } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { createJournal } from "../../src/index.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { newRun, planToSend, readState } from "../helpers/runs-and-rows.ts";

const STORE = { baseUrl: "https://marketplace.test", storeId: "store-1" };

describe("journals of feed runs and of import runs", () => {
  it("recovers and reconciles only the rows of the journal's own kind", async () => {
    const { journal, runs, database, clock } = await openTestJournal();
    const feeds = createJournal({ database, clock, store: STORE, runKind: "feeds" });
    await runs.create({ ...newRun("run-feed"), command: FEED_COMMAND });
    const own = await planToSend(journal, { runId: "run-1", row: 1, productId: "p-1" });
    const fed = await planToSend(feeds, { runId: "run-feed", row: 1, productId: "p-2" });
    journal.beginSending(own);
    feeds.beginSending(fed);

    const byFeeds = await feeds.recover();
    const untouched = await readState(journal, own);
    const byRuns = await journal.recover();

    expect([byFeeds, untouched, byRuns]).toEqual([1, "sending", 1]);
    expect((await feeds.readAmbiguous(9)).map(({ runId }) => runId)).toEqual(["run-feed"]);
    expect((await journal.readAmbiguous(9)).map(({ runId }) => runId)).toEqual(["run-1"]);
  });

  it("allows only one update of a product under way, over both kinds", async () => {
    const { journal, runs, database, clock } = await openTestJournal();
    const feeds = createJournal({ database, clock, store: STORE, runKind: "feeds" });
    await runs.create({ ...newRun("run-feed"), command: FEED_COMMAND });
    const own = await planToSend(journal, { runId: "run-1", row: 1, productId: "p-1" });
    const fed = await planToSend(feeds, { runId: "run-feed", row: 1, productId: "p-1" });

    expect([journal.beginSending(own), feeds.beginSending(fed)]).toEqual(["begun", "taken"]);
  });
});
