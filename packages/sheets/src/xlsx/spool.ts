/** Rows on the disk between the process that read them and those who want them, in memory never. */

import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type SheetRow } from "../cell.ts";
import { parseRowLine } from "./reader-protocol.ts";

const READ_BYTES = 256 * 1024;
const LINE_FEED = 10;

export interface Spool {
  /** Takes lines; whoever has it writes one after another. */
  readonly fd: number;
  /** What was written, from the first row; each call reads for itself. */
  rows(signal?: AbortSignal): AsyncGenerator<SheetRow>;
  close(): Promise<void>;
}

/** The file has no name once this returns, so nothing of it outlives the program. */
export async function createSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), "sheet-"));
  const path = join(folder, "rows");
  const handle = await open(path, "wx+", 0o600);
  await rm(folder, { recursive: true, force: true });
  return {
    fd: handle.fd,
    rows: (signal) => readRows(handle, signal),
    close: () => handle.close(),
  };
}

async function* readRows(handle: FileHandle, signal?: AbortSignal): AsyncGenerator<SheetRow> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(READ_BYTES),
      0,
      READ_BYTES,
      offset,
    );
    if (bytesRead === 0) return;
    offset += bytesRead;
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    rest = bytes.subarray(end);
    for (const line of bytes.toString("utf8", 0, end).split("\n")) {
      if (line !== "") yield parseRowLine(line);
    }
  }
}
