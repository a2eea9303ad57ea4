/** A piece of the archive: rows of a run with all that is stored of them, compressed. */

import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

import type { Selectable } from "kysely";

import { DatabaseError } from "../errors.ts";
import { fromJson, toJson } from "../sql/json.ts";
import type { RunRowTable, Schema } from "../sql/schema.ts";

/** A piece belongs to one run, whose id its entry has. */
type OfRun<Row> = Omit<Row, "run_id">;

/** Rows of one run, as they stood in their tables. */
export interface PieceContents {
  readonly rows: readonly OfRun<Selectable<RunRowTable>>[];
  /** In their order. */
  readonly events: readonly OfRun<Selectable<Schema["event"]>>[];
  readonly before: readonly OfRun<Schema["before_value"]>[];
  readonly verifications: readonly OfRun<Schema["verification"]>[];
}

/** Higher levels save little more. The checksum tells a damaged piece from a sound one. */
const OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: 9, [constants.ZSTD_c_checksumFlag]: 1 },
};

/** Packs the contents column by column: equal columns compress to a third of equal rows. */
export function packPiece({ rows, events, before, verifications }: PieceContents): Uint8Array {
  const text = toJson({
    rows: toColumns(rows),
    events: toColumns(events),
    before: toColumns(before),
    verifications: toColumns(verifications),
  });
  return zstdCompressSync(Buffer.from(text), OPTIONS);
}

/** Unpacks a piece. Throws `DatabaseError` `E_DATABASE_DAMAGED` for one that was changed. */
export function unpackPiece(piece: Uint8Array, path: string): PieceContents {
  const packed = fromJson<Record<keyof PieceContents, Columns>>(decompress(piece, path));
  return {
    rows: toRows(packed.rows),
    events: toRows(packed.events),
    before: toRows(packed.before),
    verifications: toRows(packed.verifications),
  };
}

function decompress(piece: Uint8Array, path: string): string {
  try {
    return zstdDecompressSync(piece).toString();
  } catch (error) {
    throw new DatabaseError("E_DATABASE_DAMAGED", path, { cause: error });
  }
}

type Columns = Readonly<Record<string, readonly unknown[]>>;

function toColumns(rows: readonly object[]): Columns {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== "run_id");
  return Object.fromEntries(
    names.map((name) => [name, rows.map((row): unknown => Reflect.get(row, name))]),
  );
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows its table
function toRows<Row>(columns: Columns): readonly Row[] {
  const entries = Object.entries(columns);
  const count = entries[0]?.[1].length ?? 0;
  return Array.from({ length: count }, (_, index) => {
    const row = Object.fromEntries(entries.map(([name, values]) => [name, values[index]]));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by us from such rows
    return row as Row;
  });
}
