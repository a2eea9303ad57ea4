/** Describes the process that holds a lock, for the message to another process. */

import { readFileSync } from "node:fs";

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
export type FoundHolder = Pick<LockHolder, "pid"> & Partial<LockHolder>;

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
export const hasEnded = (pid: number): boolean => ENDED.has(readProcessState(pid));

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
