import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";

import { DatabaseError } from "../../src/errors.ts";
import type { FileDatabase } from "../../src/sql/database.ts";
import { MIGRATIONS } from "../../src/sql/migrations.ts";
import {
  assertLocal,
  createReservedSpace,
  discardFile,
  isAsClosed,
  markClosed,
  readFreeBytes,
  toNetworkName,
  watchDatabaseFile,
} from "../../src/sqlite/file.ts";
import { checkFile } from "../../src/sqlite/maintenance.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { appendRow, planToSend } from "../helpers/runs-and-rows.ts";
import { startScript } from "../helpers/start-script.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const PAGE_BYTES = 16_384;

/** Overwrites a page of a database file, as a failing disk does. */
function damagePage(path: string, page: unknown): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(PAGE_BYTES, 0xaa), 0, PAGE_BYTES, (Number(page) - 1) * PAGE_BYTES);
  closeSync(file);
}

/** Writes a file as the last version before 1.0 has left it, as far as the program looks at it. */
function writeUnreleased(path: string): void {
  const raw = openRaw(path);
  raw.run("CREATE TABLE run (id TEXT PRIMARY KEY) STRICT");
  // "CATL"
  raw.run("PRAGMA application_id=1128354892");
  raw.run("PRAGMA user_version=30");
  raw.close();
}

describe("assertLocal", () => {
  it.each([
    [0x6969, "NFS"],
    [0xfe534d42, "SMB2"],
    [0xff534d42, "CIFS"],
    [0x01021997, "9p"],
    [0x65735546, "FUSE"],
  ])("refuses a file on %x, which is %s", (type, name) => {
    const open = (): void => assertLocal("/home/a/catalog.db", () => type);

    expect(open).toThrow(expect.objectContaining({ code: "E_DATABASE_NETWORK" }));
    expect(open).toThrow(`/home/a: ${name}`);
  });

  it.each([
    ["ext4", 0xef53],
    ["tmpfs", 0x01021994],
    ["btrfs", 0x9123683e],
    ["xfs", 0x58465342],
    ["overlay", 0x794c7630],
    ["APFS, which has no number here", 0x1a],
  ])("accepts %s", (_, type) => expect(toNetworkName(type)).toBeUndefined());

  it("accepts the folder that the tests run in", () => {
    const path = join(temporaryFolder(), "catalog.db");

    expect(() => assertLocal(path)).not.toThrow();
    expect(readFreeBytes(path)).toBeGreaterThan(0);
  });
});

describe("watchDatabaseFile", () => {
  it("passes while the file is written to, and throws when another file is in its place", () => {
    const folder = temporaryFolder();
    const path = join(folder, "catalog.db");
    writeFileSync(path, "1");
    const assertFileUnmoved = watchDatabaseFile(path);
    writeFileSync(path, "2");
    expect(assertFileUnmoved).not.toThrow();

    writeFileSync(join(folder, "copy"), "3");
    renameSync(join(folder, "copy"), path);

    expect(assertFileUnmoved).toThrow(expect.objectContaining({ code: "E_DATABASE_REPLACED" }));
  });

  it("lets a database write nothing more once its file was moved away", async () => {
    const { path, journal } = await openTestJournal();
    mkdirSync(`${path}.away`);
    renameSync(path, join(`${path}.away`, "catalog.db"));

    const appending = appendRow(journal, { runId: "run-1", row: 1 });

    await expect(appending).rejects.toMatchObject({ code: "E_DATABASE_REPLACED" });
  });
});

async function closeFile(): Promise<string> {
  const path = join(temporaryFolder(), "catalog.db");
  (await openDatabase(path)).close();
  return path;
}

describe("isAsClosed", () => {
  it("knows a file that the last process has closed", async () => {
    const path = await closeFile();

    expect(isAsClosed(path)).toBe(true);
  });

  it.each<readonly [what: string, play: (path: string) => void]>([
    ["was left with its log by a killed process", (path) => writeFileSync(`${path}-wal`, "")],
    ["was cut", (path) => truncateSync(path, 20_000)],
    ["was written to", (path) => utimesSync(path, 1, 1)],
    [
      "was replaced with a copy of itself",
      (path) => {
        copyFileSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
    ],
    [
      "was closed before the machine stopped",
      (path) => writeFileSync(`${path}.closed`, "1 2 3 4 5"),
    ],
    ["has lost its mark", (path) => rmSync(`${path}.closed`)],
  ])("does not trust a file that %s", async (_, play) => {
    const path = await closeFile();
    play(path);

    expect(isAsClosed(path)).toBe(false);
  });

  it("does not trust a file that another process has still open", async () => {
    const path = await closeFile();
    using other = await openDatabase(path);

    (await openDatabase(path)).close();

    expect([other.path, isAsClosed(path)]).toEqual([path, false]);
  });

  it("saves the check of the whole file, which finds a damaged page", async () => {
    const path = await closeFile();
    const raw = openRaw(path);
    const [table] = raw.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'feed_product'");
    raw.close();
    damagePage(path, table?.["rootpage"]);
    await expect(openDatabase(path)).rejects.toMatchObject({ code: "E_DATABASE_DAMAGED" });

    markClosed(path);

    using database = await openDatabase(path);
    expect(() => checkFile(database)).toThrow("malformed");
  });
});

const MIB = 1024 * 1024;

describe("createReservedSpace", () => {
  it("reserves eight megabytes at the first call, and keeps them for later processes", () => {
    const databasePath = join(temporaryFolder(), "catalog.db");
    const path = `${databasePath}.ballast`;
    const reserved = createReservedSpace({ databasePath });
    expect(existsSync(path)).toBe(false);

    reserved.assertKept();

    const { size, blocks } = statSync(path);
    expect(size).toBe(8 * MIB);
    expect(blocks * 512).toBeGreaterThanOrEqual(8 * MIB);
    createReservedSpace({ databasePath, freeBytes: () => 64 * MIB }).assertKept();
  });

  it("refuses new requests on a disk that is nearly full", () => {
    const databasePath = join(temporaryFolder(), "catalog.db");
    const reserved = createReservedSpace({ databasePath, freeBytes: () => 64 * MIB - 1 });

    expect(() => reserved.assertKept()).toThrow(expect.objectContaining({ code: "E_DISK_FULL" }));
  });

  it("frees the space once, refuses new requests, and reserves it again once there is room", () => {
    const databasePath = join(temporaryFolder(), "catalog.db");
    const path = `${databasePath}.ballast`;
    let freeBytes = 64 * MIB;
    const reserved = createReservedSpace({ databasePath, freeBytes: () => freeBytes });
    reserved.assertKept();
    freeBytes = 0;

    expect([reserved.drop(), reserved.drop()]).toEqual([true, false]);

    expect(existsSync(path)).toBe(false);
    expect(() => reserved.assertKept()).toThrow(expect.objectContaining({ code: "E_DISK_FULL" }));
    freeBytes = 64 * MIB;
    reserved.assertKept();
    expect(existsSync(path)).toBe(true);
  });

  it("frees nothing before it reserved anything", () => {
    expect(createReservedSpace({ databasePath: join(temporaryFolder(), "a.db") }).drop()).toBe(
      false,
    );
  });
});

/** Limits the size of the file, as a full disk does; `undefined` removes the limit. */
function limitPages(database: FileDatabase, pages = 1_000_000): void {
  const pragma = sql`PRAGMA max_page_count = ${sql.raw(String(pages))}`;
  database.executeNow(database.all({ compile: () => pragma.compile(database.build) }));
}

it("a database whose disk is full frees the reserved space, starts no request, and goes on once there is space", async () => {
  const { path, journal, database } = await openTestJournal();
  const [sent, next] = [
    await planToSend(journal, { runId: "run-1", row: 2 }),
    await planToSend(journal, { runId: "run-1", row: 3 }),
  ];
  journal.beginSending(sent);
  expect(existsSync(`${path}.ballast`)).toBe(true);
  const outcome = { to: "ambiguous", cause: "lost" } as const;
  const evidence = { excerpt: "x".repeat(100_000) };

  limitPages(database, 1);
  const settling = journal.recordOutcome({ ...sent, from: "sending" }, { ...outcome, evidence });
  await expect(settling).rejects.toMatchObject({ code: "E_DISK_FULL" });
  expect(existsSync(`${path}.ballast`)).toBe(false);
  expect(journal.beginSending(next, evidence)).toBe("away");
  limitPages(database);
  await journal.recordOutcome({ ...sent, from: "sending" }, { ...outcome, evidence });

  const states = (await journal.readRows("run-1", { limit: 9 })).map(({ state }) => state);
  expect(states).toEqual(["ambiguous", "ready"]);
  expect(journal.beginSending(next)).toBe("begun");
});

/** "CTLG" */
const APPLICATION_ID = 0x43_54_4c_47;

const modeOf = (path: string): string => (statSync(path).mode % 0o1000).toString(8);

function readPragma(database: FileDatabase, name: string): unknown {
  const query = sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`;
  const read = database.get({ compile: () => query.compile(database.build) });
  const row = database.executeNow(read);
  return row?.[name === "busy_timeout" ? "timeout" : name];
}

/** Returns the error with which opening the file is refused. */
async function readRefusal(path: string): Promise<DatabaseError> {
  const outcome: unknown = await openDatabase(path).then(
    (database) => {
      database.close();
      return "opened";
    },
    (error: unknown) => error,
  );
  if (!(outcome instanceof DatabaseError)) throw new Error(`not refused: ${String(outcome)}`);
  return outcome;
}

/** Sets the umask so that new files are readable for all users unless their mode is set. */
function openUmask(): void {
  const before = process.umask(0);
  onTestFinished(() => {
    process.umask(before);
  });
}

describe("openFile", () => {
  it("creates files that only their owner can read", async () => {
    openUmask();
    const { path, journal } = await openTestJournal();
    await appendRow(journal, { runId: "run-1", row: 1 });

    expect([path, `${path}-wal`, `${path}-shm`].map(modeOf)).toEqual(["600", "600", "600"]);
  });

  it("keeps the mode of a file that its owner has opened to others", async () => {
    const { path, database } = await openTestJournal();
    database.close();
    chmodSync(path, 0o640);

    await openTestJournal({ path, runs: [] });

    expect(modeOf(path)).toBe("640");
  });

  it("uses WAL, syncs every commit, checks references and waits for other writers", async () => {
    const { database } = await openTestJournal();

    expect(readPragma(database, "journal_mode")).toBe("wal");
    expect(readPragma(database, "synchronous")).toBe(2);
    expect(readPragma(database, "foreign_keys")).toBe(1);
    expect(readPragma(database, "busy_timeout")).toBe(5_000);
  });

  it("creates the tables once", async () => {
    const { path, database } = await openTestJournal();
    database.close();
    const schemaOf = (): unknown => openRaw(path).rows("SELECT name, sql FROM sqlite_schema");
    const schema = schemaOf();

    const again = await openTestJournal({ path, runs: [] });

    expect(schemaOf()).toEqual(schema);
    expect(readPragma(again.database, "user_version")).toBe(MIGRATIONS.length);
    expect(await again.runs.list(10)).toHaveLength(1);
  });

  it("opens a new file in two processes at once", { timeout: 120_000 }, async () => {
    const folder = temporaryFolder();
    const scripts = [
      startScript("open-databases", folder, "left", "right"),
      startScript("open-databases", folder, "right", "left"),
    ];

    const output = await Promise.all(scripts.map((script) => script.nextLine()));

    expect(output).toEqual(["opened 40", "opened 40"]);
  });

  it("opens a new file several times at once in one process", async () => {
    const path = join(temporaryFolder(), "catalog.db");

    const databases = await Promise.all([openDatabase(path), openDatabase(path)]);

    for (const database of databases) database.close();
    expect(existsSync(path)).toBe(true);
  });

  it("opens a database in memory without a file", async () => {
    using database = await openDatabase(":memory:");

    expect(readPragma(database, "user_version")).toBe(MIGRATIONS.length);
    expect(existsSync(":memory:")).toBe(false);
  });

  it("refuses a missing folder, in both languages", async () => {
    const path = join(temporaryFolder(), "missing", "catalog.db");

    const { code, localized, cause } = await readRefusal(path);

    expect(code).toBe("E_DATABASE");
    expect(localized.tr).toContain(`Veritabanı kullanılamıyor (${path}: `);
    expect(localized.en).toContain(`The database cannot be used (${path}: `);
    expect(cause).toMatchObject({ code: "ENOENT" });
  });

  it("refuses a folder that cannot be written", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    mkdirSync(join(folder, "folder"));

    const refusals = await Promise.all(
      [join(folder, "file", "catalog.db"), join(folder, "folder")].map(readRefusal),
    );

    expect(refusals.map(({ code, cause }) => ({ code, cause }))).toMatchObject([
      { code: "E_DATABASE", cause: { code: "ENOTDIR" } },
      { code: "E_DATABASE", cause: { code: "EISDIR" } },
    ]);
  });

  it("refuses a file that is no database, and leaves it as it is", async () => {
    const path = join(temporaryFolder(), "catalog.db");
    const content = "Kod;Fiyat\r\n".repeat(1_000);
    writeFileSync(path, content);

    const refusal = await readRefusal(path);

    expect(refusal.code).toBe("E_DATABASE");
    expect(refusal.message).toContain("file is not a database");
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  it("refuses a file of a newer version, and leaves it as it is", async () => {
    const path = join(temporaryFolder(), "catalog.db");
    const newer = new DatabaseSync(path);
    newer.exec(
      `CREATE TABLE later (id INTEGER);
       PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${MIGRATIONS.length + 1}`,
    );
    newer.close();

    const refusal = await readRefusal(path);

    expect(refusal.code).toBe("E_DATABASE_NEWER");
    expect(refusal.message).toContain("Install that version");
    expect(openRaw(path).rows("SELECT name FROM sqlite_schema")).toEqual([{ name: "later" }]);
  });

  it("refuses a file that is cut in half", async () => {
    const { path, database } = await openTestJournal();
    database.close();
    const content = readFileSync(path);
    writeFileSync(path, content.subarray(0, 5_000));

    const { code } = await readRefusal(path);

    expect(code).toBe("E_DATABASE_DAMAGED");
  });

  it("refuses a file with one damaged page, before anything is read from it", async () => {
    const { path, database } = await openTestJournal();
    const raw = openRaw(path);
    const [table] = raw.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'run'");
    raw.close();
    database.close();
    damagePage(path, table?.["rootpage"]);

    const { code, message } = await readRefusal(path);

    expect(code).toBe("E_DATABASE_DAMAGED");
    expect(message).toContain(path);
    expect(message).not.toContain("\n");
  });

  it("marks the file with its application id, and refuses another program's and one without an id", async () => {
    const { path, database } = await openTestJournal();
    database.close();
    const raw = openRaw(path);
    expect(raw.rows("PRAGMA application_id")).toEqual([{ application_id: APPLICATION_ID }]);
    raw.rows("PRAGMA application_id=7");
    raw.close();

    const bare = join(temporaryFolder(), "catalog.db");
    openRaw(bare).run("CREATE TABLE other (id INTEGER)");

    for (const foreign of [path, bare]) {
      expect((await readRefusal(foreign)).code).toBe("E_DATABASE_FOREIGN");
    }
  });

  it("refuses a file from before version 1.0 with the next step, and leaves it as it is", async () => {
    const path = join(temporaryFolder(), "catalog.db");
    writeUnreleased(path);
    const before = readFileSync(path);

    const refusal = await readRefusal(path);

    expect(refusal.code).toBe("E_DATABASE_OLDER");
    expect(refusal.message).toContain("catalog db migrate --discard");
    expect(readFileSync(path)).toEqual(before);
  });
});

it("moves a file from before version 1.0 away, so that the next one counts as an older copy", async () => {
  const path = join(temporaryFolder(), "catalog.db");
  writeUnreleased(path);
  writeFileSync(`${path}.generation`, "41");

  const kept = discardFile(path);

  expect(kept).toBe(`${path}.discarded.db`);
  expect(openRaw(`${path}.discarded.db`).rows("PRAGMA user_version")).toEqual([
    { user_version: 30 },
  ]);
  using database = await openDatabase(path);
  expect(database.isRestored).toBe(true);
});

it("does not write over a file that was moved away before", () => {
  const path = join(temporaryFolder(), "catalog.db");
  writeUnreleased(path);
  writeFileSync(`${path}.discarded.db`, "kept");

  expect(() => discardFile(path)).toThrow("before 1.0");
  expect(existsSync(path)).toBe(true);
});

it("leaves a file of this version where it is", async () => {
  const path = join(temporaryFolder(), "catalog.db");
  (await openDatabase(path)).close();

  expect(discardFile(path)).toBeUndefined();
  expect(existsSync(path)).toBe(true);
});
