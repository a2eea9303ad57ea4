/**
 * Takes rows of a run that is over out of their tables, some at a time: into a piece of the archive,
 * or away. A row whose request stays keeps what its request is known by, and the values before it.
 */

import type { Selectable } from "kysely";

import { createFinalRows, type FinalRow, toPlanEvent } from "../journal/final-rows.ts";
import { createRowPieces } from "../journal/row-pieces.ts";
import type { Database } from "../sql/database.ts";
import { toJson, toJsonList } from "../sql/json.ts";
import type { RunRowTable, Schema } from "../sql/schema.ts";
import { eachStep, type Steps } from "../sql/steps.ts";
import type { ArchiveContext, RowRange } from "./archive-context.ts";
import { packPiece, type PieceContents } from "./archive-piece.ts";
import { createSettleRequests } from "./last-sent-requests.ts";

/** A run, and the row up to which it was moved. */
export interface MovedRun {
  readonly runId: string;
  readonly archivedTo: number;
  /** Whether the rows are kept in the archive. */
  readonly isKept: boolean;
}

/** The rows that were moved. */
export interface MovedRows {
  readonly lastRow: number;
  readonly rows: number;
}

/** Rows in a piece, and in one commit: tens of milliseconds for which other processes wait. */
export const PIECE_ROWS = 500;

/**
 * Returns the function that moves the next rows within the caller's transaction; it returns
 * `undefined` where none is left.
 */
export function createMoveRows(
  context: ArchiveContext,
): (run: MovedRun) => Steps<MovedRows | undefined> {
  const { database } = context;
  const read = prepareReads(database);
  const write = prepareWrites(database);
  const finals = createFinalRows(database);
  const toColumns = createToColumns(database);
  const settle = createSettleRequests(context);
  return function* moveRows({ runId, archivedTo: after, isKept }) {
    const final = yield* finals.read(runId, { after, limit: PIECE_ROWS });
    const moving = yield* read.rows({ runId, after });
    const planned = yield* eachStep(final, (row) => toColumns(runId, row));
    const rows = [...moving, ...planned]
      .toSorted((a, b) => a.row_no - b.row_no)
      .slice(0, PIECE_ROWS);
    const last = rows.at(-1)?.row_no;
    if (last === undefined) return undefined;
    const range = { runId, after, last };
    if (isKept) {
      const plans = final.filter(({ row }) => row <= last).map(toEventColumns);
      const { events, ...others } = yield* read.others(range);
      const piece = packPiece({ rows, events: [...plans, ...events], ...others });
      yield* write.piece({ run_id: runId, last_row: last, piece });
    }
    const { kept, superseded } = yield* settle(range);
    const staying = new Set(kept.map(({ row }) => row));
    const leaving = moving.filter(({ row_no }) => row_no <= last && !staying.has(row_no));
    yield* write.stub(kept.map(({ row, endedSeq }) => ({ runId, row, endedSeq })));
    yield* write.remove(leaving.map(({ row_no }) => ({ runId, row: row_no })));
    // Other rows of the same products, of any run that was archived before.
    yield* write.remove(superseded);
    yield* write.removeHistory(range);
    yield* finals.remove(runId, last);
    return { lastRow: last, rows: rows.length };
  };
}

type MovedColumns = PieceContents["rows"][number];

/** Returns the function that converts a row in a final state into columns, as others have them. */
function createToColumns(
  database: Database,
): (runId: string, row: FinalRow) => Steps<MovedColumns> {
  const pieces = createRowPieces(database);
  return function* toColumns(runId, { row, state, productId, issues, decidedAtMs }) {
    const { code = null, codeKey = null } = (yield* pieces.findCode(runId, row)) ?? {};
    return {
      row_no: row,
      state,
      action: null,
      code,
      code_key: codeKey,
      product_id: productId,
      payload_json: null,
      changes_json: toJsonList([]),
      issues_json: toJsonList(issues),
      attempts: 0,
      note: null,
      updated_at_ms: decidedAtMs,
    };
  };
}

function toEventColumns(row: FinalRow): PieceContents["events"][number] {
  const { seq, from, to, cause, evidence, atMs } = toPlanEvent("", row);
  const evidence_json = toJson(evidence);
  return {
    seq,
    row_no: row.row,
    from_state: from,
    to_state: to,
    cause,
    evidence_json,
    at_ms: atMs,
  };
}

interface Reads {
  readonly rows: (run: Omit<RowRange, "last">) => Steps<Selectable<RunRowTable>[]>;
  readonly others: (range: RowRange) => Steps<Omit<PieceContents, "rows">>;
}

function prepareReads(database: Database): Reads {
  const { build } = database;
  const events = database.prepareAll<RowRange, Selectable<Schema["event"]>>((arg) =>
    build
      .selectFrom("event")
      .selectAll()
      .where("run_id", "=", arg("runId"))
      .where("row_no", ">", arg("after"))
      .where("row_no", "<=", arg("last"))
      .orderBy("seq"),
  );
  const before = database.prepareAll<RowRange, Schema["before_value"]>((arg) =>
    build
      .selectFrom("before_value")
      .selectAll()
      .where("run_id", "=", arg("runId"))
      .where("row_no", ">", arg("after"))
      .where("row_no", "<=", arg("last")),
  );
  const verifications = database.prepareAll<RowRange, Schema["verification"]>((arg) =>
    build
      .selectFrom("verification")
      .selectAll()
      .where("run_id", "=", arg("runId"))
      .where("row_no", ">", arg("after"))
      .where("row_no", "<=", arg("last")),
  );
  return {
    rows: database.prepareAll((arg) =>
      build
        .selectFrom("run_row")
        .selectAll()
        .where("run_id", "=", arg("runId"))
        .where("row_no", ">", arg("after"))
        .orderBy("row_no")
        .limit(PIECE_ROWS),
    ),
    *others(range) {
      return {
        events: yield* events(range),
        before: yield* before(range),
        verifications: yield* verifications(range),
      };
    },
  };
}

interface RowKey {
  readonly runId: string;
  readonly row: number;
}

interface Stub extends RowKey {
  readonly endedSeq: number | null;
}

interface Writes {
  readonly piece: (piece: Omit<Schema["archive_piece"], "id">) => Steps<number>;
  readonly stub: (rows: readonly Stub[]) => Steps<void>;
  readonly remove: (rows: readonly RowKey[]) => Steps<void>;
  readonly removeHistory: (range: RowRange) => Steps<void>;
}

function prepareWrites(database: Database): Writes {
  const { build } = database;
  const insertPiece = database.prepare<Omit<Schema["archive_piece"], "id">>((arg) =>
    build.insertInto("archive_piece").values({
      run_id: arg("run_id"),
      last_row: arg("last_row"),
      piece: arg("piece"),
    }),
  );
  const stubOp = database.prepare<Stub>((arg) =>
    build
      .updateTable("op")
      .set({ ended_seq: arg("endedSeq") })
      .where("run_id", "=", arg("runId"))
      .where("row_no", "=", arg("row")),
  );
  const stubRow = database.prepare<RowKey>((arg) =>
    build
      .updateTable("run_row")
      .set({ payload_json: null, changes_json: "[]", issues_json: "[]", note: null })
      .where("run_id", "=", arg("runId"))
      .where("row_no", "=", arg("row")),
  );
  return {
    piece: insertPiece,
    *stub(rows) {
      for (const row of rows) {
        yield* stubOp(row);
        yield* stubRow(row);
      }
    },
    remove: prepareRemove(database),
    removeHistory: prepareRemoveHistory(database),
  };
}

/** Removes rows with their requests and the values before them. */
function prepareRemove(database: Database): (rows: readonly RowKey[]) => Steps<void> {
  const { build } = database;
  const ofRow = (table: "op" | "before_value" | "verification" | "run_row") =>
    database.prepare<RowKey>((arg) =>
      build.deleteFrom(table).where("run_id", "=", arg("runId")).where("row_no", "=", arg("row")),
    );
  // Their events were removed when the rows were archived, or are below.
  const removals = [ofRow("op"), ofRow("before_value"), ofRow("verification"), ofRow("run_row")];
  return function* removeAll(rows) {
    for (const row of rows) for (const remove of removals) yield* remove(row);
  };
}

/** Removes events and results of reading back; rows that stay need neither. */
function prepareRemoveHistory(database: Database): (range: RowRange) => Steps<void> {
  const { build } = database;
  const ofRange = (table: "event" | "verification") =>
    database.prepare<RowRange>((arg) =>
      build
        .deleteFrom(table)
        .where("run_id", "=", arg("runId"))
        .where("row_no", ">", arg("after"))
        .where("row_no", "<=", arg("last")),
    );
  const removals = [ofRange("event"), ofRange("verification")];
  return function* removeHistory(range) {
    for (const remove of removals) yield* remove(range);
  };
}
