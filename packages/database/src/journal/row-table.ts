/**
 * The rows of a run: appended from the sheet, decided by the plan, read in the order of the sheet.
 */

import {
  isLegalMove,
  type ParsedRow,
  type RowDecision,
  type RowRecord,
  type RowRepository,
  type StateCount,
} from "@catalog/runs";
import { type Selectable, type SelectQueryBuilder, sql } from "kysely";

import { readInBatches } from "../sqlite/batches.ts";
import { fromJson, fromJsonList, toJson, toJsonList } from "../sqlite/json.ts";
import type { RowCellsTable, RunRowTable, Schema } from "../sqlite/schema.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { type JournalContext, selectRun } from "./context.ts";
import { readDuplicates } from "./duplicate-codes.ts";
import { createEventLogs } from "./events.ts";

export function createRowTable(context: JournalContext): RowRepository {
  const { database, clock } = context;
  const append = prepareAppend(database);
  const decide = createDecide(context);

  return {
    async appendRows(runId, rows) {
      const now = clock.now();
      // Unsynced: a run is not used before it is `planned`, and that commit is synced and brings
      // these rows along.
      database.transactionUnsynced(() => {
        assertRun(context, runId);
        append(runId, rows, now);
      });
    },
    async readDuplicates(runId) {
      return readDuplicates(context, runId);
    },
    async readRows(runId, { states, action, after = 0, limit }) {
      let query = selectRecords(database)
        .where("run_row.run_id", "=", selectRun(context, runId))
        .where("run_row.row_no", ">", after)
        .orderBy("run_row.row_no")
        .limit(limit);
      if (states !== undefined) query = query.where("run_row.state", "in", states);
      if (action !== undefined) query = query.where("run_row.action", "=", action);
      return database.all(query).map(toRecord);
    },
    async countRows(runId) {
      return countRows(context, runId);
    },
    async saveDecisions(runId, decisions) {
      const now = clock.now();
      try {
        database.transactionUnsynced(() => {
          assertRun(context, runId);
          decide(runId, decisions, now);
        });
      } catch (error) {
        if (error instanceof NotWaitingError) assertWaiting(context, runId, decisions);
        throw error;
      }
    },
  };
}

function assertRun(context: JournalContext, runId: string): void {
  if (context.database.get(selectRun(context, runId)) === undefined) {
    throw new Error(`this store has no run ${runId}`);
  }
}

/** Moves parsed rows on, within the caller's transaction. */
function createDecide({
  database,
}: JournalContext): (runId: string, decisions: readonly RowDecision[], now: number) => void {
  const update = prepareDecisions(database);
  const appendEvents = createEventLogs(database);
  return (runId, decisions, now) => {
    for (const { row, state: to } of decisions) {
      if (!isLegalMove("parsed", to)) throw new Error(`row ${row} of ${runId} cannot become ${to}`);
    }
    const moved = update(decisions.map((decision) => toDecisionColumns(runId, decision, now)));
    if (moved !== decisions.length) throw new NotWaitingError();
    appendEvents(
      decisions.map(({ row, state: to }) => {
        const move = { runId, row, from: "parsed" as const, to };
        return { ...move, cause: "plan", evidence: {}, atMs: now };
      }),
    );
  };
}

/** Thrown when a row is not `parsed`; the row is found after the rollback. */
class NotWaitingError extends Error {
  override readonly name = "NotWaitingError";
}

function assertWaiting(
  context: JournalContext,
  runId: string,
  decisions: readonly RowDecision[],
): void {
  const waiting = readInBatches(
    decisions.map(({ row }) => row),
    (batch) =>
      context.database.all(
        context.database.build
          .selectFrom("run_row")
          .select("row_no")
          .where("run_id", "=", selectRun(context, runId))
          .where("state", "=", "parsed")
          .where("row_no", "in", batch),
      ),
  );
  const rows = new Set(waiting.map(({ row_no }) => row_no));
  // A row that is decided twice is not `parsed` the second time.
  const wrong = decisions.find(({ row }) => !rows.delete(row));
  if (wrong === undefined) return;
  throw new Error(`row ${wrong.row} of ${runId} is not waiting for a decision`);
}

/** Writes rows and their cells, within the caller's transaction. */
function prepareAppend(
  database: Database,
): (runId: string, rows: readonly ParsedRow[], now: number) => void {
  const { build } = database;
  const insertRows = database.prepareEach<NewRowColumns>((rows) =>
    build.insertInto("run_row").values(
      rows.map((arg) => ({
        run_id: arg("run_id"),
        row_no: arg("row_no"),
        state: "parsed" as const,
        code: arg("code"),
        code_key: arg("code_key"),
        updated_at_ms: arg("updated_at_ms"),
      })),
    ),
  );
  const insertCells = database.prepareEach<RowCellsTable>((rows) =>
    build.insertInto("row_cells").values(
      rows.map((arg) => ({
        run_id: arg("run_id"),
        row_no: arg("row_no"),
        cells_json: arg("cells_json"),
        traits_json: arg("traits_json"),
        formats_json: arg("formats_json"),
      })),
    ),
  );
  return (runId, rows, now) => {
    insertRows(rows.map((row) => toNewColumns(runId, row, now)));
    insertCells(rows.map((row) => toCellColumns(runId, row)));
  };
}

/**
 * Returns how many of the rows were `parsed`. The condition on the state is written so that SQLite
 * does not use the index of states: it would visit all parsed rows for each decision.
 */
function prepareDecisions(database: Database): (rows: readonly DecisionColumns[]) => number {
  return database.prepareEach<DecisionColumns>((rows) => {
    const [first] = rows;
    const decided = rows.map(
      (arg) =>
        sql`(${arg("row_no")}, ${arg("state")}, ${arg("action")}, ${arg("product_id")},
          ${arg("payload_json")}, ${arg("changes_json")}, ${arg("issues_json")})`,
    );
    const update = sql`
      UPDATE run_row SET state = column2, action = column3, product_id = column4,
        payload_json = column5, changes_json = column6, issues_json = column7,
        updated_at_ms = ${first("updated_at_ms")}
      FROM (VALUES ${sql.join(decided)}) AS decided
      WHERE run_id = ${first("run_id")} AND row_no = column1 AND state || '' = 'parsed'`;
    return { compile: () => update.compile(database.build) };
  });
}

type NewRowColumns = Pick<RunRowTable, "run_id" | "row_no" | "code" | "code_key" | "updated_at_ms">;

interface DecisionColumns extends Pick<
  RunRowTable,
  "run_id" | "row_no" | "state" | "action" | "product_id" | "payload_json" | "updated_at_ms"
> {
  readonly changes_json: string;
  readonly issues_json: string;
}

function toNewColumns(
  runId: string,
  { row, code, codeKey }: ParsedRow,
  now: number,
): NewRowColumns {
  return { run_id: runId, row_no: row, code, code_key: codeKey, updated_at_ms: now };
}

function toCellColumns(runId: string, { row, cells, traits, formats }: ParsedRow): RowCellsTable {
  return {
    run_id: runId,
    row_no: row,
    cells_json: toJson(cells),
    traits_json: traits === undefined ? null : toJson(traits),
    formats_json: formats === undefined ? null : toJson(formats),
  };
}

function toDecisionColumns(runId: string, decision: RowDecision, now: number): DecisionColumns {
  return {
    run_id: runId,
    row_no: decision.row,
    state: decision.state,
    action: decision.action,
    product_id: decision.productId,
    payload_json: decision.payload === null ? null : toJson(decision.payload),
    changes_json: toJsonList(decision.changes),
    issues_json: toJsonList(decision.issues),
    updated_at_ms: now,
  };
}

/** Selects rows of runs, each with its cells. */
export function selectRecords({
  build,
}: Pick<Database, "build">): SelectQueryBuilder<Schema, "run_row" | "row_cells", RecordColumns> {
  return build
    .selectFrom("run_row")
    .innerJoin("row_cells", (join) =>
      join
        .onRef("row_cells.run_id", "=", "run_row.run_id")
        .onRef("row_cells.row_no", "=", "run_row.row_no"),
    )
    .selectAll("run_row")
    .select(["row_cells.cells_json", "row_cells.traits_json", "row_cells.formats_json"]);
}

export type RecordColumns = Selectable<RunRowTable & RowCellsTable>;

/** Converts a row of {@link selectRecords} into the record of the runs package. */
export function toRecord(columns: RecordColumns): RowRecord {
  return {
    row: columns.row_no,
    cells: fromJson(columns.cells_json),
    traits: columns.traits_json === null ? undefined : fromJson(columns.traits_json),
    formats: columns.formats_json === null ? undefined : fromJson(columns.formats_json),
    code: columns.code,
    codeKey: columns.code_key,
    state: columns.state,
    action: columns.action,
    productId: columns.product_id,
    payload: columns.payload_json === null ? null : fromJson(columns.payload_json),
    changes: fromJsonList(columns.changes_json),
    issues: fromJsonList(columns.issues_json),
    attempts: columns.attempts,
    note: columns.note,
    updatedAtMs: columns.updated_at_ms,
  };
}

function countRows(context: JournalContext, runId: string): StateCount[] {
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
  return counted.flatMap(({ state, all, adds, updates }): StateCount[] =>
    [
      { state, action: null, rows: all - adds - updates },
      { state, action: "add" as const, rows: adds },
      { state, action: "update" as const, rows: updates },
    ].filter(({ rows }) => rows > 0),
  );
}
