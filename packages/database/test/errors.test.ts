import { DatabaseSync } from "node:sqlite";

import { systemClock } from "@catalog/clock";
import { describe, expect, it, onTestFinished } from "vitest";

import { DatabaseError, isBusy, isFileError, toDatabaseError } from "../src/errors.ts";
import { checkServer, migratePostgres } from "../src/postgres/administration.ts";
import { openPostgres } from "../src/postgres/open-postgres.ts";
import { createTestDatabase, startPostgres } from "../src/testing/index.ts";
import { describeOnPostgres } from "./helpers/open-test-postgres.ts";
import { STORE } from "./helpers/runs-and-rows.ts";

/** Returns the error of SQLite for a statement on an empty database. */
function errorOf(statement: string): unknown {
  using sqlite = new DatabaseSync(":memory:");
  try {
    sqlite.exec(statement);
    return undefined;
  } catch (error) {
    return error;
  }
}

it("DatabaseError says in both languages what to do", () => {
  const busy = new DatabaseError("E_STORE_BUSY", "ayşe, 14:05");
  const broken = new DatabaseError("E_DATABASE", "/home/catalog.db");

  expect(busy.localized).toEqual({
    tr: "Bu mağaza için başka bir işlem sürüyor (ayşe, 14:05). Bitmesini bekleyip yeniden deneyin; durdurmak için o pencerede Ctrl-C'ye basın.",
    en: "Another process is working on this store (ayşe, 14:05). Wait until it ends and try again; to stop it, press Ctrl-C in its window.",
  });
  expect(broken.localized.tr).toContain("Veritabanı kullanılamıyor (/home/catalog.db).");
  expect(broken.localized.tr).toContain("CATALOG_HOME");
  expect(broken.message).toBe(broken.localized.en);
  expect(broken.message).toContain("CATALOG_HOME");
});

describe("toDatabaseError", () => {
  it("names the file and keeps the cause", () => {
    const cause = new Error("disk full");

    expect(toDatabaseError(cause, "/a.db")).toMatchObject({
      name: "StoreError",
      code: "E_DATABASE",
      cause,
      message: expect.stringContaining("(/a.db: disk full)"),
    });
    expect(toDatabaseError("text", "/a.db").message).toContain("(/a.db: text)");
  });

  it.each([
    ["SQLite's", Object.assign(new Error("attempt to write a readonly database"), { errcode: 8 })],
    ["a file system's", Object.assign(new Error("read-only file system"), { code: "EROFS" })],
  ])("describes %s error in Turkish too", (_, cause) => {
    const { localized } = toDatabaseError(cause, "/a.db");

    expect(localized.tr).toContain("yalnızca okunabiliyor");
    expect(localized.tr).not.toMatch(/read-?only/u);
    expect(localized.en).toContain(cause.message);
  });

  it("reports a full disk as E_DISK_FULL, from SQLite and from the file system", () => {
    const full = errorOf("PRAGMA max_page_count=1; CREATE TABLE t (x)");
    const noSpace = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const quota = Object.assign(new Error("quota exceeded"), { code: "EDQUOT" });
    const input = Object.assign(new Error("disk I/O error"), { errcode: 4874 });

    expect(toDatabaseError(full, "/a.db").code).toBe("E_DISK_FULL");
    expect(toDatabaseError(noSpace, "/a.db").code).toBe("E_DISK_FULL");
    expect(toDatabaseError(quota, "/a.db").code).toBe("E_DISK_FULL");
    // The disk of this file has free space, so the error has another reason.
    expect(toDatabaseError(input, import.meta.filename).code).toBe("E_DATABASE");
  });

  it("passes on an error of this package", () => {
    const busy = new DatabaseError("E_STORE_BUSY", "somebody");

    expect(toDatabaseError(busy, "/a.db")).toBe(busy);
  });
});

describe("isFileError", () => {
  it("tells an error of the file from an error of the statement", () => {
    const full = errorOf("PRAGMA max_page_count=1; CREATE TABLE t (x)");
    const wrong = errorOf("SELECT * FROM missing");

    expect(full).toMatchObject({ errcode: 13 });
    expect(isFileError(full)).toBe(true);
    expect(wrong).toMatchObject({ errcode: 1 });
    expect(isFileError(wrong)).toBe(false);
    expect(isFileError(new Error("other"))).toBe(false);
    expect(isFileError("text")).toBe(false);
  });

  it("recognises an extended result by its primary code", () => {
    expect(isFileError(Object.assign(new Error("write"), { errcode: 778 }))).toBe(true);
    expect(isFileError(Object.assign(new Error("unique"), { errcode: 2067 }))).toBe(false);
  });
});

it("isBusy recognises a lock by its primary code", () => {
  expect(isBusy(Object.assign(new Error("busy"), { errcode: 5 }))).toBe(true);
  expect(isBusy(Object.assign(new Error("snapshot"), { errcode: 517 }))).toBe(true);
  expect(isBusy(Object.assign(new Error("full"), { errcode: 13 }))).toBe(false);
});

/** Lets the administrator in without a password, and everybody else with one. */
const RULES = `host all postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;

interface GuardedDatabase {
  /** The address as the role, with the password where one is given. */
  readonly addressOf: (role: string, password?: string, database?: string) => string;
}

/** Starts a server that asks for passwords, with a role that may connect and no more. */
async function openGuarded(): Promise<GuardedDatabase> {
  const server = await startPostgres({ options: ["-c", "fsync=off"], rules: RULES });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const database = await createTestDatabase({ server: server.url });
  onTestFinished(() => database[Symbol.asyncDispose]());
  await database.query("CREATE ROLE worker LOGIN PASSWORD 'right'");
  return {
    addressOf(role, password, name) {
      const address = new URL(database.url);
      address.username = role;
      address.password = password ?? "";
      if (name !== undefined) address.pathname = `/${name}`;
      return address.href;
    },
  };
}

/** Opens the database in each way, and returns the refusals. */
async function refusalsOf(url: string): Promise<readonly DatabaseError[]> {
  const ways = [
    () => openPostgres({ url, clock: systemClock, store: STORE }),
    () => migratePostgres(url),
    () => checkServer(url),
  ];
  const refusals: DatabaseError[] = [];
  for (const open of ways) {
    try {
      await open();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      refusals.push(error);
    }
  }
  return refusals;
}

const codesOf = (refusals: readonly DatabaseError[]): readonly string[] =>
  refusals.map(({ code }) => code);

const REFUSED = ["E_DATABASE_LOGIN", "E_DATABASE_LOGIN", "E_DATABASE_LOGIN"] as const;

describeOnPostgres("a server that refuses", () => {
  it("a login names the settings to check; one that lacks rights, the owner of the tables", async () => {
    const { addressOf } = await openGuarded();

    const [wrong, missing, unknown, elsewhere] = [
      await refusalsOf(addressOf("worker", "wrong-password")),
      await refusalsOf(addressOf("worker")),
      await refusalsOf(addressOf("nobody", "right")),
      await refusalsOf(addressOf("worker", "right", "no_such_database")),
    ];

    for (const refusals of [wrong, missing, unknown, elsewhere]) {
      expect(codesOf(refusals)).toEqual(REFUSED);
      for (const { localized } of refusals) {
        expect(localized.tr).toMatch(/PGPASSWORD.*CATALOG_DATABASE_URL/u);
        expect(localized.en).toMatch(/PGPASSWORD.*CATALOG_DATABASE_URL/u);
      }
    }
    expect(wrong[0]?.message).not.toContain("wrong-password");
    expect(elsewhere[0]?.message).toContain("no_such_database");

    for (const { code, localized } of await refusalsOf(addressOf("worker", "right"))) {
      expect(code).toBe("E_DATABASE_RIGHTS");
      expect(localized.tr).toMatch(/permission denied.*sahibinin adresiyle.*docs\/operate\.md/u);
      expect(localized.en).toMatch(/permission denied.*tables' owner.*docs\/operate\.md/u);
    }
  });

  it("a role that it does not know names the settings too, where it asks for no password", async () => {
    await using database = await createTestDatabase();
    const address = new URL(database.url);
    address.username = "nobody_here";

    expect(codesOf(await refusalsOf(address.href))).toEqual(REFUSED);
  });
});
