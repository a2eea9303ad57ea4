/** Feeds on SFTP and FTPS servers: real ones on this machine. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { CA } from "../../../packages/images/test/helpers/certificate.ts";
import { serveFtps } from "../../../packages/images/test/helpers/ftps-server.ts";
import { type FileServer, serveSftp } from "../../../packages/images/test/helpers/sftp-server.ts";
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
  readonly lines: readonly FeedLine[];
  /** Puts the feed with changed stocks on the server. */
  readonly put: (server: FileServer, by: number) => void;
}

async function setUp(): Promise<Fixture> {
  const store = await openTestStore({ products: 300 });
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
  const put = (server: FileServer, by: number): void => {
    writeFeed(
      path,
      lines.map((line, index) => (index < 5 ? { ...line, stock: line.stock + by } : line)),
    );
    server.files.set("/out/stok.csv", { content: readFileSync(path), modifiedS: (modifiedS += 1) });
  };
  return { store, lines, put };
}

const LOGIN = ["--user", "bayi42", "--secret-stdin", "--in-file", "--lang", "en"] as const;

describe("a feed on an SFTP server", () => {
  it("is trusted by a person's word, synced by a schedule, and survives a server that is cut off", async () => {
    const { store, lines, put } = await setUp();
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
    const schedule = await addMissedSchedule(store, address, { "allow-host": [server.host] });
    const sync = async (): Promise<readonly unknown[]> => {
      const { exit, counts, error } = await store.json("sync", `schedule:${schedule}`);
      return [exit, counts?.updated ?? 0, error?.code ?? null];
    };
    const first = await sync();
    put(server, 2);
    server.cutAfterBytes = 2_000;
    const cut = await sync();
    server.cutAfterBytes = Infinity;
    const recovered = await sync();
    const settled = await sync();

    expect([before.code, unconfirmed.code, other.code, confirmed.code]).toEqual([3, 2, 2, 0]);
    expect(before.err).toContain(`catalog feed login ${address}`);
    expect(unconfirmed.err).toContain(`it now shows: ${server.hostKey}`);
    expect([first, cut, recovered, settled]).toEqual([
      [0, 5, null],
      [3, 0, "E_FEED_ADDRESS"],
      [0, 5, null],
      [0, 0, null],
    ]);
    expect(readStore(store.sandbox)[0]?.stock).toBe((lines[0]?.stock ?? 0) + 2);
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
