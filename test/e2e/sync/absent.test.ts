import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";

import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { openSellerPanel, PANEL_BREAKS } from "../../helpers/markets/seller-panel.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";

const addStock = (line: FeedLine, more: number): FeedLine => ({
  ...line,
  stock: line.stock + more,
});

/** Opens a store of which the feed has all products, on either database. */
async function openFed(
  products: number,
  database: "sqlite" | "postgres" = "sqlite",
): Promise<{
  readonly shop: TestStore;
  readonly feed: string;
  readonly lines: readonly FeedLine[];
}> {
  let shop = await openTestStore({ products, breaks: PANEL_BREAKS });
  if (database === "postgres") {
    const server = await createTestDatabase();
    onTestFinished(() => server[Symbol.asyncDispose]());
    shop = shop.at({ CATALOG_DATABASE_URL: server.url });
  }
  const lines = readStore(shop.sandbox).map((line) => addStock(line, 1));
  const feed = writeFeed(join(shop.folder, "stok.csv"), lines);
  const { exit } = await shop.json(
    "sync",
    feed,
    "--price-unit",
    "minor",
    "--absent",
    "zero",
    "--allow",
    "moved-values",
  );
  expect(exit).toBe(0);
  return { shop, feed, lines };
}

/** The feed without its last products; `round` makes its content another one. */
const without = (lines: readonly FeedLine[], lost: number, round = 0): readonly FeedLine[] =>
  lines.slice(0, lines.length - lost).map((line, at) => addStock(line, at === 0 ? round : 0));

const stocksOf = ({ sandbox }: TestStore): ReadonlyMap<string, number> =>
  new Map(readStore(sandbox).map(({ code, stock }) => [code, stock]));

describe.each(["sqlite", "postgres"] as const)("catalog sync --absent, on %s", (database) => {
  it.skipIf(database === "postgres" && !hasPostgres())(
    "sells products out that two versions of the feed lack, and restores them once they are back",
    async () => {
      const { shop, feed, lines } = await openFed(500, database);
      const sync = async (rows: readonly FeedLine[]) => {
        writeFeed(feed, rows);
        return await shop.json("sync", feed, "--absent", "zero");
      };
      const gone = lines.slice(400);

      const once = await sync(without(lines, 100, 1));
      // The same rows in another file.
      writeFileSync(feed, gzipSync(readFileSync(feed)));
      const same = await shop.json("sync", feed, "--absent", "zero");
      const afterOnce = stocksOf(shop);
      const twice = await sync(without(lines, 100, 2));
      const afterTwice = stocksOf(shop);
      const third = await sync(without(lines, 100, 3));
      const back = await sync(lines);

      expect(once).toMatchObject({ exit: 0, absent: { first: 100, emptied: 0 } });
      expect(same).toMatchObject({ exit: 0, absent: { first: 100, emptied: 0 } });
      expect(gone.map(({ code }) => afterOnce.get(code))).toEqual(gone.map(({ stock }) => stock));
      expect(twice).toMatchObject({
        exit: 0,
        absent: { first: 0, emptied: 100 },
        counts: { rows: 500, updated: 101, unchanged: 399 },
      });
      expect(gone.map(({ code }) => afterTwice.get(code))).toEqual(gone.map(() => 0));
      expect(third).toMatchObject({ exit: 0, absent: { emptied: 0 }, requests: { write: 1 } });
      expect(back.counts).toMatchObject({ rows: 500, updated: 101 });
      expect(stocksOf(shop)).toEqual(new Map(lines.map(({ code, stock }) => [code, stock])));
    },
  );
});

describe("catalog sync --absent", () => {
  it("counts no version that was refused, and no row that is wrong", async () => {
    const { shop, feed, lines } = await openFed(60);
    const [first] = lines;
    writeFeed(feed, without(lines, 40, 1));
    const refused = await shop.json("sync", feed, "--absent", "zero");
    writeFeed(feed, [
      ...without(lines, 2, 1),
      { code: lines[58]?.code ?? "", stock: -1, priceMinor: 1 },
    ]);
    const wrong = await shop.json("sync", feed, "--absent", "zero");
    writeFeed(feed, without(lines, 1, 2));
    const twice = await shop.json("sync", feed, "--absent", "zero");

    expect(first).toBeDefined();
    expect(refused).toMatchObject({ exit: 3, error: { code: "E_FEED_FEW_ROWS" } });
    expect(wrong.absent).toMatchObject({ first: 1, emptied: 0 });
    expect(twice.absent).toMatchObject({ first: 0, emptied: 1 });
    expect(stocksOf(shop).get(lines[58]?.code ?? "")).toBe(lines[58]?.stock);
  });

  it("holds many of them until they are allowed, and each where a person decides", async () => {
    const { shop, feed, lines } = await openFed(60);
    for (const round of [1, 2]) {
      writeFeed(feed, without(lines, 25, round));
      const { absent, exit } = await shop.json("sync", feed, "--absent", "zero");
      expect([exit, absent.held]).toEqual(round === 1 ? [0, 0] : [5, 25]);
    }
    const held = await shop.json("sync", feed, "--absent", "hold");
    const released = await shop.run(
      "release",
      held.run,
      "--rows",
      "Beslemede yok!1",
      "--resend",
      "--yes",
    );
    const next = await shop.json("sync", feed, "--absent", "hold");
    const allowed = await shop.json("sync", feed, "--absent", "zero", "--allow", "absent");

    expect(held.issues[0]).toMatchObject({ code: "W_FEED_ABSENT" });
    expect(released.code).toBe(0);
    expect(next).toMatchObject({ exit: 5, released: 1, absent: { emptied: 1, held: 24 } });
    expect(allowed.absent).toMatchObject({ emptied: 24, held: 0 });
    expect([...stocksOf(shop).values()].filter((stock) => stock === 0)).toHaveLength(25);
  });

  it("goes on after a kill, and counts the version once", async () => {
    const { shop, feed, lines } = await openFed(200);
    writeFeed(feed, without(lines, 50, 1));
    await shop.json("sync", feed, "--absent", "zero");
    writeFeed(feed, without(lines, 50, 2));
    const before = shop.sandbox.stats().updates;
    const { child, finished } = shop.start("sync", feed, "--absent", "zero");
    while (child.exitCode === null && shop.sandbox.stats().updates < before + 8) await pause(1);
    child.kill("SIGKILL");
    await finished;

    const next = await shop.json("sync", feed, "--absent", "zero");
    const last = await shop.json("sync", feed, "--absent", "zero");

    expect(next).toMatchObject({ exit: 0, absent: { first: 0, held: 0, restocked: 0 } });
    expect(lines.slice(150).map(({ code }) => stocksOf(shop).get(code))).toEqual(
      lines.slice(150).map(() => 0),
    );
    expect(shop.sandbox.stats().updates).toBe(before + 51);
    expect(last).toMatchObject({ exit: 0, absent: { emptied: 0 }, requests: { write: 0 } });
  });

  it("can be undone, and leaves a stock alone that came from elsewhere since", async () => {
    const { shop, feed, lines } = await openFed(60);
    let run = "";
    for (const round of [1, 2]) {
      writeFeed(feed, without(lines, 2, round));
      ({ run } = await shop.json("sync", feed, "--absent", "zero"));
    }
    const [undone, restocked] = [lines[58]?.code ?? "", lines[59]?.code ?? ""];

    await (await openSellerPanel(shop)).edit(restocked, { stock_count: 3 });
    const undo = await shop.json("undo", run, "--yes");
    writeFeed(feed, without(lines, 2, 3));
    const next = await shop.json("sync", feed, "--absent", "zero", "--reconcile", "0");

    expect(undo.counts).toMatchObject({ rows: 3, updated: 2 });
    expect(next).toMatchObject({ exit: 0, absent: { emptied: 0, restocked: 2 } });
    expect(stocksOf(shop).get(undone)).toBe(lines[58]?.stock);
    expect(stocksOf(shop).get(restocked)).toBe(3);
  });

  it("leaves a product alone that another feed of the store names", async () => {
    const { shop, feed, lines } = await openFed(60);
    const other = writeFeed(join(shop.folder, "ikinci.csv"), lines.slice(58, 59));
    await shop.json("sync", other);
    for (const round of [1, 2]) {
      writeFeed(feed, without(lines, 2, round));
      const { absent } = await shop.json("sync", feed, "--absent", "zero");
      expect(absent).toMatchObject(round === 1 ? { first: 2 } : { emptied: 1, elsewhere: 1 });
    }
    expect(stocksOf(shop).get(lines[58]?.code ?? "")).toBe(lines[58]?.stock);
  });
});
