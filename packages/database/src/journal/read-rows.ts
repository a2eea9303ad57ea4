/**
 * Reads rows of a run in the order of the sheet: those that may move from `run_row`, those in a final
 * state and those that wait for a decision from their pieces.
 */

import { isAction, type RowRecord, type RowRepository, type RowCode } from "@catalog/runs";
import type {
  Expression,
  ExpressionBuilder,
  Selectable,
  SelectQueryBuilder,
  SqlBool,
} from "kysely";

import { type Database, eachStep, type Steps, together } from "../sql/database.ts";
import { fromJson, fromJsonList, toJson, toJsonList, toLiteral } from "../sql/queries.ts";
import type { RunRowTable, Schema } from "../sql/schema.ts";
import { type FinalRow, type FinalRows, PLANNED_STATES } from "./final-rows.ts";
import type { Piece, RowPieces, StoredRow } from "./row-pieces.ts";
import { type JournalContext, prepareHasRun, selectRun } from "./transitions.ts";

type RowFilter = Parameters<RowRepository["readRows"]>[1];

/** Selects decided rows of runs; {@link createRowRecords} adds their cells. */
export function selectRecords({
  build,
}: Pick<Database, "build">): SelectQueryBuilder<Schema, "run_row", RecordColumns> {
  return build.selectFrom("run_row").selectAll("run_row");
}

export type RecordColumns = Selectable<RunRowTable>;

/** Converts a row of {@link selectRecords} into the record of the runs package. */
export type ToRecord = (columns: RecordColumns) => Steps<RowRecord>;

/** Converts a row in a final state, with its cells. */
export const toFinalRecord = (
  { row, state, productId, issues, decidedAtMs }: FinalRow,
  { cells, traits, formats, joined, line, code, codeKey }: StoredRow,
): RowRecord => ({
  row,
  cells,
  traits,
  formats,
  joined,
  line,
  code,
  codeKey,
  state,
  action: null,
  productId,
  payload: null,
  changes: [],
  issues,
  attempts: 0,
  note: null,
  updatedAtMs: decidedAtMs,
});

/** The body of a request, by what it is about. */
export function toBody(
  action: RowRecord["action"],
  json: string | null,
): Pick<RowRecord, "payload" | "call"> {
  if (json === null) return { payload: null };
  return isAction(action) ? { payload: null, call: fromJson(json) } : { payload: fromJson(json) };
}

export function createRowRecords(pieces: RowPieces): ToRecord {
  return function* toRecord(columns) {
    const { run_id, row_no } = columns;
    const found = yield* pieces.find(run_id, row_no);
    if (found === undefined) throw new Error(`row ${row_no} of ${run_id} has lost its cells`);
    const { cells, traits, formats, joined, line } = found;
    return {
      row: row_no,
      cells,
      traits,
      formats,
      joined,
      line,
      code: columns.code,
      codeKey: columns.code_key,
      state: columns.state,
      action: columns.action,
      productId: columns.product_id,
      ...toBody(columns.action, columns.payload_json),
      changes: fromJsonList(columns.changes_json),
      issues: fromJsonList(columns.issues_json),
      attempts: columns.attempts,
      note: columns.note,
      updatedAtMs: columns.updated_at_ms,
    };
  };
}

/** Converts a row that waits for its decision. */
export const toWaiting = ({ storedAtMs, ...row }: StoredRow): RowRecord => ({
  row: row.row,
  cells: row.cells,
  traits: row.traits,
  formats: row.formats,
  joined: row.joined,
  line: row.line,
  code: row.code,
  codeKey: row.codeKey,
  state: "parsed",
  action: null,
  productId: null,
  payload: null,
  changes: [],
  issues: [],
  attempts: 0,
  note: null,
  updatedAtMs: storedAtMs,
});

export type ReadRows<Row> = (runId: string, filter: RowFilter) => Steps<readonly Row[]>;

/** The pieces of a run. */
interface ReadPieces {
  readonly pieces: RowPieces;
  readonly finals: FinalRows;
}

/** What is read of a row; `undefined` where the piece lacks the row. */
interface ReadRow<Row> {
  readonly fromDecided: (columns: RecordColumns) => Steps<Row>;
  readonly fromFinal: (found: FinalRow, code: RowCode, piece: Piece) => Steps<Row | undefined>;
  readonly fromWaiting: (code: RowCode, piece: Piece) => Steps<Row | undefined>;
}

/** A row that was found, and how it is read. */
interface Found<Row> {
  readonly row: number;
  readonly read: () => Steps<Row | undefined>;
}

export function createReadRows<Row>(
  context: JournalContext,
  parts: ReadPieces,
  reading: ReadRow<Row>,
): ReadRows<Row> {
  const findMoving = createFindMoving(context, reading.fromDecided);
  const findFinal = createFindFinal(context, parts, reading.fromFinal);
  const findWaiting = createFindWaiting(context, parts, reading.fromWaiting);
  const findDecided = function* findDecided(
    runId: string,
    filter: RowFilter,
  ): Steps<[FoundRows<Row>, FoundRows<Row>]> {
    const { limit, states } = filter;
    if (states === undefined) {
      const final = yield* findFinal(runId, filter, Infinity);
      return [final, yield* findMoving(runId, filter, final[limit - 1]?.row ?? null)];
    }
    // Pieces that have no such row are not gone through again for each list.
    const moving = yield* findMoving(runId, filter, null);
    return [yield* findFinal(runId, filter, moving[limit - 1]?.row ?? Infinity), moving];
  };
  return function* readRows(runId, filter) {
    const { limit, states } = filter;
    // PostgreSQL has no empty list.
    if (states?.length === 0) return [];
    const decided = merge(...(yield* findDecided(runId, filter)), limit);
    // Further rows of one kind come after a full list of another.
    const waiting = yield* findWaiting(runId, filter, decided[limit - 1]?.row ?? Infinity);
    const rows = yield* eachStep(merge(decided, waiting, limit), ({ read }) => read());
    return rows.filter((row) => row !== undefined);
  };
}

type FoundRows<Row> = readonly Found<Row>[];

function merge<Row>(some: FoundRows<Row>, others: FoundRows<Row>, limit: number): FoundRows<Row> {
  if (others.length === 0) return some;
  if (some.length === 0) return others;
  return [...some, ...others].toSorted((a, b) => a.row - b.row).slice(0, limit);
}

type Find<Row, UpTo> = (runId: string, filter: RowFilter, upTo: UpTo) => Steps<FoundRows<Row>>;

function createFindMoving<Row>(
  context: JournalContext,
  fromDecided: ReadRow<Row>["fromDecided"],
): Find<Row, number | null> {
  const read = createReadMoving(context);
  return function* findMoving(runId, filter, upTo) {
    if (!mayMove(filter)) return [];
    return (yield* read(runId, filter, upTo)).map((columns) => ({
      row: columns.row_no,
      read: () => fromDecided(columns),
    }));
  };
}

interface MovingQuestion {
  readonly runId: string;
  readonly after: number;
  readonly limit: number;
  /** Above the last row of a sheet where there is no limit. */
  readonly upTo: number;
}

type ReadMoving = (
  runId: string,
  filter: RowFilter,
  upTo: number | null,
) => Steps<readonly RecordColumns[]>;

/** Compiles a query for each kind of filter, of which there are few. */
function createReadMoving(context: JournalContext): ReadMoving {
  const { database } = context;
  const prepare = ({ states, action, mayHaveIssues = false }: RowFilter) =>
    database.prepareAll<MovingQuestion, RecordColumns>((arg) =>
      selectRecords(database)
        .where("run_row.run_id", "=", selectRun(context, arg("runId")))
        .where("run_row.row_no", ">", arg("after"))
        .where("run_row.row_no", "<", arg("upTo"))
        .$if(states !== undefined, (query) => query.where("run_row.state", "in", states ?? []))
        .$if(action !== undefined, (query) => query.where("run_row.action", "=", action ?? null))
        .$if(mayHaveIssues, (query) => query.where(hasIssues))
        .orderBy("run_row.row_no")
        .limit(arg("limit")),
    );
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  return (runId, filter, upTo) => {
    const { states = null, action = null, mayHaveIssues = false, after = 0, limit } = filter;
    const key = toJson([states, action, mayHaveIssues]);
    const read = prepared.get(key) ?? prepare(filter);
    prepared.set(key, read);
    return read({ runId, after, limit, upTo: upTo ?? Number.MAX_SAFE_INTEGER });
  };
}

/** A row that is done and has no issue may have been found to differ from what was sent. */
const hasIssues = (build: ExpressionBuilder<Schema, "run_row">): Expression<SqlBool> =>
  build.or([
    build("run_row.issues_json", "<>", NO_ISSUES),
    build("run_row.state", "=", toLiteral("done")),
  ]);

const NO_ISSUES = toLiteral(toJsonList([]));

/** A row has no entry of its own before it is decided. */
const mayMove = ({ states }: RowFilter): boolean =>
  states?.some((state) => state !== "parsed") ?? true;

const mayBeFinal = ({ states, action }: RowFilter): boolean =>
  action === undefined && (states?.some((state) => PLANNED_STATES.includes(state)) ?? true);

function createFindFinal<Row>(
  context: JournalContext,
  { pieces, finals }: ReadPieces,
  fromFinal: ReadRow<Row>["fromFinal"],
): Find<Row, number> {
  const hasRun = prepareHasRun(context);
  const read = function* read(runId: string, found: FinalRow): Steps<Row | undefined> {
    const piece = yield* pieces.readFrom(runId, found.row);
    const code = piece?.codeOf(found.row);
    return piece && code && (yield* fromFinal(found, code, piece));
  };
  return function* findFinal(runId, filter, upTo) {
    if (!mayBeFinal(filter) || !(yield* hasRun(runId))) return [];
    const { states, mayHaveIssues, after = 0, limit } = filter;
    const rows = yield* finals.read(runId, { states, mayHaveIssues, after, upTo, limit });
    return rows.map((found) => ({ row: found.row, read: () => read(runId, found) }));
  };
}

const mayWait = ({ states, action, mayHaveIssues = false }: RowFilter): boolean =>
  action === undefined && !mayHaveIssues && (states?.includes("parsed") ?? true);

function createFindWaiting<Row>(
  context: JournalContext,
  { pieces, finals }: ReadPieces,
  fromWaiting: ReadRow<Row>["fromWaiting"],
): Find<Row, number> {
  const hasRun = prepareHasRun(context);
  const readDecided = createReadDecided(context.database, finals);
  return function* findWaiting(runId, filter, upTo) {
    if (!mayWait(filter)) return [];
    const { after = 0, limit } = filter;
    const isNext = ({ row }: RowCode, decided: ReadonlySet<number>): boolean =>
      row > after && !decided.has(row);
    const waiting: Found<Row>[] = [];
    const [isOurs, first] = yield* together([hasRun(runId), pieces.readFrom(runId, after + 1)]);
    if (!isOurs) return [];
    let piece = first;
    while (piece !== undefined && piece.firstRow <= upTo && waiting.length < limit) {
      const at = piece;
      const decided = yield* readDecided(runId, Math.max(at.firstRow, after + 1), at.lastRow);
      for (const code of at.codes.filter((each) => isNext(each, decided))) {
        if (waiting.length === limit) return waiting;
        waiting.push({ row: code.row, read: () => fromWaiting(code, at) });
      }
      piece = yield* pieces.readFrom(runId, at.lastRow + 1);
    }
    return waiting;
  };
}

type ReadDecided = (runId: string, first: number, last: number) => Steps<Set<number>>;

/** Returns the function that reads the numbers of the decided rows between two rows. */
export function createReadDecided(
  database: Database,
  finals: Pick<FinalRows, "listNumbers">,
): ReadDecided {
  interface Between {
    readonly runId: string;
    readonly first: number;
    readonly last: number;
  }
  const read = database.prepareAll<Between, Pick<RunRowTable, "row_no">>((arg) =>
    database.build
      .selectFrom("run_row")
      .select("row_no")
      .where("run_id", "=", arg("runId"))
      .where("row_no", ">=", arg("first"))
      .where("row_no", "<=", arg("last")),
  );
  return function* readDecided(runId, first, last) {
    const [moving, final] = yield* together([
      read({ runId, first, last }),
      finals.listNumbers(runId, first, last),
    ]);
    return new Set([...moving.map(({ row_no }) => row_no), ...final]);
  };
}
