import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";

import { type FileDatabase, openDatabase, DatabaseError } from "../../src/index.ts";
import { MIGRATIONS } from "../../src/sql/migrations.ts";
import { damagePage } from "../helpers/damage-page.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { appendRow } from "../helpers/runs-and-rows.ts";
import { startScript } from "../helpers/start-script.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { writeUnreleased } from "../helpers/write-unreleased.ts";

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
    damagePage(path, Number(table?.["rootpage"]));

    const { code, message } = await readRefusal(path);

    expect(code).toBe("E_DATABASE_DAMAGED");
    expect(message).toContain(path);
    expect(message).not.toContain("\n");
  });

  it("marks the file with its application id, and refuses another program's", async () => {
    const { path, database } = await openTestJournal();
    database.close();
    const raw = openRaw(path);
    expect(raw.rows("PRAGMA application_id")).toEqual([{ application_id: APPLICATION_ID }]);
    raw.rows("PRAGMA application_id=7");
    raw.close();

    const { code } = await readRefusal(path);

    expect(code).toBe("E_DATABASE_FOREIGN");
  });

  it("refuses tables without an application id, which are another program's", async () => {
    const path = join(temporaryFolder(), "catalog.db");
    openRaw(path).run("CREATE TABLE other (id INTEGER)");

    const { code } = await readRefusal(path);

    expect(code).toBe("E_DATABASE_FOREIGN");
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
