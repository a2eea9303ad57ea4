import { join } from "node:path";

import { expect, it } from "vitest";

import { readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";

it("a sync that ignores unknown codes does not advise to ignore them", async () => {
  const shop = await openTestStore({ products: 30 });
  const [first, ...lines] = readStore(shop.sandbox);
  if (first === undefined) throw new Error("few");
  const fallen = { ...first, priceMinor: Math.round(first.priceMinor / 4) };
  const unknown = { code: "YOK-1", stock: 4, priceMinor: 1000 };
  const feed = writeFeed(join(shop.folder, "stok.csv"), [fallen, ...lines, unknown]);
  const sync = ["sync", feed, "--lang", "en", "--price-unit", "minor"];

  const told = await shop.run(...sync);
  const ignored = await shop.run(...sync, "--ignore-unknown-codes");

  expect([told.code, ignored.code]).toEqual([5, 5]);
  expect(told.err).toContain("--ignore-unknown-codes");
  expect(ignored.err).toContain("YOK-1");
  expect(ignored.err).not.toContain("--ignore-unknown-codes");
}, 60_000);
