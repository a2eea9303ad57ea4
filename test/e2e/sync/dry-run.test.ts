import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { type FeedLine, formatFeed, readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";

/** A store whose unit of prices is known, its feed, and the lines that it has already taken. */
async function openSynced(): Promise<{
  readonly shop: TestStore;
  readonly feed: string;
  readonly lines: readonly FeedLine[];
}> {
  const shop = await openTestStore({ products: 60 });
  const lines = readStore(shop.sandbox);
  const feed = writeFeed(join(shop.folder, "stok.csv"), lines);
  const { code } = await shop.run("sync", feed, "--json", "--price-unit", "minor");
  expect(code).toBe(0);
  return { shop, feed, lines };
}

/** Eight stocks that change, and one price that a guard holds. */
const change = (lines: readonly FeedLine[]): readonly FeedLine[] =>
  lines.map((line, index) => {
    if (index < 8) return { ...line, stock: line.stock + 3 };
    return index === 8 ? { ...line, priceMinor: line.priceMinor * 10 } : line;
  });

const countUpdates = ({ sandbox }: TestStore): number =>
  sandbox.stats().byEndpoint["product.update"] ?? 0;

describe("catalog sync --dry-run", () => {
  it("shows what the sync then sends, sends nothing, and leaves the sync as it was", async () => {
    const { shop, feed, lines } = await openSynced();
    writeFeed(feed, change(lines));

    const tried = await shop.json("sync", feed, "--dry-run");
    const before = countUpdates(shop);
    const sent = await shop.json("sync", feed);

    expect(tried).toMatchObject({
      state: "planned",
      exit: 5,
      dry_run: true,
      counts: { rows: 60, pending: 8, unchanged: 51, held: 1, updated: 0 },
      planned: { update: 8, held: 1 },
      requests: { write: 0 },
      changes: { rows: { stock_count: 8, price: 1 } },
      files: { held: null },
    });
    expect(readdirSync(tried.files.dir)).toEqual(["plan.xlsx"]);
    expect(before).toBe(0);
    expect(sent).toMatchObject({ exit: 5, counts: { updated: 8, unchanged: 51, held: 1 } });
    expect(countUpdates(shop)).toBe(8);
    expect(sent.planned).toMatchObject({ ...tried.planned, requests: expect.anything() });
  });

  it("is read like any run, and no command sends or releases a row of it", async () => {
    const { shop, feed, lines } = await openSynced();
    writeFeed(feed, change(lines));
    const { run } = await shop.json("sync", feed, "--dry-run");

    const shown = await shop.json("runs", run);
    const listed = await shop.run("runs", "--lang", "en");
    const waiting = await shop.json("release", "--waiting");
    const tries = [
      await shop.json("apply", run, "--yes"),
      await shop.json("resume", run, "--yes"),
      await shop.json("release", run, "--yes", "--resend"),
    ];
    const retried = await shop.json("retry", run, "--yes");
    const undone = await shop.json("undo", run, "--yes");
    const unsent = countUpdates(shop);
    const sent = await shop.json("sync", feed);
    const after = await shop.json("runs", run);
    const explained = await shop.json("explain", run, "10");

    expect(shown).toMatchObject({ state: "planned", exit: 5, dry_run: true });
    expect(listed.out).toMatch(/dry run +stok\.csv\n +sync: 60 rows, 8 to update, .*1 to be held/u);
    expect(waiting.rows).toBe(0);
    expect(explained.exit).toBe(0);
    expect(tries.map(({ exit, error }) => [exit, error.code])).toEqual(
      Array.from({ length: 3 }, () => [2, "E_RUN_DRY"]),
    );
    expect([retried.exit, undone.exit, unsent]).toEqual([0, 0, 0]);
    expect(sent).toMatchObject({ counts: { updated: 8, held: 1 } });
    expect(after).toMatchObject({ state: "planned", counts: shown.counts, dry_run: true });
  });

  it("leaves a release alone, which the next sync sends", async () => {
    const { shop, feed, lines } = await openSynced();
    writeFeed(feed, change(lines));
    const { run } = await shop.json("sync", feed);
    await shop.json("release", run, "--resend", "--yes");

    const tried = await shop.json("sync", feed, "--dry-run");
    const sent = await shop.json("sync", feed);

    expect(tried).toMatchObject({ exit: 0, counts: { pending: 1, held: 0 }, released: 1 });
    expect(sent).toMatchObject({ exit: 0, counts: { updated: 1, held: 0 }, released: 1 });
  });

  it("refuses what the sync refuses, with its exit code, and remembers no ETag", async () => {
    const { shop, lines } = await openSynced();
    const asked: (string | undefined)[] = [];
    let body = formatFeed(change(lines));
    const server = createServer((request, response) => {
      asked.push(request.headers["if-none-match"]);
      response.writeHead(200, { etag: '"v1"' }).end(body);
    });
    onTestFinished(async () => {
      await new Promise((resolve) => server.close(resolve));
    });
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      }),
    );
    const sync = [`http://127.0.0.1:${port}/stok.csv`, "--allow-host", `127.0.0.1:${port}`];

    const tried = await shop.json("sync", ...sync, "--dry-run");
    const sent = await shop.json("sync", ...sync);
    body = formatFeed(lines.slice(0, 20));
    const refused = await shop.json("sync", ...sync, "--dry-run");
    const [listed] = (await shop.json("runs", "--limit", "1")).runs;

    expect([tried.counts.pending, sent.counts.updated]).toEqual([8, 8]);
    expect(asked).toEqual([undefined, undefined, undefined]);
    expect([refused.exit, refused.error.code]).toEqual([3, "E_FEED_FEW_ROWS"]);
    expect(listed).toMatchObject({ state: "stopped", exit: 3, dry_run: true });
  });

  it("writes no file of held rows and nothing to the folder of the sync", async () => {
    const { shop, feed, lines } = await openSynced();
    writeFeed(feed, change(lines));
    const dir = join(shop.folder, "sonuc");

    const shown = await shop.run("sync", feed, "--dry-run", "--report", dir, "--lang", "tr");
    const every = await shop.run("sync", feed, "--dry-run", "--every", "* * * * *");

    expect(shown.out).toContain("8 güncellenecek, 51 değişmeyecek, 1 bekletilecek.");
    expect(shown.err).toContain("Hiçbir şey gönderilmedi");
    expect(existsSync(join(dir, "held.xlsx"))).toBe(false);
    expect(existsSync(join(dir, "plan.xlsx"))).toBe(true);
    expect(every.code).toBe(2);
  });
});
