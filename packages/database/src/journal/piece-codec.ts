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

const compress = (text: string): Uint8Array => zstdCompressSync(Buffer.from(text), LEVEL);

const decompress = (bytes: Uint8Array): string => zstdDecompressSync(bytes).toString();

/** Packs the cells of rows, in their order. */
export function packCells(rows: readonly SourceRow[]): Uint8Array {
  return compress(rows.map(toLine).join("\n"));
}

/** Unpacks the lines of rows, in their order; {@link parseLine} reads one of them. */
export function unpackLines(bytes: Uint8Array): readonly string[] {
  return decompress(bytes).split("\n");
}

function toLine({ cells, traits, formats }: SourceRow): string {
  return toJson(traits === undefined && formats === undefined ? cells : { cells, traits, formats });
}

/** Reads the cells of a row. */
export function parseLine(line: string): Cells {
  const read = fromJson<Cells | Cells["cells"]>(line);
  return "cells" in read ? read : { cells: read };
}

/** Packs the codes of rows, in their order. */
export function packCodes(rows: readonly RowCode[]): Uint8Array {
  return compress(toJson(rows.map(({ row, code, codeKey }) => [row, code, codeKey])));
}

type CodeColumns = readonly [RowCode["row"], RowCode["code"], RowCode["codeKey"]];

/** Unpacks the codes of rows, in their order. */
export function unpackCodes(bytes: Uint8Array): readonly RowCode[] {
  return fromJson<readonly CodeColumns[]>(decompress(bytes)).map(([row, code, codeKey]) => ({
    row,
    code,
    codeKey,
  }));
}
