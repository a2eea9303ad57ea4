/** Alerts as a person sets them up, told by commands and workers to local receivers. */

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import {
  causesOf,
  KEY,
  type Receiver,
  startReceiver,
  startServer,
} from "../../helpers/alert-receiver.ts";
import { callCatalog } from "../../helpers/call-catalog.ts";
import { filesIn, findCanaries } from "../../helpers/canaries.ts";
import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { addMissedSchedule, openStore } from "../../helpers/note-schedule.ts";
import { waitUntil } from "../../helpers/wait-until.ts";

const runWith = ({ env, folder }: TestStore, input: string, ...args: readonly string[]) =>
  callCatalog(args, { env, cwd: folder, input });

const ADD = ["alerts", "add", "webhook", "--secret-stdin", "--in-file"] as const;

/** What the doctor does that no other command may. */
const BREAKS = {
  "unknown-path": "the doctor asks whether the address answers",
  "early-token": "the doctor tries the login with a new token",
};

describe("catalog alerts", () => {
  it("adds a channel that a test message reaches, and shows its address nowhere", async () => {
    const store = await openTestStore({ products: 3, breaks: BREAKS });
    const receiver = await startReceiver();
    receiver.status = 404;

    const refused = await runWith(store, receiver.url, ...ADD, "--lang", "en");
    receiver.status = 200;
    const ended = [
      await runWith(store, receiver.url, ...ADD),
      await store.run("alerts", "list"),
      await store.run("alerts", "list", "--json"),
      await store.run("alerts", "test", "webhook"),
      await store.run("alerts", "check"),
      await store.run("doctor"),
    ];

    expect(refused.code).toBe(6);
    expect(refused.err).toContain("did not arrive: the receiver refused it (404)");
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(causesOf(receiver)).toEqual(["test", "test", "test"]);
    expect(JSON.parse(ended[2]?.out ?? "").channels).toMatchObject([
      { name: "webhook", kind: "webhook", health: "working", secret_in: "file", waiting: 0 },
    ]);
    for (const { out, err } of [refused, ...ended]) expect(findCanaries(out + err)).toEqual([]);
    const holders = filesIn(store.folder).filter((path) => readFileSync(path).includes(KEY));
    expect(holders.map((path) => path.split("/").at(-1))).toEqual(["alert-secrets.json"]);
    for (const path of holders) expect(statSync(path).mode & 0o077).toBe(0);

    expect((await store.run("alerts", "remove", "webhook")).code).toBe(0);
    expect(readFileSync(holders[0] ?? "", "utf8")).not.toContain(KEY);
  });

  it.each([
    ["no kind", ["alerts", "add"], "webhook, slack, email or telegram"],
    ["a secret as a flag", ["alerts", "add", "slack", "--auth", KEY], "--auth takes the variable"],
    [
      "an empty variable",
      ["alerts", "add", "slack", "--auth", "env:NO_SUCH"],
      "The secret is empty",
    ],
    ["no https", ["alerts", "add", "webhook", "--auth", "env:PLAIN"], "must begin with https"],
    [
      "no chat",
      ["alerts", "add", "telegram", "--auth", "env:PLAIN"],
      "number of the Telegram chat",
    ],
    [
      "no receiver",
      ["alerts", "add", "email", "--smtp", "localhost:25"],
      "e-mail address of the receiver",
    ],
    [
      "wrong hours",
      ["alerts", "add", "slack", "--auth", "env:PLAIN", "--quiet-hours", "night"],
      "23:00-07:00",
    ],
    [
      "too many messages",
      ["alerts", "add", "slack", "--auth", "env:PLAIN", "--repeat", "5m"],
      "after an hour",
    ],
    ["an unknown channel", ["alerts", "remove", "phone"], "no channel for alerts"],
  ] as const)("refuses %s, and stores nothing", async (_, words, message) => {
    const store = (await openTestStore({ products: 1 })).at({ PLAIN: `http://erp.example/${KEY}` });

    const { code, err, out } = await store.run(...words, "--lang", "en");

    expect(code).toBe(2);
    expect(err.replaceAll(/\s+/gu, " ")).toContain(message);
    expect(findCanaries(err + out)).toEqual([]);
    expect((await store.json("alerts", "list")).channels).toEqual([]);
  });
});

interface Shop {
  readonly store: TestStore;
  readonly receiver: Receiver;
  readonly lines: readonly FeedLine[];
  readonly feed: string;
}

async function openShop(): Promise<Shop> {
  const store = await openTestStore({ products: 10, breaks: BREAKS });
  const lines = readStore(store.sandbox);
  const feed = writeFeed(join(store.folder, "stok.csv"), lines);
  await store.run("sync", feed, "--json", "--price-unit", "minor");
  const receiver = await startReceiver();
  await runWith(store, receiver.url, ...ADD, "--unchecked");
  return { store, receiver, lines, feed };
}

describe("a feed whose login expires at night", () => {
  it("is told of, works again, is told of once more, and loses nothing", async () => {
    const { store, receiver, lines, feed } = await openShop();
    const login = { password: "a" };
    const port = await startServer((request, response) => {
      const wanted = `Basic ${Buffer.from(`bayi:${login.password}`).toString("base64")}`;
      if (request.headers.authorization !== wanted) response.writeHead(401).end();
      else response.end(readFileSync(feed));
    });
    const host = `127.0.0.1:${port}`;
    const schedule = await addMissedSchedule(store, `http://${host}/GIZLI/stok.csv?key=GIZLI`, {
      "allow-host": [host],
      "feed-auth": "basic:env:ERP",
    });
    const run = async (password: string, by: number) => {
      writeFeed(
        feed,
        lines.map((line) => ({ ...line, stock: line.stock + by })),
      );
      const { exit } = await store
        .at({ ERP: `bayi:${password}` })
        .json("schedule", "run", schedule);
      return exit;
    };

    const good = await run("a", 1);
    login.password = "b";
    const expired = [await run("a", 2), await run("a", 3)];
    const listed = await store.json("alerts", "check");
    const mended = [await run("b", 4), await run("b", 5)];

    expect([good, expired, mended]).toEqual([0, [3, 3], [0, 0]]);
    expect(causesOf(receiver)).toEqual(["failed", "recovered"]);
    const told = String(receiver.bodies[0]?.["text"]);
    expect(told).toMatch(
      /^Stok ve fiyat beslemesi \(127\.0\.0\.1:\d+, stok\.csv\) \d\d\.\d\d'[dt][ae]n beri çalışmıyor: beslemenin sunucusu girişi kabul etmedi \(401\)\./u,
    );
    expect(told).toContain("Yapılacak: catalog feed login");
    expect(listed).toMatchObject({ exit: 5, sent: 0, failed: 0, open: [{ cause: "failed" }] });
    expect(JSON.stringify([receiver.bodies, listed])).not.toContain("GIZLI");
    expect(readStore(store.sandbox).map(({ stock }) => stock)).toEqual(
      lines.map(({ stock }) => stock + 5),
    );
  });
});

describe("a receiver that is gone", () => {
  it("is shown as broken, breaks no sync, and is told once it is back", async () => {
    const { store, receiver, feed } = await openShop();
    const schedule = await addMissedSchedule(store, feed);
    receiver.status = 500;
    writeFileSync(feed, "");

    const sync = await store.json("schedule", "run", schedule);
    const check = await store.run("alerts", "check");
    const list = await store.run("alerts", "list", "--lang", "en");
    const doctor = await store.json("doctor");

    expect([sync.exit, check.code, list.code]).toEqual([3, 5, 0]);
    expect(list.out).toContain("DOES NOT WORK");
    expect(doctor.checks).toContainEqual(
      expect.objectContaining({ name: "alerts", state: "warn" }),
    );
    expect(doctor.exit).toBe(0);
  });
});

const DATABASES = ["sqlite", "postgres"] as const;

describe.each(DATABASES)("a worker (%s)", (kind) => {
  it.skipIf(kind === "postgres" && !hasPostgres())(
    "tells that a command which ran a schedule has ended without a word",
    async () => {
      const env: Record<string, string> = {};
      if (kind === "postgres") {
        const server = await createTestDatabase();
        onTestFinished(() => server[Symbol.asyncDispose]());
        env["CATALOG_DATABASE_URL"] = server.url;
      }
      const store = (await openTestStore({ products: 3 })).at(env);
      const receiver = await startReceiver();
      await runWith(store, receiver.url, ...ADD, "--unchecked");
      {
        await using connection = await openStore(store);
        const { schedules } = connection.memory;
        const times = { cron: "*/15 * * * *", timeZone: "Europe/Istanbul", isSpread: false };
        const feed = "/srv/erp/stok.csv";
        await schedules.save({ ...times, id: "f-1", feed, options: {}, madeBy: "command" });
        await schedules.update("f-1", { succeededAtMs: Date.now() - 3_600_000 });
      }

      const { child, finished } = store.start("worker", "--json");
      await waitUntil(() => receiver.bodies.length > 0);
      child.kill("SIGTERM");

      expect((await finished).code).toBe(0);
      expect(receiver.bodies).toMatchObject([{ cause: "stale", feed: "stok.csv" }]);
    },
  );
});
