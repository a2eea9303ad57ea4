/**
 * The rows of a run: stored as they are read, inserted into `run_row` when they are decided, read
 * in the order of the sheet.
 */

import {
  isLegalMove,
  type RowCode,
  type RowDecision,
  type RowFilter,
  type RowRecord,
  type RowRepository,
  type StateCount,
} from "@catalog/runs";
import { sql } from "kysely";

import { prunedRun } from "../archive/pruned-run.ts";
import { createRunArchive } from "../archive/run-archive.ts";
import { toJson, toJsonList } from "../sqlite/json.ts";
import type { RunRowTable } from "../sqlite/schema.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { type JournalContext, selectRun } from "./context.ts";
import { readDuplicates } from "./duplicate-codes.ts";
import type { Piece, RowPieces, StoredRow } from "./row-pieces.ts";
import { type RecordColumns, selectRecords, type ToRecord, toWaiting } from "./row-records.ts";

/** The parts of the journal that rows are read with. */
export interface RowParts {
  readonly pieces: RowPieces;
  readonly toRecord: ToRecord;
}

export function createRowTable(context: JournalContext, parts: RowParts): RowRepository {
  const { database, clock } = context;
  const { pieces, toRecord } = parts;
  const assertRun = createAssertRun(context);
  const decide = createDecide(context, pieces);
  const readRows = createReadRows(context, pieces, {
    fromDecided: toRecord,
    fromWaiting: ({ row }, { rowOf }) => toWaitingOf(rowOf(row)),
  });
  const readCodes = createReadRows<RowCode>(context, pieces, {
    fromDecided: ({ row_no, code, code_key }) => ({ row: row_no, code, codeKey: code_key }),
    fromWaiting: (code) => code,
  });

  return {
    async appendRows(runId, rows) {
      const now = clock.now();
      // Unsynced: a run is not used before it is `planned`, and that commit is synced and brings
      // these rows along.
      database.transactionUnsynced(() => {
        assertRun(runId);
        pieces.append(runId, rows, now);
      });
    },
    async readDuplicates(runId) {
      return readDuplicates(context, pieces, runId);
    },
    async readRows(runId, filter) {
      return readRows(runId, filter);
    },
    async readCodes(runId, filter) {
      return readCodes(runId, filter);
    },
    async countRows(runId) {
      return countRows(context, pieces, runId);
    },
    async saveDecisions(runId, decisions) {
      const now = clock.now();
      database.transactionUnsynced(() => {
        assertRun(runId);
        decide(runId, decisions, now);
      });
    },
  };
}

/** Returns the function that throws where rows of the run cannot be stored. */
function createAssertRun(context: JournalContext): (runId: string) => void {
  const archive = createRunArchive(context);
  return (runId) => {
    if (context.database.get(selectRun(context, runId)) === undefined) {
      throw new Error(`this store has no run ${runId}`);
    }
    const archived = archive.find(runId);
    if (archived === undefined) return;
    // A process that was suspended for days may still be planning it.
    throw prunedRun(runId, archived.pruned_at_ms ?? context.clock.now());
  };
}

const toWaitingOf = (row: StoredRow | undefined): RowRecord | undefined => row && toWaiting(row);

type ReadRows<Row> = (runId: string, filter: RowFilter) => readonly Row[];

/** What is read of a row. */
interface ReadRow<Row> {
  readonly fromDecided: (columns: RecordColumns) => Row;
  /** `undefined` where the piece lacks the row. */
  readonly fromWaiting: (code: RowCode, piece: Piece) => Row | undefined;
}

/** Decided rows come from `run_row`, and rows that wait for a decision from the pieces. */
function createReadRows<Row extends Pick<RowCode, "row">>(
  context: JournalContext,
  pieces: RowPieces,
  { fromDecided, fromWaiting }: ReadRow<Row>,
): ReadRows<Row> {
  const { database } = context;
  const readWaiting = createReadWaiting(context, pieces, fromWaiting);
  return (runId, filter) => {
    const { states, action, after = 0, limit } = filter;
    let query = selectRecords(database)
      .where("run_row.run_id", "=", selectRun(context, runId))
      .where("run_row.row_no", ">", after)
      .orderBy("run_row.row_no")
      .limit(limit);
    if (states !== undefined) query = query.where("run_row.state", "in", states);
    if (action !== undefined) query = query.where("run_row.action", "=", action);
    const decided = database.all(query).map(fromDecided);
    // Further waiting rows would come after a full list of decided ones.
    const upTo = decided[limit - 1]?.row ?? Infinity;
    const waiting = mayWait(filter) ? readWaiting(runId, { after, upTo, limit }) : [];
    if (waiting.length === 0) return decided;
    return [...decided, ...waiting].toSorted((a, b) => a.row - b.row).slice(0, limit);
  };
}

const mayWait = ({ states, action }: RowFilter): boolean =>
  action === undefined && (states?.includes("parsed") ?? true);

interface WaitingFilter {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

function createReadWaiting<Row>(
  context: JournalContext,
  pieces: RowPieces,
  fromWaiting: ReadRow<Row>["fromWaiting"],
): (runId: string, filter: WaitingFilter) => readonly Row[] {
  const { database } = context;
  const readDecided = prepareReadDecided(database);
  return (runId, { after, upTo, limit }) => {
    if (database.get(selectRun(context, runId)) === undefined) return [];
    const waiting: Row[] = [];
    let piece = pieces.readFrom(runId, after + 1);
    while (piece !== undefined && piece.firstRow <= upTo && waiting.length < limit) {
      const { codes, firstRow, lastRow } = piece;
      const decided = readDecided(runId, firstRow, lastRow);
      for (const code of codes) {
        if (code.row <= after || decided.has(code.row)) continue;
        if (waiting.length === limit) return waiting;
        const row = fromWaiting(code, piece);
        if (row !== undefined) waiting.push(row);
      }
      piece = pieces.readFrom(runId, lastRow + 1);
    }
    return waiting;
  };
}

type ReadDecided = (runId: string, first: number, last: number) => Set<number>;

/** Returns the function that reads the numbers of the decided rows between two rows. */
function prepareReadDecided(database: Database): ReadDecided {
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
  return (runId, first, last) => new Set(read({ runId, first, last }).map(({ row_no }) => row_no));
}

type Decide = (runId: string, decisions: readonly RowDecision[], nowMs: number) => void;

/** Inserts decided rows within the caller's transaction; the database adds the event of each. */
function createDecide({ database }: JournalContext, pieces: RowPieces): Decide {
  const insert = prepareInsert(database);
  const readDecided = prepareReadDecided(database);
  return (runId, decisions, nowMs) => {
    const numbers = decisions.map(({ row }) => row);
    const decided = readDecided(runId, Math.min(...numbers), Math.max(...numbers));
    const toColumns = (decision: RowDecision): DecidedColumns => {
      const { row, state } = decision;
      if (!isLegalMove("parsed", state)) {
        throw new Error(`row ${row} of ${runId} cannot become ${state}`);
      }
      const stored = pieces.findCode(runId, row);
      if (stored === undefined || decided.has(row)) {
        throw new Error(`row ${row} of ${runId} is not waiting for a decision`);
      }
      decided.add(row);
      return toDecidedColumns(decision, { runId, nowMs, stored });
    };
    insert(decisions.map(toColumns));
  };
}

/** Returns the function that inserts decided rows, which are of one run and one moment. */
function prepareInsert(database: Database): (rows: readonly DecidedColumns[]) => number {
  return database.prepareEach<DecidedColumns>((rows) => {
    const [first] = rows;
    const decided = rows.map(
      (arg) =>
        sql`(${arg("row_no")}, ${arg("state")}, ${arg("action")}, ${arg("code")},
          ${arg("code_key")}, ${arg("product_id")}, ${arg("payload_json")},
          ${arg("changes_json")}, ${arg("issues_json")})`,
    );
    const insert = sql`
      INSERT INTO run_row (run_id, row_no, state, action, code, code_key, product_id,
        payload_json, changes_json, issues_json, updated_at_ms)
      SELECT ${first("run_id")}, *, ${first("updated_at_ms")}
      FROM (VALUES ${sql.join(decided)})`;
    return { compile: () => insert.compile(database.build) };
  });
}

type DecidedColumns = Omit<RunRowTable, "changes_json" | "issues_json" | "attempts" | "note"> & {
  readonly changes_json: string;
  readonly issues_json: string;
};

interface DecidedAt {
  readonly runId: string;
  readonly nowMs: number;
  readonly stored: RowCode;
}

const toDecidedColumns = (
  decision: RowDecision,
  { runId, nowMs, stored }: DecidedAt,
): DecidedColumns => ({
  run_id: runId,
  row_no: decision.row,
  state: decision.state,
  action: decision.action,
  code: stored.code,
  code_key: stored.codeKey,
  product_id: decision.productId,
  payload_json: decision.payload === null ? null : toJson(decision.payload),
  changes_json: toJsonList(decision.changes),
  issues_json: toJsonList(decision.issues),
  updated_at_ms: nowMs,
});

/** Counts decided rows by state and action; the others are `parsed`. */
function countRows(context: JournalContext, pieces: RowPieces, runId: string): StateCount[] {
  const { build } = context.database;
  const counted = context.database.all(
    build
      .selectFrom("run_row")
      // Groups by state alone, as the index is ordered; grouping by both columns would sort all
      // rows.
      .select([
        "state",
        (select) => select.fn.countAll<number>().as("all"),
        sql<number>`count(CASE action WHEN 'add' THEN 1 END)`.as("adds"),
        sql<number>`count(CASE action WHEN 'update' THEN 1 END)`.as("updates"),
      ])
      .where("run_id", "=", selectRun(context, runId))
      .groupBy("state"),
  );
  const isOurs = context.database.get(selectRun(context, runId)) !== undefined;
  const decided = counted.reduce((sum, { all }) => sum + all, 0);
  const waiting = isOurs ? pieces.count(runId) - decided : 0;
  return [
    { state: "parsed" as const, all: Math.max(0, waiting), adds: 0, updates: 0 },
    ...counted,
  ].flatMap(({ state, all, adds, updates }): StateCount[] =>
    [
      { state, action: null, rows: all - adds - updates },
      { state, action: "add" as const, rows: adds },
      { state, action: "update" as const, rows: updates },
    ].filter(({ rows }) => rows > 0),
  );
}
