/**
 * The processes that have a database open or hold a lock, as they are described to a process that has to wait
 * them. Notes beside the database name them; they lock nothing, and that of a process that was killed
 * stays until another process opens the database.
 */

import {
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";

import { formatDateTime, type Lang, type Localized } from "@catalog/i18n";

/** A process that holds a lock. */
export interface LockHolder {
  /** Name of its machine, where that is another one. @default this machine */
  readonly host?: string | undefined;
  /** The command, such as `catalog import`. */
  readonly command: string;
  readonly pid: number;
  readonly sinceMs: number;
  /** Id of the run, set once it is known. */
  readonly run?: string | undefined;
  /** Numbers of the stores that it serves. @default the one of the lock */
  readonly stores?: readonly number[] | undefined;
}

const DATE = { dateStyle: "short", timeStyle: "medium" } as const;

/** A holder of which less may be known, such as another program. */
type FoundHolder = Pick<LockHolder, "pid"> & Partial<LockHolder>;

/** Describes the holder; a question mark where it is not known. */
export function describeHolder(holder: FoundHolder | undefined): Localized {
  if (holder === undefined) return { tr: "?", en: "?" };
  const { host, command, pid, sinceMs, run } = holder;
  // The number is that of another process here.
  const isStopped = host === undefined && readProcessState(pid) === STOPPED;
  const describe = (lang: Lang, words: Words): string => {
    const what = [command, run].filter((part) => part !== undefined).join(" ");
    const when =
      sinceMs === undefined ? "" : `${words.since} ${formatDateTime(sinceMs, lang, DATE)}`;
    const parts = [what, host ?? "", `${words.process} ${pid}`, when].filter((part) => part !== "");
    return `${parts.join(", ")}${isStopped ? `; ${words.suspended}` : ""}`;
  };
  return { tr: describe("tr", WORDS.tr), en: describe("en", WORDS.en) };
}

type Words = Readonly<Record<"process" | "since" | "suspended", string>>;

const WORDS: Readonly<Record<Lang, Words>> = {
  tr: { process: "işlem no", since: "başlangıç", suspended: "duraklatılmış" },
  en: { process: "process", since: "since", suspended: "suspended" },
};

/** Reads the note that a holder has written; `undefined` where there is none that can be read. */
export function readHolder(notePath: string): LockHolder | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(notePath, "utf8"));
    return isHolder(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(note: unknown): note is LockHolder {
  if (typeof note !== "object" || note === null) return false;
  if (!("command" in note && "pid" in note && "sinceMs" in note)) return false;
  const { command, pid, sinceMs } = note;
  return typeof command === "string" && Number.isInteger(pid) && Number.isFinite(sinceMs);
}

/** Linux's letter for a process that was suspended, as by Ctrl-Z. */
const STOPPED = "T";

/** Linux's letters for a process that has ended and that its parent has not asked for yet. */
const ENDED: ReadonlySet<string | undefined> = new Set(["Z", "X"]);

/** Says whether a process has ended though its number is still listed, as where nothing reaps orphans. */
const hasEnded = (pid: number): boolean => ENDED.has(readProcessState(pid));

/** Linux's letter for the state of a process; `undefined` where it is not known. */
function readProcessState(pid: number): string | undefined {
  return readProcessFields(pid)?.[0];
}

const START_FIELD = 19;

/** When the process was started, in Linux's own unit; `undefined` where that is not known. */
export function readStarted(pid: number): string | undefined {
  return readProcessFields(pid)?.[START_FIELD];
}

/** The fields of `/proc/<pid>/stat` after the name, which may contain blanks and parentheses. */
function readProcessFields(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    // The process is gone, or the system is not Linux.
    return undefined;
  }
}

/** The machine, since its start, and the namespace of its process numbers. */
export function readPlace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // The system is not Linux: no process of it is known to be dead.
    return `${hostname()} ${process.pid}`;
  }
}

/**
 * Writes the note of a process, and removes it when it is disposed of. Removes those of processes
 * that were killed.
 */
export function noteProcess(databasePath: string, holder: LockHolder): Disposable {
  const started = readStarted(holder.pid);
  const path = `${databasePath}.${holder.pid}${SUFFIX}`;
  ignoreErrors(() => readProcesses(databasePath));
  ignoreErrors(() => writeWhole(path, JSON.stringify({ ...holder, started })));
  return { [Symbol.dispose]: () => ignoreErrors(() => rmSync(path, { force: true })) };
}

const SUFFIX = ".process";

/** The note serves messages only, and the folder may be full or read-only. */
function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The message will not name this process.
  }
}

function writeWhole(path: string, text: string): void {
  const next = `${path}.new`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, path);
}

/** Reads the notes of processes that are running, and removes the others. */
export function readProcesses(databasePath: string): readonly LockHolder[] {
  const notes = listFiles(databasePath).filter(
    (path) => path.startsWith(`${databasePath}.`) && path.endsWith(SUFFIX),
  );
  return notes.flatMap((path) => {
    const holder = readHolder(path);
    if (holder !== undefined && isRunning(holder)) return [holder];
    rmSync(path, { force: true });
    return [];
  });
}

/**
 * Finds the process that writes to the database now, and the run that it works for. Where the
 * system does not tell which one writes, it is the only other process that has the file open.
 */
export function findWriter(databasePath: string): FoundHolder | undefined {
  try {
    const processes = readProcesses(databasePath);
    const pid = readWriterPid(databasePath);
    const others = processes.filter((each) => each.pid !== process.pid);
    const found = pid === undefined ? onlyOne(others) : processes.find((each) => each.pid === pid);
    if (found !== undefined) return findLockNote(databasePath, found) ?? found;
    return pid === undefined ? undefined : { pid };
  } catch {
    // The folder cannot be read.
    return undefined;
  }
}

const onlyOne = <Item>(items: readonly Item[]): Item | undefined =>
  items.length === 1 ? items[0] : undefined;

/** The note of the lock that the process took last names its run, too. */
function findLockNote(databasePath: string, { pid, sinceMs }: LockHolder): LockHolder | undefined {
  return listFiles(databasePath)
    .filter((path) => path.endsWith(".lock.txt"))
    .flatMap((path) => readHolder(path) ?? [])
    .filter((holder) => holder.pid === pid && holder.sinceMs >= sinceMs)
    .toSorted((a, b) => b.sinceMs - a.sinceMs)[0];
}

const listFiles = (databasePath: string): readonly string[] =>
  readdirSync(dirname(databasePath)).map((name) => join(dirname(databasePath), name));

/**
 * Says whether the process of a note runs. A process with the same number that was started at
 * another time is another one.
 */
export function isRunning({ pid, ...note }: LockHolder & { readonly started?: unknown }): boolean {
  if (hasEnded(pid)) return false;
  const started = readStarted(pid);
  if (started !== undefined && note.started !== undefined) return note.started === started;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** SQLite's lock of the writer, in the file of its shared memory (sqlite.org/walformat.html). */
const WRITE_LOCK_BYTE = 120;

/** Linux lists the locks of all processes with the file's number and the bytes. */
function readWriterPid(databasePath: string): number | undefined {
  const shared = statSync(`${databasePath}-shm`, { throwIfNoEntry: false });
  if (shared === undefined) return undefined;
  const line = readLocks().find((text) => {
    const [, , , kind, , file = "", from, to] = text.trim().split(/\s+/u);
    const holds = Number(from) <= WRITE_LOCK_BYTE && WRITE_LOCK_BYTE <= Number(to);
    return kind === "WRITE" && file.endsWith(`:${shared.ino}`) && holds;
  });
  const pid = Number(line?.trim().split(/\s+/u)[4]);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
}

function readLocks(): readonly string[] {
  try {
    return readFileSync("/proc/locks", "utf8").split("\n");
  } catch {
    // The system is not Linux.
    return [];
  }
}
