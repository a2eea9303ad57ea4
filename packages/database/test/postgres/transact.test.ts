import { systemClock } from "@catalog/clock";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";

import { DatabaseError } from "../../src/errors.ts";
import { openPostgres } from "../../src/postgres/open-postgres.ts";
import { type Database, inSavepoints, type Steps, together } from "../../src/sql/database.ts";
import { openTcpProxy, type TestDatabase } from "../../src/testing/index.ts";
import { describeOnPostgres, openTestPostgres } from "../helpers/open-test-postgres.ts";
import { STORE } from "../helpers/runs-and-rows.ts";

const END_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const insert = ({ build, run }: Database, key: string): Steps<number> =>
  run(build.insertInto("token").values({ key, token: "t", expires_at_ms: 1 }));

const ask = ({ build, all }: Database, text: string): Steps<object[]> =>
  all({ compile: () => sql<object>`${sql.raw(text)}`.compile(build) });

async function readKeys(database: Database): Promise<readonly string[]> {
  const { build, all } = database;
  const stored = build.selectFrom("token").select("key").orderBy("key");
  const found = await database.execute(all(stored));
  return found.map(({ key }) => key);
}

async function openOther(url: string): Promise<Database> {
  const other = await openPostgres({ url, clock: systemClock, store: STORE });
  onTestFinished(() => other.close());
  return other;
}

/** Returns an address under which the server is reached; `pass` says whether bytes are answered. */
async function openProxy(url: string, pass: (bytes: string) => boolean): Promise<string> {
  const proxy = await openTcpProxy(url, { pass });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return proxy.url;
}

/** Opens a database whose next commits, as many as are left to cut, are made and not answered. */
async function openCut(url: string): Promise<{ database: Database; cuts: { left: number } }> {
  const cuts = { left: 0 };
  const isAnswered = (bytes: string): boolean => {
    if (cuts.left === 0 || !bytes.includes("COMMIT")) return true;
    cuts.left -= 1;
    return false;
  };
  return { database: await openOther(await openProxy(url, isAnswered)), cuts };
}

/** Makes the server do something at each commit of counted rows. */
async function doAtCommit(server: TestDatabase, statement: string): Promise<void> {
  await server.query(`CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${statement}; RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT OR UPDATE ON token
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION at_commit()`);
  onTestFinished(async () => void (await server.query("DROP FUNCTION at_commit CASCADE")));
}

/** Reads a number and writes the next one. */
function* countOn({ build, get, run }: Database): Steps<number> {
  const last = build.selectFrom("token").select("expires_at_ms").where("key", "=", "n");
  const n = ((yield* get(last))?.expires_at_ms ?? 0) + 1;
  const columns = { key: "n", token: "", expires_at_ms: n };
  const next = build.insertInto("token").values(columns);
  yield* run(next.onConflict((conflict) => conflict.column("key").doUpdateSet(columns)));
  return n;
}

const count = (database: Database): Promise<number> =>
  database.transaction(() => countOn(database));

describeOnPostgres("a transaction on PostgreSQL", () => {
  it("is undone whole where its work throws", async () => {
    const { database } = await openTestPostgres();

    const failed = database.transaction(function* work() {
      yield* insert(database, "a");
      throw new Error("no");
    });

    await expect(failed).rejects.toThrow("no");
    expect(await readKeys(database)).toEqual([]);
  });

  it.each(["transaction", "transactionUnsynced"] as const)(
    "reads what the others of its store have written, and never beside them (%s)",
    async (kind) => {
      const { database, server } = await openTestPostgres();
      const other = await openOther(server.url);
      const countBy = (by: Database): Promise<number> => by[kind](() => countOn(by));

      const counted = await Promise.all(
        Array.from({ length: 40 }, (_, index) => countBy(index % 2 === 0 ? database : other)),
      );

      expect(counted.toSorted((a, b) => a - b)).toEqual(counted.map((_, index) => index + 1));
    },
  );

  it("is made once where the connection is cut before the answer to its commit", async () => {
    const { server } = await openTestPostgres();
    const { database, cuts } = await openCut(server.url);
    cuts.left = 2;

    const counted = [await count(database), await count(database), await count(database)];

    expect(counted).toEqual([1, 2, 3]);
    expect(cuts.left).toBe(0);
  });

  it("is made once where the server is still at its commit when it is asked", async () => {
    const { server } = await openTestPostgres();
    await doAtCommit(server, "PERFORM pg_sleep(0.5)");
    const { database, cuts } = await openCut(server.url);
    cuts.left = 1;

    expect([await count(database), await count(database)]).toEqual([1, 2]);
  });

  it("is not made again where its mark is gone with the answer to its commit", async () => {
    const { server } = await openTestPostgres();
    await doAtCommit(server, "DELETE FROM commit_mark");
    const { database, cuts } = await openCut(server.url);
    cuts.left = 1;

    await expect(count(database)).rejects.toMatchObject({ code: "E_DATABASE_AWAY" });
    expect(await count(database)).toBe(2);
  });

  it("leaves one mark for each connection, and none from hours before", async () => {
    const { database, server } = await openTestPostgres();
    await server.query(`INSERT INTO commit_mark (connection, mark, marked_at) VALUES
      (gen_random_uuid(), 7, now() - interval '2 hours'), (gen_random_uuid(), 8, now())`);

    await count(database);
    await count(database);

    const marks = "SELECT mark::int FROM commit_mark ORDER BY mark";
    expect(await server.query(marks)).toEqual([{ mark: 2 }, { mark: 8 }]);
  });

  it("leaves together with its first statement where it is not synced", async () => {
    const { server } = await openTestPostgres();
    const sent: string[] = [];
    const database = await openOther(await openProxy(server.url, (bytes) => sent.push(bytes) > 0));
    const isTogether = (name: string): boolean =>
      sent.some((bytes) => bytes.includes("BEGIN") && bytes.includes(name));

    await database.transactionUnsynced(() => ask(database, "SELECT 1 AS unsynced"));
    await database.transaction(() => ask(database, "SELECT 1 AS synced"));

    expect([isTogether("AS unsynced"), isTogether("AS synced")]).toEqual([true, false]);
  });

  it("writes nothing, and tells why, where it cannot have the lock of its store", async () => {
    const { database, server } = await openTestPostgres();
    const impatient = new URL(server.url);
    impatient.searchParams.set("options", "-c lock_timeout=100");
    const other = await openOther(impatient.href);
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();

    const first = database.transaction(function* hold() {
      yield* ask(database, "SELECT 1");
      held();
      yield* ask(database, "SELECT pg_sleep(1)");
    });
    await isHeld;
    const second = other.transactionUnsynced(() => insert(other, "a"));

    await expect(second).rejects.toThrow("lock timeout");
    await first;
    expect(await readKeys(database)).toEqual([]);
    await other.transactionUnsynced(() => insert(other, "b"));
    expect(await readKeys(database)).toEqual(["b"]);
  });

  it("is done again where its connection was lost before the commit", async () => {
    const { database, server } = await openTestPostgres();
    let times = 0;

    await database.transaction(function* work() {
      times += 1;
      yield* insert(database, `try-${times}`);
      if (times === 1) yield* ask(database, "SELECT pg_terminate_backend(pg_backend_pid())");
    });

    expect(times).toBe(2);
    expect(await readKeys(database)).toEqual(["try-2"]);
    expect(await server.query("SELECT count(*)::int AS n FROM token")).toEqual([{ n: 1 }]);
  });

  it("goes on where every connection was closed meanwhile", async () => {
    const { database, server } = await openTestPostgres();
    await server.query(END_OTHERS);

    expect(await count(database)).toBe(1);
    await server.query(END_OTHERS);
    expect(await count(database)).toBe(2);
  });

  it("keeps the other parts where one of many fails", async () => {
    const { database } = await openTestPostgres();

    const written = await database.transaction(() =>
      inSavepoints(database, ["a", "b", "a", "c"], (key) => insert(database, key)),
    );

    const statuses = written.map(({ status }) => status);
    expect(statuses).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(await readKeys(database)).toEqual(["a", "b", "c"]);
  });

  it("sends the statements of several works at once, before the first one is answered", async () => {
    const { server } = await openTestPostgres();
    const sent: string[] = [];
    const database = await openOther(await openProxy(server.url, (bytes) => sent.push(bytes) > 0));

    const answers = await database.transaction(() =>
      together([ask(database, "SELECT 1 AS one"), ask(database, "SELECT 2 AS two")]),
    );

    expect(answers).toEqual([[{ one: 1 }], [{ two: 2 }]]);
    expect(
      sent.filter((bytes) => bytes.includes("AS one") && bytes.includes("AS two")),
    ).toHaveLength(1);
  });

  it("tells the first error of several works, once all have ended", async () => {
    const { database } = await openTestPostgres();
    const ended: string[] = [];
    const work = function* work(key: string): Steps<void> {
      try {
        yield* insert(database, key);
        yield* insert(database, `${key}, too`);
      } finally {
        ended.push(key);
      }
    };

    const failed = database.transaction(function* all() {
      yield* insert(database, "b");
      try {
        yield* together(["a", "b", "c"].map(work));
      } finally {
        ended.push("all");
      }
    });

    await expect(failed).rejects.toThrow("duplicate key");
    expect(ended).toHaveLength(4);
    expect(ended.at(-1)).toBe("all");
    expect(await readKeys(database)).toEqual([]);
  });

  it("gives up at once where it may not wait for another one", async () => {
    const { database, server } = await openTestPostgres();
    const other = await openOther(server.url);
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();

    const first = other.transaction(function* hold() {
      yield* ask(other, "SELECT 1");
      held();
      yield* ask(other, "SELECT pg_sleep(1)");
    });
    await isHeld;
    const second = database.transactionAtOnce(() => insert(database, "a"));

    await expect(second).rejects.toMatchObject({ code: "E_DATABASE_BUSY" });
    await first;
    await database.transactionAtOnce(() => insert(database, "b"));
    expect(await readKeys(database)).toEqual(["b"]);
  });

  it("waits for the disk of the server, whose crash this process outlives", async () => {
    const { database } = await openTestPostgres();
    const show = (): Steps<object[]> => ask(database, "SHOW synchronous_commit");

    expect(await database.transaction(show)).toEqual([{ synchronous_commit: "on" }]);
    expect(await database.transactionUnsynced(show)).toEqual([{ synchronous_commit: "on" }]);
  });
});

describeOnPostgres("a snapshot on PostgreSQL", () => {
  it("sees one state, whatever others commit meanwhile", async () => {
    const { database, server } = await openTestPostgres();
    const other = await openOther(server.url);
    await count(database);
    const { promise: isCounted, resolve: counted } = Promise.withResolvers<void>();
    const last = database.build.selectFrom("token").select("expires_at_ms");

    const seen = database.snapshot(function* read() {
      const first = yield* database.get(last);
      // The other one commits while this waits on the server.
      void count(other).then(() => counted());
      yield* ask(database, "SELECT pg_sleep(0.5)");
      return [first, yield* database.get(last)];
    });

    expect(await seen).toEqual([{ expires_at_ms: 1 }, { expires_at_ms: 1 }]);
    await isCounted;
  });
});

describeOnPostgres("a server that is not there", () => {
  it("is named without the password", async () => {
    const url = "postgres://someone:hidden@127.0.0.1:1/none";

    const error: unknown = await openPostgres({
      url,
      clock: systemClock,
      store: STORE,
      wait: { maxMs: 0 },
    }).catch((caught: unknown) => caught);

    if (!(error instanceof DatabaseError)) throw error;
    expect(error.code).toBe("E_DATABASE_SERVER");
    expect(error.message).toContain("postgres://someone@127.0.0.1:1/none");
    expect(JSON.stringify([error.message, error.localized])).not.toContain("hidden");
  });
});
