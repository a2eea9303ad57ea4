/**
 * Rows, events and results of reading back, whether they are archived or not. Of a run that was pruned
 * only the rows are left whose request is still the last one of its product: their state, their request
 * and its code, without cells and events.
 */

import type {
  Ledger,
  RowEvent,
  RowKey,
  RowRecord,
  RowRepository,
  StateCount,
  VerificationLog,
  RowCode,
  VerificationCounts,
} from "@catalog/runs";
import type { Selectable } from "kysely";

import { type RecordColumns, toBody, type ToRecord } from "../journal/read-rows.ts";
import { type JournalContext, selectRun, toRowEvent } from "../journal/transitions.ts";
import { type Database, noSteps, type Steps } from "../sql/database.ts";
import { fromJson, toJsonList } from "../sql/queries.ts";
import type { RunRowTable } from "../sql/schema.ts";
import {
  type ArchivedRun,
  isPruned,
  prunedRun,
  type RunArchive,
  toStateCounts,
  toVerificationCounts,
} from "./archive.ts";

type RowFilter = Parameters<RowRepository["readRows"]>[1];
type DoneRows = Awaited<ReturnType<VerificationLog["readUnverified"]>>;
type Verifications = Awaited<ReturnType<VerificationLog["readVerifications"]>>;

type ArchivedMethods = Pick<RowRepository, "readRows" | "readCodes" | "countRows"> &
  Pick<Ledger, "readEvents">;

/** Reads rows and events as the tables have them. */
interface TableReads {
  readRows(runId: string, filter: RowFilter): Steps<readonly RowRecord[]>;
  readCodes(runId: string, filter: RowFilter): Steps<readonly RowCode[]>;
  countRows(runId: string): Steps<readonly StateCount[]>;
  readEvents(key: RowKey): Steps<readonly RowEvent[]>;
}

/** The parts that archived rows are read with. */
interface ArchivedRowsParts {
  readonly archive: RunArchive;
  readonly toRecord: ToRecord;
}

/** Reads from the tables, and from the archive where the tables do not have all of a run. */
export function withArchivedRows<Tables extends TableReads>(
  context: JournalContext,
  tables: Tables,
  { archive, toRecord }: ArchivedRowsParts,
): Omit<Tables, keyof TableReads> & ArchivedMethods {
  const { database } = context;
  const readRows = createReadRows(context, tables, { archive, toRecord });
  return {
    ...tables,
    readRows,
    async readCodes(runId, filter) {
      const read = (): Steps<readonly RowCode[]> => tables.readCodes(runId, filter);
      const codes = await database.execute(unlessArchived(() => archive.find(runId), read));
      if (codes !== undefined) return codes;
      const rows = await readRows(runId, filter);
      return rows.map(({ row, code, codeKey }) => ({ row, code, codeKey }));
    },
    countRows: (runId) => database.execute(countRows(tables, archive, runId)),
    readEvents: (key) => database.execute(readEvents(tables, archive, key)),
  };
}

/** Reads from the tables alone; returns `undefined` where `find` says that the run is archived. */
function* unlessArchived<Result>(
  find: () => Steps<ArchivedRun | undefined>,
  read: () => Steps<Result>,
): Steps<Result | undefined> {
  if ((yield* find()) !== undefined) return undefined;
  const found = yield* read();
  // Another process may have archived the run meanwhile.
  return (yield* find()) === undefined ? found : undefined;
}

function* countRows(
  tables: TableReads,
  archive: RunArchive,
  runId: string,
): Steps<readonly StateCount[]> {
  const counts = yield* tables.countRows(runId);
  const found = yield* archive.find(runId);
  return found === undefined ? counts : toStateCounts(found);
}

function* readEvents(
  tables: TableReads,
  archive: RunArchive,
  { runId, row }: RowKey,
): Steps<readonly RowEvent[]> {
  const events = yield* tables.readEvents({ runId, row });
  const found = yield* archive.find(runId);
  if (found === undefined || row > found.archived_to) return events;
  const piece = yield* archive.readPiece(runId, row - 1);
  return (piece?.events ?? [])
    .filter(({ row_no }) => row_no === row)
    .map((event) => toRowEvent(runId, event));
}

function createReadRows(
  context: JournalContext,
  tables: Pick<TableReads, "readRows">,
  { archive, toRecord }: ArchivedRowsParts,
): RowRepository["readRows"] {
  const { database } = context;
  const findSame = createPruneWatch(archive);
  const readBoth = function* readBoth(
    runId: string,
    filter: RowFilter,
  ): Steps<readonly RowRecord[]> {
    const found = yield* archive.find(runId);
    if (found === undefined) return yield* tables.readRows(runId, filter);
    if (isPruned(found)) return yield* readStubs(context, runId, filter);
    const archived = yield* collectRows(archive, {
      runId,
      filter,
      toRecord: withRun(toRecord, runId),
    });
    return [...archived, ...(yield* readRest(tables, found, filter, archived.length))];
  };
  return async (runId, filter) => {
    const read = (): Steps<readonly RowRecord[]> => tables.readRows(runId, filter);
    const rows = await database.execute(unlessArchived(() => findSame(runId, filter), read));
    return rows ?? (await database.snapshot(() => readBoth(runId, filter)));
  };
}

/**
 * Returns the function that finds the entry of a run, and throws where its rows were deleted after
 * the first of them had been read: those must not pass for all of them.
 */
function createPruneWatch(
  archive: RunArchive,
): (runId: string, filter: RowFilter) => Steps<ArchivedRun | undefined> {
  let last: { readonly runId: string; readonly isPruned: boolean } | undefined;
  return function* findSame(runId, { after = 0 }) {
    const found = yield* archive.find(runId);
    const wasWhole = after > 0 && last?.runId === runId && !last.isPruned;
    const prunedAtMs = found?.pruned_at_ms ?? null;
    if (wasWhole && prunedAtMs !== null) throw prunedRun(runId, prunedAtMs);
    last = { runId, isPruned: prunedAtMs !== null };
    return found;
  };
}

interface RowsAsked {
  readonly runId: string;
  readonly filter: RowFilter;
  readonly toRecord: (row: ArchivedRow) => Steps<RowRecord>;
}

type ArchivedRow = Omit<Selectable<RunRowTable>, "run_id">;

const withRun =
  (toRecord: ToRecord, runId: string) =>
  (row: ArchivedRow): Steps<RowRecord> =>
    toRecord({ ...row, run_id: runId });

function* collectRows(
  archive: RunArchive,
  { runId, filter, toRecord }: RowsAsked,
): Steps<readonly RowRecord[]> {
  const rows: RowRecord[] = [];
  const { after = 0, limit } = filter;
  let piece = yield* archive.readPiece(runId, after);
  while (piece !== undefined) {
    for (const row of piece.rows) {
      if (rows.length === limit) return rows;
      if (matches(row, filter)) rows.push(yield* toRecord(row));
    }
    piece = yield* archive.readPiece(runId, piece.lastRow);
  }
  return rows;
}

const matches = (
  { row_no, state, action, issues_json }: ArchivedRow,
  { states, action: wanted, mayHaveIssues = false, after = 0 }: RowFilter,
): boolean =>
  row_no > after &&
  (states === undefined || states.includes(state)) &&
  (wanted === undefined || action === wanted) &&
  (!mayHaveIssues || issues_json !== toJsonList([]) || state === "done");

/** Rows that are not archived yet. */
function readRest(
  tables: Pick<TableReads, "readRows">,
  { run_id, archived_to }: ArchivedRun,
  filter: RowFilter,
  found: number,
): Steps<readonly RowRecord[]> {
  const limit = filter.limit - found;
  const after = Math.max(filter.after ?? 0, archived_to);
  return limit <= 0 ? noSteps([]) : tables.readRows(run_id, { ...filter, after, limit });
}

/** Rows of a pruned run whose request stays. */
function* readStubs(
  context: JournalContext,
  runId: string,
  filter: RowFilter,
): Steps<readonly RowRecord[]> {
  const { states, action, after = 0, limit } = filter;
  let query = context.database.build
    .selectFrom("run_row")
    .innerJoin("op", (join) =>
      join.onRef("op.run_id", "=", "run_row.run_id").onRef("op.row_no", "=", "run_row.row_no"),
    )
    .selectAll("run_row")
    .select("op.payload_json as sent_json")
    .where("run_row.run_id", "=", selectRun(context, runId))
    .where("run_row.row_no", ">", after)
    .orderBy("run_row.row_no")
    .limit(limit);
  if (states !== undefined) query = query.where("run_row.state", "in", states);
  if (action !== undefined) query = query.where("run_row.action", "=", action);
  return (yield* context.database.all(query)).map(toStub);
}

const toStub = (stub: RecordColumns & { readonly sent_json: string }): RowRecord => ({
  row: stub.row_no,
  cells: [],
  traits: undefined,
  formats: undefined,
  code: stub.code,
  codeKey: stub.code_key,
  state: stub.state,
  action: stub.action,
  productId: stub.product_id,
  ...toBody(stub.action, stub.sent_json),
  changes: [],
  issues: [],
  attempts: stub.attempts,
  note: stub.note,
  updatedAtMs: stub.updated_at_ms,
});

type BeforeValues = Awaited<ReturnType<VerificationLog["readBefore"]>>;

/** Reads results and values as the tables have them. */
export interface VerificationReads {
  readUnverified(runId: string, after: number, limit: number): Steps<DoneRows>;
  readVerifications(runId: string, after: number, limit: number): Steps<Verifications>;
  countVerifications(runId: string): Steps<VerificationCounts>;
  readBefore(runId: string, rows: readonly number[]): Steps<BeforeValues>;
}

/** Reads from the tables, and from the archive where the tables do not have all of a run. */
export function withArchivedVerifications<Tables extends VerificationReads>(
  { execute, snapshot }: Pick<Database, "execute" | "snapshot">,
  tables: Tables,
  archive: RunArchive,
): Omit<Tables, keyof VerificationReads> & Pick<VerificationLog, keyof VerificationReads> {
  return {
    ...tables,
    readUnverified: (runId, after, limit) =>
      execute(readUnverified(tables, archive, { runId, after, limit })),
    readVerifications: (runId, after, limit) =>
      snapshot(() => readVerifications(tables, archive, { runId, after, limit })),
    countVerifications: (runId) => execute(countVerifications(tables, archive, runId)),
    readBefore: (runId, rows) => snapshot(() => readBefore(tables, archive, runId, rows)),
  };
}

function* readUnverified(
  tables: VerificationReads,
  archive: RunArchive,
  { runId, after, limit }: PageAsked,
): Steps<DoneRows> {
  const rows = yield* tables.readUnverified(runId, after, limit);
  // A run is archived only once nothing of it is left to be read back.
  return (yield* archive.find(runId)) === undefined ? rows : [];
}

function* readVerifications(
  tables: VerificationReads,
  archive: RunArchive,
  { runId, after, limit }: PageAsked,
): Steps<Verifications> {
  const archived = yield* collectVerifications(archive, { runId, after, limit });
  const rest = yield* tables.readVerifications(runId, after, limit);
  return [...archived, ...rest].slice(0, limit);
}

function* countVerifications(
  tables: VerificationReads,
  archive: RunArchive,
  runId: string,
): Steps<VerificationCounts> {
  const counts = yield* tables.countVerifications(runId);
  const found = yield* archive.find(runId);
  return found === undefined ? counts : toVerificationCounts(found);
}

function* readBefore(
  tables: VerificationReads,
  archive: RunArchive,
  runId: string,
  rows: readonly number[],
): Steps<BeforeValues> {
  const archived = yield* collectBefore(archive, runId, rows);
  // Values that an undo may need stay in the table when their run is pruned.
  return new Map([...archived, ...(yield* tables.readBefore(runId, rows))]);
}

interface PageAsked {
  readonly runId: string;
  readonly after: number;
  readonly limit: number;
}

function* collectVerifications(
  archive: RunArchive,
  { runId, after, limit }: PageAsked,
): Steps<Verifications> {
  const found: Verifications[number][] = [];
  if (!(yield* isReadable(archive, runId))) return found;
  let piece = yield* archive.readPiece(runId, after);
  while (piece !== undefined) {
    for (const { row_no, status, fields_json, looks } of piece.verifications) {
      if (found.length === limit) return found;
      if (row_no > after) found.push({ row: row_no, status, fields: fromJson(fields_json), looks });
    }
    piece = yield* archive.readPiece(runId, piece.lastRow);
  }
  return found;
}

function* isReadable(archive: RunArchive, runId: string): Steps<boolean> {
  const entry = yield* archive.find(runId);
  return entry !== undefined && !isPruned(entry);
}

function* collectBefore(
  archive: RunArchive,
  runId: string,
  rows: readonly number[],
): Steps<BeforeValues> {
  const found = new Map();
  if (rows.length === 0 || !(yield* isReadable(archive, runId))) return found;
  const wanted = new Set(rows);
  const last = Math.max(...rows);
  let piece = yield* archive.readPiece(runId, Math.min(...rows) - 1);
  while (piece !== undefined) {
    for (const { row_no, product_json } of piece.before) {
      if (wanted.has(row_no)) found.set(row_no, fromJson(product_json));
    }
    if (piece.lastRow >= last) break;
    piece = yield* archive.readPiece(runId, piece.lastRow);
  }
  return found;
}
