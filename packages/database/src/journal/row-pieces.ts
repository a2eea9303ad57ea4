/**
 * The rows of runs as they were read, kept in pieces: 200 rows to an entry, compressed. Pieces of a run
 * do not overlap. A row is here from the moment it is stored, and in `run_row` once it is decided.
 */

import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

import type { RowRepository, RowCode } from "@catalog/runs";

import { type Database, eachStep, type Steps } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/queries.ts";
import type { RowPieceTable } from "../sql/schema.ts";

type ParsedRow = Parameters<RowRepository["appendRows"]>[1][number];

type SourceRow = Omit<ParsedRow, "code" | "codeKey">;
type Cells = Omit<SourceRow, "row">;

/** The first level is the fastest; the next ones save nothing worth their time (`test/bench`). */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The cells of a piece mostly fit into one chunk, which is not copied then. */
const CHUNK_BYTES = 256 * 1024;

/** Packs the cells of rows, in their order: one line of JSON for each row. */
const packCells = (rows: readonly SourceRow[]): Uint8Array =>
  zstdCompressSync(Buffer.from(rows.map(toLine).join("\n")), LEVEL);

const unpackLines = (packed: Uint8Array): readonly string[] =>
  zstdDecompressSync(packed, { chunkSize: CHUNK_BYTES }).toString().split("\n");

/** A line is the list of its cells, or an object where more is known of a row than their values. */
function toLine({ cells, traits, formats, joined, line }: SourceRow): string {
  const isPlain = (traits ?? formats ?? joined ?? line) === undefined;
  return toJson(isPlain ? cells : { cells, traits, formats, joined, line });
}

function parseLine(line: string): Cells {
  const read = fromJson<Cells | Cells["cells"]>(line);
  return "cells" in read ? read : { cells: read };
}

/** Writes the codes of rows, in their order; they are short, and read without the cells. */
const toCodesJson = (rows: readonly RowCode[]): string =>
  toJson(rows.map(({ row, code, codeKey }) => [row, code, codeKey]));

type CodeColumns = readonly [RowCode["row"], RowCode["code"], RowCode["codeKey"]];

/** Reads the codes of rows, in their order. */
const fromCodesJson = (text: string): readonly RowCode[] =>
  fromJson<readonly CodeColumns[]>(text).map(([row, code, codeKey]) => ({ row, code, codeKey }));

/** Planning reads as many rows at a time, and a single row is still found quickly. */
const PIECE_ROWS = 200;

/** Pieces that are kept unpacked: a batch of rows may begin in one and end in the next. */
const KEPT_PIECES = 3;

/** A row of a piece. */
export interface StoredRow extends ParsedRow {
  readonly storedAtMs: number;
}

/** A piece without its rows. */
type PieceKey = Omit<RowPieceTable, "id" | "codes_json" | "cells"> & { readonly id: number };

/** The rows of a piece, in the order of the sheet. */
export interface Piece {
  readonly runId: string;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly codes: readonly RowCode[];
  readonly codeOf: (row: number) => RowCode | undefined;
  /** Parses the cells of a row at each call; `undefined` where the piece lacks the row. */
  readonly rowOf: (row: number) => Steps<StoredRow | undefined>;
}

export interface RowPieces {
  /**
   * Stores rows within the caller's transaction. Throws when the run has one of the rows already.
   */
  append(runId: string, rows: readonly ParsedRow[], nowMs: number): Steps<void>;
  /** Reads the first piece of a run that ends at or after a row. */
  readFrom(runId: string, row: number): Steps<Piece | undefined>;
  /** Reads the codes of all rows, piece by piece, and hands them to `use`. */
  eachCodes(runId: string, use: (codes: readonly RowCode[]) => void): Steps<void>;
  /** Counts the rows of a run. */
  count(runId: string): Steps<number>;
  /** Finds a row; rows that are asked for in their order are in the piece at hand. */
  find(runId: string, row: number): Steps<StoredRow | undefined>;
  /** Finds the code of a row in the same way. */
  findCode(runId: string, row: number): Steps<RowCode | undefined>;
}

export function createRowPieces(database: Database): RowPieces {
  const statements = prepareStatements(database);
  const { findKey, insert, remove, count } = statements;
  const { read, readFrom, pieceOf } = createPieceReader(statements);
  /** Takes away the pieces that a range of rows crosses, and returns their rows. */
  const takeCrossed = function* takeCrossed(
    runId: string,
    first: number,
    last: number,
  ): Steps<readonly StoredRow[]> {
    const taken: StoredRow[] = [];
    for (;;) {
      const key = yield* findKey({ runId, row: first });
      if (key === undefined || key.first_row > last) return taken;
      for (const row of yield* rowsOf(yield* read(key))) taken.push(row);
      yield* remove({ id: key.id });
    }
  };
  return {
    *append(runId, rows, nowMs) {
      const sorted = rows.toSorted(byRow);
      const [first, last] = [sorted[0], sorted.at(-1)];
      if (first === undefined || last === undefined) return;
      const all = [...sorted, ...(yield* takeCrossed(runId, first.row, last.row))].toSorted(byRow);
      assertDistinct(runId, all);
      for (let at = 0; at < all.length; at += PIECE_ROWS) {
        yield* insert([toColumns(runId, all.slice(at, at + PIECE_ROWS), nowMs)]);
      }
    },
    readFrom,
    eachCodes: (runId, use) => eachCodes(statements, runId, use),
    *count(runId) {
      return (yield* count({ runId }))?.rows ?? 0;
    },
    *find(runId, row) {
      const piece = yield* pieceOf(runId, row);
      return piece && (yield* piece.rowOf(row));
    },
    *findCode(runId, row) {
      return (yield* pieceOf(runId, row))?.codeOf(row);
    },
  };
}

interface PieceReader {
  readonly read: (key: PieceKey) => Steps<Piece>;
  readonly readFrom: RowPieces["readFrom"];
  /** The piece that may have the row. */
  readonly pieceOf: (runId: string, row: number) => Steps<Piece | undefined>;
}

function createPieceReader({ findKey, readCodesJson, readCells }: Statements): PieceReader {
  const kept: Piece[] = [];
  const keyOf = new WeakMap<Piece, PieceKey>();
  const read = function* read(key: PieceKey): Steps<Piece> {
    const known = kept.find((piece) => isSame(keyOf.get(piece), key));
    if (known !== undefined) return known;
    const codes = fromCodesJson(yield* readCodesJson({ id: key.id }));
    const piece = openPiece(key, { codes, readCells });
    keyOf.set(piece, key);
    kept.unshift(piece);
    kept.length = Math.min(kept.length, KEPT_PIECES);
    return piece;
  };
  const readFrom: RowPieces["readFrom"] = function* readFrom(runId, row) {
    const key = yield* findKey({ runId, row });
    return key === undefined ? undefined : yield* read(key);
  };
  const pieceOf: PieceReader["pieceOf"] = function* pieceOf(runId, row) {
    // The rows of a piece never change, so that one that has the row need not be looked for.
    const known = kept.find((piece) => piece.runId === runId && piece.codeOf(row) !== undefined);
    return known ?? (yield* readFrom(runId, row));
  };
  return { read, readFrom, pieceOf };
}

function* eachCodes(
  { findKey, readCodesJson }: Statements,
  runId: string,
  use: (codes: readonly RowCode[]) => void,
): Steps<void> {
  let key = yield* findKey({ runId, row: 0 });
  while (key !== undefined) {
    use(fromCodesJson(yield* readCodesJson({ id: key.id })));
    key = yield* findKey({ runId, row: key.last_row + 1 });
  }
}

const byRow = (a: ParsedRow, b: ParsedRow): number => a.row - b.row;

/** Compares all of it, because an id is used again once its piece is deleted. */
const isSame = (a: PieceKey | undefined, b: PieceKey): boolean =>
  a !== undefined &&
  a.id === b.id &&
  a.run_id === b.run_id &&
  a.first_row === b.first_row &&
  a.last_row === b.last_row &&
  a.rows === b.rows &&
  a.stored_at_ms === b.stored_at_ms;

function assertDistinct(runId: string, sorted: readonly ParsedRow[]): void {
  const twice = sorted.find(({ row }, index) => sorted[index + 1]?.row === row);
  if (twice !== undefined) throw new Error(`row ${twice.row} of ${runId} is stored already`);
}

interface PieceParts extends Pick<Statements, "readCells"> {
  readonly codes: readonly RowCode[];
}

/** A piece whose cells are read once they are asked for. */
interface OpenedPiece extends PieceParts {
  readonly key: PieceKey;
  readonly placeOf: ReadonlyMap<number, number>;
  lines: readonly string[] | undefined;
}

function openPiece(key: PieceKey, { codes, readCells }: PieceParts): Piece {
  const placeOf = new Map(codes.map(({ row }, place) => [row, place]));
  const opened = { key, codes, placeOf, readCells, lines: undefined };
  return {
    runId: key.run_id,
    firstRow: key.first_row,
    lastRow: key.last_row,
    codes,
    codeOf: (row) => codes[placeOf.get(row) ?? -1],
    rowOf: (row) => readRow(opened, row),
  };
}

function* readRow(opened: OpenedPiece, row: number): Steps<StoredRow | undefined> {
  const { key, codes, placeOf, readCells } = opened;
  const place = placeOf.get(row);
  const code = codes[place ?? -1];
  if (place === undefined || code === undefined) return undefined;
  opened.lines ??= unpackLines(yield* readCells({ id: key.id }));
  return { ...code, ...parseLine(opened.lines[place] ?? ""), storedAtMs: key.stored_at_ms };
}

function* rowsOf({ codes, rowOf }: Piece): Steps<readonly StoredRow[]> {
  const rows = yield* eachStep(codes, ({ row }) => rowOf(row));
  return rows.filter((row) => row !== undefined);
}

const toColumns = (
  runId: string,
  rows: readonly ParsedRow[],
  nowMs: number,
): Omit<RowPieceTable, "id"> => ({
  run_id: runId,
  first_row: rows[0]?.row ?? 0,
  last_row: rows.at(-1)?.row ?? 0,
  rows: rows.length,
  stored_at_ms: nowMs,
  codes_json: toCodesJson(rows),
  cells: packCells(rows),
});

type Statements = ReturnType<typeof prepareStatements>;

interface OfPiece {
  readonly id: number;
}

function prepareStatements(database: Database) {
  const { build } = database;
  const prepareColumn = <Column extends "codes_json" | "cells">(column: Column) => {
    const read = database.prepareGet<OfPiece, Pick<RowPieceTable, Column>>((arg) =>
      build.selectFrom("row_piece").select(column).where("id", "=", arg("id")),
    );
    return function* readColumn(of: OfPiece): Steps<RowPieceTable[Column]> {
      const found = yield* read(of);
      if (found === undefined) throw new Error(`piece ${of.id} of rows is gone`);
      return found[column];
    };
  };
  return {
    /** The first piece that ends at or after the row. */
    findKey: database.prepareGet<{ readonly runId: string; readonly row: number }, PieceKey>(
      (arg) =>
        build
          .selectFrom("row_piece")
          .select(["id", "run_id", "first_row", "last_row", "rows", "stored_at_ms"])
          .where("run_id", "=", arg("runId"))
          .where("last_row", ">=", arg("row"))
          .orderBy("last_row")
          .limit(1),
    ),
    readCodesJson: prepareColumn("codes_json"),
    readCells: prepareColumn("cells"),
    insert: database.prepareInsert("row_piece", [
      "run_id",
      "first_row",
      "last_row",
      "rows",
      "stored_at_ms",
      "codes_json",
      "cells",
    ]),
    remove: database.prepareDelete("row_piece", ["id"]),
    count: database.prepareGet<{ readonly runId: string }, { readonly rows: number | null }>(
      (arg) =>
        build
          .selectFrom("row_piece")
          .select((select) => select.fn.sum<number | null>("rows").as("rows"))
          .where("run_id", "=", arg("runId")),
    ),
  };
}
