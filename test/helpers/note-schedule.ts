import { systemClock } from "@catalog/clock";
import { openConnection } from "@catalog/connection";
import { feedKey } from "@catalog/feed-sync";

import type { TestStore } from "./markets/test-store.ts";

/** Stores up to which time a schedule was run. */
export async function noteSchedule(
  { env, sandbox }: TestStore,
  key: string,
  dueMs: number,
): Promise<void> {
  await using connection = await openConnection({
    home: env["CATALOG_HOME"] ?? "",
    baseUrl: sandbox.baseUrl,
    storeId: sandbox.storeId,
    credentials: { clientKey: sandbox.clientKey, clientSecret: sandbox.clientSecret },
    clock: systemClock,
    random: Math.random,
  });
  connection.memory.feedState.saveNotes({ [`schedule ${feedKey(key)}`]: { dueMs, state: "done" } });
}
