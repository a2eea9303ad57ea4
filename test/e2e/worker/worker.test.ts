import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { ScheduleRecord } from "@catalog/jobs";
import { describe, expect, it } from "vitest";

import { readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { addMissedSchedule, openStore } from "../../helpers/note-schedule.ts";
import { PLACES, startWorker } from "../../helpers/processes/worker-process.ts";
import { waitUntil } from "../../helpers/wait-until.ts";

async function readSchedule(
  store: Pick<TestStore, "env" | "sandbox">,
  id: string,
): Promise<ScheduleRecord | undefined> {
  await using connection = await openStore(store);
  return await connection.memory.schedules.read(id);
}

/** A feed that changes the stock of every product. */
function writeChanges({ sandbox, folder }: TestStore): string {
  const lines = readStore(sandbox).map(({ code, stock, priceMinor }) => ({
    code,
    stock: stock + 1,
    priceMinor,
  }));
  return writeFeed(join(folder, "stok.csv"), lines);
}

const sentUpdates = ({ sandbox }: TestStore): number =>
  sandbox.stats().byEndpoint["product.update"] ?? 0;

describe.each(PLACES)("catalog worker on $name", ({ open, isOn }) => {
  it.skipIf(!isOn)(
    "sends each change of a feed once, although it is killed in the middle",
    async () => {
      const shop = await openTestStore({ products: 40, latencyMs: 30 });
      const [store, there] = await open(shop);
      const wanted = readStore(store.sandbox).map(({ code, stock }) => [code, stock + 1]);
      const id = await addMissedSchedule(store, writeChanges(store));
      const first = startWorker(store);
      await waitUntil(() => sentUpdates(store) >= 10);
      await first.killAll();
      const before = sentUpdates(store);

      const second = startWorker(there);
      const ended = await second.until("ended");
      await second.until("waiting");
      const { code } = await second.end();

      expect(before).toBeLessThan(40);
      expect([code, ended]).toEqual([0, expect.objectContaining({ schedule: id, exit: 0 })]);
      expect(readStore(store.sandbox).map((line) => [line.code, line.stock])).toEqual(wanted);
      expect(sentUpdates(store)).toBe(40);
      expect(await readSchedule(store, id)).toMatchObject({
        progress: { state: "done" },
        result: { exit: 0, run: ended.run, code: null },
      });
    },
  );

  it.skipIf(!isOn)(
    "runs a time once beside another worker, and says who serves the store",
    async () => {
      const shop = await openTestStore({ products: 3 });
      const [store, there] = await open(shop);
      const id = await addMissedSchedule(store, writeChanges(store));
      const workers = [startWorker(store), startWorker(there)] as const;
      const of = (event: string): number =>
        workers.flatMap(({ events }) => events).filter((one) => one.event === event).length;
      await waitUntil(() => of("ended") > 0);

      await using connection = await openStore(store);
      const holder = await connection.locks.schedulesHolder();
      const found = await connection.memory.schedules.read(id);
      const ends = await Promise.all(workers.map((worker) => worker.end()));

      expect([of("started"), of("ended"), ends.map(({ code }) => code)]).toEqual([1, 1, [0, 0]]);
      expect(holder).toMatchObject({ command: "catalog worker" });
      expect(found).toMatchObject({ progress: { state: "done" }, result: { exit: 0 } });
      expect(await connection.locks.schedulesHolder()).toBeUndefined();
    },
  );
});

describe("catalog worker", () => {
  it("waits for the leading process, and records what started the run", async () => {
    const store = await openTestStore({ products: 3 });
    await addMissedSchedule(store, writeChanges(store));
    const leader = startWorker(store);
    await leader.until("started");
    const other = startWorker(store);

    await other.until("following");
    const { run = "" } = await leader.until("ended");
    const ends = [await other.end("SIGINT"), await leader.end("SIGINT")];

    await using connection = await openStore(store);
    expect(await connection.runs.read(run)).toMatchObject({ maker: { origin: "schedule" } });
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(other.events.map(({ event }) => event)).toEqual(["following"]);
  });

  it("keeps the key of an address from its output and from the command line of the sync", async () => {
    const store = await openTestStore({ products: 3 });
    const id = await addMissedSchedule(store, "https://127.0.0.1:9/stok.csv?token=gizli-anahtar");

    const worker = startWorker(store);
    const { pid } = await worker.until("started");
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    await worker.until("ended");
    const { out, err } = await worker.end();

    expect(words).toContain(`schedule:${id}`);
    expect(words + out + err).not.toContain("gizli-anahtar");
  });
});
