/**
 * Lets one process at a time install in a clone. Each one makes a file with the next number and its
 * process in it; the highest number holds the lock until its file is emptied or its process is gone.
 * The file of the highest number stays, so that of two that follow a dead process one gets the lock.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const PREFIX = "install-lock-";
const POLL_MS = 100;
/** Shorter waits, for an install with nothing to do, are not told. */
const QUIET_MS = 1_000;
/** A file that is younger may be made right now, before its process is written to it. */
const NEW_MS = 2_000;

/**
 * Waits for the lock and returns the function that releases it. `onWait` is called once, with the
 * number of the process that holds it. Where nothing can be written, nothing is locked.
 */
export async function takeInstallLock(folder, onWait) {
  const begin = Date.now();
  let isTold = false;
  for (;;) {
    let holder;
    try {
      mkdirSync(folder, { recursive: true });
      const last = listNumbers(folder).at(-1) ?? 0;
      holder = readHolder(pathOf(folder, last));
      const release = holder === undefined ? take(folder, last + 1) : undefined;
      if (release !== undefined) return release;
    } catch {
      return () => undefined;
    }
    if (holder === undefined) continue;
    if (!isTold && Date.now() - begin >= QUIET_MS) {
      isTold = true;
      onWait(holder);
    }
    await wait(POLL_MS);
  }
}

/** Returns the function that releases the lock; `undefined` where another process was faster. */
function take(folder, number) {
  const path = pathOf(folder, number);
  try {
    writeFileSync(path, `${process.pid} ${readStart(process.pid)}`, { flag: "wx" });
  } catch (error) {
    if (error.code === "EEXIST") return undefined;
    throw error;
  }
  const numbers = listNumbers(folder);
  // A higher one has removed the file that had this number.
  if (numbers.at(-1) > number) {
    rmSync(path, { force: true });
    return undefined;
  }
  for (const lower of numbers.filter((each) => each < number)) {
    rmSync(pathOf(folder, lower), { force: true });
  }
  return () => writeFileSync(path, "free");
}

const pathOf = (folder, number) => join(folder, `${PREFIX}${number}`);

/** The numbers of all files, the highest last. */
const listNumbers = (folder) =>
  readdirSync(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => Number(name.slice(PREFIX.length)))
    .toSorted((a, b) => a - b);

/** The process that holds the lock; `undefined` for none, `"?"` while it is not known. */
function readHolder(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    // A higher number has removed it.
    if (error.code === "ENOENT") return "?";
    throw error;
  }
  if (text === "") return Date.now() - stats.mtimeMs < NEW_MS ? "?" : undefined;
  const [pid, start] = text.split(" ");
  return text !== "free" && isAlive(Number(pid)) && readStart(pid) === start ? pid : undefined;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** When a process was started, so that another one with its number is known; empty without /proc. */
function readStart(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")")).split(" ")[20] ?? "";
  } catch {
    return "";
  }
}
