import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createFeedState, type ShownProduct } from "../../src/repositories/feed-state.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { describeOnPostgres, openTestPostgres } from "../helpers/open-test-postgres.ts";
import { newRun, OTHER_STORE, sendDone, STORE, toProductId } from "../helpers/runs-and-rows.ts";

const shown = (id: string, stock: number): ShownProduct => ({
  productId: toProductId(id),
  codeKey: `C-${id}`,
  status: "approved",
  shown: { id: toProductId(id), stock },
  sent: {},
});

describe("the state of feeds", () => {
  it("returns the listed values with what any run has sent since", async () => {
    const store = await openTestJournal();
    const feedState = createFeedState(store);
    await feedState.saveShown(await feedState.beginRefresh(), [shown("p-1", 5), shown("p-2", 6)]);
    await sendDone(store.journal, {
      runId: "run-1",
      row: 1,
      productId: "p-1",
      fields: { stock_count: 9, title: "is no business of feeds" },
    });

    const taken = await feedState.applySentChanges();

    expect(taken).toBe(1);
    expect(await feedState.applySentChanges()).toBe(0);
    expect(await feedState.readByCode(["C-p-1", "C-p-2"])).toMatchObject([
      { productId: "p-1", shown: { stock: 5 }, sent: { stock_count: 9 } },
      { productId: "p-2", shown: { stock: 6 }, sent: {} },
    ]);
    const [known] = await feedState.readById([toProductId("p-1")]);
    expect(known?.sent).toEqual({ stock_count: 9 });
  });

  it("keeps products that we added over refreshes, though no listing shows them", async () => {
    const store = await openTestJournal();
    const feedState = createFeedState(store);
    const added = { runId: "run-1", row: 1, code: "NEU", fields: { stock_count: 3 } };
    await sendDone(store.journal, added, "p-new");
    await feedState.applySentChanges();

    const refresh = await feedState.beginRefresh();

    expect(await feedState.readUnrefreshed(refresh)).toEqual([]);
    expect(await feedState.readByCode(["NEU"])).toMatchObject([{ sent: { stock_count: 3 } }]);
  });

  it("returns the products that a refresh has not met, and deletes products on request", async () => {
    const store = await openTestJournal();
    const feedState = createFeedState(store);
    await feedState.saveShown(await feedState.beginRefresh(), [shown("p-1", 5), shown("p-2", 6)]);
    const refresh = await feedState.beginRefresh();
    await feedState.saveShown(refresh, [shown("p-2", 7)]);

    const unswept = await feedState.readUnrefreshed(refresh);
    await feedState.forget(unswept);

    expect(unswept).toEqual(["p-1"]);
    expect(await feedState.readByCode(["C-p-1", "C-p-2"])).toMatchObject([{ shown: { stock: 7 } }]);
  });

  it("remembers which products a feed names, with its record", async () => {
    const store = await openTestJournal();
    const feedState = createFeedState(store);
    const ids = Array.from({ length: 5_003 }, (_, at) => toProductId(`p-${at}`));
    const named = ids.map((productId) => ({
      productId,
      absences: 0,
      absentSinceMs: null,
      isEmptied: false,
    }));
    const absent = { absences: 2, absentSinceMs: 7, isEmptied: true };
    await feedState.saveAccepted({ feed: "one", record: { rows: 5_003 }, named });
    await feedState.saveAccepted({ feed: "two", record: {}, named: named.slice(0, 2) });

    await feedState.saveAccepted({
      feed: "one",
      record: { rows: 5_001 },
      named: [{ productId: toProductId("p-1"), ...absent }],
      forgotten: [toProductId("p-2")],
    });

    const pages = await Array.fromAsync(feedState.readNamed("one"));
    expect(pages.map((page) => page.length)).toEqual([5_000, 2]);
    expect(pages.flat().filter(({ absences }) => absences > 0)).toEqual([
      { productId: "p-1", ...absent },
    ]);
    expect(await feedState.findNamed("one", ids.slice(0, 3))).toEqual(["p-0"]);
    expect(await feedState.findNamed("two", ids.slice(0, 3))).toEqual(["p-0", "p-1"]);
    expect(await feedState.listFeeds()).toEqual(["one", "two"]);
    expect(await feedState.readFeed("one", z.unknown())).toEqual({ rows: 5_001 });
  });

  it("keeps the state of two stores apart", async () => {
    const store = await openTestJournal();
    await createFeedState(store).saveShown(1, [shown("p-1", 5)]);
    await createFeedState(store).saveNotes({ store: { sweep: 1 } });

    const other = createFeedState({ ...store, store: OTHER_STORE });

    expect(await other.readByCode(["C-p-1"])).toEqual([]);
    expect(await other.readNote("store", z.unknown())).toBeUndefined();
    expect(await createFeedState(store).readNote("store", z.unknown())).toEqual({ sweep: 1 });
  });
});

type FeedTools = Parameters<typeof createFeedState>[0];

/** What is known of a feed begins a second life under another key, and ends under the first one. */
async function copyAndRemove(tools: FeedTools): Promise<void> {
  const feedState = createFeedState(tools);
  const productId = toProductId("p-1");
  const named = [{ productId, absences: 1, absentSinceMs: 7, isEmptied: false }];
  const gone = { productId: toProductId("p-9"), absences: 0, absentSinceMs: null, isEmptied: true };
  await feedState.saveAccepted({ feed: "one", record: { rows: 1 }, named });
  await feedState.saveAccepted({ feed: "two", record: { rows: 9 }, named: [gone] });

  await feedState.copyFeed("one", "two");
  await feedState.removeFeed("one");

  expect(await Array.fromAsync(feedState.readNamed("two"))).toEqual([named]);
  expect(await Array.fromAsync(feedState.readNamed("one"))).toEqual([]);
  expect(await feedState.readFeed("two", z.unknown())).toEqual({ rows: 1 });
  expect(await feedState.listFeeds()).toEqual(["two"]);
}

/** Only syncs of the feed are listed. */
async function listOfFeed(tools: FeedTools): Promise<void> {
  const runs = createRunRepository(tools);
  const file = { ...newRun("r-1").file, feed: "one" };
  await runs.create({ ...newRun("r-1"), command: "sync", file });
  await runs.create({ ...newRun("r-2"), command: "sync", file: { ...file, feed: "two" } });
  await runs.create(newRun("r-3"));

  const listed = await runs.list(9, { feed: "one" });

  expect(listed.map(({ id }) => id)).toEqual(["r-1"]);
}

describe("what is known of a feed", () => {
  it("is copied to another key, and removed", async () => {
    await copyAndRemove(await openTestJournal());
  });

  it("has the runs of its feed", async () => {
    await listOfFeed(await openTestJournal({ runs: [] }));
  });
});

describeOnPostgres("what is known of a feed on PostgreSQL", () => {
  it("is copied to another key, and removed; its runs are listed", async () => {
    const { database } = await openTestPostgres();
    const tools = { database, clock: createFakeClock(), store: STORE };
    await copyAndRemove(tools);
    await listOfFeed(tools);
  });
});
