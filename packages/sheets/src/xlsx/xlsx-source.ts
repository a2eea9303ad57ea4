/** An XLSX file as a source of rows: read once, by another process, into a file without a name. */

import { open } from "node:fs/promises";

import { HEADER_SEARCH_ROWS } from "../header-row.ts";
import { type RowSource, type SourceOptions } from "../row-source.ts";
import { type ReaderOrder } from "./reader-protocol.ts";
import { runReader } from "./run-reader.ts";
import { createSpool } from "./spool.ts";

/** Reads the whole sheet; what is wrong with the file shows here and not in `rows()`. */
export async function openXlsxSource(options: SourceOptions): Promise<RowSource> {
  const { path, file, limits, signal } = options;
  const order: ReaderOrder = {
    file,
    limits,
    maxRows: limits.rows + (options.headerRow ?? HEADER_SEARCH_ROWS),
    ...(options.sheet !== undefined && { sheet: options.sheet }),
  };
  await using input = await open(path);
  const spool = await createSpool();
  try {
    const sheet = await runReader({
      fd: input.fd,
      order,
      onRows: (lines) => spool.fill(lines),
      ...(signal !== undefined && { signal }),
    });
    return { kind: "xlsx", sheet, rows: () => spool.rows(signal), close: () => spool.close() };
  } catch (error) {
    await spool.close();
    throw error;
  }
}
