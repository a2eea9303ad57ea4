import { systemClock } from "@catalog/clock";
import { type Connection, openConnection } from "@catalog/connection";
import { hashName } from "@catalog/importer";

import type { TestStore } from "./markets/test-store.ts";

/** Opens the store of a test in this process. */
export const openStore = ({
  env,
  sandbox,
}: Pick<TestStore, "env" | "sandbox">): Promise<Connection> =>
  openConnection({
    home: env["CATALOG_HOME"] ?? "",
    databaseUrl: env["CATALOG_DATABASE_URL"],
    baseUrl: sandbox.baseUrl,
    storeId: sandbox.storeId,
    credentials: { clientKey: sandbox.clientKey, clientSecret: sandbox.clientSecret },
    clock: systemClock,
    random: Math.random,
  });

/** Stores up to which time the schedule of a command was run, each minute of the day. */
export async function noteSchedule(store: TestStore, feed: string, dueMs: number): Promise<void> {
  await using connection = await openStore(store);
  const { schedules } = connection.memory;
  const [cron, timeZone] = ["* * * * *", "Europe/Istanbul"];
  const id = hashName(`${feed} ${cron} ${timeZone}`);
  const times = { cron, timeZone, isSpread: false };
  await schedules.save({ ...times, id, feed, options: {}, madeBy: "command" });
  await schedules.update(id, { progress: { dueMs, state: "done" } });
}

/** Adds a schedule as the page does, of which one time was missed. */
export async function addMissedSchedule(
  store: Pick<TestStore, "env" | "sandbox">,
  feed: string,
  given: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<string> {
  await using connection = await openStore(store);
  const { schedules } = connection.memory;
  const id = "0123456789abcdef01234567";
  const times = { cron: "0 3 1 * *", timeZone: "Europe/Istanbul", isSpread: false };
  const options = { lang: "tr", "price-unit": "minor", ...given };
  await schedules.save({ ...times, id, feed, options, madeBy: "page" });
  const aMonthMs = 32 * 86_400_000;
  await schedules.update(id, { progress: { dueMs: Date.now() - aMonthMs, state: "done" } });
  return id;
}
