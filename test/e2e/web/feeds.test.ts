import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";

import type {
  FeedAlarmView,
  FeedHistoryView,
  FeedOptions,
  FeedSampleView,
  FeedView,
  FolderView,
  RunList,
  RunView,
  ScheduleView,
  ShadowView,
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
  encoding: "",
  columns: {},
  decimal: "",
  priceUnit: "minor",
  maxAgeHours: 48,
  adds: "never",
  absent: "keep",
  record: "",
  allowHost: "",
  isShadow: false,
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

/** Gives a column of a feed another header. */
function rename(feed: string, from: string, to: string): void {
  writeFileSync(feed, readFileSync(feed, "utf8").replace(`;${from};`, `;${to};`));
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

describe("a feed in shadow on the page", () => {
  it("sends nothing, shows what it would send, and then sends exactly that", async () => {
    const store = await openTestStore({ products: 3 });
    const feed = writeChanges(store);
    const session = await (await openWeb(store)).openSession();
    const options = { ...OPTIONS, isShadow: true };
    const added = await postBody<Feeds>(session, "/schedules", {
      ...DAILY,
      feed,
      options,
      dropped: [],
    });
    const id = scheduleOf(added)?.id ?? "";
    const sync = async (): Promise<FeedView | undefined> => {
      await postBody<Feeds>(session, `/schedules/${id}/run`, {});
      return await untilFeed(session, ({ schedule }) => schedule?.isRunning === false);
    };

    const tried = await sync();
    const changed = await session.call("PUT", `/schedules/${id}`, {
      ...DAILY,
      options: { ...options, maxAgeHours: 1 },
      dropped: [],
    });
    const shadow = await getBody<ShadowView>(session, `/schedules/${id}/shadow`);
    const file = await session.call("GET", `/schedules/${id}/shadow/file`);
    const unsent = store.sandbox.stats().byEndpoint["product.update"] ?? 0;
    const live = await postBody<Feeds>(session, `/schedules/${id}/live`, {});
    const sent = await sync();
    const { syncs } = await getBody<FeedHistoryView>(session, `/schedules/${id}/history`);

    expect(scheduleOf(added)).toMatchObject({ isShadow: true });
    expect(tried?.run).toMatchObject({ isDryRun: true, updated: 3, held: 0 });
    expect(changed.body).toMatchObject([{ schedule: { isShadow: true } }]);
    expect(shadow).toMatchObject({
      isShadow: true,
      days: [{ syncs: 1, updated: 3, held: 0, refused: [], more: 0 }],
      plan: { updated: 3 },
    });
    expect(shadow.plan?.changes).toHaveLength(3);
    expect([file.status, unsent]).toEqual([200, 0]);
    expect(scheduleOf(live)).toMatchObject({ isShadow: false });
    expect(sent?.run).toMatchObject({ isDryRun: false, updated: 3 });
    expect(syncs).toMatchObject([
      { kind: "sync", counts: { rows: 3, updated: 3 } },
      { kind: "shadow", counts: { rows: 3, updated: 3 } },
    ]);
  });
});

describe("feeds on the page", () => {
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
      dropped: [],
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
      dropped: [],
    });
    const paused = await postBody<Feeds>(session, `/schedules/${id}/pause`, {});
    const resumed = await postBody<Feeds>(session, `/schedules/${id}/resume`, {});
    const removed = await session.call("DELETE", `/schedules/${id}`);
    const gone = await session.call("DELETE", `/schedules/${id}`);

    expect(sample.columns).toMatchObject([
      { header: "Ürün Kodu", field: "product_code", question: null },
      { header: "Stok", field: "stock", question: null },
      { header: "Fiyat", field: "price", question: null },
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

  it("takes a feed once that was refused as doubtful, and refuses the next one", async () => {
    const store = await openTestStore({ products: 8 });
    const feed = writeChanges(store);
    const session = await (await openWeb(store)).openSession();
    const body = { ...DAILY, feed, options: OPTIONS, dropped: [] };
    const id = scheduleOf(await postBody<Feeds>(session, "/schedules", body))?.id ?? "";
    const sync = async (given: object): Promise<FeedView | undefined> => {
      await postBody<Feeds>(session, `/schedules/${id}/run`, given);
      return await untilFeed(session, ({ schedule }) => schedule?.isRunning === false);
    };
    const keepLines = (count: number): void =>
      writeFileSync(feed, readFileSync(feed, "utf8").split("\n").slice(0, count).join("\n"));
    await sync({});

    keepLines(5);
    const refused = await sync({});
    const allowed = await sync({ allow: "few-rows" });
    keepLines(3);
    const again = await sync({});
    const unknown = await session.call("POST", `/schedules/${id}/run`, { allow: "price-drop" });

    expect(refused?.schedule).toMatchObject({
      doubt: "few-rows",
      problem: { code: "E_FEED_FEW_ROWS", message: expect.not.stringContaining("--") },
    });
    expect(allowed?.schedule).toMatchObject({ doubt: null, problem: null });
    expect(again?.schedule).toMatchObject({ doubt: "few-rows" });
    expect(unknown.status).toBe(400);
  });

  it("takes a feed that no price rule is for, once", async () => {
    const store = await openTestStore({ products: 3 });
    const before = readStore(store.sandbox);
    const rules = join(store.folder, "kurallar.csv");
    writeFileSync(rules, "No;Tedarikçi;Kâr ekle %\n1;beta;10\n");
    await store.json("rules", "price", "import", rules);
    const feed = writeChanges(store);
    const session = await (await openWeb(store)).openSession();
    const body = { ...DAILY, feed, options: OPTIONS, dropped: [] };
    const id = scheduleOf(await postBody<Feeds>(session, "/schedules", body))?.id ?? "";
    const sync = async (given: object): Promise<FeedView | undefined> => {
      await postBody<Feeds>(session, `/schedules/${id}/run`, given);
      return await untilFeed(session, ({ schedule }) => schedule?.isRunning === false);
    };

    const refused = await sync({});
    const kept = readStore(store.sandbox);
    const allowed = await sync({ allow: "no-rules" });
    const sent = readStore(store.sandbox);
    const again = await sync({});

    expect(refused?.schedule).toMatchObject({
      doubt: "no-rules",
      problem: { code: "E_FEED_NO_RULES", message: expect.not.stringContaining("--allow") },
    });
    expect(kept).toEqual(before);
    expect(allowed?.schedule).toMatchObject({ doubt: null, problem: null });
    expect(sent.map(({ stock }) => stock)).toEqual(before.map(({ stock }) => stock + 1));
    expect(again?.schedule).toMatchObject({ doubt: "no-rules" });
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
    const body = { ...DAILY, options: OPTIONS, dropped: [] };
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
      const given = { ...DAILY, feed: address, options: OPTIONS, dropped: [], ...body };
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

  it("asks about what a sync would refuse, keeps the answers, and asks again when a column is renamed", async () => {
    const store = await openTestStore({ products: 3 });
    const feed = writeChanges(store);
    rename(feed, "Stok", "Kalan");
    const session = await (await openWeb(store)).openSession();
    const check = { feed, options: OPTIONS };
    const columns = { Kalan: "stock" };
    const answered = { ...OPTIONS, columns };

    const asked = await postBody<FeedSampleView>(session, "/feeds/check", check);
    const read = await postBody<FeedSampleView>(session, "/feeds/check", {
      feed,
      options: answered,
    });
    const body = { ...DAILY, feed, options: answered, dropped: [] };
    const added = await postBody<Feeds>(session, "/schedules", body);
    const id = scheduleOf(added)?.id ?? "";
    const run = async (): Promise<FeedView | undefined> => {
      const before = scheduleOf(await readFeeds(session))?.triedAt;
      await postBody(session, `/schedules/${id}/run`, {});
      return await untilFeed(
        session,
        ({ schedule }) => schedule?.isRunning === false && schedule.triedAt !== before,
      );
    };
    const synced = await run();
    rename(feed, "Kalan", "Bakiye");
    const refused = await run();
    const path = `/schedules/${id}/check`;
    const again = await postBody<FeedSampleView>(session, path, { options: answered });
    const put = { ...DAILY, options: { ...OPTIONS, columns: { Bakiye: "stock" } }, dropped: [] };
    await session.call("PUT", `/schedules/${id}`, put);
    const cured = await run();
    const alarm = await getBody<FeedAlarmView>(session, "/feeds/alarm");

    expect(asked.columns[1]).toMatchObject({
      header: "Kalan",
      field: null,
      question: expect.stringContaining("“Kalan”"),
    });
    expect(asked.columns[1]?.choices.slice(0, 2)).toEqual([
      { value: "stock", label: "Stok" },
      { value: "-", label: "Kullanılmasın" },
    ]);
    expect(read.columns[1]).toMatchObject({ field: "stock", answer: "given", question: null });
    expect(synced).toMatchObject({
      run: { updated: 3 },
      schedule: {
        problem: null,
        isAsking: false,
        options: { columns },
        health: { isHealthy: true, failuresInRow: 0 },
      },
    });
    expect(refused?.schedule).toMatchObject({
      problem: { code: "E_FILE_COLUMNS" },
      isAsking: true,
      health: { failuresInRow: 1 },
    });
    expect(refused?.schedule?.problem?.message).toMatch(/\. “[^✗→]+$/u);
    expect(again).toMatchObject({
      gone: ["Kalan"],
      answers: {},
      lost: [{ field: "stock", label: "Stok", header: "Kalan" }],
    });
    expect(again.columns[1]?.question).toContain("“Bakiye”");
    expect(cured?.schedule).toMatchObject({ problem: null, health: { failuresInRow: 0 } });
    expect(alarm).toEqual({ unhealthy: 0 });
  });

  it("stands in the history as not taken where a sync was refused, with the reason", async () => {
    const store = await openTestStore({ products: 3 });
    const feed = writeChanges(store);
    const session = await (await openWeb(store)).openSession();
    await store.run("sync", feed, "--price-unit", "minor", "--lang", "tr");
    rename(feed, "Stok", "Bakiye");
    await store.run("sync", feed, "--price-unit", "minor", "--lang", "tr");

    const { runs } = await getBody<RunList>(session, "/runs");
    const [refused, synced] = await Promise.all(
      runs.map(({ id }) => getBody<RunView>(session, `/runs/${id}`)),
    );

    expect(runs.map(({ stateText }) => stateText)).toEqual(["Alınmadı", "Bitti"]);
    expect(refused).toMatchObject({
      stateText: "Alınmadı",
      refusal: expect.stringMatching(/^“stok\.csv” dosyasının sütunları .*“Bakiye”/u),
      can: { resume: false, cancelRest: false },
    });
    expect(refused?.refusal).not.toContain("--");
    expect(synced?.refusal).toBeNull();
  });

  it("takes a feed with fewer columns once a person says that they were removed", async () => {
    const store = await openTestStore({ products: 3 });
    const feed = writeChanges(store);
    const session = await (await openWeb(store)).openSession();
    await store.run("sync", feed, "--price-unit", "minor", "--lang", "tr");
    writeFileSync(feed, readFileSync(feed, "utf8").replaceAll(/^([^;]*);[^;]*;/gmu, "$1;"));

    const check = { feed, options: OPTIONS };
    const missed = await postBody<FeedSampleView>(session, "/feeds/check", check);
    const body = { ...DAILY, feed, options: OPTIONS, dropped: ["stock"] };
    await postBody<Feeds>(session, "/schedules", body);
    const taken = await postBody<FeedSampleView>(session, "/feeds/check", check);

    expect(missed.lost).toMatchObject([{ field: "stock" }]);
    expect(taken.lost).toEqual([]);
  });

  it("says since when a schedule has not done its job, and counts it for the navigation", async () => {
    const store = await openTestStore({ products: 3 });
    const session = await (await openWeb(store)).openSession();
    const added = await postBody<Feeds>(session, "/schedules", {
      ...DAILY,
      feed: writeChanges(store),
      options: OPTIONS,
      dropped: [],
    });
    const id = scheduleOf(added)?.id ?? "";
    await using connection = await openStore(store);
    const succeededAtMs = Date.now() - 5 * 86_400_000;
    const failed = { dueMs: 0, exit: 3, run: null, code: "E_FEED_MISSING", message: "yok" };
    const result = { ...failed, endedAtMs: Date.now(), failures: 4 };
    await connection.memory.schedules.update(id, { succeededAtMs, result });

    const [feed] = await readFeeds(session);
    const alarm = await getBody<FeedAlarmView>(session, "/feeds/alarm");
    await postBody<Feeds>(session, `/schedules/${id}/pause`, {});
    const paused = await getBody<FeedAlarmView>(session, "/feeds/alarm");

    const unhealthyAt = new Date(succeededAtMs + 2 * 86_400_000 + 900_000).toISOString();
    expect(feed?.schedule).toMatchObject({
      succeededAt: new Date(succeededAtMs).toISOString(),
      health: { isHealthy: false, unhealthyAt, failuresInRow: 4 },
    });
    expect([alarm, paused]).toEqual([{ unhealthy: 1 }, { unhealthy: 0 }]);
  });

  it("lists folders and the files that a sync can read, those used before first", async () => {
    const store = await openTestStore({ products: 3 });
    const feed = writeChanges(store);
    const folder = join(store.folder, "raporlar");
    mkdirSync(join(folder, "eski"), { recursive: true });
    for (const name of ["a.csv", "b.pdf", ".gizli.csv", "~$c.xlsx"]) {
      writeFileSync(join(folder, name), "");
    }
    const session = await (await openWeb(store)).openSession();
    await postBody<Feeds>(session, "/schedules", { ...DAILY, feed, options: OPTIONS, dropped: [] });

    const first = await getBody<FolderView>(session, "/feeds/folder?folder=");
    const path = `/feeds/folder?folder=${encodeURIComponent(folder)}`;
    const other = await getBody<FolderView>(session, path);
    const relative = await session.call("GET", "/feeds/folder?folder=raporlar");
    const gone = await session.call("GET", "/feeds/folder?folder=/yok/boyle");

    expect(first).toMatchObject({
      folder: store.folder,
      recent: [{ name: "stok.csv", path: feed }],
    });
    expect(other.entries).toEqual([
      { name: "eski", path: join(folder, "eski"), isFolder: true, at: null },
      { name: "a.csv", path: join(folder, "a.csv"), isFolder: false, at: expect.any(String) },
    ]);
    expect(other.parent).toBe(store.folder);
    expect([relative, gone]).toMatchObject([
      { status: 400, body: { code: "E_FOLDER" } },
      { status: 400, body: { code: "E_FOLDER" } },
    ]);
  });
});
