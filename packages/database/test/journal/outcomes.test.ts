import { systemClock as clock } from "@catalog/clock";
import { type Journal, RowMovedError } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { createJournal } from "../../src/index.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { planToSend, readState } from "../helpers/runs-and-rows.ts";

const RUN = "run-1";
const DONE = { to: "done", cause: "answer" } as const;

interface Watched {
  readonly path: string;
  readonly journal: Journal;
  /** Number of transactions started so far. */
  readonly transactions: () => number;
  readonly close: () => void;
}

/** Opens a journal whose rows 2 to 4 are being sent. */
async function openSending(): Promise<Watched> {
  const { database, path } = await openTestJournal();
  let transactions = 0;
  const counting: typeof database = {
    ...database,
    transactionUnsynced(work) {
      transactions += 1;
      return database.transactionUnsynced(work);
    },
  };
  const store = { baseUrl: "https://marketplace.test", storeId: "store-1" };
  const journal = createJournal({ database: counting, clock, store });
  for (const row of [2, 3, 4]) await planToSend(journal, { runId: RUN, row });
  await journal.claim([2, 3, 4].map((row) => ({ runId: RUN, row })));
  transactions = 0;
  return { path, journal, transactions: () => transactions, close: () => database.close() };
}

const settle = ({ journal }: Watched, row: number): Promise<void> =>
  journal.recordOutcome({ runId: RUN, row, attempt: 1, from: "sending" }, DONE);

describe("recording outcomes", () => {
  it("writes outcomes of the same turn of the event loop in one transaction", async () => {
    const watched = await openSending();

    await Promise.all([settle(watched, 2), settle(watched, 3)]);
    expect(watched.transactions()).toBe(1);
    await settle(watched, 4);

    expect(watched.transactions()).toBe(2);
    expect(openRaw(watched.path).rows("SELECT row_no, state FROM op ORDER BY row_no")).toEqual([
      { row_no: 2, state: "done" },
      { row_no: 3, state: "done" },
      { row_no: 4, state: "done" },
    ]);
  });

  it("resolves only once the outcomes are committed", async () => {
    const watched = await openSending();
    const elsewhere = openRaw(watched.path);
    const read = (): unknown =>
      elsewhere.rows("SELECT state FROM op WHERE row_no = 2")[0]?.["state"];

    const settled = settle(watched, 2);

    expect(read()).toBe("sending");
    await settled;
    expect(read()).toBe("done");
  });

  it("writes the other outcomes when one is refused", async () => {
    const watched = await openSending();
    await settle(watched, 3);

    const [first, second, third] = await Promise.allSettled(
      [2, 3, 4].map((row) => settle(watched, row)),
    );

    expect([first?.status, third?.status]).toEqual(["fulfilled", "fulfilled"]);
    expect(second).toMatchObject({
      status: "rejected",
      reason: new RowMovedError({ runId: "run-1", row: 3 }, "sending"),
    });
    const { journal } = watched;
    expect(await readState(journal, { runId: RUN, row: 2 })).toBe("done");
    expect(await journal.readEvents({ runId: RUN, row: 3 })).toHaveLength(3);
  });

  it("rejects every outcome of a failed commit, with the rows still sending", async () => {
    const watched = await openSending();

    const settled = Promise.allSettled([2, 3].map((row) => settle(watched, row)));
    watched.close();

    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(openRaw(watched.path).rows("SELECT 1 FROM op WHERE state = 'sending'")).toHaveLength(3);
  });

  it("keeps a product taken until the outcome of its update is written", async () => {
    const watched = await openSending();
    const { journal } = watched;
    const again = { runId: RUN, row: 9, code: "C-2" };
    await planToSend(journal, again);
    const rejected = { to: "rejected", cause: "answer" } as const;

    const settled = journal.recordOutcome({ runId: RUN, row: 2, from: "sending" }, rejected);

    expect(journal.beginSending(again)).toBe("taken");
    await settled;
    expect(journal.beginSending(again)).toBe("begun");
  });
});
