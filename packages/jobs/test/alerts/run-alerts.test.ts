import { join } from "node:path";

import { systemClock } from "@catalog/clock";
import { openConnection } from "@catalog/connection";
import { createTestConnection, storeRun } from "@catalog/connection/testing";
import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import type { Channel } from "../../src/alerts/channels.ts";
import {
  type AlertPorts,
  listAlertTools,
  readChannelViews,
  runAlerts,
  tellAlerts,
  testChannel,
} from "../../src/alerts/run-alerts.ts";
import { recordSync } from "../../src/run-store-schedules.ts";
import {
  createCertificate,
  startMailReceiver,
  startWebReceiver,
  type WebReceiver,
} from "../helpers/receivers.ts";

const MINUTE_MS = 60_000;
const ACTIVE = new AbortController().signal;

const FEED = {
  id: "f-1",
  feed: "https://anahtar:parola@erp.example/gizli/stok.csv?key=gizli",
  options: { lang: "tr" },
  cron: "*/15 * * * *",
  timeZone: "Europe/Istanbul",
  madeBy: "page",
  isSpread: false,
} as const;

const SETTINGS = {
  lang: "tr",
  causes: ["failed", "recovered", "stale", "held", "clock"],
  repeatMs: 60 * MINUTE_MS,
  secret: "file",
  place: "erp",
} as const;

type Connection = Awaited<ReturnType<typeof createTestConnection>>["connection"];

/** A store with one schedule, whose syncs end as a test says. */
async function openShop(options: Parameters<typeof createTestConnection>[0] = {}) {
  const { connection, clock, folder } = await createTestConnection(options);
  await connection.memory.schedules.save(FEED);
  const secrets = new Map<string, string>();
  const ports: AlertPorts = {
    clock,
    post: (url, request) => fetch(url, request),
    secrets: {
      read: async ({ channel }) => secrets.get(channel),
      write: async () => "file",
      forget: async () => undefined,
    },
  };
  const look = () => runAlerts(connection, { ports, stop: ACTIVE });
  /** Ends a sync, and looks as the process that has started it does. */
  async function end(exit: number, error?: { code: string; message: string }, run?: string) {
    const schedule = await connection.memory.schedules.read(FEED.id);
    if (schedule === undefined) throw new Error("no schedule");
    const document = { run, ...(error && { error }) };
    const ended = { exit, document, errors: "" };
    await recordSync(connection, { schedule, dueMs: clock.now() }, ended);
    return await look();
  }
  async function add(name: string, secret: string, settings: Partial<Channel> = {}) {
    const { kind = "webhook", ...rest } = settings;
    secrets.set(name, secret);
    await connection.memory.alerts.saveChannel({ name, kind, settings: { ...SETTINGS, ...rest } });
  }
  return { connection, clock, ports, secrets, look, end, add, folder };
}

const textsOf = ({ posted }: WebReceiver): readonly unknown[] =>
  posted.map(({ body }) => Reflect.get(Object(body), "text"));

const causesOf = ({ posted }: WebReceiver): readonly unknown[] =>
  posted.map(({ body }) => Reflect.get(Object(body), "cause"));

const viewOf = async (connection: Connection) => (await readChannelViews(connection))[0];

const REFUSED = {
  code: "E_DOWNLOAD_LOGIN",
  message: "https://erp.example/gizli/stok.csv?key=gizli 401",
};

describe("a feed whose login expires at night", () => {
  it("is told of at most once an hour and once when it works again, over restarts", async () => {
    const receiver = await startWebReceiver();
    const { clock, end, add } = await openShop();
    await add("hook", `${receiver.url}/hook/gizli`);

    await end(0);
    for (let quarter = 0; quarter < 9; quarter += 1) {
      await clock.advance(15 * MINUTE_MS);
      await end(3, REFUSED);
    }
    await clock.advance(15 * MINUTE_MS);
    await end(0);
    await end(0);

    expect(causesOf(receiver)).toEqual(["failed", "failed", "failed", "recovered"]);
    expect(textsOf(receiver)[0]).toContain("beslemenin sunucusu girişi kabul etmedi (401)");
    expect(receiver.posted[0]?.path).toBe("/hook/gizli");
    expect(JSON.stringify(receiver.posted.map(({ body }) => body))).not.toMatch(
      /gizli|parola|anahtar:/u,
    );
  });

  it("is told of by one of several processes that look at the same time", async () => {
    const receiver = await startWebReceiver();
    const { end, add, look } = await openShop();
    await end(3, REFUSED);
    await add("hook", receiver.url);

    await Promise.all([look(), look(), look(), look()]);

    expect(causesOf(receiver)).toEqual(["failed"]);
  });
});

describe("runAlerts", () => {
  it("waits for the second failure of a sync that is tried again soon", async () => {
    const receiver = await startWebReceiver();
    const { clock, end, add, connection } = await openShop();
    await add("hook", receiver.url);
    const lost = { code: "NETWORK_ERROR", message: "lost" };

    await end(6, lost);
    expect(receiver.posted).toEqual([]);
    await clock.advance(15 * MINUTE_MS);
    await end(6, lost);
    expect(causesOf(receiver)).toEqual(["failed"]);

    // A daily one would not be tried again before the next day.
    await connection.memory.schedules.save({ ...FEED, id: "daily", cron: "0 3 * * *" });
    const schedule = await connection.memory.schedules.read("daily");
    if (schedule === undefined) throw new Error("no schedule");
    await recordSync(
      connection,
      { schedule, dueMs: clock.now() },
      { exit: 6, document: { error: lost }, errors: "" },
    );
    await end(6, lost);
    expect(causesOf(receiver)).toEqual(["failed", "failed"]);
  });

  it("tells that nothing runs the schedule, and that it works again", async () => {
    const receiver = await startWebReceiver();
    const { clock, end, add, look } = await openShop();
    await add("hook", receiver.url);
    await end(0);

    await clock.advance(44 * MINUTE_MS);
    await look();
    expect(receiver.posted).toEqual([]);
    await clock.advance(MINUTE_MS);
    const { open } = await look();
    await end(75);
    await end(0);

    expect(open.map(({ document }) => document["cause"])).toEqual(["stale"]);
    expect(causesOf(receiver)).toEqual(["stale", "recovered"]);
  });

  it("says nothing of a schedule that a person has paused or deleted", async () => {
    const receiver = await startWebReceiver();
    const { clock, end, add, look, connection } = await openShop();
    await add("hook", receiver.url);
    const { schedules, alerts } = connection.memory;
    await end(3, REFUSED);

    await schedules.update(FEED.id, { state: "paused" });
    await clock.advance(86_400_000);
    expect((await look()).open).toEqual([]);
    await schedules.remove(FEED.id);
    await look();

    expect(causesOf(receiver)).toEqual(["failed"]);
    expect(await alerts.list()).toEqual([]);
  });

  it("tells of rows that wait until they are decided, also while the feed does not change", async () => {
    const receiver = await startWebReceiver();
    const { clock, end, add, look, connection } = await openShop();
    await add("hook", receiver.url);
    const run = await storeRun(connection, {
      command: "sync",
      header: ["Kod"],
      rows: [
        { cells: ["A-1"], state: "held" },
        { cells: ["A-2"], state: "unchanged" },
      ],
    });

    await end(5, undefined, run.id);
    await clock.advance(15 * MINUTE_MS);
    const { open } = await end(0);

    expect(causesOf(receiver)).toEqual(["held"]);
    expect(receiver.posted[0]?.body).toMatchObject({ rows: 1, run: run.id });
    expect(open.map(({ document }) => document["cause"])).toEqual(["held"]);
    await look();
    expect(receiver.posted).toHaveLength(1);
  });

  it("reads what the channels are and were told once", async () => {
    const receiver = await startWebReceiver();
    const { end, add, connection, clock, ports } = await openShop();
    await end(3, REFUSED);
    await add("a", receiver.url);
    await add("b", receiver.url);
    const reads: string[] = [];
    const { alerts } = connection.memory;
    const noted = {
      ...alerts,
      list: () => (reads.push("alerts"), alerts.list()),
      listChannels: () => (reads.push("channels"), alerts.listChannels()),
    };
    const tools = { ...connection, memory: { ...connection.memory, alerts: noted } };
    await tellAlerts(tools, { ports, stop: ACTIVE });
    expect(receiver.posted).toHaveLength(2);
    reads.length = 0;

    await clock.advance(MINUTE_MS);
    await tellAlerts(tools, { ports, stop: ACTIVE });

    expect(reads).toEqual(["channels", "alerts"]);
  });

  it("tells of a clock that is off", async () => {
    const receiver = await startWebReceiver();
    const { clock, add, look, connection } = await openShop();
    await add("hook", receiver.url);
    const note = (host: string, aheadMs: number) =>
      connection.memory.notes.saveNotes({
        [`clock ${connection.baseUrl} ${host}`]: { host, aheadMs, atMs: clock.now() },
      });
    await note("kasa", 20_000);
    await look();
    expect(receiver.posted).toEqual([]);

    await note("depo", -90_000);
    await look();

    expect(receiver.posted[0]?.body).toMatchObject({
      cause: "clock",
      host: "depo",
      clock_ahead_seconds: -90,
    });
  });
});

async function openServerUrl(): Promise<string> {
  const server = await createTestDatabase();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server.url;
}

const DATABASES = [
  { name: "a file", isOn: true, openUrl: async () => undefined },
  { name: "PostgreSQL", isOn: hasPostgres(), openUrl: openServerUrl },
] as const;

describe.each(DATABASES)("a worker of two stores in $name", ({ isOn, openUrl }) => {
  it.skipIf(!isOn)("finds of the second store what the store's own processes find", async () => {
    const receiver = await startWebReceiver();
    const place = { databaseUrl: await openUrl(), clock: systemClock };
    const { connection, folder, ports, end, add, look } = await openShop({
      ...place,
      maker: { user: "ayse", origin: "page" },
    });
    const worker = await openConnection({
      ...place,
      home: join(folder, "home"),
      baseUrl: connection.baseUrl,
      storeId: "s-2",
      credentials: { clientKey: "key", clientSecret: "secret" },
      random: () => 0,
    });
    onTestFinished(() => worker[Symbol.asyncDispose]());
    const [first, second] = await listAlertTools(worker, [worker, connection]);
    if (first === undefined || second === undefined) throw new Error("no tools");
    const stopped = await storeRun(connection, {
      id: "r-1",
      header: ["Kod"],
      rows: [{ cells: ["A-1"] }],
    });
    await connection.runs.update(stopped.id, {
      progress: { ended: { atMs: systemClock.now(), exit: 6, stop: "E_BREAKER" } },
    });
    const held = await storeRun(connection, {
      id: "r-2",
      command: "sync",
      header: ["Kod"],
      rows: [{ cells: ["A-1"], state: "held" }],
    });
    await add("hook", receiver.url);

    await end(5, undefined, held.id);
    const told = await connection.memory.alerts.list();
    const mine = await look();
    const seen = await runAlerts(second, { ports, stop: ACTIVE });
    await runAlerts(first, { ports, stop: ACTIVE });
    await look();

    expect(causesOf(receiver)).toEqual(["held", "failed"]);
    expect(seen.open.map(({ text }) => text)).toEqual(mine.open.map(({ text }) => text));
    expect(await connection.memory.alerts.list()).toEqual(told);
  });
});

describe("a channel that does not work", () => {
  it("never looks healthy, loses nothing, and says what is wrong without its address", async () => {
    const receiver = await startWebReceiver();
    const { clock, end, add, look, connection } = await openShop();
    await add("hook", receiver.url);
    expect((await viewOf(connection))?.health).toBe("untried");

    receiver.answer(410);
    await end(3, REFUSED);
    const broken = await viewOf(connection);
    receiver.answer(200);
    await clock.advance(MINUTE_MS);
    await look();
    const mended = await viewOf(connection);

    expect(broken).toMatchObject({
      health: "failing",
      waiting: 1,
      failure: { code: "E_ALERT_STATUS", message: { en: expect.stringContaining("(410)") } },
    });
    expect(causesOf(receiver)).toEqual(["failed", "failed"]);
    const ids = receiver.posted.map(({ body }) => Reflect.get(Object(body), "id"));
    expect(ids[0]).toBe(ids[1]);
    expect(mended).toMatchObject({ health: "working", waiting: 0, arrivedAtMs: clock.now() });
  });

  it("does not keep the others from being told", async () => {
    const receiver = await startWebReceiver();
    const { end, add } = await openShop();
    await add("a-gone", "http://127.0.0.1:1/");
    await add("b-there", receiver.url);

    const pass = await end(3, REFUSED);

    expect(pass).toMatchObject({ sent: 1, failed: 1 });
    expect(causesOf(receiver)).toEqual(["failed"]);
  });

  it("is called stuck where no program sends, and broken where none has its secret", async () => {
    const { clock, end, add, look, connection, secrets } = await openShop();
    await add("hook", "");
    secrets.delete("hook");
    await end(3, REFUSED);
    expect((await viewOf(connection))?.health).toBe("untried");

    await clock.advance(11 * MINUTE_MS);
    expect((await viewOf(connection))?.health).toBe("stuck");
    await look();
    expect(await viewOf(connection)).toMatchObject({
      health: "failing",
      failure: { code: "E_ALERT_SECRET" },
    });
  });

  it("is not posted to without https, except on this machine", async () => {
    const { add, end, connection } = await openShop();
    await add("hook", "http://erp.example/hook");

    await end(3, REFUSED);

    expect((await viewOf(connection))?.failure?.code).toBe("E_ALERT_SECRET");
  });
});

describe("quiet hours", () => {
  it("hold messages back until they end", async () => {
    const receiver = await startWebReceiver();
    const { clock, end, add, look } = await openShop();
    // The clock of the test stands at some minute of a Turkish day.
    const minute = (Math.floor(clock.now() / MINUTE_MS) + 180) % 1440;
    await add("hook", receiver.url, {
      quiet: { from: (minute + 1430) % 1440, to: (minute + 30) % 1440 },
    });

    await end(3, REFUSED);
    await clock.advance(29 * MINUTE_MS);
    await look();
    expect(receiver.posted).toEqual([]);
    await clock.advance(MINUTE_MS);
    await look();

    expect(causesOf(receiver)).toEqual(["failed"]);
  });
});

describe("channels", () => {
  it("posts to Slack and what takes the same, without markup", async () => {
    const receiver = await startWebReceiver();
    const { end, add } = await openShop();
    await add("slack", `${receiver.url}/services/T0`, { kind: "slack" });

    await end(3, { code: "E_X", message: "<b> & co" });

    expect(Object.keys(Object(receiver.posted[0]?.body))).toEqual(["text"]);
    expect(textsOf(receiver)[0]).toContain("&lt;b&gt; &amp; co");
  });

  it("sends to a chat of Telegram, and waits as long as it asks", async () => {
    const receiver = await startWebReceiver();
    const { clock, end, add, look } = await openShop();
    await add("phone", "123:gizli", { kind: "telegram", chat: "-42", server: receiver.url });

    receiver.answer(429, { "retry-after": "300" });
    await end(3, REFUSED);
    receiver.answer(200);
    await clock.advance(4 * MINUTE_MS);
    await look();
    expect(receiver.posted).toHaveLength(1);
    await clock.advance(MINUTE_MS);
    await look();

    expect(receiver.posted.map(({ path }) => path)).toEqual(
      Array.from({ length: 2 }, () => "/bot123:gizli/sendMessage"),
    );
    expect(receiver.posted[1]?.body).toMatchObject({ chat_id: "-42" });
    expect(JSON.stringify(receiver.posted[1]?.body)).not.toContain("gizli");
  });

  it("sends a test, and notes how it fared", async () => {
    const receiver = await startWebReceiver();
    const { add, connection, ports } = await openShop();
    await add("hook", receiver.url);
    const view = await viewOf(connection);
    if (view === undefined) throw new Error("no channel");

    const end = await testChannel(connection, view.channel, ports);

    expect(end).toMatchObject({ hasArrived: true });
    expect(receiver.posted[0]?.body).toMatchObject({ cause: "test", schedule: null });
    expect((await viewOf(connection))?.health).toBe("working");
  });
});

const mailSettings = (port: number, user?: string): Partial<Channel> => ({
  kind: "email",
  mail: {
    host: "localhost",
    port,
    user,
    from: "katalog@magaza.example",
    to: ["ayse@example.com"],
  },
});

const certificate = createCertificate();

describe.skipIf(certificate === undefined)("e-mail", () => {
  it("is sent with a login over an encrypted connection", async () => {
    if (certificate === undefined) return;
    const receiver = await startMailReceiver({ certificate, password: "gizli" });
    const { end, add, ports } = await openShop();
    Object.assign(ports, { mailAuthorities: certificate.cert });
    await add("mail", "gizli", mailSettings(receiver.port, "katalog"));

    await end(3, REFUSED);

    expect(receiver.mails).toMatchObject([
      {
        from: "katalog@magaza.example",
        to: ["ayse@example.com"],
        isEncrypted: true,
        user: "katalog",
      },
    ]);
    expect(receiver.mails[0]?.text).toMatch(/^Auto-Submitted: auto-generated/mu);
    expect(receiver.mails[0]?.text).not.toContain("gizli");
  });

  it.each([
    ["a refused login", { password: "other" }, "535"],
    ["a certificate that nobody vouches for", { password: "gizli", isUntrusted: true }, "ESOCKET"],
  ])("says so of %s", async (_, { password, ...rest }, detail) => {
    if (certificate === undefined) return;
    const receiver = await startMailReceiver({ certificate, password });
    const { end, add, ports, connection } = await openShop();
    if (!("isUntrusted" in rest)) Object.assign(ports, { mailAuthorities: certificate.cert });
    await add("mail", "gizli", mailSettings(receiver.port, "katalog"));

    await end(3, REFUSED);

    expect((await viewOf(connection))?.failure).toMatchObject({
      code: "E_ALERT_MAIL",
      message: { en: expect.stringContaining(detail) },
    });
    expect(receiver.mails).toEqual([]);
  });
});
