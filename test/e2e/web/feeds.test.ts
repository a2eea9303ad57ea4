import { userInfo } from "node:os";
import { join } from "node:path";

import type {
  FeedOptions,
  FeedSampleView,
  FeedView,
  RunList,
  ScheduleView,
  TimesView,
} from "@catalog/web";
import { describe, expect, it, onTestFinished } from "vitest";

import { readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { addMissedSchedule, openStore } from "../../helpers/note-schedule.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, postBody } from "../../helpers/web/runs.ts";

const OPTIONS: FeedOptions = {
  sheet: "",
  decimal: "",
  priceUnit: "minor",
  maxAgeHours: 48,
  allowHost: "",
};
const DAILY = { cron: "30 9 * * *", timeZone: "Europe/Istanbul" };

/** A feed that changes the stock of every product. */
function writeChanges({ sandbox, folder }: TestStore): string {
  const lines = readStore(sandbox).map(({ code, stock, priceMinor }) => ({
    code,
    stock: stock + 1,
    priceMinor,
  }));
  return writeFeed(join(folder, "stok.csv"), lines);
}

type Feeds = readonly FeedView[];

const readFeeds = (session: WebSession): Promise<Feeds> => getBody<Feeds>(session, "/feeds");

const scheduleOf = (feeds: Feeds, at = 0): ScheduleView | null | undefined => feeds[at]?.schedule;

/** Waits until a feed of the list fits, and returns it. */
async function untilFeed(
  session: WebSession,
  fits: (feed: FeedView) => boolean,
): Promise<FeedView | undefined> {
  let found: FeedView | undefined;
  await waitUntil(async () => {
    found = (await readFeeds(session)).find(fits);
    return found !== undefined;
  });
  return found;
}

describe("feeds on the page", { timeout: 90_000 }, () => {
  it("checks, adds, syncs, changes, pauses and removes a feed", async () => {
    const store = await openTestStore({ products: 3 });
    const feed = writeChanges(store);
    const session = await (await openWeb(store)).openSession();

    const sample = await postBody<FeedSampleView>(session, "/feeds/check", {
      feed,
      options: OPTIONS,
    });
    const times = await postBody<TimesView>(session, "/feeds/times", DAILY);
    const added = await postBody<Feeds>(session, "/schedules", {
      ...DAILY,
      feed,
      options: OPTIONS,
    });
    const id = scheduleOf(added)?.id ?? "";
    const started = await postBody<Feeds>(session, `/schedules/${id}/run`, {});
    const twice = await session.call("POST", `/schedules/${id}/run`, {});
    const synced = await untilFeed(session, ({ schedule }) => schedule?.isRunning === false);
    const { runs } = await getBody<RunList>(session, "/runs");
    const changed = await session.call("PUT", `/schedules/${id}`, {
      cron: "*/15 * * * *",
      timeZone: "Europe/Istanbul",
      options: { ...OPTIONS, maxAgeHours: 0 },
    });
    const paused = await postBody<Feeds>(session, `/schedules/${id}/pause`, {});
    const resumed = await postBody<Feeds>(session, `/schedules/${id}/resume`, {});
    const removed = await session.call("DELETE", `/schedules/${id}`);
    const gone = await session.call("DELETE", `/schedules/${id}`);

    expect(sample.columns).toEqual([
      { header: "Ürün Kodu", label: "Ürün Kodu" },
      { header: "Stok", label: "Stok" },
      { header: "Fiyat", label: expect.any(String) },
    ]);
    expect(sample.rows).toHaveLength(3);
    expect([times.text, times.next.length]).toEqual(["Her gün 09:30", 3]);
    expect(added).toMatchObject([
      { name: "stok.csv", place: feed, run: null, schedule: { isServed: true, succeededAt: null } },
    ]);
    expect(scheduleOf(started)?.isRunning).toBe(true);
    expect(twice).toMatchObject({ status: 409, body: { code: "E_SCHEDULE_RUNNING" } });
    expect(synced).toMatchObject({
      run: { updated: 3, held: 0, failed: 0 },
      schedule: { problem: null, triedAt: expect.any(String), succeededAt: expect.any(String) },
    });
    expect(runs[0]?.by).toBe(`Sayfa · ${userInfo().username}`);
    expect(changed).toMatchObject({
      status: 200,
      body: [{ schedule: { timesText: "15 dakikada bir", options: { maxAgeHours: 0 } } }],
    });
    expect(scheduleOf(paused)).toMatchObject({ isPaused: true, nextAt: null });
    expect(scheduleOf(resumed)).toMatchObject({ isPaused: false, nextAt: expect.any(String) });
    // Its runs stay in the history, and the list has no source without a button.
    expect(removed).toMatchObject({ status: 200, body: [] });
    expect(gone).toMatchObject({ status: 404, body: { code: "E_SCHEDULE_GONE" } });
  });

  it("shows and pauses the schedule of a command, which waits then", async () => {
    const store = await openTestStore({ products: 3 });
    const feed = writeChanges(store);
    const every = ["--every", "* * * * *", "--price-unit", "minor", "--lang", "tr"];
    const { child, finished } = store.start("sync", feed, ...every);
    onTestFinished(() => void child.kill("SIGKILL"));
    const session = await (await openWeb(store)).openSession();
    const found = await untilFeed(session, ({ schedule }) => schedule?.isServed === true);
    const id = found?.schedule?.id ?? "";

    const paused = await postBody<Feeds>(session, `/schedules/${id}/pause`, {});
    const body = { ...DAILY, options: OPTIONS };
    const changed = await session.call("PUT", `/schedules/${id}`, body);
    const removed = await session.call("DELETE", `/schedules/${id}`);
    await using connection = await openStore(store);
    const { schedules } = connection.memory;
    const dueMs = Date.now() - 3_600_000;
    await schedules.update(id, { progress: { dueMs, state: "done" } });
    const run = await postBody<Feeds>(session, `/schedules/${id}/run`, {});
    await untilFeed(session, ({ run: last }) => last?.updated === 3);
    const { progress } = (await schedules.read(id)) ?? {};
    child.kill("SIGTERM");

    expect(found?.schedule).toMatchObject({ madeBy: "command", timesText: "Her dakika" });
    expect(scheduleOf(paused)).toMatchObject({ isPaused: true, nextAt: null });
    expect([changed, removed]).toMatchObject([
      { status: 409, body: { code: "E_SCHEDULE_COMMAND" } },
      { status: 409, body: { code: "E_SCHEDULE_COMMAND" } },
    ]);
    expect(scheduleOf(run)?.isRunning).toBe(true);
    // The missed hour was not made up for while it was paused.
    expect(progress).toEqual({ dueMs, state: "done" });
    expect((await finished).code).toBe(0);
  });

  it("runs a missed time, and refuses what is no feed, no time and no new feed", async () => {
    const store = await openTestStore({ products: 3 });
    await addMissedSchedule(store, writeChanges(store));
    const session = await (await openWeb(store)).openSession();
    const synced = await untilFeed(session, ({ run }) => run?.updated === 3);
    const { runs } = await getBody<RunList>(session, "/runs");
    const address = "https://erp.example.com/stok.csv?token=gizli-anahtar";
    const post = async (body: object): Promise<unknown> => {
      const given = { ...DAILY, feed: address, options: OPTIONS, ...body };
      const { status, body: problem } = await session.call("POST", "/schedules", given);
      return { status, problem };
    };

    const answers = [
      await post({ feed: "stok.csv" }),
      await post({ cron: "every day" }),
      await post({ timeZone: "Mars/Olympus" }),
      await post({}),
      await post({}),
    ];
    const missing = { feed: join(store.folder, "yok.csv"), options: OPTIONS };
    const unread = await session.call("POST", "/feeds/check", missing);
    const listed = await session.call("GET", "/feeds");

    expect(synced?.schedule?.isServed).toBe(true);
    expect(runs).toMatchObject([{ by: `Zamanlama · ${userInfo().username}` }]);
    expect(answers).toMatchObject([
      { status: 400, problem: { code: "E_FEED_PLACE" } },
      { status: 400, problem: { code: "E_SCHEDULE_TIMES" } },
      { status: 400, problem: { code: "E_SCHEDULE_TIMES" } },
      { status: 201 },
      { status: 409, problem: { code: "E_SCHEDULE_KNOWN" } },
    ]);
    expect(unread).toMatchObject({ body: { code: "E_FEED_MISSING" } });
    expect(listed.text).toContain("erp.example.com/stok.csv");
    expect(listed.text + JSON.stringify(answers)).not.toContain("gizli-anahtar");
  });
});
