/**
 * Entries of runs in the archive, the stages that they go through, and the compressed pieces that hold
 * their rows.
 */

import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

import { formatDateTime } from "@catalog/i18n";
import type { StateCount, VerificationCounts } from "@catalog/runs";
import { type Selectable, type SelectQueryBuilder, sql } from "kysely";

import { DatabaseError } from "../errors.ts";
import type { Database, Steps } from "../sql/database.ts";
import { fromJson, toJson, toLiteral } from "../sql/queries.ts";
import type { ArchiveStage, RunRowTable, Schema } from "../sql/schema.ts";

/** The database, and the number of the store whose runs are archived. */
export interface ArchiveContext {
  readonly database: Database;
  readonly store: number;
}

/** Rows of a run after one row, up to and with another. */
export interface RowRange {
  readonly runId: string;
  readonly after: number;
  readonly last: number;
}

/** An entry of the archive. */
export type ArchivedRun = Schema["run_archive"];

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

/** Higher levels save little more. The checksum distinguishes a damaged piece from a sound one. */
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
function unpackPiece(piece: Uint8Array, path: string): PieceContents {
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

/** A piece, and the row with which it ends. */
interface ArchivedPiece extends PieceContents {
  readonly lastRow: number;
}

/** The archive of one store. */
export interface RunArchive {
  /** Finds the entry of a run; `undefined` where no row of it was archived or deleted. */
  find(runId: string): Steps<ArchivedRun | undefined>;
  /**
   * Reads the first piece of a run, in the order of the sheet, that has rows after the given one;
   * `undefined` where there is none.
   */
  readPiece(runId: string, after: number): Steps<ArchivedPiece | undefined>;
}

interface PieceKey {
  readonly runId: string;
  readonly after: number;
}

interface FoundPiece {
  readonly last_row: number;
  readonly piece: Uint8Array;
}

export function createRunArchive({ database, store }: ArchiveContext): RunArchive {
  const { build } = database;
  const find = database.prepareGet<{ readonly runId: string }, ArchivedRun>((arg) =>
    build
      .selectFrom("run_archive")
      .selectAll()
      .where("run_id", "=", arg("runId"))
      .where("store", "=", store),
  );
  const findPiece = database.prepareGet<PieceKey, FoundPiece>((arg) =>
    build
      .selectFrom("archive_piece")
      .select(["last_row", "piece"])
      .where("run_id", "=", arg("runId"))
      .where("last_row", ">", arg("after"))
      .orderBy("last_row")
      .limit(1),
  );
  const unpack = createUnpacker(database);
  return {
    find: (runId) => find({ runId }),
    *readPiece(runId, after) {
      const found = yield* findPiece({ runId, after });
      return found && unpack(runId, found);
    },
  };
}

/** Keeps the last piece unpacked: a report asks for a piece's rows in batches. */
function createUnpacker({ path }: Database): (runId: string, found: FoundPiece) => ArchivedPiece {
  let last: { readonly key: string; readonly contents: ArchivedPiece } | undefined;
  return (runId, { last_row: lastRow, piece }) => {
    const key = `${runId} ${lastRow}`;
    if (last?.key !== key) last = { key, contents: { ...unpackPiece(piece, path), lastRow } };
    return last.contents;
  };
}

/** Whether the rows of the run are deleted, all or some of them. */
export const isPruned = ({ stage }: ArchivedRun): boolean =>
  stage === "pruning" || stage === "pruned";

/** The counts of the run's rows by state. */
export const toStateCounts = ({ states_json }: ArchivedRun): readonly StateCount[] =>
  fromJson(states_json);

/** The counts of the results of reading back. */
export const toVerificationCounts = ({ verified_json }: ArchivedRun): VerificationCounts =>
  fromJson(verified_json);

/** What stays of a run when its rows are gone. */
export interface RunTotals {
  readonly states: readonly StateCount[];
  readonly verified: VerificationCounts;
}

/** A run whose rows are to be deleted. */
export interface DueRun {
  readonly runId: string;
  readonly rows: number;
  /** Size of its pieces; `null` where it is not archived yet. */
  readonly archivedBytes: number | null;
}

export interface RunStages {
  /** Enters a run; the caller has found it to be over. */
  begin(runId: string, finishedAtMs: number, totals: RunTotals): Steps<void>;
  /** Records that rows up to this one are archived or deleted. */
  advance(runId: string, archivedTo: number): Steps<void>;
  setStage(runId: string, stage: ArchiveStage): Steps<void>;
  /** From here on the rows of the run are not read any more. */
  beginPruning(runId: string, nowMs: number): Steps<void>;
  /** Finds a run whose rows are being moved or deleted. */
  findUnfinished(): Steps<ArchivedRun | undefined>;
  /** Finds the archived run that was finished first, where that was before the given time. */
  findOlder(finishedBeforeMs: number): Steps<ArchivedRun | undefined>;
  /** Finds all archived runs that were finished before the given time. */
  listArchived(finishedBeforeMs: number): Steps<readonly DueRun[]>;
}

/** Each method runs within the caller's transaction. */
export function createRunStages({ database, store }: ArchiveContext): RunStages {
  const { build } = database;
  const change = (runId: string) => build.updateTable("run_archive").where("run_id", "=", runId);
  const select = build
    .selectFrom("run_archive")
    .selectAll()
    .where("store", "=", store)
    // The condition of the index, without which all runs are visited.
    .where("stage", "<>", toLiteral("pruned"));
  // A run that is taken back by itself later needs its rows then.
  const untimed = select.where((where) =>
    where.not(
      where.exists(
        where
          .selectFrom("run_period")
          .select("run_period.run_id")
          .whereRef("run_period.run_id", "=", "run_archive.run_id")
          .where("due_at_ms", "is not", null),
      ),
    ),
  );
  return {
    *begin(runId, finishedAtMs, { states, verified }) {
      yield* database.run(
        build.insertInto("run_archive").values({
          run_id: runId,
          store,
          stage: "archiving",
          archived_to: 0,
          states_json: toJson(states),
          verified_json: toJson(verified),
          finished_at_ms: finishedAtMs,
          pruned_at_ms: null,
        }),
      );
      yield* database.run(
        build.updateTable("run").set({ archive_at_ms: null }).where("id", "=", runId),
      );
    },
    *advance(runId, archivedTo) {
      yield* database.run(change(runId).set({ archived_to: archivedTo }));
    },
    *setStage(runId, stage) {
      yield* database.run(change(runId).set({ stage }));
    },
    *beginPruning(runId, nowMs) {
      yield* database.run(change(runId).set({ stage: "pruning", pruned_at_ms: nowMs }));
    },
    findUnfinished: () =>
      database.get(select.where("stage", "in", ["archiving", "pruning"]).limit(1)),
    findOlder: (finishedBeforeMs) =>
      database.get(
        untimed
          .where("stage", "=", "archived")
          .where("finished_at_ms", "<", finishedBeforeMs)
          .orderBy("finished_at_ms")
          .limit(1),
      ),
    listArchived: (finishedBeforeMs) =>
      listArchived(database, untimed.where("finished_at_ms", "<", finishedBeforeMs)),
  };
}

function* listArchived(
  database: ArchiveContext["database"],
  older: SelectQueryBuilder<Schema, "run_archive", ArchivedRun>,
): Steps<readonly DueRun[]> {
  const bytes = sql<number>`coalesce((
    SELECT sum(length(piece)) FROM archive_piece WHERE run_id = run_archive.run_id), 0)`;
  const kept = older.where("stage", "in", ["archiving", "archived"]).orderBy("finished_at_ms");
  return (yield* database.all(kept.select(bytes.as("bytes")))).map((run) => ({
    runId: run.run_id,
    rows: toStateCounts(run).reduce((sum, { rows }) => sum + rows, 0),
    archivedBytes: run.bytes,
  }));
}

const DATE = { dateStyle: "medium" } as const;

/** The error `E_RUN_PRUNED`, which names the run and the day. */
export function prunedRun(runId: string, prunedAtMs: number): DatabaseError {
  return new DatabaseError("E_RUN_PRUNED", {
    tr: `${runId}, ${formatDateTime(prunedAtMs, "tr", DATE)}`,
    en: `${runId}, ${formatDateTime(prunedAtMs, "en", DATE)}`,
  });
}
