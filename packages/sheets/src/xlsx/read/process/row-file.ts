/**
 * Keeps rows on the disk between the process that reads them and their consumers, never in memory.
 */

import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { SheetRow } from "../../../cell.ts";
import { frameLength, unpackRow } from "./row-frame.ts";

const READ_BYTES = 256 * 1024;

export interface RowFile {
  /** Receives frames, written one after another by the owner of the descriptor. */
  readonly fd: number;
  /** Reads the written rows from the first one; each call reads independently. */
  rows(options?: RowFileOptions): AsyncGenerator<SheetRow>;
  close(): Promise<void>;
}

export interface RowFileOptions {
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
