/** Reads random files of every encoding as the program does, and counts the outcomes. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openSheet, SheetError } from "@catalog/sheets";

import { drawFile, type EncodingFile, SAVED_AS, type SavedAs } from "./encoding-files.ts";

/** Files in one encoding by outcome: read as written, asked about, or read as something else. */
export interface EncodingCounts {
  right: number;
  asked: number;
  wrong: number;
}

export interface Played {
  readonly tallies: ReadonlyMap<SavedAs, EncodingCounts>;
  /** Files that were read wrong without a question; there must be none. */
  readonly wrong: readonly string[];
}

export interface PlayOptions {
  /** Number of files over all encodings. */
  readonly files: number;
  readonly firstSeed: number;
  /** @default files have up to 1,000 rows */
  readonly maxRows?: number;
}

export async function playEncodings(options: PlayOptions): Promise<Played> {
  const { files, firstSeed, maxRows } = options;
  const tallies = new Map(SAVED_AS.map((savedAs) => [savedAs, { right: 0, asked: 0, wrong: 0 }]));
  const wrong: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "encodings-"));
  try {
    for (let index = 0; index < files; index += 1) {
      const savedAs = SAVED_AS[index % SAVED_AS.length] ?? "windows-1254";
      const file = drawFile(firstSeed + index, savedAs, maxRows);
      const outcome = await readFile(join(folder, "a.csv"), file);
      const counts = tallies.get(savedAs);
      if (counts !== undefined) counts[outcome] += 1;
      if (outcome === "wrong") wrong.push(file.drawn);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { tallies, wrong };
}

async function readFile(path: string, file: EncodingFile): Promise<keyof EncodingCounts> {
  writeFileSync(path, file.bytes);
  try {
    await using sheet = await openSheet({ path });
    const rows = await Array.fromAsync(sheet.rows(), ({ cells }) => cells);
    const texts = [sheet.header.cells, ...rows].map((cells) => cells.map((cell) => cell ?? ""));
    return JSON.stringify(texts) === JSON.stringify(file.cells) ? "right" : "wrong";
  } catch (error) {
    if (error instanceof SheetError && error.code === "E_ENCODING_UNSURE") return "asked";
    throw error;
  }
}
