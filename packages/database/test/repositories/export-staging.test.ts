import { describe, expect, it } from "vitest";

import {
  createExportStaging,
  type ExportCheckpoint,
  type ExportNames,
  type ExportStaging,
} from "../../src/index.ts";
import { openTestJournal, type TestJournal } from "../helpers/open-test-journal.ts";

const HOUR_MS = 3_600_000;

const stagingOf = ({ database, clock }: TestJournal, storeId = "store-1"): ExportStaging =>
  createExportStaging({
    database,
    clock,
    store: { baseUrl: "https://marketplace.test", storeId },
  });

const item = (id: string, rank = 0, more: object = {}) => ({ id, rank, item: { id, ...more } });

const all = (key: string): ExportNames => ({ key, scope: key });

const at = (found: number): ExportCheckpoint => ({
  lanes: { all: { found } },
  parts: 0,
});

const MARK = { begunAtMs: 3, newestMs: 5, counts: { a: 2 } };

const idsOf = (items: Iterable<{ readonly id: string }>): readonly string[] =>
  [...items].map(({ id }) => id);

describe("createExportStaging", () => {
  it("keeps each item once, as it was read last, in the order of sort keys and of reading", async () => {
    const job = stagingOf(await openTestJournal()).open(all("products"), HOUR_MS);

    expect(job.save([item("c", 9), item("a", 1), item("b", 1)], () => at(1))).toBe(3);
    expect(job.save([item("a", 1, { title: "yeni" }), item("d", 5)], () => at(2))).toBe(1);

    expect([...job.items({ isNotYetWritten: false })]).toEqual([
      { id: "a", title: "yeni" },
      { id: "b" },
      { id: "d" },
      { id: "c" },
    ]);
    expect([job.count(), job.readCheckpoint()]).toEqual([4, at(2)]);
  });

  it("resumes where another process stopped, and not when that is too old", async () => {
    const store = await openTestJournal();
    const job = stagingOf(store).open(all("products"), HOUR_MS);
    job.save([item("a")], () => at(7));
    const { path, clock } = store;
    const elsewhere = stagingOf(await openTestJournal({ path, clock, runs: [] }));

    expect(elsewhere.open(all("products"), HOUR_MS).readCheckpoint()).toEqual(at(7));
    expect(elsewhere.open(all("comments"), HOUR_MS).readCheckpoint()).toBeUndefined();
    await clock.advance(HOUR_MS);
    const fresh = elsewhere.open(all("products"), HOUR_MS);

    expect([fresh.count(), fresh.readCheckpoint()]).toEqual([0, undefined]);
    expect(() => job.save([item("b")], () => at(8))).toThrow();
  });

  it("remembers what a finished export wrote, for its own key and store only", async () => {
    const store = await openTestJournal();
    const staging = stagingOf(store);
    const first = staging.open(all("comments"), HOUR_MS);
    first.save([item("a"), item("b")], () => at(0));
    first.finish(MARK);

    const next = staging.open({ key: "comments since", scope: "comments" }, HOUR_MS);
    next.save([item("b"), item("c")], () => at(0));

    expect(staging.readMark("comments")).toEqual(MARK);
    expect(idsOf(next.items({ isNotYetWritten: true }))).toEqual(["c"]);
    expect(idsOf(next.items({ isNotYetWritten: false }))).toEqual(["b", "c"]);
    expect([next.count(), next.countNotYetWritten()]).toEqual([2, 1]);
    expect([...next.readSeen(["a", "c"])]).toEqual(["a"]);
    const other = stagingOf(store, "store-2");
    expect(other.readMark("comments")).toBeUndefined();
    expect([...other.open(all("comments"), HOUR_MS).readSeen(["a"])]).toEqual([]);
  });

  it("keeps neither items nor marks of a discarded export", async () => {
    const staging = stagingOf(await openTestJournal());
    const job = staging.open(all("orders"), HOUR_MS);
    job.save([item("a")], () => at(1));

    job.discard();

    expect(staging.open(all("orders"), HOUR_MS).count()).toBe(0);
    expect(staging.readMark("orders")).toBeUndefined();
  });

  it.each([0, 199, 200, 201, 650])("returns %i items in order", async (count) => {
    const job = stagingOf(await openTestJournal()).open(all("products"), HOUR_MS);
    const items = Array.from({ length: count }, (_, index) => ({
      id: `${index}`,
      rank: index % 7,
    }));

    job.save(
      items.map(({ id, rank }) => item(id, rank, { rank })),
      () => at(0),
    );

    expect([...job.items({ isNotYetWritten: false })]).toEqual(
      items.toSorted((a, b) => a.rank - b.rank),
    );
  });
});
