/** Starts commands of the program as processes that go on when this one ends. */

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { isDiskFull, makeFolder } from "@catalog/i18n";

/** A process that was started. */
export interface StartedCommand {
  /** Number of the process; `undefined` where it could not be started. */
  readonly pid: number | undefined;
  /** Ends with the exit code and the document that the command printed; never rejects. */
  readonly ended: Promise<EndedCommand>;
  /** Called with each progress that the process tells, until it ends. */
  onProgress(listener: (progress: CommandProgress) => void): void;
  /** Asks the process to stop at the next safe point. */
  stop(): void;
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
 * none is read as a flag. Throws a `TypeError` for other words.
 */
export type StartCommand = (words: readonly string[]) => StartedCommand;

/** How the program is started, and where its output goes. */
export interface CommandOptions {
  /** Words before those of the command: the program and its file. */
  readonly program: readonly string[];
  readonly cwd: string;
  readonly env: () => Readonly<Record<string, string | undefined>>;
  /** Folder of outputs; created when it is missing. */
  readonly folder: () => string;
  /** Whether a command that was started keeps this process alive until it ends. @default false */
  readonly isAwaited?: boolean;
}

/** Creates the function that starts commands. Each has its own session and needs no pipe of ours. */
export function createStartCommand(options: CommandOptions): StartCommand {
  return (words) => {
    const [name = "", ...rest] = words;
    assertFlags(rest);
    try {
      const folder = options.folder();
      makeFolder(folder);
      const base = join(folder, randomUUID());
      const [out, err] = [`${base}.out`, `${base}.err`];
      const child = spawnChild([name, "--json", ...rest], { ...options, out, err });
      return watch(child, { out, err });
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

function spawnChild(
  words: readonly string[],
  { program, cwd, env, out, err, isAwaited = false }: CommandOptions & Outputs,
): ChildProcess {
  const [file = "", ...before] = program;
  const files: number[] = [];
  try {
    for (const path of [out, err]) files.push(openSync(path, "wx", 0o600));
    for (const opened of files) writeSync(opened, ROOM, 0, ROOM.length, 0);
    const [outFile = "ignore", errFile = "ignore"] = files;
    const child = spawn(file, [...before, ...words], {
      cwd,
      env: env(),
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

const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Blanks that the command writes over, so that it can say how it has ended also where the disk has
 * filled up meanwhile.
 */
const ROOM = Buffer.alloc(MAX_ERROR_BYTES, " ");

function watch(child: ChildProcess, outputs: Outputs): StartedCommand {
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
  };
}

/** Exit codes of shells for a program that cannot be run, and for one that was killed. */
const NOT_STARTED = 126;
const KILLED = 137;

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
