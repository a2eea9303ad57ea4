import { describe, expect, it } from "vitest";

import { DatabaseError } from "../../src/errors.ts";
import { type Database, inSavepoints, type Steps } from "../../src/sql/database.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";

function createWrite(database: Database): (key: string) => Steps<string> {
  const insert = database.prepare<{ key: string }>((arg) =>
    database.build.insertInto("token").values({ key: arg("key"), token: "t", expires_at_ms: 1 }),
  );
  return function* write(key) {
    yield* insert({ key });
    yield* insert({ key: `${key}, too` });
    return key.toUpperCase();
  };
}

describe("inSavepoints", () => {
  it("writes all items in their order, and returns the result of each", async () => {
    const { database, path } = await openTestJournal();

    const results = await database.transaction(() =>
      inSavepoints(database, ["a", "b"], createWrite(database)),
    );

    expect(results).toEqual([
      { status: "fulfilled", value: "A" },
      { status: "fulfilled", value: "B" },
    ]);
    expect(openRaw(path).rows("SELECT key FROM token ORDER BY rowid")).toHaveLength(4);
  });

  it("undoes only the writes of a failing item", async () => {
    const { database, path } = await openTestJournal();

    const results = await database.transaction(() =>
      inSavepoints(database, ["a", "b, too", "b", "c"], createWrite(database)),
    );

    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(
      openRaw(path)
        .rows("SELECT key FROM token ORDER BY key")
        .map(({ key }) => key),
    ).toEqual(["a", "a, too", "b, too", "b, too, too", "c", "c, too"]);
  });

  it.each([
    ["the disk of a file", new DatabaseError("E_DISK_FULL", "catalog.db")],
    ["the disk of a server", Object.assign(new Error("no space"), { code: "53100" })],
    ["a server that ends", Object.assign(new Error("terminating"), { code: "57P01" })],
    ["another transaction", Object.assign(new Error("deadlock"), { code: "40P01" })],
  ] as const)("throws an error of %s, because it concerns all items", async (name, refusal) => {
    const { database } = await openTestJournal();
    const write = createWrite(database);
    const refuse = function* refuse(key: string): Steps<never> {
      yield* write(key);
      throw refusal;
    };

    const written = database.transaction(() => inSavepoints(database, ["a", "b"], refuse));

    await expect(written).rejects.toBe(refusal);
  });
});

it("storeKey gives each store of each marketplace a permanent number of its own", async () => {
  const { database, path } = await openTestJournal({ runs: [] });
  const addresses = [
    { baseUrl: "https://a.test", storeId: "1" },
    { baseUrl: "https://a.test", storeId: "2" },
    { baseUrl: "https://b.test", storeId: "1" },
  ];

  const keys = addresses.map((address) => database.storeKey(address));

  expect(new Set(keys).size).toBe(3);
  const again = await openTestJournal({ path, runs: [] });
  expect(addresses.map((address) => again.database.storeKey(address))).toEqual(keys);
});
