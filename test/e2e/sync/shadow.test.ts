import { readFileSync, utimesSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { type FeedLine, formatFeed, readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { openStore } from "../../helpers/note-schedule.ts";
import { writeText } from "../../helpers/product-sheet.ts";
import { readTable } from "../../helpers/read-table.ts";

const CRON = ["--cron", "0 3 1 * *"] as const;

const withStock = (lines: readonly FeedLine[], count: number, more = 3): readonly FeedLine[] =>
  lines.map((line, index) => (index < count ? { ...line, stock: line.stock + more } : line));

const withHighPrice = (lines: readonly FeedLine[], at: number): readonly FeedLine[] => {
  const { code = "", stock = 0, priceMinor = 0 } = lines[at] ?? {};
  return lines.with(at, { code, stock, priceMinor: priceMinor * 10 });
};

const countUpdates = ({ sandbox }: TestStore): number =>
  sandbox.stats().byEndpoint["product.update"] ?? 0;

/** A feed of a store with 60 products whose unit of prices is known, and the store's lines. */
async function openFeed(): Promise<{
  readonly shop: TestStore;
  readonly feed: string;
  readonly lines: readonly FeedLine[];
}> {
  const shop = await openTestStore({ products: 60 });
  const lines = readStore(shop.sandbox);
  const feed = writeFeed(join(shop.folder, "stok.csv"), lines);
  return { shop, feed, lines };
}

describe("catalog schedule history", () => {
  it("lists the syncs of a feed with times, counts, freshness, and why one was refused", async () => {
    const { shop, feed, lines } = await openFeed();
    await shop.json("schedule", "add", feed, ...CRON, "--price-unit", "minor");
    const earlier = new Date(Date.now() - 3_600_000);
    utimesSync(feed, earlier, earlier);
    await shop.json("schedule", "run", "stok.csv");
    writeFeed(feed, withStock(lines, 4));
    const written = new Date(Date.now() - 600_000);
    utimesSync(feed, written, written);
    await shop.json("schedule", "run", "stok.csv", "--dry-run");
    await shop.json("schedule", "run", "stok.csv");
    writeFeed(feed, lines.slice(0, 10));
    await shop.json("schedule", "run", "stok.csv");

    const { syncs, more } = await shop.json("schedule", "history", "stok.csv");
    const text = await shop.run("schedule", "history", feed, "--lang", "en");

    expect(more).toBe(false);
    expect(syncs).toMatchObject([
      {
        kind: "refused",
        exit: 3,
        counts: null,
        error: { code: "E_FEED_FEW_ROWS", message: expect.stringContaining("10 / 60") },
      },
      { kind: "sync", exit: 0, counts: { rows: 60, updated: 4, unchanged: 56 }, error: null },
      { kind: "dry-run", exit: 0, counts: { rows: 60, pending: 4, updated: 0 } },
      { kind: "sync", exit: 0, counts: { rows: 60, unchanged: 60 } },
    ]);
    expect(syncs[1].age_seconds).toBeGreaterThanOrEqual(600);
    expect(syncs[1].age_seconds).toBeLessThan(700);
    expect(syncs[1].data_at).toBe(written.toISOString());
    expect(Date.parse(syncs[1].ended_at)).toBeGreaterThanOrEqual(Date.parse(syncs[1].began_at));
    expect(text.out).toMatch(/Refused: .*10 \/ 60.* \(.*exit code 3; r-/su);
    expect(text.out).toMatch(/60 rows: 4 updated, 56 unchanged\. \(feed 1[01] min old;/u);
  });

  it("names downloads that failed, and counts syncs that found the feed unchanged", async () => {
    const { shop, lines } = await openFeed();
    const body = formatFeed(lines);
    let isDown = false;
    const server = createServer((request, response) => {
      if (isDown) return response.writeHead(404).end();
      if (request.headers["if-none-match"] === '"v1"') return response.writeHead(304).end();
      return response.writeHead(200, { etag: '"v1"' }).end(body);
    });
    onTestFinished(async () => {
      await new Promise((resolve) => server.close(resolve));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = Object(server.address());
    const address = `http://127.0.0.1:${port}/stok.csv?key=gizli`;
    const host = ["--allow-host", `127.0.0.1:${port}`];
    await shop.json("schedule", "add", address, ...CRON, ...host, "--price-unit", "minor");

    for (let sync = 0; sync < 4; sync += 1) await shop.json("schedule", "run", "stok.csv");
    isDown = true;
    await shop.json("schedule", "run", "stok.csv");
    isDown = false;
    await shop.json("schedule", "run", "stok.csv");
    const { syncs, feed } = await shop.json("schedule", "history", "stok.csv");
    const text = await shop.run("schedule", "history", "stok.csv", "--lang", "tr");

    expect(syncs.map((sync: Record<string, unknown>) => [sync["kind"], sync["times"]])).toEqual([
      ["unchanged", 1],
      ["refused", 1],
      ["unchanged", 3],
      ["sync", 1],
    ]);
    expect(syncs[1].error.code).toBe("E_FEED_ADDRESS");
    expect(feed).toBe(`http://127.0.0.1:${port}/stok.csv`);
    expect(text.out).toContain("Besleme değişmemişti, 3 eşitlemede.");
    expect(text.out + JSON.stringify(syncs)).not.toContain("gizli");
  });
});

describe("a schedule in shadow", () => {
  it("sends nothing, sees the same plan again without storing its rows twice, and is named so", async () => {
    const { shop, feed, lines } = await openFeed();
    await shop.json("sync", feed, "--price-unit", "minor");
    writeFeed(feed, withStock(lines, 4));
    const added = await shop.json("schedule", "add", feed, ...CRON, "--shadow");

    const first = await shop.json("schedule", "run", "stok.csv");
    const second = await shop.json("schedule", "run", "stok.csv");
    const { syncs } = await shop.json("schedule", "history", "stok.csv");
    const { schedules } = await shop.json("schedule", "list");
    const text = await shop.run("schedule", "list", "--lang", "tr");
    const runs = await shop.json("runs");

    expect(added.schedule.mode).toBe("shadow");
    for (const sync of [first, second]) {
      expect(sync).toMatchObject({
        state: "planned",
        exit: 0,
        dry_run: true,
        shadow: true,
        counts: { rows: 60, pending: 4, unchanged: 56 },
        planned: { update: 4 },
        changes: { rows: { stock_count: 4 } },
        files: { dir: null },
      });
    }
    expect(runs.runs.slice(0, 2)).toMatchObject([
      { run: second.run, counts: { rows: 0 }, file_counts: { rows: 60, pending: 4 } },
      { run: first.run, counts: { rows: 4 }, file_counts: { rows: 60, pending: 4 } },
    ]);
    expect(syncs.slice(0, 2)).toMatchObject([{ kind: "shadow" }, { kind: "shadow" }]);
    expect(schedules).toMatchObject([{ mode: "shadow", waiting_rows: 0, last: { exit: 0 } }]);
    expect(text.out).toContain("GÖLGEDE: hiçbir şey göndermiyor");
    expect(text.out).not.toContain("Sağlıklı");
    expect(countUpdates(shop)).toBe(0);
    expect(readFileSync(feed, "utf8")).toBe(formatFeed(withStock(lines, 4)));
  });
});

/** The bodies of the requests that a run plans or has sent, by product. */
async function readBodies(
  shop: TestStore,
  run: string,
  state: "ready" | "done",
): Promise<readonly (readonly [string | null, unknown])[]> {
  await using connection = await openStore(shop);
  const rows = await connection.feedJournal.readRows(run, { states: [state], limit: 500 });
  return rows
    .map(({ code, payload }) => [code, payload] as const)
    .toSorted(([a], [b]) => (a ?? "").localeCompare(b ?? "", "en"));
}

describe("catalog schedule shadow and live", () => {
  it("lists what would have changed, and going live sends exactly that", async () => {
    const { shop, feed, lines } = await openFeed();
    await shop.json("sync", feed, "--price-unit", "minor");
    const flags = ["--absent", "zero", "--shadow"];
    await shop.json("schedule", "add", feed, ...CRON, ...flags);
    const run = async (): Promise<Record<string, unknown>> =>
      await shop.json("schedule", "run", "stok.csv");
    // Two products leave the feed, one price rises too far, and four stocks change.
    const kept = withHighPrice(withStock(lines, 4), 5).slice(0, 58);
    const untried = await shop.json("schedule", "live", "stok.csv");
    writeFeed(feed, kept);
    await run();
    writeFeed(feed, withStock(kept, 1, 1));
    const last = await run();
    writeFeed(feed, kept.slice(0, 9));
    await run();
    writeFeed(feed, withStock(kept, 1, 1));

    const { days } = await shop.json("schedule", "shadow", "stok.csv");
    const text = await shop.run("schedule", "shadow", "stok.csv", "--out", "golge.xlsx");
    const unsent = countUpdates(shop);
    const unasked = await shop.run("schedule", "live", "stok.csv", "--lang", "en");
    const live = await shop.json("schedule", "live", "stok.csv", "--yes");
    const sent = await run();
    const again = await run();
    const twice = await shop.json("schedule", "live", "stok.csv");

    expect([untried.exit, untried.error.code]).toEqual([3, "E_SCHEDULE_UNTRIED"]);
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining("Add --yes")]);
    expect(days).toHaveLength(1);
    expect(days[0]).toMatchObject({ syncs: 3, updated: 6, held: 1, wrong: 0 });
    expect(days[0].refused).toMatchObject([{ code: "E_FEED_FEW_ROWS" }]);
    expect(days[0].changes).toContainEqual(
      expect.objectContaining({ code: lines[5]?.code, field: "price", held: true, syncs: 2 }),
    );
    expect(days[0].changes).toContainEqual(
      expect.objectContaining({ code: lines[59]?.code, field: "stock_count", new: 0, syncs: 1 }),
    );
    expect(text.out).toContain("BEKLETİLİRDİ");
    const { rows } = await readTable(join(shop.folder, "golge.xlsx"), "Değişiklikler");
    expect(rows).toHaveLength(days[0].changes.length);
    expect(unsent).toBe(0);
    expect(live).toMatchObject({ action: "live", plan: { run: last["run"], updated: 6, held: 1 } });
    expect(live.schedule).toMatchObject({ mode: "live" });
    expect(sent).toMatchObject({ state: "finished", counts: { updated: 6, held: 1 } });
    const [planned, done] = [
      await readBodies(shop, String(last["run"]), "ready"),
      await readBodies(shop, String(sent["run"]), "done"),
    ];
    expect(planned).toHaveLength(6);
    expect(done).toEqual(planned);
    expect(countUpdates(shop)).toBe(6);
    expect(again).toMatchObject({ counts: { updated: 0 } });
    expect(twice.error.code).toBe("E_SCHEDULE_LIVE");
  });

  it("shows no plan of other price rules than those of now", async () => {
    const shop = await openTestStore({ products: 2 });
    const feed = writeFeed(join(shop.folder, "stok.csv"), readStore(shop.sandbox));
    const saveMarkup = async (markup: number): Promise<void> => {
      const lines = ["No;Kâr ekle %", `1;${markup}`];
      const rules = writeText(shop.folder, "kurallar.csv", lines);
      await shop.json("rules", "price", "import", rules);
    };
    await saveMarkup(10);
    await shop.json("schedule", "add", feed, ...CRON, "--price-unit", "minor", "--shadow");
    await shop.json("schedule", "run", "stok.csv");
    await saveMarkup(20);

    const refused = await shop.json("schedule", "live", "stok.csv");
    const live = await shop.json("schedule", "live", "stok.csv", "--yes");

    expect(refused.error.code).toBe("E_SCHEDULE_UNTRIED");
    expect(live).toMatchObject({ exit: 0, plan: null });
  });
});
