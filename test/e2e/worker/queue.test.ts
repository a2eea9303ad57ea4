/** Imports that are left to workers, on one machine and on several. */

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { describe, expect, it, onTestFinished } from "vitest";

import { callCatalog, readDocument } from "../../helpers/call-catalog.ts";
import { createSlowMarket } from "../../helpers/markets/slow-market.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import type { WatchOptions } from "../../helpers/markets/watched-sandbox.ts";
import { openStore } from "../../helpers/note-schedule.ts";
import { type Finished, startCatalog } from "../../helpers/processes/catalog-process.ts";
import { PLACES, startWorker } from "../../helpers/processes/worker-process.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { waitUntil } from "../../helpers/wait-until.ts";

const ROWS = 40;
/** Adds that are under way at a time at most. */
const MAX_IN_FLIGHT = 8;

/** The codes of the store, in order; a code that was added twice is there twice. */
const codesOf = ({ sandbox }: TestStore): readonly string[] =>
  sandbox
    .products()
    .map(({ product_code }) => product_code)
    .toSorted((a, b) => a.localeCompare(b));

interface Place {
  readonly shop: TestStore;
  readonly file: string;
  readonly here: TestStore;
  /** Another machine where the database is shared, else the same one. */
  readonly there: TestStore;
}

async function openPlace(
  options: WatchOptions = { latencyMs: 20 },
  { open }: Pick<(typeof PLACES)[number], "open"> = { open: async (shop) => [shop, shop] },
): Promise<Place> {
  const shop = await openTestStore(options);
  const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(ROWS));
  const [here, there] = await open(shop);
  return { shop, file, here, there };
}

const WORDS = ["--queue", "--yes", "--json"];

const queue = ({ here, file }: Place): Promise<Finished> => here.run("import", file, ...WORDS);

describe.each(PLACES)("a queued import on $name", ({ isOn, ...on }) => {
  it.skipIf(!isOn)("is sent once by two workers, and reported where it was asked for", async () => {
    const place = await openPlace(undefined, on);
    const workers = [startWorker(place.here), startWorker(place.there)];

    const ended = await queue(place);
    const ends = await Promise.all(workers.map((worker) => worker.end()));

    const summary = readDocument(ended);
    expect([ended.code, ...ends.map(({ code }) => code)]).toEqual([0, 0, 0]);
    expect(summary).toMatchObject({ command: "import", exit: 0, counts: { added: ROWS } });
    expect(new Set(codesOf(place.shop)).size).toBe(ROWS);
    expect(codesOf(place.shop)).toHaveLength(ROWS);
    const started = workers.flatMap(({ events }) =>
      events.filter(({ event }) => event === "started"),
    );
    expect(started).toEqual([expect.objectContaining({ kind: "apply", run: summary.run })]);
    const { result } = JSON.parse(JSON.stringify(summary["files"]));
    expect(existsSync(resolve(place.shop.folder, result))).toBe(true);
  });

  it.skipIf(!isOn)(
    "can be stopped from any machine, and continues when it is queued again",
    async () => {
      const market = createSlowMarket();
      const place = await openPlace(market.options, on);
      const { sandbox } = place.shop;
      const worker = startWorker(place.here);
      const asked = queue(place);
      await waitUntil(() => sandbox.stats().adds >= 4);
      const run = worker.events.find(({ event }) => event === "started")?.run ?? "";

      const stopped = await place.there.json("apply", run, "--unqueue");
      const left = await asked;
      const before = sandbox.stats().adds;
      market.letGo();
      const again = [place.here, place.there].map((machine) =>
        machine.run("apply", run, "--queue", "--json"),
      );
      const ends = await Promise.all(again);

      expect(stopped).toMatchObject({ exit: 0, stopping: true });
      expect([left.code, before < ROWS]).toEqual([130, true]);
      expect(ends.map(({ code }) => code)).toEqual([0, 0]);
      expect(ends.map((end) => readDocument(end).counts.added)).toEqual([ROWS, ROWS]);
      expect(new Set(codesOf(place.shop)).size).toBe(ROWS);
      expect(codesOf(place.shop)).toHaveLength(ROWS);
    },
  );

  it.skipIf(!isOn)("is taken over by the next worker when a machine dies", async () => {
    const place = await openPlace(undefined, on);
    const first = startWorker(place.here);
    const asked = queue(place);
    await waitUntil(() => place.shop.sandbox.stats().adds >= 10);
    await first.killAll();
    const before = place.shop.sandbox.stats().adds;

    startWorker(place.there);
    const ended = await asked;

    const { added, held } = readDocument(ended).counts;
    expect(before).toBeLessThan(ROWS);
    // Rows wait for a person whose request may have left although the store does not know them: on
    // another machine nothing tells, on the same one a request may end between its mark and its
    // first byte.
    expect([ended.code, added + held]).toEqual([held === 0 ? 0 : 5, ROWS]);
    expect(held).toBeLessThanOrEqual(MAX_IN_FLIGHT);
    expect(new Set(codesOf(place.shop)).size).toBe(added);
    expect(codesOf(place.shop)).toHaveLength(added);
  });
});

describe("a queued import", () => {
  it("is not sent once it is taken out of the queue, and says how to send it", async () => {
    const place = await openPlace();
    const asked = queue(place);
    await using connection = await openStore(place.shop);
    const { jobs } = connection.memory;
    let [job] = await jobs.listOpen();
    for (; job === undefined; [job] = await jobs.listOpen()) await wait(20);

    const removed = await place.shop.json("apply", job.key, "--unqueue");
    const { code, err } = await asked;

    expect([removed.exit, removed.unqueued]).toEqual([0, true]);
    expect([code, err]).toEqual([6, expect.stringContaining(`catalog resume ${job.key}`)]);
    expect(place.shop.sandbox.stats().adds).toBe(0);
    const resumed = await place.shop.run("resume", job.key, "--json");
    expect([resumed.code, codesOf(place.shop)]).toEqual([
      0,
      expect.objectContaining({ length: ROWS }),
    ]);
  });

  it("need not be queued to be stopped from another window", async () => {
    const market = createSlowMarket();
    const place = await openPlace(market.options);
    const { sandbox, json } = place.shop;
    const sending = place.here.start("import", place.file, "--yes", "--json");
    await waitUntil(() => sandbox.stats().adds >= 4);
    const listed = await json("runs");
    const [{ run: id }] = listed.runs;

    const stopped = await json("apply", id, "--unqueue");
    const { code } = await sending.finished;

    expect([stopped.exit, stopped.stopping, code]).toEqual([0, true, 130]);
    expect(sandbox.stats().adds).toBeLessThan(ROWS);
  });

  it("continues when nobody follows it, and stops with its worker", async () => {
    const place = await openPlace({ latencyMs: 500 });
    const { sandbox } = place.shop;
    const asked = place.here.start("import", place.file, ...WORDS);
    const worker = startWorker(place.here);
    await waitUntil(() => sandbox.stats().adds >= 4);
    asked.child.kill("SIGINT");
    await waitUntil(() => sandbox.stats().adds >= 12);
    worker.child.kill("SIGTERM");
    const [left, stopped] = [await asked.finished, await worker.finished];
    const before = sandbox.stats().adds;
    const next = startWorker(place.here);
    await waitUntil(() => next.events.some(({ event }) => event === "ended"));

    expect([left.code, stopped.code]).toEqual([130, 0]);
    expect(before).toBeLessThan(ROWS);
    expect(next.events).toContainEqual(expect.objectContaining({ event: "ended", exit: 0 }));
    expect(codesOf(place.shop)).toHaveLength(ROWS);
  });
});

describe("catalog worker with a list of stores", () => {
  it("serves each with its own secret, which others may not read", async () => {
    const shops = [await openTestStore(), await openTestStore()];
    const [first, second] = shops;
    if (first === undefined || second === undefined) throw new Error("two stores were opened");
    const folder = mkdtempSync(join(tmpdir(), "catalog-secrets-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const list = shops.map(({ sandbox: { baseUrl, clientKey, clientSecret, storeId } }, at) => {
      const clientSecretFile = `secret-${at}.txt`;
      writeFileSync(join(folder, clientSecretFile), `${clientSecret}\n`, { mode: 0o600 });
      return { baseUrl, clientKey, storeId, clientSecretFile };
    });
    const path = join(folder, "stores.json");
    writeFileSync(path, JSON.stringify(list));
    const home = first.env["CATALOG_HOME"] ?? "";
    const asked = shops.map(async (shop) => {
      const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(3));
      return await shop.at({ CATALOG_HOME: home }).run("import", file, ...WORDS);
    });
    const env = { CATALOG_HOME: home };
    const start = (...args: readonly string[]) => startCatalog(args, { env, cwd: folder });
    const worker = startWorker({ start }, "--stores", path);

    const ends = await Promise.all(asked);
    const { code, out } = await worker.end();
    chmodSync(join(folder, "secret-1.txt"), 0o644);
    const shown = await callCatalog(["worker", "--stores", path], { env, cwd: folder });

    expect([code, ...ends.map((end) => end.code)]).toEqual([0, 0, 0]);
    expect(shops.map(codesOf)).toEqual([expect.any(Array), expect.any(Array)]);
    expect(shops.map((shop) => codesOf(shop).length)).toEqual([3, 3]);
    const stores = worker.events.filter(({ event }) => event === "ended").map(({ store }) => store);
    expect(new Set(stores)).toEqual(new Set(shops.map(({ sandbox }) => sandbox.storeId)));
    expect(out).not.toContain(readFileSync(join(folder, "secret-0.txt"), "utf8").trim());
    expect([shown.code, shown.err]).toEqual([2, expect.stringContaining("chmod 600")]);
  });
});
