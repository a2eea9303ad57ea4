/** Starts the process that reads XLSX, and makes sure that it is gone again, however it ends. */

import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { createRequire } from "node:module";
import { sep } from "node:path";
import { type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { SheetError } from "../sheet-error.ts";
import { type ReaderOrder, type ReaderOutcome } from "./reader-protocol.ts";

const PROGRAM = fileURLToPath(new URL("./reader-process.ts", import.meta.url));
const PACKAGE_ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** How Windows reports what is a signal elsewhere. */
const ABORTED = 134;

export interface ReaderRun {
  /** The file to read, open. */
  readonly fd: number;
  readonly order: ReaderOrder;
  /** Takes the rows, one a line. */
  readonly onRows: (rows: Readable) => Promise<void>;
  readonly signal?: AbortSignal;
}

/**
 * Resolves with the name of the sheet once every row was taken and the process has ended. Throws the
 * `SheetError` that it reported, `E_FILE_UNSAFE` if it ran out of time or memory, and
 * `E_FILE_UNREADABLE` if it failed otherwise; rejects with the reason of `signal` after ending it.
 */
export async function runReader(run: ReaderRun): Promise<string> {
  const { signal, order } = run;
  signal?.throwIfAborted();
  const child = startReader(run);
  // An abort shows here as well as in the signal, which is asked below.
  child.on("error", () => {});
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  try {
    const [, outcome, complaint] = await Promise.all([
      run.onRows(pipe(child, 1)),
      text(pipe(child, 3)),
      text(pipe(child, 2)),
    ]);
    await ended;
    signal?.throwIfAborted();
    if (child.exitCode !== 0) throw failure(child, order.file, complaint);
    return sheetName(JSON.parse(outcome));
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

function startReader({ fd, order, signal }: ReaderRun): ChildProcess {
  const { readerHeapMb, readerTimeoutMs } = order.limits;
  const flags = [
    `--max-old-space-size=${readerHeapMb}`,
    "--disable-proto=throw",
    "--permission",
    `--allow-fs-read=${PACKAGE_ROOT}`,
    `--allow-fs-read=${modulesRoot()}`,
    "--no-warnings",
  ];
  const stdio: StdioOptions = [fd, "pipe", "pipe", "pipe"];
  return spawn(process.execPath, [...flags, PROGRAM, JSON.stringify(order)], {
    stdio,
    env: {},
    timeout: readerTimeoutMs,
    killSignal: "SIGKILL",
    windowsHide: true,
    ...(signal !== undefined && { signal }),
  });
}

/** The outermost folder of installed packages: the library and all that it needs are in there. */
function modulesRoot(): string {
  const library = createRequire(import.meta.url).resolve("read-excel-file/node");
  const folder = `${sep}node_modules${sep}`;
  return library.slice(0, library.indexOf(folder) + folder.length);
}

function pipe(child: ChildProcess, fd: number): Readable {
  const stream = child.stdio[fd];
  if (stream && "read" in stream) return stream;
  throw new Error(`The reading process has no stream ${fd}.`);
}

/**
 * V8 aborts when the heap is full and the system kills when the machine's memory is; we kill when the
 * time is over. A program that merely fails ends by itself, with a code.
 */
function failure(child: ChildProcess, file: string, complaint: string): SheetError {
  const end = child.signalCode ?? `code ${child.exitCode}`;
  const cause = new Error(`The reading process ended with ${end}. ${complaint.slice(-2_000)}`);
  return child.signalCode === null && child.exitCode !== ABORTED
    ? new SheetError("E_FILE_UNREADABLE", { file }, { cause })
    : new SheetError("E_FILE_UNSAFE", { file, found: "time or memory" }, { cause });
}

function sheetName(outcome: ReaderOutcome): string {
  if (outcome.ok) return outcome.sheet;
  throw new SheetError(outcome.code, outcome.details);
}
