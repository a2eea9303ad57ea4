import { join } from "node:path";

import { expect, it } from "vitest";

import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";

const withStock = (line: FeedLine, more: number): FeedLine => ({
  ...line,
  stock: line.stock + more,
});

it("the sync, the history and the run count the rows of a feed alike", async () => {
  const shop = await openTestStore({ products: 30 });
  const [first, second, ...same] = readStore(shop.sandbox);
  if (first === undefined || second === undefined) throw new Error("few");
  const changed = [withStock(first, 3), withStock(second, 4)];
  const unknown = { code: "YOK-1", stock: 4, priceMinor: 1000 };
  const feed = writeFeed(join(shop.folder, "stok.csv"), [...changed, ...same, unknown]);

  const json = (await shop.run("sync", feed, "--json", "--price-unit", "minor")).out;
  const synced = JSON.parse(json);
  const shown = await shop.run("runs", synced.run, "--lang", "en");
  const listed = await shop.run("runs", "--lang", "en");
  const summary = JSON.parse((await shop.run("runs", synced.run, "--json")).out);

  expect(synced.counts).toMatchObject({ rows: 31, updated: 2, unchanged: 28, invalid: 1 });
  expect(shown.out).toContain("31 rows, 3 of them kept: what was sent, held or wrong");
  expect(shown.out).toMatch(/^Result +2 updated, 28 unchanged, 1 invalid$/mu);
  expect(listed.out).toContain("sync: 31 rows, 2 updated, 28 unchanged, 1 invalid");
  expect(summary.counts).toMatchObject({ rows: 3, unchanged: 0 });
  expect(summary.file_counts).toEqual(synced.counts);
}, 60_000);
