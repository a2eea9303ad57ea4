/**
 * The text of a piece of rows, as it is kept: one line of JSON for each row, compressed. A line is
 * the list of its cells, or an object where the reader knows more of a cell than its value.
 */

import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

import type { ParsedRow, SourceRow } from "@catalog/runs";

import { fromJson, toJson } from "../sqlite/json.ts";

/** A product code of a row, as it stands in the sheet and folded. */
export type RowCode = Pick<ParsedRow, "row" | "code" | "codeKey">;

type Cells = Omit<SourceRow, "row">;

/** The first level is the fastest; the next ones save nothing worth their time (`test/bench`). */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The cells of a piece mostly fit into one chunk, which is not copied then. */
const CHUNK_BYTES = 256 * 1024;

/** Packs the cells of rows, in their order. */
export function packCells(rows: readonly SourceRow[]): Uint8Array {
  return zstdCompressSync(rows.map(toLine).join("\n"), LEVEL);
}

/** Unpacks the lines of rows, in their order; {@link parseLine} reads one of them. */
export function unpackLines(bytes: Uint8Array): readonly string[] {
  return zstdDecompressSync(bytes, { chunkSize: CHUNK_BYTES }).toString().split("\n");
}

function toLine({ cells, traits, formats }: SourceRow): string {
  return toJson(traits === undefined && formats === undefined ? cells : { cells, traits, formats });
}

/** Reads the cells of a row. */
export function parseLine(line: string): Cells {
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
