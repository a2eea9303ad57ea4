import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { createRawCallLog, type RawCallLog } from "../../src/repositories/raw-calls.ts";
import type { Database } from "../../src/sql/database.ts";
import type { RawCallState } from "../../src/sql/schema.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { hasPostgres } from "../../src/testing/index.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openTestPostgres } from "../helpers/open-test-postgres.ts";
import { OTHER_STORE, planToSend, sendDone, STORE } from "../helpers/runs-and-rows.ts";

async function openFile(): Promise<Database> {
  const database = await openDatabase(":memory:");
  onTestFinished(() => database.close());
  return database;
}

const DATABASES = [
  ["a file", openFile],
  ["PostgreSQL", async () => (await openTestPostgres()).database],
] as const;

const ACCEPT = { endpoint: "order.accept", body: { package_id: "P-1" }, holds: null };
const ADD = {
  endpoint: "product.add",
  body: { product_code: "K-1" },
  holds: { kind: "add", key: "k-1" },
} as const;

const NO_PACKAGE = { tr: "böyle bir paket yok", en: "no such package" };

/** Writes a call, and then that it has come to this state. */
async function write(log: RawCallLog, state: RawCallState): Promise<number> {
  const id = await log.begin(ADD);
  if (typeof id !== "number") throw new Error("the code is taken");
  if (state !== "sending") await log.end(id, { state, status: null, detail: null });
  return id;
}

describe.each(DATABASES)("the log of single calls in %s", (place, openPlace) => {
  const test = it.skipIf(place === "PostgreSQL" && !hasPostgres());

  test("has a call before it ends, with who made it, and what became of it", async () => {
    const database = await openPlace();
    const clock = createFakeClock(1_000);
    const maker = { origin: "terminal", user: "ayse" } as const;
    const log = createRawCallLog({ database, clock, store: STORE, maker });
    const elsewhere = { ...database, storeKey: () => database.storeKey(STORE) + 1 };
    const other = createRawCallLog({ database: elsewhere, clock, store: STORE });

    const id = await log.begin(ACCEPT);
    const begun = await log.list(10);
    await clock.advance(500);
    await log.end(Number(id), { state: "refused", status: 422, detail: NO_PACKAGE });
    await log.begin({ ...ACCEPT, endpoint: "question.reply" });

    const facts = { endpoint: "order.accept", body: { package_id: "P-1" }, maker };
    expect(begun).toEqual([
      {
        ...facts,
        id,
        state: "sending",
        status: null,
        detail: null,
        begunAtMs: 1_000,
        endedAtMs: null,
      },
    ]);
    expect(await log.list(10)).toMatchObject([
      { endpoint: "question.reply", state: "sending" },
      { ...facts, state: "refused", status: 422, detail: NO_PACKAGE, endedAtMs: 1_500 },
    ]);
    expect(await log.list(1)).toHaveLength(1);
    expect(await other.list(10)).toEqual([]);
  });

  test.each<readonly [RawCallState, boolean]>([
    ["sending", true],
    ["unknown", true],
    ["done", true],
    ["refused", false],
    ["unsent", false],
    ["absent", false],
  ])("holds the code of an add that is %s: %s", async (state, holds) => {
    const database = await openPlace();
    const log = createRawCallLog({ database, clock: createFakeClock(0), store: STORE });
    const id = await write(log, state);

    const second = await log.begin(ADD);

    expect(second).toEqual(holds ? { call: id } : expect.any(Number));
    expect(await log.list(10)).toHaveLength(holds ? 1 : 2);
  });

  test("is settled by a person only where the outcome is not known", async () => {
    const database = await openPlace();
    const log = createRawCallLog({ database, clock: createFakeClock(0), store: STORE });
    const refused = await write(log, "refused");
    const unknown = await write(log, "unknown");

    const settled = [
      await log.settle(refused, "absent"),
      await log.settle(unknown, "absent"),
      await log.settle(unknown, "done"),
      await log.settle(unknown + 1, "done"),
    ];

    expect(settled).toEqual([false, true, false, false]);
    expect((await log.list(10)).map(({ state }) => state)).toEqual(["absent", "refused"]);
  });
});

it("names the run that holds the code of an add, and no run of another store", async () => {
  const { database, clock, store, journal } = await openTestJournal();
  await sendDone(journal, { runId: "run-1", row: 1, code: "k-1" });

  const log = createRawCallLog({ database, clock, store });
  const other = createRawCallLog({ database, clock, store: OTHER_STORE });

  expect(await log.begin(ADD)).toEqual({ run: "run-1" });
  expect(await other.begin(ADD)).toEqual(expect.any(Number));
});

it("holds a subject for its own action alone", async () => {
  const { database, clock, store } = await openTestJournal();
  const log = createRawCallLog({ database, clock, store });
  const begin = (kind: "reply" | "accept" | "shipping-code"): ReturnType<RawCallLog["begin"]> =>
    log.begin({ endpoint: kind, body: {}, holds: { kind, key: "package P-1" } });

  const ids = [await begin("accept"), await begin("shipping-code"), await begin("accept")];

  expect(ids).toEqual([expect.any(Number), expect.any(Number), { call: ids[0] }]);
});

it("a run does not add a product whose code a single call holds, and does once it is settled", async () => {
  const { database, clock, store, journal } = await openTestJournal();
  const log = createRawCallLog({ database, clock, store });
  const id = await write(log, "unknown");
  const key = await planToSend(journal, { runId: "run-1", row: 1, code: "k-1" });

  expect(journal.beginSending(key)).toBe("taken");
  await log.settle(id, "absent");
  expect(journal.beginSending(key)).toBe("begun");
});
