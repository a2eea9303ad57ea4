import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { addMissedSchedule } from "../../helpers/note-schedule.ts";
import { waitUntil } from "../../helpers/wait-until.ts";

/** A feed whose prices rise so far that all of them are held. */
function writeHighPrices({ sandbox, folder }: TestStore): string {
  const lines = readStore(sandbox).map(({ code, stock, priceMinor }) => ({
    code,
    stock,
    priceMinor: priceMinor * 4,
  }));
  return writeFeed(join(folder, "stok.csv"), lines);
}

const listJson = async ({ run }: TestStore): Promise<Record<string, unknown>> =>
  JSON.parse((await run("schedule", "list", "--json")).out);

describe("catalog schedule list", () => {
  it("says how to add a schedule where there is none", async () => {
    const shop = await openTestStore();

    const tr = await shop.run("schedule", "list", "--lang", "tr");
    const en = await shop.run("schedule", "--lang", "en");

    expect([tr.code, en.code]).toEqual([0, 0]);
    expect(tr.out).toMatch(/Zamanlanmış eşitleme yok.*Eşitleme.*catalog sync BESLEME --every/su);
    expect(en.out).toMatch(/No sync is scheduled.*under Sync.*catalog sync FEED --every/su);
    expect(await listJson(shop)).toEqual({ command: "schedule", exit: 0, schedules: [] });
  });

  it("lists a schedule of the page before its first sync, without the key of its address", async () => {
    const shop = await openTestStore({ products: 3 });
    const id = await addMissedSchedule(
      shop,
      "https://erp.example.com/stok.csv?token=gizli-anahtar",
    );

    const { code, out } = await shop.run("schedule", "list", "--lang", "en");
    const json = await shop.run("schedule", "list", "--json");
    const { schedules } = JSON.parse(json.out);

    expect(code).toBe(0);
    // The health checks of docs/deploy search the text for it.
    expect(json.out).toContain('"healthy":true');
    expect(out).not.toContain("gizli-anahtar");
    expect(out.split("\n").slice(0, 4)).toEqual([
      "https://erp.example.com/stok.csv",
      `    Store: ${shop.sandbox.storeId}`,
      "    When: Own pattern: 0 3 1 * * (Europe/Istanbul), added on the page",
      "    Last sync: none yet",
    ]);
    expect(out).toContain("no program is running that starts it: catalog worker");
    expect(schedules).toEqual([
      {
        id,
        feed: "https://erp.example.com/stok.csv",
        store: { base_url: shop.sandbox.baseUrl, store_id: shop.sandbox.storeId },
        cron: "0 3 1 * *",
        time_zone: "Europe/Istanbul",
        made_by: "page",
        state: "active",
        served: false,
        next: expect.stringMatching(/T00:00:00.000Z$/u),
        last: null,
        waiting_rows: 0,
        healthy: true,
        unhealthy_at: expect.stringMatching(/Z$/u),
        last_success: null,
        failures_in_row: 0,
      },
    ]);
  });

  it("says whether the command that made a schedule still runs it", async () => {
    const shop = await openTestStore({ products: 5 });
    const feed = writeHighPrices(shop);
    const every = ["--every", "0 3 1 * *", "--unhealthy-after", "3h"];
    const startedMs = Date.now();
    const started = shop.start("sync", feed, ...every, "--json");
    onTestFinished(() => void started.child.kill("SIGKILL"));
    let listed: unknown;
    await waitUntil(async () => {
      const { schedules } = await listJson(shop);
      [listed] = Array.isArray(schedules) ? schedules : [];
      return listed !== undefined;
    });
    started.child.kill("SIGTERM");
    await started.finished;

    const after = await listJson(shop);
    const text = (await shop.run("schedule", "list", "--lang", "tr")).out;

    const unhealthyMs = Date.parse(String(Object(listed).unhealthy_at));
    expect(listed).toMatchObject({ feed, made_by: "command", served: true, last: null });
    // The time that the command was given, by which its health file goes as well.
    expect(Math.floor((unhealthyMs - startedMs) / 3_600_000)).toBe(3);
    expect(after).toMatchObject({ schedules: [{ feed, served: false }] });
    expect(text).toContain("bunu çalıştıran komut kapalı: catalog sync … --every");
  });

  it("shows what the last sync came to, and the rows that wait", async () => {
    const shop = await openTestStore({ products: 5 });
    const id = await addMissedSchedule(shop, writeHighPrices(shop));
    const worker = shop.start("worker", "--json");
    onTestFinished(() => void worker.child.kill("SIGKILL"));
    let events = "";
    worker.child.stdout?.on("data", (chunk) => (events += String(chunk)));
    await waitUntil(() => events.includes('"event":"ended"'));
    const listed = await listJson(shop);
    worker.child.kill("SIGTERM");
    await worker.finished;

    const { out } = await shop.run("schedule", "list", "--lang", "en");

    expect(listed).toMatchObject({
      schedules: [{ id, served: true, last: { exit: 5 }, waiting_rows: 5, healthy: true }],
    });
    expect(out).toContain("Rows waiting for a decision: 5 (catalog release --waiting)");
  });
});
