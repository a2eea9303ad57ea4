import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { expect, it, onTestFinished } from "vitest";

import { type FileDatabase, openDatabase } from "../../src/index.ts";
import type { Steps } from "../../src/sql/database.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { planToSend } from "../helpers/runs-and-rows.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

interface Opened {
  readonly database: FileDatabase;
  readonly clock: FakeClock;
  readonly told: string[];
  /** Another program, which is in the middle of a transaction. */
  readonly other: DatabaseSync;
}

async function openLocked(): Promise<Opened> {
  const path = join(temporaryFolder(), "catalog.db");
  const clock = createFakeClock();
  const told: string[] = [];
  const database = await openDatabase(path, {
    busyTimeoutMs: 1,
    wait: {
      clock,
      maxMs: 10_000,
      onOutage: (outage) => void told.push(outage === undefined ? "back" : "away"),
    },
  });
  const other = new DatabaseSync(path);
  onTestFinished(() => {
    other.close();
    database.close();
  });
  other.exec("BEGIN IMMEDIATE");
  return { database, clock, told, other };
}

const insert = ({ build, run }: FileDatabase, key: string): Steps<number> =>
  run(build.insertInto("token").values({ key, token: "t", expires_at_ms: 1 }));

it("waits for a file that another program holds, and writes each thing once", async () => {
  const { database, clock, told, other } = await openLocked();

  const written = Promise.all([
    database.transaction(() => insert(database, "a")),
    database.transactionUnsynced(() => insert(database, "b")),
    database.execute(insert(database, "c")),
    database.ready(),
  ]);
  await clock.advance(3_000);
  other.exec("COMMIT");
  await clock.advance(3_000);
  await written;

  const keys = database.build.selectFrom("token").select("key").orderBy("key");
  expect(await database.execute(database.all(keys))).toEqual([
    { key: "a" },
    { key: "b" },
    { key: "c" },
  ]);
  expect(told).toEqual(["away", "back"]);
});

it("gives the file up after the longest wait", async () => {
  const { database, clock, told } = await openLocked();

  const refused = expect(database.transaction(() => insert(database, "a"))).rejects.toMatchObject({
    code: "E_DATABASE_BUSY",
  });
  await clock.advance(20_000);

  await refused;
  expect(told).toEqual(["away"]);
});

it("lets no request leave while another program holds the file, and gives its row back", async () => {
  const { path, journal } = await openTestJournal({ busyTimeoutMs: 1 });
  const claimed = await planToSend(journal, { runId: "run-1", row: 2 });
  const unclaimed = await planToSend(journal, { runId: "run-1", row: 3 });
  const [claim] = await journal.claim([claimed]);
  using other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");

  const starts = [journal.beginSending(claim ?? claimed), journal.beginSending(unclaimed)];
  other.exec("COMMIT");

  const states = (await journal.readRows("run-1", { limit: 9 })).map(({ state }) => state);
  expect([starts, states]).toEqual([
    ["unconfirmed", "away"],
    ["sending", "ready"],
  ]);
});
