/** Feeds in gzip and zip: as files, in folders and at addresses. */

import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { expect, it, onTestFinished } from "vitest";

import { toStoredZip } from "../../../packages/sheets/test/helpers/stored-zip.ts";
import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";

const zipOf = (files: Readonly<Record<string, Buffer>>): Buffer =>
  Buffer.concat([...toStoredZip(new Map(Object.entries(files)))]);

interface Fixture {
  readonly store: TestStore;
  readonly lines: readonly FeedLine[];
  /** The bytes of the feed with changed stocks. */
  readonly change: (by: number) => Buffer;
}

async function setUp(): Promise<Fixture> {
  const store = await openTestStore({ products: 30 });
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
  const change = (by: number): Buffer => {
    writeFeed(
      path,
      lines.map((line, index) => (index < 4 ? { ...line, stock: line.stock + by } : line)),
    );
    return readFileSync(path);
  };
  return { store, lines, change };
}

it("syncs a compressed feed from a file, a folder and an address, and leaves nothing behind", async () => {
  const { store, change } = await setUp();
  const at = (name: string): string => join(store.folder, name);
  const updated = async (...words: readonly string[]): Promise<unknown> => {
    const { exit, counts, error } = await store.json("sync", ...words);
    return [exit, counts?.updated, error?.code];
  };

  writeFileSync(at("stok.csv.gz"), gzipSync(change(1)));
  const ofFile = await updated(at("stok.csv.gz"));
  writeFileSync(at("stok.zip"), zipOf({ "liste.csv": change(2), "OKU.txt": Buffer.from("x") }));
  const ofFolder = await updated(store.folder);
  let body: Buffer = gzipSync(change(3));
  const server = createServer((_, response) => void response.end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const place = server.address();
  const host = `127.0.0.1:${typeof place === "object" && place !== null ? place.port : 0}`;
  const address = [`http://${host}/stok.gz`, "--allow-host", host];
  const ofAddress = await updated(...address);
  body = zipOf({ "fiyat.csv": Buffer.from("Kod;Fiyat\n"), "stok.csv": change(4) });
  const several = await store.run("sync", ...address, "--lang", "en");
  const chosen = await updated(...address, "--sheet", "stok.csv");
  body = body.subarray(0, body.length - 60);
  const cut = await updated(...address, "--sheet", "stok.csv");

  expect([ofFile, ofFolder, ofAddress, chosen]).toEqual(
    Array.from({ length: 4 }, () => [0, 4, undefined]),
  );
  expect(cut).toEqual([3, 0, "E_FILE_TRUNCATED"]);
  expect(several.code).toBe(3);
  expect(several.err).toContain("There are several tables in");
  expect(several.err).toContain('--sheet "fiyat.csv"');
});

it("plans a compressed file, and asks nothing about the table in it", async () => {
  const { store, change } = await setUp();
  const path = join(store.folder, "urunler.csv.gz");
  writeFileSync(path, gzipSync(change(7)));

  const plan = await store.json("plan", path, "--mode", "update", "--price-unit", "minor");

  expect([plan.exit, plan.planned.update]).toEqual([0, 4]);
});
