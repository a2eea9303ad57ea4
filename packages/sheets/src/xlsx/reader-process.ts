/**
 * A program of its own: reads the XLSX file on its standard input, writes its rows to standard
 * output and says on `OUTCOME_FD` how it went. It runs with a small heap, without the rights to
 * write files or start programs, and without environment, because the file may be hostile.
 */

import { once } from "node:events";
import { fstatSync, writeSync } from "node:fs";

import { SheetError } from "../sheet-error.ts";
import { fromZipError } from "./package-check.ts";
import {
  formatRowLine,
  OUTCOME_FD,
  type ReaderOrder,
  type ReaderOutcome,
} from "./reader-protocol.ts";
import { readWorksheet } from "./sheet-rows.ts";
import { fileBytes } from "./zip.ts";

const FILE_FD = 0;
const BATCH_CHARS = 64 * 1024;

async function readToOutput(order: ReaderOrder): Promise<ReaderOutcome> {
  try {
    const source = fileBytes(FILE_FD, fstatSync(FILE_FD).size);
    const { sheet, rows } = await readWorksheet(source, order);
    let batch = "";
    for (const row of rows) {
      batch += formatRowLine(row);
      if (batch.length < BATCH_CHARS) continue;
      await writeOut(batch);
      batch = "";
    }
    await writeOut(batch);
    return { ok: true, sheet };
  } catch (error) {
    const known = fromZipError(error, order.file);
    if (known instanceof SheetError) return { ok: false, code: known.code, details: known.details };
    throw known;
  }
}

async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

const order: ReaderOrder = JSON.parse(process.argv[2] ?? "{}");
writeSync(OUTCOME_FD, JSON.stringify(await readToOutput(order)));
