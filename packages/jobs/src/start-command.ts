/**
 * Starts commands of the program as processes that continue when this one ends, says how they came to
 * their end, and carries a person's request to stop a run, wherever it is sent: a note of the
 * database that the sender reads. A request that is lost or late stops nothing, and is made again.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { constants, getPriority, setPriority } from "node:os";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import type { Connection, LockHolder } from "@catalog/connection";
import { isDiskFull, type Lang, makeFolder } from "@catalog/i18n";
import type { NamedPerson } from "@catalog/runs";
import { z } from "zod";

/** Exit code of a command while another process works on the store. */
export const BUSY = 75;

/** Exit code of a process that was killed. */
export const KILLED = 137;

interface WaitOptions {
  readonly stop: AbortSignal;
  /**
   * Whether a command under way is asked to stop with this process, and waited for. Otherwise it
   * continues by itself.
   */
  readonly stopsCommands: boolean;
}

/** The end of the process; `undefined` where this process stops and leaves it alone. */
export async function untilEnded(
  started: StartedCommand,
  { stop, stopsCommands }: WaitOptions,
): Promise<EndedCommand | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const onStop = (): void => {
    if (stopsCommands) started.stop();
    else resolve(undefined);
  };
  stop.addEventListener("abort", onStop, { once: true });
  if (stop.aborted) onStop();
  try {
    return await Promise.race([started.ended, promise]);
  } finally {
    stop.removeEventListener("abort", onStop);
  }
}

const documentSchema = z.object({
  run: z.string().nullish(),
  error: z.object({ code: z.string(), message: z.string() }).nullish(),
});

/** Id of the run that the command's document names; `null` for none. */
export const readRunId = ({ document }: EndedCommand): string | null =>
  documentSchema.safeParse(document).data?.run ?? null;

/** Counts of the command's document, as it gives them; `undefined` for none. */
export const readCounts = ({ document }: EndedCommand): unknown =>
  z.object({ counts: z.unknown() }).safeParse(document).data?.counts;

/** The fields that the feed of a sync gave, by the command's document; `undefined` for none. */
export const readFields = ({ document }: EndedCommand): readonly string[] | undefined => {
  const { fields } =
    z
      .object({ fields: z.record(z.string(), z.string()) })
      .partial()
      .safeParse(document).data ?? {};
  return fields && Object.keys(fields);
};

/** A failure in words, without secrets, and its stable code; `null` for none. */
interface CommandFailure {
  readonly code: string | null;
  readonly message: string | null;
}

const NO_FAILURE: CommandFailure = { code: null, message: null };

const MAX_MESSAGE = 500;

/** The failure of a command; one that died left nothing but what it wrote last. */
export function readFailure(
  { exit, document, errors }: EndedCommand,
  expected: ReadonlySet<number>,
): CommandFailure {
  const told = documentSchema.safeParse(document).data?.error;
  if (told !== undefined && told !== null) return told;
  if (expected.has(exit)) return NO_FAILURE;
  return { code: "E_COMMAND", message: errors.trim().slice(-MAX_MESSAGE) || null };
}

/** A process that was started. */
export interface StartedCommand {
  /** Number of the process; `undefined` where it could not be started. */
  readonly pid: number | undefined;
  /** Ends with the exit code and the document that the command printed; never rejects. */
  readonly ended: Promise<EndedCommand>;
  /** Called with each progress that the process reports, until it ends. */
  onProgress(listener: (progress: CommandProgress) => void): void;
  /** Asks the process to stop at the next safe point. */
  stop(): void;
  /** Ends the process wherever it is. */
  kill(): void;
}

export interface EndedCommand {
  readonly exit: number;
  /** The document of `--json`; `undefined` where there is none. */
  readonly document: unknown;
  /** The text on the stream of errors, at most 64 KiB. */
  readonly errors: string;
}

export interface CommandProgress {
  /** A phase of the program's progress, such as `read`, `store`, `plan`, `send`. */
  readonly phase: string;
  readonly done: number;
  readonly total: number | null;
}

/**
 * Starts commands of the program as processes that outlive this one. The words are the name of the
 * command and its flags, each with its value in one word; arguments follow the word `--`, so that
 * none is read as a flag. Throws a `TypeError` for other words. `by` is the person for whom it is
 * started. @default the one who has started this process
 */
export type StartCommand = (words: readonly string[], by?: NamedPerson) => StartedCommand;

/** How the program is started, and where its output goes. */
interface CommandOptions {
  /** Words before those of the command: the program and its file. */
  readonly program: readonly string[];
  readonly cwd: string;
  readonly env: (by: NamedPerson | undefined) => Readonly<Record<string, string | undefined>>;
  /** Folder of outputs; created when it is missing. */
  readonly folder: () => string;
  /** Whether a command that was started keeps this process alive until it ends. @default false */
  readonly isAwaited?: boolean;
}

/**
 * Creates the function that starts commands. Each has its own session and needs no pipe of ours.
 */
export function createStartCommand(options: CommandOptions): StartCommand {
  return (words, by) => {
    const [name = "", ...rest] = words;
    assertFlags(rest);
    try {
      const folder = options.folder();
      makeFolder(folder);
      const base = join(folder, randomUUID());
      const [out, err] = [`${base}.out`, `${base}.err`];
      const child = spawnChild([name, "--json", ...rest], { ...options, by, out, err });
      if (isPlan(words)) giveWay(child.pid);
      return watchChild(child, { out, err });
    } catch (error) {
      if (isDiskFull(error)) return refuse(error);
      throw error;
    }
  };
}

/** A command that was not started, as there is no room for what it would print. */
const refuse = (cause: unknown): StartedCommand => ({
  pid: undefined,
  ended: Promise.resolve({ exit: STOPPED, document: FULL, errors: String(cause) }),
  onProgress: () => undefined,
  stop: () => undefined,
  kill: () => undefined,
});

/** The exit code of the program for what can be gone on with. */
const STOPPED = 6;

const FULL = { error: { code: "E_DISK_FULL", message: "The disk is full; make room." } };

function assertFlags(words: readonly string[]): void {
  const end = words.indexOf("--");
  const flags = end < 0 ? words : words.slice(0, end);
  const stray = flags.find((word) => !word.startsWith("--"));
  if (stray !== undefined) throw new TypeError(`"${stray}" is no flag and does not follow --`);
}

interface Outputs {
  readonly out: string;
  readonly err: string;
}

interface SpawnOptions extends CommandOptions, Outputs {
  readonly by: NamedPerson | undefined;
}

function spawnChild(
  words: readonly string[],
  { program, cwd, env, by, out, err, isAwaited = false }: SpawnOptions,
): ChildProcess {
  const [file = "", ...before] = program;
  const files: number[] = [];
  try {
    for (const path of [out, err]) files.push(openSync(path, "wx", 0o600));
    for (const opened of files) writeSync(opened, ROOM, 0, ROOM.length, 0);
    const [outFile = "ignore", errFile = "ignore"] = files;
    const child = spawn(file, [...before, ...words], {
      cwd,
      env: env(by),
      // Its own session: Ctrl-C in the terminal ends the page and not what it has started.
      detached: true,
      // Files and no pipes: a pipe would end with this process, and the command with it.
      stdio: ["ignore", outFile, errFile, "ipc"],
      windowsHide: true,
    });
    if (!isAwaited) child.unref();
    child.channel?.unref();
    return child;
  } catch (error) {
    for (const path of [out, err]) rmSync(path, { force: true });
    throw error;
  } finally {
    for (const opened of files) closeSync(opened);
  }
}

/** Commands that read a file and decide about its rows keep a core busy; others wait for calls. */
export const isPlan = ([name, ...flags]: readonly string[]): boolean =>
  name === "plan" || flags.includes("--plan");

/** Whoever looks at a page goes first where both want the same core. */
function giveWay(pid: number | undefined): void {
  try {
    const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
    if (pid !== undefined) {
      setPriority(pid, Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW));
    }
  } catch {
    // The process has ended already, or the system does not allow it.
  }
}

const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Blanks that the command writes over, so that it can say how it has ended also where the disk has
 * filled up meanwhile.
 */
const ROOM = Buffer.alloc(MAX_ERROR_BYTES, " ");

function watchChild(child: ChildProcess, outputs: Outputs): StartedCommand {
  const listeners = new Set<(progress: CommandProgress) => void>();
  child.on("message", (message: unknown) => {
    const progress = toProgress(message);
    if (progress !== undefined) for (const listener of listeners) listener(progress);
  });
  const { promise, resolve } = Promise.withResolvers<EndedCommand>();
  const end = (exit: number): void => {
    listeners.clear();
    void readOutputs(outputs).then(({ document, errors }) => resolve({ exit, document, errors }));
  };
  child.once("error", () => end(NOT_STARTED));
  child.once("exit", (code) => end(code ?? KILLED));
  return {
    pid: child.pid,
    ended: promise,
    onProgress: (listener) => void listeners.add(listener),
    stop: () => void child.kill("SIGINT"),
    kill: () => void child.kill("SIGKILL"),
  };
}

/** Exit codes of shells for a program that cannot be run, and for one that was killed. */
const NOT_STARTED = 126;

function toProgress(message: unknown): CommandProgress | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  if (!("phase" in message && "done" in message && "total" in message)) return undefined;
  const { phase, done, total } = message;
  if (typeof phase !== "string" || typeof done !== "number") return undefined;
  return { phase, done, total: typeof total === "number" ? total : null };
}

async function readOutputs({ out, err }: Outputs): Promise<Omit<EndedCommand, "exit">> {
  try {
    return { document: parseDocument(await readFile(out, "utf8")), errors: await readEnd(err) };
  } catch {
    // The folder was removed while the command ran.
    return { document: undefined, errors: "" };
  } finally {
    await Promise.all([rm(out, { force: true }), rm(err, { force: true })]).catch(() => undefined);
  }
}

/** The document is on the last line or on the last lines, as a command prints nothing after it. */
function parseDocument(text: string): unknown {
  const lines = text.trimEnd().split("\n");
  const start = lines.at(-1) === "}" ? lines.lastIndexOf("{") : -1;
  try {
    return JSON.parse(lines.slice(start).join("\n"));
  } catch {
    return undefined;
  }
}

async function readEnd(path: string): Promise<string> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(size, MAX_ERROR_BYTES));
  await file.read(buffer, 0, buffer.length, Math.max(0, size - MAX_ERROR_BYTES));
  return buffer.toString("utf8").trimEnd();
}

/** The members of a connection by which a stop is asked for. */
interface StopTools {
  readonly clock: Clock;
  readonly memory: { readonly notes: Pick<Connection["memory"]["notes"], Methods> };
}

type Methods = "readNote" | "saveNotes" | "removeNotes";

/** Ids of runs are unique over all stores. */
const keyOf = (run: string): string => `stop ${run}`;

/** Asks the process that sends the run to stop at its next safe point. */
export async function askToStop(
  { memory: { notes } }: Pick<StopTools, "memory">,
  run: string,
): Promise<void> {
  await notes.saveNotes({ [keyOf(run)]: randomUUID() });
}

/** Reads the id of the latest wish; `undefined` for none. */
export async function readStopRequest(
  { memory: { notes } }: Pick<StopTools, "memory">,
  run: string,
): Promise<string | undefined> {
  return await notes.readNote(keyOf(run), z.string());
}

/** Forgets the wish: the run was stopped, or is to be sent again. */
export async function forgetStopRequest(
  { memory: { notes } }: Pick<StopTools, "memory">,
  run: string,
): Promise<void> {
  await notes.removeNotes([keyOf(run)]);
}

/** A signal that aborts when a stop is asked for. */
interface StopWatch extends Disposable {
  readonly signal: AbortSignal;
}

/** Time between two looks, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Watches for a stop of the run until it is disposed of or `stop` aborts, which aborts the signal as
 * well. A request that exists already is an old one, unless `known` says that there was none.
 */
export function watchStopRequest(
  tools: StopTools,
  run: string,
  { stop, known }: { readonly stop: AbortSignal; readonly known?: string | undefined },
): StopWatch {
  const asked = new AbortController();
  const watched = new AbortController();
  const watch = async (): Promise<void> => {
    const over = AbortSignal.any([stop, watched.signal]);
    while (!over.aborted) {
      try {
        const found = await readStopRequest(tools, run);
        if (found !== undefined && found !== known) {
          asked.abort();
          return;
        }
        await tools.clock.sleep(LOOK_MS, over);
      } catch {
        // The end of the watch, or a database that is away: the sender itself says so.
        if (!over.aborted) await tools.clock.sleep(LOOK_MS, over).catch(() => undefined);
      }
    }
  };
  void watch();
  return {
    signal: AbortSignal.any([stop, asked.signal]),
    [Symbol.dispose]: () => watched.abort(),
  };
}

/** The members of a connection by which a sending is stopped. */
interface StopSendingTools {
  readonly memory: StopTools["memory"] & Pick<Connection["memory"], "jobs" | "periods">;
  readonly locks: Pick<Connection["locks"], "holderOf">;
}

/**
 * - `removed`: it was in the queue, and no worker starts it any more.
 * - `stopping`: a process sends it, or is about to, and was asked to stop at its next safe point.
 * - `none`: nobody sends it.
 */
export interface SendingStop {
  readonly is: "removed" | "stopping" | "none";
  /** The process that sends it; `undefined` where none does, or a worker is about to start one. */
  readonly holder: LockHolder | undefined;
}

/** Stops the sending of a run, on whatever machine it is. */
export async function stopSending(tools: StopSendingTools, run: string): Promise<SendingStop> {
  const removal = await removeFromQueue(tools, run);
  // Where a worker has died, what it had started continues.
  const holder = await tools.locks.holderOf(run);
  if (removal === "taken" || holder !== undefined) {
    await askToStop(tools, run);
    return { is: "stopping", holder };
  }
  return { is: removal, holder };
}

/**
 * Takes a run out of the queue, and back from the start of its period. `taken`: a worker is sending it,
 * or may be.
 */
export async function removeFromQueue(
  tools: StopSendingTools,
  run: string,
): Promise<"removed" | "taken" | "none"> {
  const { jobs, periods } = tools.memory;
  const start = await withdrawStart(periods, run);
  // A process that has begun the start may not have added its job yet, which then ends at once.
  if (start === "begun") await askToStop(tools, run);
  const removals = [
    await jobs.remove({ kind: "apply", key: run }),
    await jobs.remove({ kind: "start", key: run }),
    start === "ahead" ? "removed" : "none",
  ] as const;
  return (["taken", "removed"] as const).find((is) => removals.includes(is)) ?? "none";
}

/** Tries again where a process begins the start at the same moment. */
async function withdrawStart(
  periods: Connection["memory"]["periods"],
  run: string,
): Promise<"ahead" | "begun" | "none"> {
  for (;;) {
    const stored = await periods.read(run);
    if (stored === undefined) return "none";
    const { startAtMs, approvedAtMs, isWithdrawn, begunAtMs, isQueued, end } = stored.period;
    const isOpen = approvedAtMs !== undefined && startAtMs !== undefined && end === undefined;
    // What is in the queue is taken out of it.
    if (!isOpen || isWithdrawn === true || isQueued === true) return "none";
    const withdrawn = { ...stored.period, isWithdrawn: true };
    if (!(await periods.save(run, withdrawn, stored))) continue;
    return begunAtMs === undefined ? "ahead" : "begun";
  }
}

type RunRecord = NonNullable<Awaited<ReturnType<Connection["runs"]["read"]>>>;

interface LeaveOptions {
  /** The settings with which it is sent. */
  readonly settings: RunRecord["settings"];
  /** Language of the messages. */
  readonly lang: Lang;
  /** Whether its period adds it to the queue when its start has come. @default it is queued now */
  readonly isLater?: boolean | undefined;
}

/**
 * A person has decided that the run continues: what was asked for before, and what had stopped it,
 * is over.
 */
export async function leaveToWorkers(
  { runs, memory }: Pick<Connection, "runs" | "memory">,
  { id, progress }: Pick<RunRecord, "id" | "progress">,
  { settings, lang, isLater = false }: LeaveOptions,
): Promise<void> {
  const { exit, atMs } = progress.ended ?? {};
  const ended = exit === undefined || atMs === undefined ? undefined : { exit, atMs };
  await runs.update(id, { settings, progress: { ...progress, ended } });
  await forgetStopRequest({ memory }, id);
  if (!isLater) await memory.jobs.add({ kind: "apply", key: id, spec: { lang } });
}
