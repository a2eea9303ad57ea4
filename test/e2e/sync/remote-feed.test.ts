/** Feeds on SFTP and FTPS servers: real ones on this machine. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { CA } from "../../../packages/images/test/helpers/certificate.ts";
import { serveFtps } from "../../../packages/images/test/helpers/ftps-server.ts";
import { type FileServer, serveSftp } from "../../../packages/images/test/helpers/sftp-server.ts";
import { causesOf, startReceiver } from "../../helpers/alert-receiver.ts";
import { callCatalog, readDocument } from "../../helpers/call-catalog.ts";
import { filesIn } from "../../helpers/canaries.ts";
import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { addMissedSchedule } from "../../helpers/note-schedule.ts";
import { startCatalog } from "../../helpers/processes/catalog-process.ts";

/** The password of the test servers. */
const PASSWORD = "pärola-CANARY";

interface Fixture {
  readonly store: TestStore;
  /** The products of the store with the changed stocks of a version of the feed. */
  readonly changed: (by: number) => readonly FeedLine[];
  /** Puts the feed with changed stocks on the server. */
  readonly put: (server: FileServer, by: number) => void;
}

const restock = ({ code, stock, priceMinor }: FeedLine, by: number): FeedLine => ({
  code,
  stock: stock + by,
  priceMinor,
});

async function setUp(products = 300): Promise<Fixture> {
  const store = await openTestStore({ products });
  const lines = readStore(store.sandbox);
  const path = join(store.folder, "ilk.csv");
  const { code } = await store.run(
    "sync",
    writeFeed(path, lines),
    "--json",
    "--price-unit",
    "minor",
  );
  expect(code).toBe(0);
  let modifiedS = Math.floor(Date.now() / 1000) - 3_600;
  const changed = (by: number): readonly FeedLine[] =>
    lines.map((line, index) => (index < 5 ? restock(line, by) : line));
  const put = (server: FileServer, by: number): void => {
    writeFeed(path, changed(by));
    server.files.set("/out/stok.csv", { content: readFileSync(path), modifiedS: (modifiedS += 1) });
  };
  return { store, changed, put };
}

const LOGIN = ["--user", "bayi42", "--secret-stdin", "--in-file", "--lang", "en"] as const;

describe("a feed on an SFTP server", () => {
  it("is trusted by a person's word, synced by a schedule, and survives a server that is cut off", async () => {
    const { store, changed, put } = await setUp(5_000);
    const receiver = await startReceiver();
    const at = store.at({ HOOK: receiver.url });
    const server = await serveSftp();
    put(server, 1);
    const address = `sftp://${server.host}/out/`;
    const allow = ["--allow-host", server.host];
    const logIn = async (...words: readonly string[]) =>
      await callCatalog(["feed", "login", address, ...LOGIN, ...allow, ...words], {
        env: store.env,
        cwd: store.folder,
        input: `${PASSWORD}\n`,
      });

    const before = await store.run("sync", address, ...allow, "--lang", "en");
    const unconfirmed = await logIn();
    const other = await logIn("--host-key", "SHA256:other");
    const confirmed = await logIn("--host-key", server.hostKey);
    const channel = ["alerts", "add", "webhook", "--auth", "env:HOOK", "--unchecked"];
    await at.run(...channel);
    const schedule = await addMissedSchedule(store, address, { "allow-host": [server.host] });
    const sync = async (): Promise<readonly unknown[]> => {
      const { exit, counts, error } = await at.json("schedule", "run", schedule);
      const sent = store.sandbox.stats().byEndpoint["product.update"] ?? 0;
      return [exit, counts?.updated ?? 0, error?.code ?? null, sent, ...causesOf(receiver)];
    };
    const first = await sync();
    put(server, 2);
    server.cutAfterBytes = 40_000;
    const cut = await sync();
    const untouched = readStore(store.sandbox);
    server.cutAfterBytes = Infinity;
    const recovered = [await sync(), await sync()];

    expect([before.code, unconfirmed.code, other.code, confirmed.code]).toEqual([3, 2, 2, 0]);
    expect(before.err).toContain(`catalog feed login ${address}`);
    expect(unconfirmed.err).toContain(`it now shows: ${server.hostKey}`);
    expect([first, cut, ...recovered]).toEqual([
      [0, 5, null, 5],
      [3, 0, "E_FEED_ADDRESS", 5, "failed"],
      [0, 5, null, 10, "failed", "recovered"],
      [0, 0, null, 10, "failed", "recovered"],
    ]);
    expect(untouched).toEqual(changed(1));
    expect(readStore(store.sandbox)).toEqual(changed(2));
    expect(String(receiver.bodies[0]?.["text"])).toMatch(
      /çalışmıyor: .*dosyanın ortasında bağlantıyı kesti; dosya yarım kaldı\..*Hiçbir şey gönderilmedi\./u,
    );
    const leaks = filesIn(store.folder).filter(
      (path) => readFileSync(path, "utf8").includes(PASSWORD) && !path.endsWith("feed-logins.json"),
    );
    expect(leaks).toEqual([]);
  });

  it("is planned by an import with a login of the environment", async () => {
    const { store, put } = await setUp();
    const server = await serveSftp();
    put(server, 3);
    const at = store.at({ ERP: `bayi42:${PASSWORD}` });
    const words = ["--mode", "update", "--allow-host", server.host, "--feed-auth", "basic:env:ERP"];

    const plan = await at.json(
      "plan",
      `sftp://${server.host}/out/stok.csv`,
      ...words,
      "--host-key",
      server.hostKey,
    );

    expect([plan.exit, plan.planned.update]).toEqual([0, 5]);
  });
});

describe("a feed on an FTPS server", () => {
  it("is synced by a process that believes its certificate, and by no other", async () => {
    const { store, put } = await setUp();
    const server = await serveFtps();
    put(server, 4);
    const ca = join(store.folder, "ca.pem");
    writeFileSync(ca, CA);
    const words = [
      "sync",
      `ftps://${server.host}/out/stok.csv`,
      "--json",
      "--allow-host",
      server.host,
    ];
    const run = async (env: Readonly<Record<string, string>>) =>
      readDocument(
        await startCatalog([...words, "--feed-auth", "basic:env:ERP", "--lang", "en"], {
          env: { ...store.env, ERP: `bayi42:${PASSWORD}`, ...env },
          cwd: store.folder,
        }).finished,
      );

    const refused = await run({});
    const synced = await run({ NODE_EXTRA_CA_CERTS: ca });

    expect([refused.exit, refused.error.code, synced.exit, synced.counts.updated]).toEqual([
      3,
      "E_FEED_ADDRESS",
      0,
      5,
    ]);
    expect(refused.error.message).toContain("certificate");
    expect(server.logins).toEqual([`bayi42:${PASSWORD}`]);
  });
});

it("refuses an address of plain FTP before it is stored", async () => {
  const { store } = await setUp();

  const { code, err } = await store.run("sync", "ftp://ftp.example.com/stok.csv", "--lang", "en");

  expect(code).toBe(3);
  expect(err).toContain("sftp:// or ftps://");
});
