/** A workbook as a source of rows: read once, by another process, into an unnamed file. */

import { open } from "node:fs/promises";

import { HEADER_SEARCH_ROWS } from "../../header-row.ts";
import type { RowSource, SourceOptions } from "../../row-source.ts";
import type { ReaderOrder } from "./process/reader-protocol.ts";
import { createRowFile } from "./process/row-file.ts";
import { runReader } from "./process/run-reader.ts";

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
