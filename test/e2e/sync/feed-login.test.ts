/** Feeds whose addresses ask for a login: a real server, and no secret anywhere but where it belongs. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { findCanaries, filesIn } from "../../helpers/canaries.ts";
import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { type FeedServer, PAIR, PASSWORD, serveFeed } from "../../helpers/login-server.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { addMissedSchedule, openStore } from "../../helpers/note-schedule.ts";

interface Fixture {
  readonly store: TestStore;
  readonly feed: string;
  readonly lines: readonly FeedLine[];
  readonly server: FeedServer;
}

/** A store that was synced once from a file, and a server that gives that file. */
async function setUp(): Promise<Fixture> {
  const store = await openTestStore({ products: 30 });
  const lines = readStore(store.sandbox);
  const feed = writeFeed(join(store.folder, "stok.csv"), lines);
  const { code, err } = await store.run("sync", feed, "--json", "--price-unit", "minor");
  expect([code, err]).toEqual([0, ""]);
  const server = await serveFeed(() => feed);
  return { store, feed, lines, server };
}

const changeStock = (lines: readonly FeedLine[], by: number): readonly FeedLine[] =>
  lines.map((line, index) => (index < 5 ? { ...line, stock: line.stock + by } : line));

/** Runs a command of a store with something on its standard input. */
const runWith = ({ env, folder }: TestStore, input: string, ...args: readonly string[]) =>
  callCatalog(args, { env, cwd: folder, input });

const USER = ["--user", "bayi42", "--secret-stdin"] as const;

describe("a feed behind a login", () => {
  it("says what to do, stores the login once tried, and is synced with it from then on", async () => {
    const { store, feed, lines, server } = await setUp();
    const changed = changeStock(lines, 3);
    writeFeed(feed, changed);
    const sync = ["sync", server.address, "--allow-host", server.host, "--lang", "en"];

    const login = ["feed", "login", server.address, ...USER, "--allow-host", server.host];

    const before = await store.run(...sync);
    const wrong = await runWith(store, "wrong\n", ...login);
    const stored = await runWith(store, `${PASSWORD}\n`, ...login, "--in-file", "--json");
    const after = await store.json(...sync);
    const logins = await store.json("feed", "logins");

    expect([before.code, wrong.code, stored.code, after.exit]).toEqual([3, 4, 0, 0]);
    expect(before.err).toContain(`catalog feed login http://${server.host}/xml/stok.csv\n`.trim());
    expect(before.err).not.toContain("key=1");
    expect(after.counts.updated).toBe(5);
    expect(readStore(store.sandbox)).toEqual(changed);
    const path = join(store.env["CATALOG_HOME"] ?? "", "feed-logins.json");
    const scope = `http://${server.host}/xml/`;
    const listed = { scope, auth: "basic", user: "bayi42", secret_in: "file", file: path };
    expect(logins.logins).toEqual([listed]);
    expect(statSync(path).mode % 0o1000).toBe(0o600);
  });

  it("goes on by itself in a schedule, says when the login expires, and recovers", async () => {
    const { store, feed, lines, server } = await setUp();
    await runWith(
      store,
      PASSWORD,
      "feed",
      "login",
      server.address,
      ...USER,
      "--in-file",
      "--unchecked",
    );
    const schedule = await addMissedSchedule(store, server.address, {
      "allow-host": [server.host],
    });
    const sync = async (): Promise<readonly unknown[]> => {
      const { exit, error, counts } = await store.json("sync", `schedule:${schedule}`);
      return [exit, error?.code ?? null, counts?.updated ?? 0];
    };

    writeFeed(feed, changeStock(lines, 1));
    const first = await sync();
    server.password = "sandbox-secret:0123abce";
    writeFeed(feed, changeStock(lines, 2));
    const expired = await sync();
    await runWith(
      store,
      server.password,
      "feed",
      "login",
      server.address,
      ...USER,
      "--in-file",
      "--unchecked",
    );
    const recovered = await sync();

    expect([first, expired, recovered]).toEqual([
      [0, null, 5],
      [3, "E_DOWNLOAD_LOGIN", 0],
      [0, null, 5],
    ]);
    expect(readStore(store.sandbox)).toEqual(changeStock(lines, 2));
  });

  it("takes a login of a script from its environment, and stores only the name", async () => {
    const { store, feed, lines, server } = await setUp();
    writeFeed(feed, changeStock(lines, 4));
    const at = store.at({ ERP_LOGIN: `bayi42:${PASSWORD}`, EMPTY: "" });
    const sync = ["sync", server.address, "--allow-host", server.host, "--lang", "en"];

    const named = await at.json(...sync, "--feed-auth", "basic:env:ERP_LOGIN");
    const missing = await at.run(...sync, "--feed-auth", "basic:env:EMPTY");
    const secret = await at.run(...sync, "--feed-auth", PASSWORD);
    const listed = await store
      .at({
        ERP_LOGIN: `bayi42:${PASSWORD}`,
        CATALOG_FEED_LOGINS: JSON.stringify([
          { address: `http://${server.host}/xml/`, auth: "basic:env:ERP_LOGIN" },
        ]),
      })
      .json(...sync);

    expect([named.exit, missing.code, secret.code, listed.exit]).toEqual([0, 2, 2, 0]);
    expect(missing.err).toContain("EMPTY");
    expect(named.counts.updated).toBe(5);
  });

  it("is named in a schedule, and not stored with it", async () => {
    const { store, server } = await setUp();
    const add = ["schedule", "add", server.address, "--cron", "0 9 * * *", "--feed-auth"];

    const secret = await store.run(...add, `bearer:${PASSWORD}`);
    const noFile = await store.run(...add, "key:bayi42:env:KEY");
    const named = await store.run(...add, "basic:file:bayi.secret");

    expect([secret.code, noFile.code, named.code], named.err).toEqual([2, 2, 0]);
    await using connection = await openStore(store);
    const [schedule] = await connection.memory.schedules.list();
    expect(schedule?.options).toMatchObject({
      "feed-auth": `basic:file:${join(store.folder, "bayi.secret")}`,
    });
  });

  it("opens a table for an import", async () => {
    const { store, server } = await setUp();
    const at = store.at({ ERP_LOGIN: `bayi42:${PASSWORD}` });
    const plan = ["plan", server.address, "--mode", "update", "--allow-host", server.host];

    const refused = await at.run(...plan, "--json");
    const planned = await at.run(...plan, "--json", "--feed-auth", "basic:env:ERP_LOGIN");

    expect([refused.code, JSON.parse(refused.out).error.code]).toEqual([3, "E_DOWNLOAD_LOGIN"]);
    expect(planned.code, planned.err).toBe(0);
  });

  it("is in no file, no answer and no message, not even encoded", async () => {
    const { store, server } = await setUp();
    await runWith(
      store,
      PASSWORD,
      "feed",
      "login",
      server.address,
      ...USER,
      "--in-file",
      "--unchecked",
    );
    const sync = ["sync", server.address, "--allow-host", server.host];
    const ended = [
      await store.run(...sync),
      await store.run("runs", "--json"),
      await runWith(
        store,
        "",
        "feed",
        "login",
        `http://bayi42:${PASSWORD}@${server.host}/`,
        ...USER,
      ),
      await store.run("sync", `http://bayi42:x@${server.host}/stok.csv`),
      await store.run("feed", "logout", server.address, "--json"),
      await store.run("feed", "logins"),
    ];

    expect(ended.map(({ code }) => code)).toEqual([0, 0, 2, 3, 0, 0]);
    const printed = ended.map(({ out, err }) => out + err).join("");
    expect(findCanaries(printed)).toEqual([]);
    const written = filesIn(store.folder).map((path) => readFileSync(path, "latin1"));
    expect([printed, ...written].filter((text) => text.includes(PAIR))).toEqual([]);
    expect(JSON.parse(ended[4]?.out ?? "")).toMatchObject({ forgotten: true });
  });
});
