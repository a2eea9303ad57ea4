import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { addMissedSchedule, openStore } from "../../helpers/note-schedule.ts";
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
    expect(tr.out).toMatch(/Zamanlanmış eşitleme yok.*Eşitleme.*catalog schedule add BESLEME/su);
    expect(en.out).toMatch(/No sync is scheduled.*under Sync.*catalog schedule add FEED/su);
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
    expect(json.out).toContain('"healthy":false');
    expect(out).not.toContain("gizli-anahtar");
    expect(out.split("\n").slice(0, 4)).toEqual([
      "https://erp.example.com/stok.csv  (012345)",
      `    Store: ${shop.sandbox.storeId}`,
      "    When: Own pattern: 0 3 1 * * (Europe/Istanbul), run by the page or a worker",
      "    Last sync: none yet",
    ]);
    expect(out).toContain("no program is running that starts it: catalog worker");
    expect(out).toContain("Not running: no program starts it");
    expect(schedules).toEqual([
      {
        id,
        feed: "https://erp.example.com/stok.csv",
        store: { base_url: shop.sandbox.baseUrl, store_id: shop.sandbox.storeId, name: null },
        cron: "0 3 1 * *",
        time_zone: "Europe/Istanbul",
        made_by: "page",
        owner: null,
        mode: "live",
        state: "active",
        served: false,
        next: expect.stringMatching(/T00:00:00.000Z$/u),
        last: null,
        waiting_rows: 0,
        healthy: false,
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

const CRON = ["--cron", "0 3 1 * *"] as const;

describe("catalog schedule", () => {
  it("adds a schedule with the options of a sync, which a worker then runs", async () => {
    const shop = await openTestStore({ products: 5 });
    const lines = readStore(shop.sandbox);
    writeFeed(
      join(shop.folder, "stok.csv"),
      lines.map((line) => ({ ...line, stock: line.stock + 1 })),
    );
    const cron = ["--cron", "* * * * *", "--time-zone", "Europe/Berlin"];

    const added = await shop.json("schedule", "add", "stok.csv", ...cron, "--price-unit", "minor");
    const again = await shop.json("schedule", "add", join(shop.folder, "stok.csv"), ...CRON);
    const { id } = added.schedule;
    await makeDue(shop, id);
    const worker = shop.start("worker", "--json");
    onTestFinished(() => void worker.child.kill("SIGKILL"));
    let events = "";
    worker.child.stdout?.on("data", (chunk) => (events += String(chunk)));
    await waitUntil(() => events.includes('"event":"ended"'));
    worker.child.kill("SIGTERM");
    await worker.finished;

    expect(added).toMatchObject({
      action: "add",
      exit: 0,
      schedule: {
        feed: join(shop.folder, "stok.csv"),
        cron: "* * * * *",
        time_zone: "Europe/Berlin",
        state: "active",
        served: false,
        healthy: false,
      },
    });
    expect([again.exit, again.error.code]).toEqual([3, "E_SCHEDULE_KNOWN"]);
    expect(events).toMatch(/"event":"ended".*"exit":0/u);
    expect(readStore(shop.sandbox).map(({ stock }) => stock)).toEqual(
      lines.map(({ stock }) => stock + 1),
    );
  });

  it.each([
    [["add"], /Hangi besleme/u],
    [["add", "stok.csv", "--cron", "61 * * * *"], /cron deseni değil/u],
    [["add", "stok.csv", "--cron", "* * * * * *"], /cron deseni değil/u],
    [["add", "stok.csv", ...CRON, "--time-zone", "Ay"], /saat dilimi değil/u],
    [["add", "stok.csv", ...CRON, "--map", "Kalan"], /--map "Kalan" anlaşılamadı/u],
    [["add", "stok.csv", ...CRON, "--max-age", "çok"], /--max-age "çok" anlaşılamadı/u],
    [["add", "stok.csv", ...CRON, "--notify", "http://a.example"], /--notify/u],
    [["add", "stok.csv", ...CRON, "--dry-run"], /--dry-run “schedule add” ile verilmez/u],
    [["live", "stok.csv", "--days", "3"], /--days “schedule live” ile verilmez/u],
    [["pause"], /Hangi zamanlama/u],
    [["pause", "stok.csv", ...CRON], /--cron “schedule pause” ile verilmez/u],
    [["list", "stok.csv"], /list bir zamanlama adı almaz/u],
  ])("refuses %j, and stores nothing", async (words, complaint) => {
    const shop = await openTestStore({ products: 1 });
    writeFeed(join(shop.folder, "stok.csv"), readStore(shop.sandbox));

    const { code, err } = await shop.run("schedule", ...words, "--lang", "tr");
    const { schedules } = await listJson(shop);

    expect([code, schedules]).toEqual([2, []]);
    expect(err).toMatch(complaint);
  });

  it("is added every 30 minutes, spread, where no times are given", async () => {
    const shop = await openTestStore({ products: 1 });
    const add = async (name: string, ...flags: string[]) => {
      writeFeed(join(shop.folder, name), readStore(shop.sandbox));
      return await shop.run("schedule", "add", name, ...flags, "--lang", "en");
    };

    const added = await add("stok.csv");
    const exact = await add("fiyat.csv", "--cron", "*/30 * * * *");
    await using connection = await openStore(shop);
    const stored = await connection.memory.schedules.list();

    expect([added.code, exact.code]).toEqual([0, 0]);
    expect(added.out).toContain("Every 30 minutes, as no --cron was given");
    expect(exact.out).not.toContain("no --cron was given");
    expect(stored.map(({ cron, isSpread }) => [cron, isSpread])).toEqual([
      ["*/30 * * * *", true],
      ["*/30 * * * *", false],
    ]);
  });

  it("pauses, goes on with and removes a schedule, named by its id or its feed", async () => {
    const shop = await openTestStore({ products: 2 });
    for (const name of ["stok.csv", "stok-2.csv", "fiyat.csv"]) {
      writeFeed(join(shop.folder, name), readStore(shop.sandbox));
    }
    const missing = await shop.json("schedule", "add", "yok.csv", ...CRON);
    const { schedule } = await shop.json("schedule", "add", "stok.csv", ...CRON);
    await shop.json("schedule", "add", "stok-2.csv", ...CRON);
    await shop.json("schedule", "add", "fiyat.csv", ...CRON);

    const paused = await shop.json("schedule", "pause", schedule.id.slice(0, 10));
    const resumed = await shop.json("schedule", "resume", "stok.csv");
    const several = await shop.json("schedule", "remove", "stok");
    const unknown = await shop.json("schedule", "remove", "satis.csv");
    const removed = await shop.run("schedule", "remove", "fiyat", "--lang", "en");
    const { schedules } = await listJson(shop);

    expect([missing.exit, missing.error.code]).toEqual([3, "E_FEED_MISSING"]);
    expect(paused.schedule).toMatchObject({ id: schedule.id, state: "paused", next: null });
    expect(resumed.schedule).toMatchObject({ id: schedule.id, state: "active" });
    expect([several.error.code, unknown.error.code]).toEqual([
      "E_SCHEDULE_SEVERAL",
      "E_SCHEDULE_UNKNOWN",
    ]);
    expect(several.error.message).toContain("stok-2.csv");
    expect(removed.out).toMatch(/^Removed: .*fiyat\.csv\n$/u);
    expect(schedules).toHaveLength(2);
  });

  it("keeps to the minutes of a pattern, from the moment it was added", async () => {
    const shop = await openTestStore({ products: 5 });
    writeFeed(join(shop.folder, "stok.csv"), readStore(shop.sandbox));
    const beganMs = Date.now();

    const every = ["--cron", "*/15 * * * *", "--price-unit", "minor"];
    const { schedule } = await shop.json("schedule", "add", "stok.csv", ...every);
    const text = await shop.run("schedule", "list", "--lang", "en");
    await using connection = await openStore(shop);
    const stored = await connection.memory.schedules.read(schedule.id);

    const quarterMs = 15 * 60_000;
    expect(Date.parse(schedule.next) % quarterMs).toBe(0);
    // The first time counts although no program is there yet that starts it.
    expect(stored?.progress).toEqual({ dueMs: expect.any(Number), state: "done" });
    expect(stored?.progress?.dueMs).toBeGreaterThanOrEqual(beganMs);
    expect(Date.parse(schedule.next)).toBe(
      (Math.floor((stored?.progress?.dueMs ?? 0) / quarterMs) + 1) * quarterMs,
    );
    expect(text.out).not.toContain("Healthy");
  });

  it("runs one now with its own options, and stores what the sync came to", async () => {
    const shop = await openTestStore({ products: 40 });
    const lines = readStore(shop.sandbox);
    const feed = writeFeed(join(shop.folder, "stok.csv"), lines);
    await shop.json("schedule", "add", feed, ...CRON, "--price-unit", "minor");
    const first = await shop.json("schedule", "run", "stok.csv");
    const [healthy] = (await shop.json("schedule", "list")).schedules;
    writeFeed(
      feed,
      lines.map((line, index) => (index === 0 ? { ...line, stock: 7777 } : line)),
    );

    const tried = await shop.json("schedule", "run", "stok.csv", "--dry-run");
    const [untouched] = (await shop.json("schedule", "list")).schedules;
    const sent = await shop.json("schedule", "run", "stok.csv");
    writeFeed(feed, lines.slice(0, 10));
    const refused = await shop.json("schedule", "run", "stok.csv");
    const [last] = (await shop.json("schedule", "list")).schedules;
    const text = await shop.run("schedule", "list", "--lang", "tr");

    expect(first).toMatchObject({ command: "sync", exit: 0, counts: { unchanged: 40 } });
    expect(healthy.last).toMatchObject({ exit: 0, run: first.run });
    expect(tried).toMatchObject({ exit: 0, dry_run: true, counts: { pending: 1 } });
    expect(untouched.last).toEqual(healthy.last);
    expect(sent).toMatchObject({ exit: 0, counts: { updated: 1 } });
    expect(refused.exit).toBe(3);
    expect((await shop.run("schedule", "run", "stok.csv", "--allow", "few-rows")).out).toMatch(
      /catalog runs r-/u,
    );
    expect(text.out).not.toContain("Sağlıklı");
    expect(last).toMatchObject({
      last: { exit: 3, code: "E_FEED_FEW_ROWS", run: null },
      failures_in_row: 1,
      last_success: expect.any(String),
    });
  });
});

/** Makes a schedule due, as if a time had been missed. */
async function makeDue(shop: TestStore, id: string): Promise<void> {
  await using connection = await openStore(shop);
  const progress = { dueMs: Date.now() - 86_400_000, state: "done" } as const;
  await connection.memory.schedules.update(id, { progress });
}
