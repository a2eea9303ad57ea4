import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";

import { DatabaseError } from "../../src/errors.ts";
import type { FileDatabase, Steps } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { openTestJournal, type TestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { planToSend } from "../helpers/runs-and-rows.ts";
import { scriptPath, startCommand } from "../helpers/start-script.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const readTokens = ({ database }: TestJournal): unknown =>
  database.executeNow(database.all(database.build.selectFrom("token").selectAll().orderBy("key")));

const writeToken = ({ database }: TestJournal, key: string): Steps<number> =>
  database.run(
    database.build.insertInto("token").values({ key, token: `token ${key}`, expires_at_ms: 1 }),
  );

const token = (key: string): unknown => ({ key, token: `token ${key}`, expires_at_ms: 1 });

const toRow = (text: string) => ({ key: "k", token: text, expires_at_ms: 1 });

describe("a database", () => {
  it("keeps the rows of a sheet in pages without overflow", async () => {
    const { database } = await openTestJournal();
    const pageSize = { compile: () => sql`PRAGMA page_size`.compile(database.build) };

    expect(database.executeNow(database.get(pageSize))).toEqual({ page_size: 16_384 });
  });

  it("returns all rows, the first one, or the number of changes", async () => {
    const store = await openTestJournal();
    const { database } = store;
    const tokens = database.build.selectFrom("token").select("key").orderBy("key");

    expect(database.executeNow(database.get(tokens))).toBeUndefined();
    const changes = ["a", "b"].map((key) => database.executeNow(writeToken(store, key)));
    expect(changes).toEqual([1, 1]);
    expect(database.executeNow(database.all(tokens))).toEqual([{ key: "a" }, { key: "b" }]);
    expect(database.executeNow(database.get(tokens))).toEqual({ key: "a" });
    const update = database.run(database.build.updateTable("token").set({ token: "" }));
    expect(database.executeNow(update)).toBe(2);
  });

  it("runs a prepared query for each of its arguments", async () => {
    const store = await openTestJournal();
    const { database } = store;
    const insert = database.prepare<{ key: string; expires_at_ms: number }>((arg) =>
      database.build
        .insertInto("token")
        .values({ key: arg("key"), token: "fixed", expires_at_ms: arg("expires_at_ms") }),
    );

    database.executeNow(insert({ key: "a", expires_at_ms: 1 }));
    database.executeNow(insert({ expires_at_ms: 2, key: "b" }));

    expect(readTokens(store)).toEqual([
      { key: "a", token: "fixed", expires_at_ms: 1 },
      { key: "b", token: "fixed", expires_at_ms: 2 },
    ]);
  });

  it("finds a row by a prepared query", async () => {
    const store = await openTestJournal();
    const { database } = store;
    const find = database.prepareGet<{ key: string }, { token: string }>((arg) =>
      database.build.selectFrom("token").select("token").where("key", "=", arg("key")),
    );

    const foundOf = (key: string): unknown => database.executeNow(find({ key }));

    expect(foundOf("a")).toBeUndefined();
    for (const key of ["a", "b"]) database.executeNow(writeToken(store, key));

    expect(foundOf("b")).toEqual({ token: "token b" });
    expect(foundOf("c")).toBeUndefined();
  });

  it.each([0, 1, 49, 50, 51, 120])("inserts %s rows, each with its own values", async (count) => {
    const store = await openTestJournal();
    const { database } = store;
    const insert = database.prepareInsert("token", ["key", "token", "expires_at_ms"]);
    const rows = Array.from({ length: count }, (_, at) => ({
      key: `k-${String(at).padStart(3, "0")}`,
      token: "t",
      expires_at_ms: at,
    }));

    expect(database.executeNow(insert(rows))).toBe(count);
    expect(readTokens(store)).toEqual(rows);
  });

  it("keeps a known row, or replaces its columns, as the insert says", async () => {
    const store = await openTestJournal();
    const { database } = store;
    const columns = ["key", "token", "expires_at_ms"] as const;
    const read = () => readTokens(store);

    database.executeNow(database.prepareInsert("token", columns)([toRow("first")]));
    database.executeNow(database.prepareInsert("token", columns, "keep")([toRow("kept")]));
    const before = read();
    const replacing = { replaceBy: ["key"] as const };
    database.executeNow(database.prepareInsert("token", columns, replacing)([toRow("second")]));
    const between = read();
    database.executeNow(database.upsert("token", ["key"], toRow("third")));

    expect([before, between, read()]).toEqual(
      ["first", "second", "third"].map((text) => [toRow(text)]),
    );
  });

  it("commits a whole transaction, visible to other connections once it returns", async () => {
    const store = await openTestJournal();
    const raw = openRaw(store.path);

    const seenInside = await store.database.transaction(function* work() {
      yield* writeToken(store, "a");
      yield* writeToken(store, "b");
      return raw.rows("SELECT * FROM token");
    });

    expect(seenInside).toEqual([]);
    expect(raw.rows("SELECT * FROM token ORDER BY key")).toEqual([token("a"), token("b")]);
  });

  it("rolls back a transaction that throws, and throws the same error", async () => {
    const store = await openTestJournal();
    const failure = new Error("half way");
    const work = function* work(): Steps<void> {
      yield* writeToken(store, "a");
      throw failure;
    };

    await expect(store.database.transaction(work)).rejects.toBe(failure);
    expect(() => store.database.transactNow(work)).toThrow(failure);

    expect(readTokens(store)).toEqual([]);
    await store.database.transaction(() => writeToken(store, "b"));
    expect(readTokens(store)).toEqual([token("b")]);
  });

  it("syncs again after an unsynced transaction, however that one ended", async () => {
    const store = await openTestJournal();
    const { database } = store;
    const synced = { compile: () => sql`PRAGMA synchronous`.compile(database.build) };
    const during: unknown[] = [];

    await database.transactionUnsynced(function* work() {
      during.push(yield* database.get(synced));
      yield* writeToken(store, "a");
    });
    const failing = database.transactionUnsynced(function* work() {
      yield* writeToken(store, "b");
      throw new Error("no");
    });

    await expect(failing).rejects.toThrow("no");
    expect(during).toEqual([{ synchronous: 1 }]);
    expect(database.executeNow(database.get(synced))).toEqual({ synchronous: 2 });
    expect(readTokens(store)).toEqual([token("a")]);
  });

  it("rolls back a transaction with a statement that SQLite refuses", async () => {
    const store = await openTestJournal();
    const work = function* work(): Steps<void> {
      yield* writeToken(store, "a");
      yield* writeToken(store, "a");
    };

    const failing = store.database.transaction(work);
    await expect(failing).rejects.toThrow("UNIQUE constraint failed: token.key");
    await expect(failing).rejects.not.toBeInstanceOf(DatabaseError);

    expect(readTokens(store)).toEqual([]);
  });

  it("refuses values of an unsupported kind", async () => {
    const { database } = await openTestJournal();
    const read = (value: unknown): (() => unknown) => {
      const query = sql`SELECT ${value} AS value`;
      const compilable = { compile: () => query.compile(database.build) };
      return () => database.executeNow(database.get(compilable));
    };

    expect(read(1.5)()).toEqual({ value: 1.5 });
    expect(read(null)()).toEqual({ value: null });
    expect(read("text")()).toEqual({ value: "text" });
    expect(read(undefined)).toThrow("cannot store a value of type undefined");
    expect(read(true)).toThrow("cannot store a value of type boolean");
    expect(read({})).toThrow("cannot store a value of type object");
  });

  it("refuses a query that is executed through the builder", async () => {
    const { database } = await openTestJournal();

    await expect(database.build.selectFrom("token").selectAll().execute()).rejects.toThrow(
      "give the query to the database",
    );
  });

  it("closes twice without an error, and when its scope ends", async () => {
    const store = await openTestJournal();
    {
      using database = store.database;
      database.close();
    }

    expect(() => readTokens(store)).toThrow("not open");
  });

  it("throws E_DATABASE when the disk is full, and keeps what it has committed", async () => {
    const { path, database } = await openTestJournal();
    database.close();
    const script = startCommand("sh", [
      "-c",
      'ulimit -f 400; exec "$0" "$@"',
      process.execPath,
      scriptPath("fill-disk"),
      path,
      "run-1",
    ]);

    const output: unknown = JSON.parse(await script.nextLine());
    await script.ended();

    const [count] = openRaw(path).rows("SELECT sum(rows) AS rows FROM row_piece");
    expect(output).toEqual({ rows: count?.["rows"], code: "E_DATABASE" });
    expect(count?.["rows"]).toBeGreaterThan(0);
    expect(openRaw(path).rows("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  });
});

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
