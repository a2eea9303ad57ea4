import { systemClock } from "@catalog/clock";
import { describe, expect, it, onTestFinished } from "vitest";

import { createAlertRepository } from "../../src/repositories/alerts.ts";
import type { Database } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { hasPostgres } from "../../src/testing/index.ts";
import { openTestPostgres } from "../helpers/open-test-postgres.ts";
import { STORE } from "../helpers/runs-and-rows.ts";

async function openFile(): Promise<Database> {
  const database = await openDatabase(":memory:");
  onTestFinished(() => database.close());
  return database;
}

const DATABASES = [
  ["a file", openFile],
  ["PostgreSQL", async () => (await openTestPostgres()).database],
] as const;

const CHANNEL = { name: "phone", kind: "telegram", settings: { chat: "1" } };

describe.each(DATABASES)("the alerts of a store in %s", (place, openPlace) => {
  const test = it.skipIf(place === "PostgreSQL" && !hasPostgres());

  test("are hidden from other stores, and go with their channel", async () => {
    const database = await openPlace();
    const alerts = createAlertRepository({ database, clock: systemClock, store: STORE });
    const other = alerts.of(database.storeKey(STORE) + 1);
    const key = { channel: "phone", subject: "feed" };
    const delivery = { atMs: 7, failure: null, arrivedAtMs: 7 };

    await alerts.saveChannel(CHANNEL);
    await alerts.noteDelivery("phone", delivery);
    await alerts.replace({ ...key, version: 0 }, { told: 1 });

    expect(await alerts.listChannels()).toMatchObject([{ ...CHANNEL, delivery }]);
    expect(await alerts.list()).toEqual([{ ...key, version: 1, state: { told: 1 } }]);
    expect([await other.listChannels(), await other.list()]).toEqual([[], []]);
    expect(await other.removeChannel("phone")).toBe(false);

    expect(await alerts.removeChannel("phone")).toBe(true);
    expect([await alerts.listChannels(), await alerts.list()]).toEqual([[], []]);
  });

  test("are changed by one of two that have read the same", async () => {
    const database = await openPlace();
    const alerts = createAlertRepository({ database, clock: systemClock, store: STORE });
    const key = { channel: "phone", subject: "feed" };

    const made = [
      await alerts.replace({ ...key, version: 0 }, "first"),
      await alerts.replace({ ...key, version: 0 }, "second"),
    ];
    const changed = [
      await alerts.replace({ ...key, version: 1 }, "third"),
      await alerts.replace({ ...key, version: 1 }, "fourth"),
      await alerts.remove({ ...key, version: 1 }),
    ];

    expect([made, changed]).toEqual([
      [true, false],
      [true, false, false],
    ]);
    expect(await alerts.list()).toEqual([{ ...key, version: 2, state: "third" }]);
    expect(await alerts.remove({ ...key, version: 2 })).toBe(true);
    expect(await alerts.list()).toEqual([]);
  });
});
