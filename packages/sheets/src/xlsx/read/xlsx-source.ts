/**
 * A workbook as a source of rows: read once, by another process that is made sure to end, into an
 * unnamed file.
 */

import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { fstatSync } from "node:fs";
import { type FileHandle, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setInterval } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import type { SheetRow } from "../../cell.ts";
import { SheetError, type SheetErrorCode, type SheetErrorDetails } from "../../sheet-error.ts";
import {
  HEADER_SEARCH_ROWS,
  MB,
  readerTimeoutMs,
  type ReadLimits,
  type RowSource,
  type SourceOptions,
} from "../../sheet-rows.ts";
import { frameLength, unpackRow } from "./row-frame.ts";
import type { MetaLines, SheetFacts } from "./workbook-parts.ts";

/** The process's only argument, as JSON. Its standard input is the file. */
export interface ReaderOrder {
  readonly file: string;
  readonly sheet?: string;
  /** Whether no rows are read, and every sheet is given as left out. */
  readonly isList?: boolean;
  /** Maximum number of filled rows in the sheet, those above the data included. */
  readonly maxRows: number;
  readonly limits: ReadLimits;
}

/** File descriptor for its `ReaderOutcome`, as JSON. */
export const OUTCOME_FD = 3;
/**
 * File descriptor for the rows, one frame after another; an ordinary file, so it need not be read
 * at the same time.
 */
export const ROWS_FD = 4;
/** File descriptor of an open file for what does not fit into memory. */
export const STRINGS_FD = 5;

export type ReaderOutcome =
  | {
      readonly ok: true;
      readonly sheet: string;
      readonly facts: SheetFacts;
      /** The number formats that rows name by number, from 1. */
      readonly formats: readonly string[];
      /** Left out where there is none. */
      readonly meta?: MetaLines;
    }
  | { readonly ok: false; readonly code: SheetErrorCode; readonly details: SheetErrorDetails };

/*
 * Keeps rows on the disk between the process that reads them and their consumers, never in memory.
 */

const READ_BYTES = 256 * 1024;

export interface RowFile {
  /** Receives frames, written one after another by the owner of the descriptor. */
  readonly fd: number;
  /** Reads the written rows from the first one; each call reads independently. */
  rows(options?: RowFileOptions): AsyncGenerator<SheetRow>;
  close(): Promise<void>;
}

interface RowFileOptions {
  /** The number formats that the frames name. @default none, and rows have no formats */
  readonly formats?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Creates the file. It has no name once this resolves, so nothing of it outlives the program. */
export async function createRowFile(): Promise<RowFile> {
  const folder = await mkdtemp(join(tmpdir(), "sheet-"));
  const path = join(folder, "rows");
  const handle = await open(path, "wx+", 0o600);
  await rm(folder, { recursive: true, force: true });
  return {
    fd: handle.fd,
    rows: (options) => readRows(handle, options),
    close: () => handle.close(),
  };
}

async function* readRows(
  handle: FileHandle,
  { formats, signal }: RowFileOptions = {},
): AsyncGenerator<SheetRow> {
  let bytes = Buffer.alloc(0);
  let offset = 0;
  for (;;) {
    signal?.throwIfAborted();
    const wanted = Math.max(READ_BYTES, frameLength(bytes, 0) ?? 0);
    const read = Buffer.allocUnsafeSlow(bytes.length + wanted);
    bytes.copy(read);
    const { bytesRead } = await handle.read(read, bytes.length, wanted, offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    bytes = read.subarray(0, bytes.length + bytesRead);
    let at = 0;
    for (;;) {
      const length = frameLength(bytes, at);
      if (length === undefined || at + length > bytes.length) break;
      yield unpackRow(bytes, at, formats);
      at += length;
    }
    bytes = bytes.subarray(at);
  }
}

const PROGRAM = fileURLToPath(new URL("./reader-process.ts", import.meta.url));
const PACKAGES = fileURLToPath(new URL("../../../../", import.meta.url));

const WATCH_MS = 50;
const PAGE_BYTES = 4096;

/** Exit code by which Windows reports an abort, which is a signal elsewhere. */
const ABORTED = 134;

interface ReaderRun {
  /** The open file to read. */
  readonly fd: number;
  /** Open for writing; receives the rows, one frame after another. */
  readonly rowsFd: number;
  /** An empty file for the reader's own use; open for reading and writing. */
  readonly stringsFd: number;
  readonly order: ReaderOrder;
  readonly signal?: AbortSignal;
}

/** The outcome of a successful reader. */
type ReaderReport = Extract<ReaderOutcome, { readonly ok: true }>;

/**
 * Resolves once every row was written and the process has ended. Throws the `SheetError` that it
 * reported, `E_READER_LIMIT` if it ran out of time or memory, and `E_FILE_UNREADABLE` if it failed
 * otherwise; rejects with the reason of `signal` after ending it.
 */
export async function runReader(run: ReaderRun): Promise<ReaderReport> {
  const { signal, order } = run;
  signal?.throwIfAborted();
  const child = startReader(run);
  // An abort is reported here as well as in the signal, which is checked below.
  child.on("error", () => {});
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const watch = watchMemory(child, order.limits.readerRssMb);
  try {
    const [outcome, complaint] = await Promise.all([
      text(pipe(child, OUTCOME_FD)),
      text(pipe(child, 2)),
    ]);
    await ended;
    signal?.throwIfAborted();
    if (child.exitCode !== 0) throw failure(child, order, { complaint, ...watch });
    return toReport(JSON.parse(outcome));
  } finally {
    watch.stop();
    child.kill("SIGKILL");
    await ended;
  }
}

function startReader({ fd, rowsFd, stringsFd, order, signal }: ReaderRun): ChildProcess {
  const { readerHeapMb } = order.limits;
  const flags = [
    `--max-old-space-size=${readerHeapMb}`,
    "--max-semi-space-size=8",
    "--disable-proto=throw",
    // Node's TypeScript parser is WebAssembly. Optimizing it takes a third of the start and is of
    // no use in a process that parses thirty small files. The compile cache of other processes
    // would need the right to write files.
    "--liftoff-only",
    "--permission",
    ...codeFolders().map((folder) => `--allow-fs-read=${folder}`),
    "--no-warnings",
  ];
  const stdio: StdioOptions = [fd, "ignore", "pipe", "pipe", rowsFd, stringsFd];
  return spawn(process.execPath, [...flags, PROGRAM, JSON.stringify(order)], {
    stdio,
    env: {},
    timeout: readerTimeoutMs(order.limits, fstatSync(fd).size),
    killSignal: "SIGKILL",
    windowsHide: true,
    ...(signal !== undefined && { signal }),
  });
}

/**
 * Ends the process when it exceeds its memory limit, heap or not. Only Linux reports the memory;
 * elsewhere the heap limit and the process's own checks apply.
 */
function watchMemory(child: ChildProcess, limitMb: number): MemoryWatch {
  const stop = new AbortController();
  let isExceeded = false;
  const watch = async (): Promise<void> => {
    for await (const _ of setInterval(WATCH_MS, undefined, { signal: stop.signal })) {
      const statm = await readFile(`/proc/${child.pid}/statm`, "utf8").catch(() => undefined);
      if (statm === undefined) return;
      const pages = Number(statm.split(" ")[1]);
      if (pages * PAGE_BYTES <= limitMb * MB) continue;
      isExceeded = true;
      child.kill("SIGKILL");
    }
  };
  watch().catch((error: unknown) => {
    if (!stop.signal.aborted) child.kill("SIGKILL");
    return error;
  });
  return { isExceeded: () => isExceeded, stop: () => stop.abort() };
}

interface MemoryWatch {
  /** Whether the process was ended because of its memory. */
  isExceeded(): boolean;
  stop(): void;
}

/** The folders of the program's code: that of the bundle, or those of the sources and libraries. */
function codeFolders(): readonly string[] {
  if (!PROGRAM.endsWith(".ts")) return [dirname(PROGRAM)];
  const library = createRequire(import.meta.url).resolve("@e965/xlsx");
  const folder = `${sep}node_modules${sep}`;
  return [PACKAGES, library.slice(0, library.indexOf(folder) + folder.length)];
}

function pipe(child: ChildProcess, fd: number): Readable {
  const stream = child.stdio[fd];
  if (stream && "read" in stream) return stream;
  throw new Error(`The reading process has no stream ${fd}.`);
}

/**
 * Error for a process that failed: V8 aborts when the heap is full, the system kills when the
 * machine's memory is, and this module kills at the time limit. A program that fails otherwise
 * exits with a code.
 */
function failure(
  child: ChildProcess,
  { file, limits }: ReaderOrder,
  { complaint, isExceeded }: Pick<MemoryWatch, "isExceeded"> & { readonly complaint: string },
): SheetError {
  const end = child.signalCode ?? `code ${child.exitCode}`;
  const cause = new Error(`The reading process ended with ${end}. ${complaint.slice(-2_000)}`);
  if (child.signalCode === null && child.exitCode !== ABORTED) {
    return new SheetError("E_FILE_UNREADABLE", { file }, { cause });
  }
  const setting = exceededSetting(child, isExceeded());
  const details = setting === undefined ? { file } : { file, limit: limits[setting], setting };
  return new SheetError("E_READER_LIMIT", details, { cause });
}

/** The limit that ended the process; `undefined` where the system ended it. */
function exceededSetting(
  { signalCode, killed }: ChildProcess,
  isMemory: boolean,
): "readerHeapMb" | "readerRssMb" | "readerSeconds" | undefined {
  if (isMemory) return "readerRssMb";
  if (signalCode !== "SIGKILL") return "readerHeapMb";
  return killed ? "readerSeconds" : undefined;
}

function toReport(outcome: ReaderOutcome): ReaderReport {
  if (outcome.ok) return outcome;
  throw new SheetError(outcome.code, outcome.details);
}

/** Reads the whole sheet; errors in the file are thrown here and not by `rows()`. */
export async function openXlsxSource(options: SourceOptions): Promise<RowSource> {
  const { path, file, limits, signal } = options;
  const order: ReaderOrder = {
    file,
    limits,
    maxRows: limits.rows + (options.headerRow ?? HEADER_SEARCH_ROWS),
    ...(options.sheet !== undefined && { sheet: options.sheet }),
    ...(options.isList === true && { isList: true }),
  };
  await using input = await open(path);
  const rowFile = await createRowFile();
  try {
    const { sheet, facts, formats, meta } = await readInto(rowFile.fd, {
      fd: input.fd,
      order,
      signal,
    });
    return {
      kind: "xlsx",
      sheet,
      facts,
      ...(meta !== undefined && { meta: new Map(meta) }),
      rows: () => rowFile.rows({ formats, signal }),
      close: () => rowFile.close(),
    };
  } catch (error) {
    await rowFile.close();
    throw error;
  }
}

interface Reading {
  readonly fd: number;
  readonly order: ReaderOrder;
  readonly signal: AbortSignal | undefined;
}

async function readInto(
  rowsFd: number,
  { fd, order, signal }: Reading,
): ReturnType<typeof runReader> {
  const strings = await createRowFile();
  try {
    const report = {
      fd,
      rowsFd,
      stringsFd: strings.fd,
      order,
      ...(signal !== undefined && { signal }),
    };
    return await runReader(report);
  } finally {
    await strings.close();
  }
}
