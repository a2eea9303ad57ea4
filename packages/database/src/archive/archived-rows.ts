/**
 * Rows and events of runs, whether they are archived or not. Of a run that was pruned only the rows
 * are left whose request is still the last one of its product: their state, their request and its
 * code, without cells and events.
 */

import type { Ledger, RowFilter, RowRecord, RowRepository } from "@catalog/runs";
import type { Selectable } from "kysely";

import { type JournalContext, selectRun } from "../journal/context.ts";
import type { ToRecord } from "../journal/row-records.ts";
import { fromJson } from "../sqlite/json.ts";
import type { RunRowTable } from "../sqlite/schema.ts";
import type { ArchivedRun } from "./archive-context.ts";
import { prunedRun } from "./pruned-run.ts";
import { isPruned, type RunArchive, toStateCounts } from "./run-archive.ts";

type ArchivedMethods = Pick<RowRepository, "readRows" | "readCodes" | "countRows"> &
  Pick<Ledger, "readEvents">;

/** The parts that archived rows are read with. */
export interface ArchivedRowsParts {
  readonly archive: RunArchive;
  readonly toRecord: ToRecord;
}

/** Reads from the tables, and from the archive where the tables do not have all of a run. */
export function withArchivedRows<Tables extends ArchivedMethods>(
  context: JournalContext,
  tables: Tables,
  { archive, toRecord }: ArchivedRowsParts,
): Tables {
  const readRows = createReadRows(context, tables, { archive, toRecord });
  return {
    ...tables,
    readRows,
    async readCodes(runId, filter) {
      if (archive.find(runId) === undefined) {
        const codes = await tables.readCodes(runId, filter);
        // Another process may have archived the run meanwhile.
        if (archive.find(runId) === undefined) return codes;
      }
      const rows = await readRows(runId, filter);
      return rows.map(({ row, code, codeKey }) => ({ row, code, codeKey }));
    },
    async countRows(runId) {
      const counts = await tables.countRows(runId);
      const found = archive.find(runId);
      return found === undefined ? counts : toStateCounts(found);
    },
    async readEvents({ runId, row }) {
      const events = await tables.readEvents({ runId, row });
      const found = archive.find(runId);
      if (found === undefined || row > found.archived_to) return events;
      const [piece] = archive.readPieces(runId, row - 1);
      return (piece?.events ?? [])
        .filter(({ row_no }) => row_no === row)
        .map((event) => ({
          runId,
          row,
          seq: event.seq,
          from: event.from_state,
          to: event.to_state,
          cause: event.cause,
          evidence: fromJson(event.evidence_json),
          atMs: event.at_ms,
        }));
    },
  };
}

function createReadRows(
  context: JournalContext,
  tables: Pick<RowRepository, "readRows">,
  { archive, toRecord }: ArchivedRowsParts,
): RowRepository["readRows"] {
  const { database } = context;
  const findSame = createPruneWatch(archive);
  return async (runId, filter) => {
    if (findSame(runId, filter) === undefined) {
      const rows = await tables.readRows(runId, filter);
      // Another process may have archived the run meanwhile.
      if (findSame(runId, filter) === undefined) return rows;
    }
    const read = database.snapshot(() => {
      const found = archive.find(runId);
      if (found === undefined) return { rows: [], rest: tables.readRows(runId, filter) };
      if (isPruned(found)) return { rows: readStubs(context, runId, filter), rest: NO_ROWS };
      const archived = collect(archive, { runId, filter, toRecord: withRun(toRecord, runId) });
      return { rows: archived, rest: readRest(tables, found, filter, archived.length) };
    });
    return [...read.rows, ...(await read.rest)];
  };
}

const NO_ROWS: Promise<readonly RowRecord[]> = Promise.resolve([]);

/**
 * Returns the function that finds the entry of a run, and throws where its rows were deleted after
 * the first of them had been read: those must not pass for all of them.
 */
function createPruneWatch(
  archive: RunArchive,
): (runId: string, filter: RowFilter) => ArchivedRun | undefined {
  let last: { readonly runId: string; readonly isPruned: boolean } | undefined;
  return (runId, { after = 0 }) => {
    const found = archive.find(runId);
    const wasWhole = after > 0 && last?.runId === runId && !last.isPruned;
    const prunedAtMs = found?.pruned_at_ms ?? null;
    if (wasWhole && prunedAtMs !== null) throw prunedRun(runId, prunedAtMs);
    last = { runId, isPruned: prunedAtMs !== null };
    return found;
  };
}

interface Collecting {
  readonly runId: string;
  readonly filter: RowFilter;
  readonly toRecord: (row: ArchivedRow) => RowRecord;
}

type ArchivedRow = Omit<Selectable<RunRowTable>, "run_id">;

const withRun =
  (toRecord: ToRecord, runId: string) =>
  (row: ArchivedRow): RowRecord =>
    toRecord({ ...row, run_id: runId });

function collect(
  archive: RunArchive,
  { runId, filter, toRecord }: Collecting,
): readonly RowRecord[] {
  const rows: RowRecord[] = [];
  const { after = 0, limit } = filter;
  for (const piece of archive.readPieces(runId, after)) {
    for (const row of piece.rows) {
      if (rows.length === limit) return rows;
      if (matches(row, filter)) rows.push(toRecord(row));
    }
  }
  return rows;
}

const matches = (
  { row_no, state, action }: ArchivedRow,
  { states, action: wanted, after = 0 }: RowFilter,
): boolean =>
  row_no > after &&
  (states === undefined || states.includes(state)) &&
  (wanted === undefined || action === wanted);

/** Rows that are not archived yet. */
function readRest(
  tables: Pick<RowRepository, "readRows">,
  { run_id, archived_to }: ArchivedRun,
  filter: RowFilter,
  found: number,
): Promise<readonly RowRecord[]> {
  const limit = filter.limit - found;
  const after = Math.max(filter.after ?? 0, archived_to);
  return limit <= 0 ? NO_ROWS : tables.readRows(run_id, { ...filter, after, limit });
}

/** Rows of a pruned run whose request stays. */
function readStubs(context: JournalContext, runId: string, filter: RowFilter): RowRecord[] {
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
  return context.database.all(query).map((stub) => ({
    row: stub.row_no,
    cells: [],
    traits: undefined,
    formats: undefined,
    code: stub.code,
    codeKey: stub.code_key,
    state: stub.state,
    action: stub.action,
    productId: stub.product_id,
    payload: fromJson(stub.sent_json),
    changes: [],
    issues: [],
    attempts: stub.attempts,
    note: stub.note,
    updatedAtMs: stub.updated_at_ms,
  }));
}
