import { expect, it } from "vitest";

import {
  createExportStaging,
  type ExportCheckpoint,
  type ExportNames,
} from "../../src/repositories/export-staging.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { OTHER_STORE } from "../helpers/runs-and-rows.ts";

const HOUR_MS = 3_600_000;

const item = (id: string, rank = 0, more: object = {}) => ({ id, rank, item: { id, ...more } });

const all = (key: string): ExportNames => ({ key, scope: key });

const at = (found: number): ExportCheckpoint => ({
  lanes: { all: { found } },
  parts: 0,
});

const MARK = { begunAtMs: 3, newestMs: 5, counts: { a: 2 } };

const idsOf = async (items: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> =>
  (await Array.fromAsync(items)).map(({ id }) => id);

it("keeps each item once, as it was read last, in the order of sort keys and of reading", async () => {
  const job = await createExportStaging(await openTestJournal()).open(all("products"), HOUR_MS);

  expect(await job.save([item("c", 9), item("a", 1), item("b", 1)], () => at(1))).toBe(3);
  expect(await job.save([item("a", 1, { title: "yeni" }), item("d", 5)], () => at(2))).toBe(1);

  expect(await Array.fromAsync(job.items({ isNotYetWritten: false }))).toEqual([
    { id: "a", title: "yeni" },
    { id: "b" },
    { id: "d" },
    { id: "c" },
  ]);
  expect([await job.count(), await job.readCheckpoint()]).toEqual([4, at(2)]);
});

it("resumes where another process stopped, and not when that is too old", async () => {
  const store = await openTestJournal();
  const job = await createExportStaging(store).open(all("products"), HOUR_MS);
  await job.save([item("a")], () => at(7));
  const { path, clock } = store;
  const elsewhere = createExportStaging(await openTestJournal({ path, clock, runs: [] }));

  const resumed = await elsewhere.open(all("products"), HOUR_MS);
  expect(await resumed.readCheckpoint()).toEqual(at(7));
  const other = await elsewhere.open(all("comments"), HOUR_MS);
  expect(await other.readCheckpoint()).toBeUndefined();
  await clock.advance(HOUR_MS);
  const fresh = await elsewhere.open(all("products"), HOUR_MS);

  expect([await fresh.count(), await fresh.readCheckpoint()]).toEqual([0, undefined]);
  await expect(job.save([item("b")], () => at(8))).rejects.toThrow();
});

it("remembers what a finished export wrote, for its own key and store only", async () => {
  const store = await openTestJournal();
  const staging = createExportStaging(store);
  const first = await staging.open(all("comments"), HOUR_MS);
  await first.save([item("a"), item("b")], () => at(0));
  await first.finish(MARK);

  const next = await staging.open({ key: "comments since", scope: "comments" }, HOUR_MS);
  await next.save([item("b"), item("c")], () => at(0));

  expect(await staging.readMark("comments")).toEqual(MARK);
  expect(await idsOf(next.items({ isNotYetWritten: true }))).toEqual(["c"]);
  expect(await idsOf(next.items({ isNotYetWritten: false }))).toEqual(["b", "c"]);
  expect([await next.count(), await next.countNotYetWritten()]).toEqual([2, 1]);
  expect([...(await next.readSeen(["a", "c"]))]).toEqual(["a"]);
  const other = createExportStaging({ ...store, store: OTHER_STORE });
  expect(await other.readMark("comments")).toBeUndefined();
  const otherJob = await other.open(all("comments"), HOUR_MS);
  expect([...(await otherJob.readSeen(["a"]))]).toEqual([]);
});

it("keeps neither items nor marks of a discarded export", async () => {
  const staging = createExportStaging(await openTestJournal());
  const job = await staging.open(all("orders"), HOUR_MS);
  await job.save([item("a")], () => at(1));

  await job.discard();

  const again = await staging.open(all("orders"), HOUR_MS);
  expect(await again.count()).toBe(0);
  expect(await staging.readMark("orders")).toBeUndefined();
});

it.each([0, 199, 200, 201, 650])("returns %i items in order", async (count) => {
  const job = await createExportStaging(await openTestJournal()).open(all("products"), HOUR_MS);
  const items = Array.from({ length: count }, (_, index) => ({
    id: `${index}`,
    rank: index % 7,
  }));

  await job.save(
    items.map(({ id, rank }) => item(id, rank, { rank })),
    () => at(0),
  );

  expect(await Array.fromAsync(job.items({ isNotYetWritten: false }))).toEqual(
    items.toSorted((a, b) => a.rank - b.rank),
  );
});
