/**
 * A separate program that reads the workbook on its standard input, writes its rows to `ROWS_FD`
 * and its outcome to `OUTCOME_FD`. It has a small heap, no right to open files for writing or to
 * start programs, and no environment, because the file may be hostile.
 */

import { fstatSync, writeSync } from "node:fs";

import { SheetError } from "../../sheet-error.ts";
import { MB } from "../../sheet-rows.ts";
import { type ByteSource, fileBytes, fromZipError } from "../zip/read-zip.ts";
import {
  isFlatOpenDocument,
  isMarkup,
  isOldWorkbook,
  readMarkup,
  readXls,
} from "./old-workbook.ts";
import { createFormatTable, toFrame } from "./row-frame.ts";
import {
  isOpenDocumentZip,
  type ReaderTools,
  type ReadWorkbook,
  readWorkbook,
} from "./workbook-reader.ts";
import {
  OUTCOME_FD,
  type ReaderOrder,
  type ReaderOutcome,
  ROWS_FD,
  STRINGS_FD,
} from "./xlsx-source.ts";

const FILE_FD = 0;
const BATCH_BYTES = 256 * 1024;
const PAUSES_PER_CHECK = 8;
async function readToOutput(order: ReaderOrder): Promise<ReaderOutcome> {
  const output = createOutput(order);
  try {
    const source = fileBytes(FILE_FD, fstatSync(FILE_FD).size);
    const table = createFormatTable();
    const read = await readAny(source, { order, stringsFd: STRINGS_FD, table, ...output });
    output.flush();
    return { ok: true, formats: table.codes(), ...read };
  } catch (error) {
    const known = fromZipError(error, order.file);
    if (known instanceof SheetError) return { ok: false, code: known.code, details: known.details };
    throw known;
  }
}

async function readAny(source: ByteSource, tools: ReaderTools): Promise<ReadWorkbook> {
  if (isOldWorkbook(source)) return await readXls(source, tools);
  if (isMarkup(source)) {
    if (!isFlatOpenDocument(source)) return await readMarkup(source, tools);
    const { readFlatOds } = await import("../../ods/read-ods.ts");
    return await readFlatOds(source, tools);
  }
  if (isOpenDocumentZip(source, tools.order)) {
    // Only loaded for such a file, because every module costs this process some milliseconds.
    const { readOds } = await import("../../ods/read-ods.ts");
    return await readOds(source, tools);
  }
  return await readWorkbook(source, tools);
}

interface Output extends Pick<ReaderTools, "onRow" | "onPause"> {
  flush(): void;
}

function createOutput({ file, limits }: ReaderOrder): Output {
  const { readerRssMb, unpackedMb } = limits;
  const batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
  let filled = 0;
  let written = 0;
  let pauses = 0;
  const flush = (): void => {
    writeWhole(batch.subarray(0, filled));
    filled = 0;
  };
  const count = (bytes: number): void => {
    written += bytes;
    // One text or row of a small file can be repeated in many cells.
    if (written <= unpackedMb * MB) return;
    throw new SheetError("E_ZIP_RATIO", { file, limit: unpackedMb, setting: "unpackedMb" });
  };
  return {
    flush,
    onRow(row) {
      const length = row.frameBytes();
      count(length);
      if (filled + length > BATCH_BYTES) flush();
      if (length > BATCH_BYTES) writeWhole(toFrame(row));
      else {
        row.copyFrame(batch, filled);
        filled += length;
      }
    },
    onPause() {
      pauses += 1;
      // Measuring the memory takes longer than reading a few cells.
      if (pauses % PAUSES_PER_CHECK !== 0) return;
      if (process.memoryUsage.rss() <= readerRssMb * MB) return;
      throw new SheetError("E_READER_LIMIT", { file, limit: readerRssMb, setting: "readerRssMb" });
    },
  };
}

function writeWhole(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(ROWS_FD, bytes, at);
}

const order: ReaderOrder = JSON.parse(process.argv[2] ?? "{}");
writeSync(OUTCOME_FD, JSON.stringify(await readToOutput(order)));
