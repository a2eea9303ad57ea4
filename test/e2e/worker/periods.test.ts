/** Runs that are sent and taken back at set times, by workers as processes, on one machine and on several. */

import { describe, expect, it } from "vitest";

import type { Json } from "../../helpers/call-catalog.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import type { WatchOptions } from "../../helpers/markets/watched-sandbox.ts";
import { openStore } from "../../helpers/note-schedule.ts";
import { PLACES, startWorker } from "../../helpers/processes/worker-process.ts";
import { goodRows, writeCsv, writeText } from "../../helpers/product-sheet.ts";
import { waitUntil } from "../../helpers/wait-until.ts";

const ROWS = 12;
const CODES = Array.from({ length: ROWS }, (_, at) => `TST-${String(at + 1).padStart(5, "0")}`);
const [START, END] = ["2099-12-01T09:00", "2099-12-07T00:00"];

interface Place {
  readonly shop: TestStore;
  readonly here: TestStore;
  readonly there: TestStore;
  /** Prices by code before the sale. */
  readonly before: Readonly<Record<string, number>>;
  readonly file: string;
}

const pricesOf = ({ sandbox }: TestStore): Record<string, number> =>
  Object.fromEntries(sandbox.products().map(({ product_code, price }) => [product_code, price]));

const SALE = Object.fromEntries(CODES.map((code) => [code, 2_000]));

async function openPlace(
  { open }: Pick<(typeof PLACES)[number], "open">,
  options: WatchOptions = {},
): Promise<Place> {
  const shop = await openTestStore({
    ...options,
    breaks: {
      "early-token": "two homes are two programs",
      "unknown-path": "doctor asks for the address",
    },
  });
  const [here, there] = await open(shop);
  const added = await here.json(
    "import",
    writeCsv(shop.folder, "urunler.csv", goodRows(ROWS)),
    "--yes",
    "--price-unit=minor",
  );
  expect(added.counts).toMatchObject({ added: ROWS });
  const lines = CODES.map((code) => `${code};20,00`);
  const file = writeText(shop.folder, "indirim.csv", `Ürün Kodu;Fiyat\n${lines.join("\n")}\n`);
  return { shop, here, there, before: pricesOf(shop), file };
}

const IMPORT = ["--yes", "--allow", "price-drop", "--json"] as const;

async function startSale({ here, file }: Place, ...flags: readonly string[]): Promise<string> {
  const ended = await here.run("import", file, ...IMPORT, ...flags);
  const document: Json = JSON.parse(ended.out);
  expect([ended.code, ended.err]).toEqual([0, expect.any(String)]);
  return document.run;
}

/** Moves the times of a run to the past, as if they had come. */
async function pass(
  store: TestStore,
  run: string,
  which: "startAtMs" | "endAtMs",
  byMs = 1_000,
): Promise<void> {
  await using connection = await openStore(store);
  const { periods } = connection.memory;
  const stored = await periods.read(run);
  if (stored === undefined) throw new Error(`${run} has no period`);
  const period = { ...stored.period, [which]: Date.now() - byMs };
  expect(await periods.save(run, period, stored)).toBe(true);
}

async function readPeriod(store: TestStore, run: string): Promise<Json> {
  return (await store.json("runs", run)).period;
}

const isOver = async (store: TestStore, run: string): Promise<boolean> => {
  await using connection = await openStore(store);
  return (await connection.memory.periods.read(run))?.period.end !== undefined;
};

/** The runs that take the run back, whatever became of them. */
async function undosOf(store: TestStore, run: string): Promise<number> {
  await using connection = await openStore(store);
  return (await connection.runs.listUndos(run)).length;
}

async function untilOver(store: TestStore, run: string): Promise<void> {
  let over = false;
  const look = async (): Promise<void> => {
    over = await isOver(store, run);
  };
  await waitUntil(() => {
    void look();
    return over;
  });
}

async function editElsewhere(shop: TestStore): Promise<void> {
  const path = writeText(
    shop.folder,
    "baskasi.csv",
    "Ürün Kodu;Fiyat\nTST-00003;31,00\nTST-00007;33,00\n",
  );
  const other = shop.at({ CATALOG_HOME: `${shop.folder}/other-home`, CATALOG_DATABASE_URL: "" });
  const { code } = await other.run("import", path, "--yes", "--price-unit", "minor");
  expect(code).toBe(0);
}

describe.each(PLACES)("a run with a period on $name", ({ isOn, ...on }) => {
  it.skipIf(!isOn)("is taken back at its end but for what others have changed", async () => {
    const place = await openPlace(on);
    const run = await startSale(place, "--undo-at", END);
    expect(pricesOf(place.shop)).toEqual(SALE);
    expect(await readPeriod(place.here, run)).toMatchObject({
      state: "open",
      healthy: true,
      time_zone: "Europe/Istanbul",
      undo_at: "2099-12-06T21:00:00.000Z",
    });
    await editElsewhere(place.shop);
    await pass(place.here, run, "endAtMs");

    const workers = [startWorker(place.here), startWorker(place.there)];
    await untilOver(place.there, run);
    await Promise.all(workers.map((worker) => worker.end()));

    expect(pricesOf(place.shop)).toEqual({
      ...place.before,
      "TST-00003": 3_100,
      "TST-00007": 3_300,
    });
    const period = await readPeriod(place.here, run);
    expect(period).toMatchObject({ state: "left", healthy: false, left: 2 });
    expect(await undosOf(place.here, run)).toBe(1);
    const undo = await place.here.json("runs", period.undo_run);
    expect(undo.counts).toMatchObject({ updated: ROWS - 2, skipped: 2 });
    const kept = undo.issues.filter(({ code }: Json) => code === "W_UNDO_KEPT");
    expect(kept.map(({ value }: Json) => value)).toEqual(["TST-00003", "TST-00007"]);
  });

  for (const updates of [0, 1, 5, ROWS]) {
    it.skipIf(!isOn)(`loses and doubles no end that dies after ${updates} updates`, async () => {
      const place = await openPlace(on, { latencyMs: 40 });
      const run = await startSale(place, "--undo-at", END);
      await pass(place.here, run, "endAtMs");
      const { sandbox } = place.shop;
      const sent = sandbox.stats().updates;

      const first = startWorker(place.here);
      await first.until("started");
      await waitUntil(() => sandbox.stats().updates >= sent + updates);
      await first.killAll();
      const second = startWorker(place.there);
      await untilOver(place.there, run);
      await second.end();

      expect(pricesOf(place.shop)).toEqual(place.before);
      expect(await undosOf(place.here, run)).toBe(1);
      expect(await readPeriod(place.here, run)).toMatchObject({ state: "ended", healthy: true });
      const again = await place.here.json("undo", run, "--queued", "--yes");
      expect([again.exit, pricesOf(place.shop)]).toEqual([0, place.before]);
    });
  }

  it.skipIf(!isOn)("is sent at its start, and not before", async () => {
    const place = await openPlace(on);
    const run = await startSale(place, "--start-at", START, "--undo-at", END);
    expect(pricesOf(place.shop)).toEqual(place.before);
    expect(await readPeriod(place.here, run)).toMatchObject({ state: "scheduled" });
    const early = await place.here.run("resume", run, "--yes");
    expect([early.code, pricesOf(place.shop)]).toEqual([2, place.before]);
    await pass(place.here, run, "startAtMs");

    const worker = startWorker(place.there);
    await waitUntil(() => pricesOf(place.shop)["TST-00012"] === 2_000);
    await worker.until("ended");
    await worker.end();

    expect(pricesOf(place.shop)).toEqual(SALE);
    expect(await readPeriod(place.here, run)).toMatchObject({ state: "open", healthy: true });
  });

  it.skipIf(!isOn)("is not sent any more once a person has taken its start back", async () => {
    const place = await openPlace(on);
    const run = await startSale(place, "--start-at", START);

    const taken = await place.there.json("apply", run, "--unqueue");
    await pass(place.here, run, "startAtMs");
    const other = await startSale(place, "--start-at", START);
    await pass(place.here, other, "startAtMs");
    const worker = startWorker(place.here);
    await worker.until("ended");
    await worker.end();

    expect(taken).toMatchObject({ exit: 0, unqueued: true });
    const started = worker.events.filter(({ event }) => event === "started");
    expect(started.map((event) => event.run)).toEqual([other]);
  });

  it.skipIf(!isOn)("closes what was never sent when its end comes", async () => {
    const place = await openPlace(on);
    const run = await startSale(place, "--start-at", START, "--undo-at", END);
    await pass(place.here, run, "startAtMs", 2_000);
    await pass(place.here, run, "endAtMs");

    const worker = startWorker(place.here);
    await untilOver(place.here, run);
    await worker.end();
    const resumed = await place.here.run("resume", run, "--yes");

    expect(await readPeriod(place.here, run)).toMatchObject({ state: "idle", undo_run: null });
    expect([resumed.code, pricesOf(place.shop)]).toEqual([0, place.before]);
    expect((await place.here.json("runs", run)).counts).toMatchObject({ cancelled: ROWS });
  });

  it.skipIf(!isOn)("takes back the part that was sent by its end, and sends no more", async () => {
    const place = await openPlace(on, { latencyMs: 40 });
    const { sandbox } = place.shop;
    const run = await startSale(place, "--start-at", START, "--undo-at", END);
    await pass(place.here, run, "startAtMs");
    const sent = sandbox.stats().updates;
    const first = startWorker(place.here, "--max-commands", "1");
    await first.until("started");
    await waitUntil(() => sandbox.stats().updates > sent);
    await first.killAll();
    await pass(place.here, run, "endAtMs");

    const second = startWorker(place.there);
    await untilOver(place.here, run);
    await second.end();
    const resumed = await place.here.run("resume", run, "--yes");

    expect([resumed.code, pricesOf(place.shop)]).toEqual([0, place.before]);
  });

  it.skipIf(!isOn)(
    "leaves no price of a shorter sale under a longer one that began later",
    async () => {
      const place = await openPlace(on);
      const short = await startSale(place, "--undo-at", END);
      const lines = CODES.slice(0, 4).map((code) => `${code};15,00`);
      const file = writeText(
        place.shop.folder,
        "ikinci.csv",
        `Ürün Kodu;Fiyat\n${lines.join("\n")}\n`,
      );
      const long = await startSale({ ...place, file }, "--undo-at", "2099-12-09");
      const worker = startWorker(place.here);

      await pass(place.here, short, "endAtMs");
      await untilOver(place.here, short);
      const between = pricesOf(place.shop);
      const shortBetween = await readPeriod(place.here, short);
      await editElsewhere(place.shop);
      await pass(place.here, long, "endAtMs");
      await untilOver(place.here, long);
      await untilOver(place.here, short);
      await worker.end();

      const covered = Object.fromEntries(CODES.slice(0, 4).map((code) => [code, 1_500]));
      expect(between).toEqual({ ...place.before, ...covered });
      expect(shortBetween).toMatchObject({ state: "left", left: 4 });
      // One that was edited elsewhere on the way is nobody's any more, and stays.
      const edited = { "TST-00003": 3_100, "TST-00007": 3_300 };
      expect(pricesOf(place.shop)).toEqual({ ...place.before, ...edited });
      expect(await readPeriod(place.here, short)).toMatchObject({ state: "left", left: 1 });
      expect(await readPeriod(place.here, long)).toMatchObject({ state: "left", left: 1 });
      expect(await undosOf(place.here, short)).toBe(2);
    },
  );

  it.skipIf(!isOn)("has nothing to do at its end where a person took the run back", async () => {
    const place = await openPlace(on);
    const run = await startSale(place, "--undo-at", END);
    await place.here.json("undo", run, "--yes");
    expect(pricesOf(place.shop)).toEqual(place.before);
    await pass(place.here, run, "endAtMs");

    const worker = startWorker(place.there);
    await untilOver(place.here, run);
    await worker.end();

    expect(pricesOf(place.shop)).toEqual(place.before);
    expect(await readPeriod(place.here, run)).toMatchObject({ state: "idle", healthy: true });
  });

  it.skipIf(!isOn)("says that it is late where nothing takes it back", async () => {
    const place = await openPlace(on);
    const run = await startSale(place, "--undo-at", END);
    await pass(place.here, run, "endAtMs", 3 * 3_600_000);

    const period = await readPeriod(place.here, run);
    const doctor = await place.here.json("doctor");
    const moved = await place.here.json("undo", run, "--at", "2099-12-08");
    const taken = await place.here.json("undo", run, "--at", "never");

    expect(period).toMatchObject({ state: "late", healthy: false });
    expect(period.text).toContain("3 saat geçti, geri alınmadı");
    // On a server without a backup the checks end with that of the database.
    const found = doctor.checks.find(({ name }: Json) => name === "periods");
    expect(found ?? { state: "warn" }).toMatchObject({ state: "warn" });
    expect(moved.period).toMatchObject({ state: "open", undo_at: "2099-12-07T21:00:00.000Z" });
    expect(taken.period).toBeUndefined();
  });
});
