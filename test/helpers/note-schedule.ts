import { systemClock } from "@catalog/clock";
import { type Connection, openConnection } from "@catalog/connection";
import { hashName } from "@catalog/feed-sync";

import type { TestStore } from "./markets/test-store.ts";

/** Opens the store of a test in this process. */
export const openStore = ({
  env,
  sandbox,
}: Pick<TestStore, "env" | "sandbox">): Promise<Connection> =>
  openConnection({
    home: env["CATALOG_HOME"] ?? "",
    baseUrl: sandbox.baseUrl,
    storeId: sandbox.storeId,
    credentials: { clientKey: sandbox.clientKey, clientSecret: sandbox.clientSecret },
    clock: systemClock,
    random: Math.random,
  });

/** Stores up to which time a schedule was run, as versions before the table of schedules did. */
export async function noteSchedule(store: TestStore, key: string, dueMs: number): Promise<void> {
  await using connection = await openStore(store);
  await connection.memory.feedState.saveNotes({
    [`schedule ${hashName(key)}`]: { dueMs, state: "done" },
  });
}

/** Adds a schedule as the page does, of which one time was missed. */
export async function addMissedSchedule(store: TestStore, feed: string): Promise<string> {
  await using connection = await openStore(store);
  const { schedules } = connection.memory;
  const id = "test-schedule";
  const times = { cron: "0 3 1 * *", timeZone: "Europe/Istanbul", isSpread: false };
  const options = { lang: "tr", "price-unit": "minor" };
  await schedules.save({ ...times, id, feed, options, madeBy: "page" });
  const aMonthMs = 32 * 86_400_000;
  await schedules.update(id, { progress: { dueMs: Date.now() - aMonthMs, state: "done" } });
  return id;
}
