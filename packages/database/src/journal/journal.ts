/** The journal of one store in the database. Its rows are stored as they are read, and written once more
 * when they are decided; every move of a row appends an event. */

import { createHash } from "node:crypto";

import type { Clock } from "@catalog/clock";
import {
  createCompactTextMap,
  type Journal,
  type RowDecision,
  type RowRecord,
  type RowRepository,
  type RowState,
  type StateCount,
  STATE_TABLE,
  type RowCode,
} from "@catalog/runs";
import { sql } from "kysely";

import { createRunArchive, prunedRun } from "../archive/archive.ts";
import { withArchivedRows } from "../archive/archived-reads.ts";
import { createFindProductRows, findSentProducts } from "../archive/product-rows.ts";
import { createLeasedDatabase, type Leases } from "../locks/leases.ts";
import {
  type Database,
  noSteps,
  type Steps,
  type StoreAddress,
  together,
} from "../sql/database.ts";
import { toJson, toJsonList } from "../sql/queries.ts";
import type { RunRowTable } from "../sql/schema.ts";
import { createActionLedger } from "./actions.ts";
import { createFinalRows, type FinalRows } from "./final-rows.ts";
import { createCopySuspicion, createLedger } from "./ledger.ts";
import type { InFlightMarkers } from "./markers.ts";
import { createSeenProducts, createSentProducts } from "./products.ts";
import {
  createReadDecided,
  createReadRows,
  createRowRecords,
  type ReadRows,
  toFinalRecord,
  type ToRecord,
  toWaiting,
} from "./read-rows.ts";
import { createRowPieces, type RowPieces, type StoredRow } from "./row-pieces.ts";
import { createShopBehavior } from "./shop-behavior.ts";
import {
  createEventReader,
  type JournalContext,
  prepareHasRun,
  type RunKind,
  selectRun,
} from "./transitions.ts";

/**
 * Finds the codes first, and compares cells only of rows that share one. Equal cells with different
 * number formats are different: one may be in dollars. So are those of two products with variants.
 */
function* readDuplicates(
  context: JournalContext,
  pieces: RowPieces,
  runId: string,
): Steps<Awaited<ReturnType<Journal["readDuplicates"]>>> {
  if ((yield* context.database.get(selectRun(context, runId))) === undefined) return [];
  const groups = [...(yield* findRows(pieces, runId)).values()];
  // In the order of the sheet, so that each piece is unpacked once.
  const digests = new Map<number, string>();
  for (const row of groups.flat().toSorted((a, b) => a - b)) {
    digests.set(row, yield* digest(pieces, runId, row));
  }
  return groups.map((rows) => ({
    rows,
    identical: new Set(rows.map((row) => digests.get(row))).size === 1,
  }));
}

/** Rows by their first row, of codes that occur on several rows. */
function* findRows(
  pieces: RowPieces,
  runId: string,
): Steps<ReadonlyMap<number, readonly number[]>> {
  const firstRowOf = createCompactTextMap();
  const groups = new Map<number, number[]>();
  yield* pieces.eachCodes(runId, (codes) => {
    for (const { row, codeKey } of codes) {
      if (codeKey === null) continue;
      const first = firstRowOf.get(codeKey);
      const group = first === undefined ? undefined : groups.get(first);
      if (first === undefined) firstRowOf.set(codeKey, row);
      else if (group === undefined) groups.set(first, [first, row]);
      else group.push(row);
    }
  });
  return groups;
}

function* digest(pieces: RowPieces, runId: string, row: number): Steps<string> {
  const { cells, formats, joined } = (yield* pieces.find(runId, row)) ?? {};
  return createHash("sha256")
    .update(toJson([cells, formats ?? null, joined ?? null]))
    .digest("base64");
}

/** The parts of the journal that rows are read with. */
interface RowParts {
  readonly pieces: RowPieces;
  readonly finals: FinalRows;
  readonly toRecord: ToRecord;
}

/** Reads what the tables have of a run, as steps. */
interface RowReads {
  readonly readRows: ReadRows<RowRecord>;
  readonly readCodes: ReadRows<RowCode>;
  countRows(runId: string): Steps<readonly StateCount[]>;
}

function createRowReads(context: JournalContext, parts: RowParts): RowReads {
  const readRows = createReadRows(context, parts, {
    fromDecided: parts.toRecord,
    *fromFinal(found, _, { rowOf }) {
      const stored = yield* rowOf(found.row);
      return stored && toFinalRecord(found, stored);
    },
    *fromWaiting({ row }, { rowOf }) {
      return toWaitingOf(yield* rowOf(row));
    },
  });
  const readCodes = createReadRows<RowCode>(context, parts, {
    fromDecided: ({ row_no, code, code_key }) => noSteps({ row: row_no, code, codeKey: code_key }),
    fromFinal: (_, code) => noSteps(code),
    fromWaiting: (code) => noSteps(code),
  });
  return { readRows, readCodes, countRows: (runId) => countRows(context, parts, runId) };
}

function createRowTable(
  context: JournalContext,
  parts: RowParts,
): Pick<RowRepository, "appendRows" | "readDuplicates" | "saveDecisions"> {
  const { database, clock } = context;
  const { pieces } = parts;
  const assertRun = createAssertRun(context);
  const decide = createDecide(context, parts);
  const append = function* append(...stored: Parameters<RowPieces["append"]>): Steps<void> {
    yield* assertRun(stored[0]);
    yield* pieces.append(...stored);
  };
  const save = function* save(...decided: Parameters<Decide>): Steps<void> {
    yield* assertRun(decided[0]);
    yield* decide(...decided);
  };

  return {
    async appendRows(runId, rows) {
      const now = clock.now();
      // Unsynced: a run is not used before it is `planned`, and that commit is synced and brings
      // these rows along.
      await database.transactionUnsynced(() => append(runId, rows, now));
    },
    readDuplicates: (runId) => database.execute(readDuplicates(context, pieces, runId)),
    async saveDecisions(runId, decisions) {
      const now = clock.now();
      await database.transactionUnsynced(() => save(runId, decisions, now));
    },
  };
}

/** Returns the function that throws where rows of the run cannot be stored. */
function createAssertRun(context: JournalContext): (runId: string) => Steps<void> {
  const archive = createRunArchive(context);
  const hasRun = prepareHasRun(context);
  return function* assertRun(runId) {
    const [isOurs, archived] = yield* together([hasRun(runId), archive.find(runId)]);
    if (!isOurs) throw new Error(`this store has no run ${runId}`);
    if (archived === undefined) return;
    // A process that was suspended for days may still be planning it.
    throw prunedRun(runId, archived.pruned_at_ms ?? context.clock.now());
  };
}

const toWaitingOf = (row: StoredRow | undefined): RowRecord | undefined => row && toWaiting(row);

type Decide = (runId: string, decisions: readonly RowDecision[], nowMs: number) => Steps<void>;

/**
 * Stores decided rows within the caller's transaction; the database adds the event of each that may
 * move.
 */
function createDecide({ database }: JournalContext, { pieces, finals }: RowParts): Decide {
  const insert = database.prepareInsert("run_row", [
    "run_id",
    "row_no",
    "state",
    "action",
    "code",
    "code_key",
    "product_id",
    "payload_json",
    "changes_json",
    "issues_json",
    "updated_at_ms",
  ]);
  const readDecided = createReadDecided(database, finals);
  return function* decide(runId, decisions, nowMs) {
    const numbers = decisions.map(({ row }) => row);
    const decided = yield* readDecided(runId, Math.min(...numbers), Math.max(...numbers));
    const codes = new Map<number, RowCode>();
    for (const { row, state } of decisions) {
      if (!STATE_TABLE.isLegal("parsed", state)) {
        throw new Error(`row ${row} of ${runId} cannot become ${state}`);
      }
      const stored = yield* pieces.findCode(runId, row);
      if (stored === undefined || decided.has(row) || codes.has(row)) {
        throw new Error(`row ${row} of ${runId} is not waiting for a decision`);
      }
      codes.set(row, stored);
    }
    const toColumns = (decision: RowDecision): DecidedColumns =>
      toDecidedColumns(decision, { runId, nowMs, stored: codes.get(decision.row) });
    const moving = yield* finals.append(runId, decisions, nowMs);
    yield* insert(moving.map(toColumns));
  };
}

type DecidedColumns = Omit<RunRowTable, "changes_json" | "issues_json" | "attempts" | "note"> & {
  readonly changes_json: string;
  readonly issues_json: string;
};

interface DecidedAt {
  readonly runId: string;
  readonly nowMs: number;
  readonly stored: RowCode | undefined;
}

const toDecidedColumns = (
  decision: RowDecision,
  { runId, nowMs, stored }: DecidedAt,
): DecidedColumns => ({
  run_id: runId,
  row_no: decision.row,
  state: decision.state,
  action: decision.action,
  code: stored?.code ?? null,
  code_key: stored?.codeKey ?? null,
  product_id: decision.productId,
  payload_json: toJsonOrNull(decision.call ?? decision.payload),
  changes_json: toJsonList(decision.changes),
  issues_json: toJsonList(decision.issues),
  updated_at_ms: nowMs,
});

const toJsonOrNull = (value: object | null): string | null =>
  value === null ? null : toJson(value);

/** Counts decided rows by state and action; the others are `parsed`. */
function* countRows(
  context: JournalContext,
  { pieces, finals }: RowParts,
  runId: string,
): Steps<StateCount[]> {
  const isOurs = (yield* context.database.get(selectRun(context, runId))) !== undefined;
  const final = isOurs ? [...(yield* finals.count(runId))] : [];
  const counted = [
    ...(yield* countMoving(context, runId)),
    ...final.map(([state, all]) => ({ state, all, adds: 0, updates: 0 })),
  ];
  const decided = counted.reduce((sum, { all }) => sum + all, 0);
  const waiting = isOurs ? Math.max(0, (yield* pieces.count(runId)) - decided) : 0;
  const counts = new Map<string, StateCount>();
  for (const { state, all, adds, updates } of [
    { state: "parsed" as const, all: waiting, adds: 0, updates: 0 },
    ...counted,
  ]) {
    for (const [action, rows] of [
      [null, all - adds - updates],
      ["add", adds],
      ["update", updates],
    ] as const) {
      const key = `${state} ${action}`;
      const sum = rows + (counts.get(key)?.rows ?? 0);
      if (sum > 0) counts.set(key, { state, action, rows: sum });
    }
  }
  return [...counts.values()];
}

interface StateSum {
  readonly state: RowState;
  readonly all: number;
  readonly adds: number;
  readonly updates: number;
}

/** Counts the rows of `run_row`. */
function countMoving(context: JournalContext, runId: string): Steps<readonly StateSum[]> {
  const { build } = context.database;
  return context.database.all(
    build
      .selectFrom("run_row")
      // Groups by state alone, as the index is ordered; grouping by both columns would sort all
      // rows.
      .select([
        "state",
        (select) => select.fn.countAll<number>().as("all"),
        sql<number>`count(CASE action WHEN 'add' THEN 1 END)`.as("adds"),
        sql<number>`count(CASE WHEN action <> 'add' THEN 1 END)`.as("updates"),
      ])
      .where("run_id", "=", selectRun(context, runId))
      .groupBy("state"),
  );
}

/** The database, the clock and the store of a journal. */
export interface JournalOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: StoreAddress;
  /** Kind of the runs whose open requests are recovered and reconciled. @default "runs" */
  readonly runKind?: RunKind;
  /** Markers of a file's requests that may have left. @default in a file beside the database */
  readonly markers?: InFlightMarkers | undefined;
  /** Folder of the markers where the database is a server. @default nothing is proven */
  readonly markersFolder?: string | undefined;
  /** The leases under which rows are sent; not needed where the database is a file. */
  readonly leases?: Pick<Leases, "held" | "assertHeld"> | undefined;
}

/** Creates the journal of a store; two journals of the same store see the same rows. */
export function createJournal(options: JournalOptions): Journal {
  const { clock, runKind = "runs", leases, markers, markersFolder } = options;
  const database = createLeasedDatabase(options);
  const store = database.storeKey(options.store);
  const context = { database, clock, store, runKind, leases, markers, markersFolder };
  const pieces = createRowPieces(database);
  const finals = createFinalRows(database);
  const toRecord = createRowRecords(pieces);
  const archive = createRunArchive(context);
  const parts = { pieces, finals, toRecord };
  const findProductRows = createFindProductRows(context, archive);
  const tables = {
    ...createRowReads(context, parts),
    ...createRowTable(context, parts),
    ...createEventReader(context, finals),
  };
  return {
    ...withArchivedRows(context, tables, { archive, toRecord }),
    ...createLedger(context, toRecord),
    ...createCopySuspicion(context),
    ...createShopBehavior(context),
    ...createActionLedger(context),
    ...createSentProducts(context, toRecord),
    findProductRows: (product) => database.snapshot(() => findProductRows(product)),
    findSentProducts: (codeKey) => database.execute(findSentProducts(context, codeKey)),
    ...createSeenProducts(context),
  };
}
