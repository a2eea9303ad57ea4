/**
 * The text of a piece of rows, as it is kept: one line of JSON for each row, compressed. A line is
 * the list of its cells, or an object where more is known of a row than the values of its cells.
 */

import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

import type { RowCode, SourceRow } from "@catalog/runs";

import { fromJson, toJson } from "../sql/json.ts";

type Cells = Omit<SourceRow, "row">;

/** The first level is the fastest; the next ones save nothing worth their time (`test/bench`). */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The cells of a piece mostly fit into one chunk, which is not copied then. */
const CHUNK_BYTES = 256 * 1024;

const NEWLINE = 10;
/** A character takes at most three bytes, one half of a surrogate pair included. */
const MAX_CHAR_BYTES = 3;

/** Packs the cells of rows, in their order. */
export type PackCells = (rows: readonly SourceRow[]) => Uint8Array;

/**
 * Returns a function that packs rows. The lines are written into one buffer, because a text of all
 * of them would go to V8's old space at once and have it collected again and again.
 */
export function createPackCells(): PackCells {
  let scratch = Buffer.allocUnsafe(CHUNK_BYTES);
  return (rows) => {
    let size = 0;
    for (const row of rows) {
      const line = toLine(row);
      const needed = size + line.length * MAX_CHAR_BYTES + 1;
      if (needed > scratch.length) {
        const larger = Buffer.allocUnsafe(needed * 2);
        scratch.copy(larger, 0, 0, size);
        scratch = larger;
      }
      size += scratch.write(line, size);
      scratch[size] = NEWLINE;
      size += 1;
    }
    return zstdCompressSync(scratch.subarray(0, size), LEVEL);
  };
}

/** The lines of packed rows, of which each is decoded when it is asked for. */
export interface PackedLines {
  /** The cells of the row at a place, in the order in which the rows were packed. */
  cellsAt(place: number): Cells;
}

/** Unpacks the cells of rows. */
export function unpackLines(packed: Uint8Array): PackedLines {
  const bytes = zstdDecompressSync(packed, { chunkSize: CHUNK_BYTES });
  const starts = [0];
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, end + 1)) {
    starts.push(end + 1);
  }
  return {
    cellsAt(place) {
      const [start = 0, next = 0] = [starts[place], starts[place + 1]];
      return parseLine(bytes.toString("utf8", start, next - 1));
    },
  };
}

function toLine({ cells, traits, formats, joined }: SourceRow): string {
  const isPlain = traits === undefined && formats === undefined && joined === undefined;
  return toJson(isPlain ? cells : { cells, traits, formats, joined });
}

function parseLine(line: string): Cells {
  const read = fromJson<Cells | Cells["cells"]>(line);
  return "cells" in read ? read : { cells: read };
}

/** Writes the codes of rows, in their order; they are short, and read without the cells. */
export const toCodesJson = (rows: readonly RowCode[]): string =>
  toJson(rows.map(({ row, code, codeKey }) => [row, code, codeKey]));

type CodeColumns = readonly [RowCode["row"], RowCode["code"], RowCode["codeKey"]];

/** Reads the codes of rows, in their order. */
export const fromCodesJson = (text: string): readonly RowCode[] =>
  fromJson<readonly CodeColumns[]>(text).map(([row, code, codeKey]) => ({ row, code, codeKey }));
