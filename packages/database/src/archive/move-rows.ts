/**
 * Takes rows of a run that is over out of their tables, some at a time: into a piece of the archive, or
 * away. A row whose request stays keeps what its request is known by, and the values before it.
 */

import { isAction, ONCE_ACTIONS, type Payload, type RowKey, STATE_TABLE } from "@catalog/runs";
import { type Selectable, sql } from "kysely";

import { createFinalRows, type FinalRow, toPlanEvent } from "../journal/final-rows.ts";
import { ENDED_ORDER } from "../journal/products.ts";
import { createRowPieces } from "../journal/row-pieces.ts";
import { type Database, eachStep, type Steps } from "../sql/database.ts";
import { fromJson, toJson, toJsonList, toLiteral } from "../sql/queries.ts";
import type { ProductId, RunRowTable, Schema } from "../sql/schema.ts";
import {
  type ArchiveContext,
  type ArchivedRun,
  packPiece,
  type PieceContents,
  type RowRange,
  type RunStages,
} from "./archive.ts";

interface Request extends Pick<
  Schema["op"],
  "run_id" | "row_no" | "kind" | "state" | "product_id" | "payload_json"
> {
  readonly ended_seq: number | null;
  /** The row's last event. */
  readonly ended: number | null;
}

/** What becomes of the requests of rows that are being archived. */
interface SettledRequests {
  /** Requests of these rows that stay, with their last event. */
  readonly kept: readonly { readonly row: number; readonly endedSeq: number | null }[];
  /** Requests of rows that were archived before, all of whose fields were sent again since. */
  readonly superseded: readonly { readonly runId: string; readonly row: number }[];
}

/**
 * Decides within the caller's transaction, before the events of the rows are deleted. A request that
 * was answered stays while a field of it is the one that was sent last for its product: plans compare
 * with these values, and an undo restores what stood before them. An add that takes its product code, and an action that its
 * subject takes once, stay for ever.
 */
function createSettleRequests(
  context: ArchiveContext,
): (range: RowRange) => Steps<SettledRequests> {
  const { readMine, readNewest, readArchived } = prepareRequestReads(context);
  return function* settleRequests(range) {
    const mine = yield* readMine(range);
    const kept = mine.filter(takesCode);
    const superseded: Request[] = [];
    for (const [productId, of] of Map.groupBy(mine, answeredProduct)) {
      if (productId === null) continue;
      const product = { productId, store: context.store };
      const archived = yield* readArchived(product);
      const last = findLastSent([...of, ...archived, ...(yield* readNewest(product))]);
      const isLast = (request: Request): boolean => takesCode(request) || last.has(toKey(request));
      kept.push(...of.filter((request) => isLast(request) && !takesCode(request)));
      superseded.push(...archived.filter((request) => !isLast(request)));
    }
    return {
      kept: kept.map(({ row_no: row, ended: endedSeq }) => ({ row, endedSeq })),
      superseded: superseded.map(({ run_id: runId, row_no: row }) => ({ runId, row })),
    };
  };
}

const toKey = ({ run_id, row_no }: Pick<Request, "run_id" | "row_no">): string =>
  `${run_id} ${row_no}`;

const takesCode = ({ kind, state }: Request): boolean =>
  (kind === "add" || (isAction(kind) && ONCE_ACTIONS.includes(kind))) &&
  STATE_TABLE.takingCode.includes(state);

const answeredProduct = ({ state, product_id }: Request): ProductId | null =>
  state === "done" ? product_id : null;

/** Of answered requests of one product, those of which a field was not sent again later. */
function findLastSent(requests: readonly Request[]): ReadonlySet<string> {
  const distinct = new Map(requests.map((request) => [toKey(request), request]));
  const newestFirst = [...distinct.values()].toSorted((a, b) => (b.ended ?? 0) - (a.ended ?? 0));
  const sentLater = new Set<string>();
  const last = newestFirst.filter(({ payload_json }) => {
    const fields = Object.keys(fromJson<Payload>(payload_json));
    const isLast = fields.some((field) => !sentLater.has(field));
    for (const field of fields) sentLater.add(field);
    return isLast;
  });
  return new Set(last.map(toKey));
}

interface ProductKey {
  readonly productId: ProductId;
  readonly store: number;
}

/**
 * Number of the latest requests that are read. Later ones that are not read only keep a request
 * longer: it is judged again when they are archived.
 */
const NEWEST = 4;

function prepareRequestReads({ database }: ArchiveContext) {
  const requests = database.build
    .selectFrom("op")
    .select(["run_id", "row_no", "kind", "state", "product_id", "payload_json", "ended_seq"])
    .select(ENDED_ORDER.as("ended"));
  return {
    readMine: database.prepareAll<RowRange, Request>((arg) =>
      requests
        .where("run_id", "=", arg("runId"))
        .where("row_no", ">", arg("after"))
        .where("row_no", "<=", arg("last")),
    ),
    /** Requests whose rows are archived already; few, as they were the last ones. */
    readArchived: database.prepareAll<ProductKey, Request>((arg) =>
      requests
        .where("product_id", "=", arg("productId"))
        .where("store", "=", arg("store"))
        .where("ended_seq", "is not", null)
        // Read through the index of archived requests, not that of all requests of the product.
        .where(sql<string>`state || ''`, "=", "done"),
    ),
    readNewest: database.prepareAll<ProductKey, Request>((arg) =>
      requests
        .where("product_id", "=", arg("productId"))
        .where("store", "=", arg("store"))
        .where("state", "=", toLiteral("done"))
        // Ids of runs begin with their time.
        .orderBy("run_id", "desc")
        .limit(NEWEST),
    ),
  };
}

/** A run, and the row up to which it was moved. */
interface MovedRun {
  readonly runId: string;
  readonly archivedTo: number;
  /** Whether the rows are kept in the archive. */
  readonly isKept: boolean;
}

/** The rows that were moved. */
interface MovedRows {
  readonly lastRow: number;
  readonly rows: number;
}

/** Rows in a piece, and in one commit: tens of milliseconds for which other processes wait. */
const PIECE_ROWS = 500;

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
      yield* write.piece([{ run_id: runId, last_row: last, piece }]);
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

function prepareReads(database: Database) {
  const { build } = database;
  const ofRange = <Table extends "event" | "before_value" | "verification">(
    table: Table,
    order: string,
  ) =>
    database.prepareAll<RowRange, Selectable<Schema[Table]>>((arg) => {
      const query = sql<Selectable<Schema[Table]>>`SELECT * FROM ${sql.table(table)}
        WHERE run_id = ${arg("runId")} AND row_no > ${arg("after")} AND row_no <= ${arg("last")}
        ORDER BY ${sql.ref(order)}`;
      return { compile: () => query.compile(build) };
    });
  const readEvents = ofRange("event", "seq");
  const readBefore = ofRange("before_value", "row_no");
  const readVerifications = ofRange("verification", "row_no");
  return {
    rows: database.prepareAll<Omit<RowRange, "last">, Selectable<RunRowTable>>((arg) =>
      build
        .selectFrom("run_row")
        .selectAll()
        .where("run_id", "=", arg("runId"))
        .where("row_no", ">", arg("after"))
        .orderBy("row_no")
        .limit(PIECE_ROWS),
    ),
    *others(range: RowRange): Steps<Omit<PieceContents, "rows">> {
      return {
        events: yield* readEvents(range),
        before: yield* readBefore(range),
        verifications: yield* readVerifications(range),
      };
    },
  };
}

interface Stub extends RowKey {
  readonly endedSeq: number | null;
}

function prepareWrites(database: Database) {
  const { build } = database;
  const stubOp = database.prepareUpdate("op", ["run_id", "row_no"], ["ended_seq"]);
  const stubRow = database.prepare<RowKey>((arg) =>
    build
      .updateTable("run_row")
      .set({ payload_json: null, changes_json: "[]", issues_json: "[]", note: null })
      .where("run_id", "=", arg("runId"))
      .where("row_no", "=", arg("row")),
  );
  // Their events were removed when the rows were archived, or are by `removeHistory`.
  const removals = (["op", "before_value", "verification", "run_row"] as const).map((table) =>
    database.prepareDelete(table, ["run_id", "row_no"]),
  );
  const ofRange = (table: "event" | "verification") =>
    database.prepare<RowRange>((arg) =>
      build
        .deleteFrom(table)
        .where("run_id", "=", arg("runId"))
        .where("row_no", ">", arg("after"))
        .where("row_no", "<=", arg("last")),
    );
  const histories = [ofRange("event"), ofRange("verification")];
  return {
    piece: database.prepareInsert("archive_piece", ["run_id", "last_row", "piece"]),
    *stub(rows: readonly Stub[]): Steps<void> {
      for (const row of rows) {
        yield* stubOp({ run_id: row.runId, row_no: row.row, ended_seq: row.endedSeq });
        yield* stubRow(row);
      }
    },
    /** Removes rows with their requests and the values before them. */
    *remove(rows: readonly RowKey[]): Steps<void> {
      for (const { runId, row } of rows) {
        for (const remove of removals) yield* remove({ run_id: runId, row_no: row });
      }
    },
    /** Removes events and results of reading back; rows that stay need neither. */
    *removeHistory(range: RowRange): Steps<void> {
      for (const remove of histories) yield* remove(range);
    },
  };
}

/** Moves the run on within the caller's transaction. */
export type AdvanceRun = (run: ArchivedRun) => Steps<void>;

export function createAdvanceRun(context: ArchiveContext, stages: RunStages): AdvanceRun {
  const moveRows = createMoveRows(context);
  const { database } = context;
  const { build } = database;
  const readFirstPiece = database.prepareGet<
    { readonly runId: string },
    { readonly id: number; readonly last_row: number }
  >((arg) =>
    build
      .selectFrom("archive_piece")
      .select(["id", "last_row"])
      .where("run_id", "=", arg("runId"))
      .orderBy("last_row")
      .limit(1),
  );
  /** Deletes the cells of rows up to one; a piece of them goes with its last row. */
  const deleteCells = (runId: string, last: number): Steps<number> =>
    database.run(
      build.deleteFrom("row_piece").where("run_id", "=", runId).where("last_row", "<=", last),
    );
  const archive = function* archive(run: ArchivedRun): Steps<void> {
    const { run_id: runId, archived_to: archivedTo } = run;
    const moved = yield* moveRows({ runId, archivedTo, isKept: true });
    if (moved !== undefined) yield* stages.advance(runId, moved.lastRow);
    if (moved === undefined || moved.rows < PIECE_ROWS) yield* stages.setStage(runId, "archived");
  };
  const prune = function* prune(run: ArchivedRun): Steps<void> {
    const { run_id: runId, archived_to: archivedTo } = run;
    const piece = yield* readFirstPiece({ runId });
    if (piece !== undefined) {
      yield* database.run(build.deleteFrom("archive_piece").where("id", "=", piece.id));
      yield* deleteCells(runId, piece.last_row);
      return;
    }
    const moved = yield* moveRows({ runId, archivedTo, isKept: false });
    if (moved !== undefined) {
      yield* stages.advance(runId, moved.lastRow);
      yield* deleteCells(runId, moved.lastRow);
      return;
    }
    yield* deleteCells(runId, Number.MAX_SAFE_INTEGER);
    // The counts of calls by minute; their sum stays with the run.
    yield* database.run(build.deleteFrom("run_call_minute").where("run_id", "=", runId));
    yield* stages.setStage(runId, "pruned");
  };
  return (run) => (run.stage === "archiving" ? archive(run) : prune(run));
}
