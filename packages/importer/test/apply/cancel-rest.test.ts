import type { Clock } from "@catalog/clock";
import { createFakeClock } from "@catalog/clock/testing";
import type { Connection } from "@catalog/connection";
import {
  createTestConnection,
  RUN_ID,
  startMarketplaceServer,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import type { RunRecord } from "@catalog/runs";
import { expect, it } from "vitest";

import { readRun } from "../../src/apply/apply-plan.ts";
import { cancelRest, lockForCancel, setAside } from "../../src/apply/cancel-rest.ts";
import { toAdd } from "../helpers/to-add.ts";

const LOST = { to: "ambiguous", cause: "lost" } as const;
const DONE = { to: "done", cause: "answer" } as const;

async function storeStopped(
  connection: Connection,
  rows: readonly StoredRow[],
): Promise<RunRecord> {
  await storeRun(connection, { header: ["Ürün Kodu"], rows });
  await connection.runs.update(RUN_ID, { state: "stopped" });
  return await readRun(connection, RUN_ID);
}

/** The waits between lookups are skipped; the limits of calls are never reached. */
function createHastyClock(): Clock {
  const clock = createFakeClock(Date.UTC(2026, 10, 21, 9, 30));
  return {
    now: () => clock.now(),
    sleep: async (ms, signal) => (ms < 15_000 ? clock.advance(ms) : clock.sleep(ms, signal)),
  };
}

it("gives up the rows of a stopped run that were not sent, and ends it", async () => {
  const { connection } = await createTestConnection();
  const { journal, runs } = connection;
  const rows = [{ ...toAdd("A-1"), outcome: DONE }, toAdd("A-2"), toAdd("A-3")];
  const run = await storeStopped(connection, rows);

  const { cancelled, counts } = await cancelRest(connection, { run, by: "ayşe", reason: "yanlış" });

  const events = await journal.readEvents({ runId: RUN_ID, row: 3 });
  expect([cancelled, counts.cancelled, counts.added, counts.pending]).toEqual([2, 2, 1, 0]);
  expect((await runs.read(run.id))?.state).toBe("finished");
  expect(events.slice(-2)).toMatchObject([
    { from: "ready", to: "held", cause: "released-cancel" },
    { from: "held", to: "cancelled", evidence: { by: "ayşe", reason: "yanlış" } },
  ]);
  expect(await journal.readKnownCodes(["a-2", "a-3"])).toEqual([]);
});

it("looks up a row of unknown outcome before, and holds it where that tells nothing", async () => {
  const { baseUrl } = await startMarketplaceServer();
  const { connection } = await createTestConnection({ baseUrl, clock: createHastyClock() });
  const rows = [{ ...toAdd("A-1"), outcome: LOST }, toAdd("A-2")];
  const run = await storeStopped(connection, rows);

  const { cancelled, counts } = await cancelRest(connection, { run, by: "ayşe" });

  expect([cancelled, counts.held, counts.cancelled]).toEqual([1, 1, 1]);
  expect(connection.meters.calls.counts().read).toBeGreaterThan(0);
});

it("gives up nothing where a row of unknown outcome cannot be looked up", async () => {
  const { connection } = await createTestConnection({ clock: createHastyClock() });
  const rows = [{ ...toAdd("A-1"), outcome: LOST }, toAdd("A-2")];
  const run = await storeStopped(connection, rows);

  await expect(cancelRest(connection, { run, by: "ayşe" })).rejects.toMatchObject({
    code: "NETWORK_ERROR",
  });

  const states = (await connection.journal.readRows(RUN_ID, { limit: 9 })).map(
    ({ state }) => state,
  );
  expect(states).toEqual(["ambiguous", "ready"]);
});

it("refuses a run of a sync, of which the next sync decides, and an incomplete plan", async () => {
  const { connection } = await createTestConnection();
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows: [] });
  const lock = (changes: Partial<RunRecord>): Promise<unknown> =>
    lockForCancel(connection, { ...run, ...changes });

  await expect(lock({ kind: "sync" })).rejects.toMatchObject({ code: "E_RUN_SYNC" });
  await expect(lock({ state: "planning" })).rejects.toMatchObject({ code: "E_RUN_UNPLANNED" });
});

it("setAside gives up the named rows that are ready, and frees their codes", async () => {
  const { connection } = await createTestConnection();
  const { journal } = connection;
  const rows = ["A-1", "A-2", "A-3"].map((code) => toAdd(code));
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows });
  const sent = { runId: RUN_ID, row: 4 };
  journal.beginSending(sent);

  const given = await setAside(connection, { run, rows: [2, 4, 99], by: "ayşe" });

  const states = (await journal.readRows(RUN_ID, { limit: 9 })).map(({ state }) => state);
  const events = await journal.readEvents({ runId: RUN_ID, row: 2 });
  expect([given, states]).toEqual([1, ["cancelled", "ready", "sending"]]);
  expect(events.slice(-2)).toMatchObject([
    { from: "ready", to: "held", cause: "set-aside", evidence: { by: "ayşe" } },
    { from: "held", to: "cancelled", cause: "released-cancel", evidence: { by: "ayşe" } },
  ]);
  expect(await journal.readKnownCodes(["a-1"])).toEqual([]);
});
