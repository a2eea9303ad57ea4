import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { DatabaseError } from "../../src/errors.ts";
import { isRunning, noteProcess, readProcesses, readStarted } from "../../src/locks/processes.ts";
import { noSteps, type Steps } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { type Script, startScript } from "../helpers/start-script.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

/** A new database that another process has open in the middle of a transaction. */
async function openHeld(run = "r-7"): Promise<{ readonly path: string; readonly script: Script }> {
  const path = join(temporaryFolder(), "catalog.db");
  const script = startScript("hold-transaction", path, "catalog import", run);
  await script.nextLine();
  return { path, script };
}

/** Opens the database and returns the error with which that is refused. */
async function readRefusal(path: string): Promise<DatabaseError> {
  try {
    (await openDatabase(path, { busyTimeoutMs: 1 })).close();
  } catch (error) {
    if (error instanceof DatabaseError) return error;
    throw error;
  }
  throw new Error("the database was opened");
}

describe("a database in whose transaction another process stays", { timeout: 60_000 }, () => {
  it("is refused with the command, the run and the number of that process", async () => {
    const { path, script } = await openHeld();

    const { code, localized } = await readRefusal(path);

    expect(code).toBe("E_DATABASE_BUSY");
    expect(localized.tr).toContain(
      `(catalog import r-7, işlem no ${script.pid}, başlangıç 21.11.2026 12:30:00)`,
    );
    expect(localized.en).toContain(`(catalog import r-7, process ${script.pid}, since `);
  });

  it("is refused with the advice to continue a suspended process", async () => {
    const { path, script } = await openHeld();
    await script.suspend();

    const { localized } = await readRefusal(path);

    expect(localized.tr).toContain("12:30:00; duraklatılmış)");
    expect(localized.tr).toContain("kill -CONT");
    expect(localized.en).toContain("; suspended)");
  });

  it("is refused to a transaction of a process that had it open before", async () => {
    const path = join(temporaryFolder(), "catalog.db");
    using database = await openDatabase(path, { busyTimeoutMs: 1 });
    const script = startScript("hold-transaction", path, "catalog sync", "");
    await script.nextLine();

    const refused = expect.objectContaining({ code: "E_DATABASE_BUSY" });
    await expect(database.transaction(nothing)).rejects.toEqual(refused);
    expect(() => database.transactNow(nothing)).toThrow(refused);
    await expect(database.transactionUnsynced(nothing)).rejects.toEqual(refused);
    await expect(database.transactionAtOnce(nothing)).rejects.toThrow(`process ${script.pid}`);
    expect(await database.snapshot(() => noSteps(1))).toBe(1);
  });

  it("is refused with the number of a process that has left no note", async () => {
    const { path, script } = await openHeld();
    rmSync(`${path}.${script.pid}.process`);

    const { localized } = await readRefusal(path);

    expect(localized.tr).toContain(`(işlem no ${script.pid})`);
    expect(localized.en).toContain(`(process ${script.pid})`);
  });

  it("is opened once that process has ended", async () => {
    const { path, script } = await openHeld();
    await script.suspend();
    await script.kill();

    using database = await openDatabase(path, { busyTimeoutMs: 1 });

    expect(database.path).toBe(path);
  });
});

const nothing = (): Steps<undefined> => noSteps(undefined);

const isNote = (name: string): boolean => name.endsWith(".process");

describe("the note about a process", () => {
  it("is there as long as the database is open", async () => {
    const folder = temporaryFolder();
    const database = await openDatabase(join(folder, "catalog.db"), { command: "catalog runs" });
    const whileOpen = readdirSync(folder).filter(isNote);

    database.close();

    expect(whileOpen).toEqual([`catalog.db.${process.pid}.process`]);
    expect(readdirSync(folder).filter(isNote)).toEqual([]);
  });

  it("is removed where its process is dead, or another one has its number", () => {
    const path = join(temporaryFolder(), "catalog.db");
    const note = noteProcess(path, { command: "me", pid: process.pid, sinceMs: 1 });
    onTestFinished(() => note[Symbol.dispose]());
    const dead = { command: "dead", pid: 2 ** 22 + 1, sinceMs: 1 };
    writeFileSync(`${path}.${dead.pid}.process`, JSON.stringify(dead));
    const other = { command: "other", pid: process.ppid, sinceMs: 1, started: "0" };
    writeFileSync(`${path}.${other.pid}.process`, JSON.stringify(other));

    const found = readProcesses(path);

    expect(found).toMatchObject([{ command: "me", pid: process.pid }]);
    expect(existsSync(`${path}.${other.pid}.process`)).toBe(false);
  });

  it("is removed by the next process that opens the database, where its own was killed", async () => {
    const path = join(temporaryFolder(), "catalog.db");
    const dead = { command: "dead", pid: 2 ** 22 + 1, sinceMs: 1 };
    const note = `${path}.${dead.pid}.process`;
    writeFileSync(note, JSON.stringify(dead));

    (await openDatabase(path)).close();

    expect(existsSync(note)).toBe(false);
  });
});

describe.runIf(existsSync("/proc/self/stat"))("isRunning", () => {
  it("does not take a process for running that was killed and is still listed", async () => {
    // The shell becomes another program, which does not ask for the end of its child.
    const shell = spawn("/bin/sh", ["-c", "sleep 600 & echo $!; exec cat"]);
    onTestFinished(() => void shell.kill("SIGKILL"));
    const [line] = await once(shell.stdout, "data");
    const pid = Number(line);
    // The other program is there once it answers; until then the shell may take its child's end.
    shell.stdin.write("there\n");
    await once(shell.stdout, "data");
    const note = { command: "catalog import", pid, sinceMs: 0, started: readStarted(pid) };
    const isListed = (): boolean => readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");

    const before = isRunning(note);
    process.kill(pid, "SIGKILL");
    while (!isListed()) await new Promise((resolve) => setImmediate(resolve));

    expect([before, isRunning(note)]).toEqual([true, false]);
  });
});
